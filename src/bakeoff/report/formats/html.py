"""The report as one HTML page that needs nothing else: styles, diagram and script inline, no network."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from markupsafe import Markup

from bakeoff.figures import diagram, to_svg
from bakeoff.figures.geometry.primitives import Drawing
from bakeoff.report import script
from bakeoff.report.appearance import APPEARANCE, Appearance
from bakeoff.report.document import Attachment, Column, Document, Figure, JointDocument, Row, Table, plain_text
from bakeoff.report.formats.pictures import picture_of

if TYPE_CHECKING:
    from jinja2 import Template

LONGEST_LINK = 2_000_000  # characters; browsers take 2 MiB

SCALE = 1.9  # from printed millimetres to a screen: 6.5 pt become 12 pt
FIRST = ("figure", "cautions")  # roles of the sections that stand below the verdict
PHONE_MM = 84.0  # letters of a wider drawing are too small there
WIDE_MM = 160.0  # drawn so wide for a wide screen and for paper
LARGEST_MM = 300.0  # a diagram fills the page, no more
HEAVIEST = 100_000  # characters of a drawing that is not drawn twice
BROAD_CELL = 13  # numbers: letters of 6.6 rem
LONG_CELL = 20  # its words may take several lines
CARDS = (24, 30, 36, 41, 47, 53, 58, 64, 70, 76)
"""Widths in rem up to which a table is cards; 58 are those of the local page at 1280."""
MEASURED = 500  # rows
PHONE = 20.5  # rem: beside the margins of a page
LETTER, PADDING = 0.52, 1.35  # rem: of a wide font, and beside the text of a cell
TIGHT_LETTER, TIGHT_PADDING = 0.475, 0.85  # the same in the smaller letters of a table that would not quite fit


def render(document: Document, look: Appearance = APPEARANCE, data: str | None = None) -> str:
    """The whole page; with ``data``, JSON, also the script that checks them (empty: they are too large)."""
    page_script = script.script_for(data) if data else None
    return _rendered("report.html.j2", look, document=document, data=data, explore=page_script)


def render_joint(joint: JointDocument) -> str:
    """Several results on one page, without a script; ids of each begin with its number."""
    parts = [
        Markup(_rendered("part.html.j2", APPEARANCE, f"r{i}-", document=document))
        for i, document in enumerate(joint.parts, 1)
    ]
    return _rendered("joint.html.j2", APPEARANCE, joint=joint, parts=parts)


def render_fragment(document: Document) -> str:
    """For a notebook: the verdict, the first diagram, and the sections that a terminal shows too."""
    figures = [block for section in document.sections for block in section.blocks if isinstance(block, Figure)]
    return _rendered("notebook.html.j2", APPEARANCE, document=document, figures=figures[:1], shown=document.shown)


def render_strict(document: Document) -> tuple[str, str]:
    """For a page that allows no styles but those of its style sheet (:func:`style_sheet`).

    What is read first (doubts, diagram, cautions), and the rest.
    """
    first = tuple(s for s in document.sections if s.role in FIRST)
    rest = tuple(s for s in document.sections if s.role not in FIRST)
    above = _rendered("strict.html.j2", APPEARANCE, document=replace(document, sections=first))
    return above, _rendered("strict.html.j2", APPEARANCE, document=replace(document, sections=rest, doubts=None))


def style_sheet() -> str:
    """The rules that a page with pieces of reports needs."""
    widths = "\n".join(f".mm{mm} {{ max-width: {mm}mm; }}" for mm in range(10, int(LARGEST_MM) + 1, 10))
    return f"{_template('report.css').render()}\n{widths}\n"


def _rendered(name: str, look: Appearance, prefix: str = "", **variables: Any) -> str:
    """``prefix`` is how ids begin that must differ from those of other results on the page."""
    strict = name == "strict.html.j2"
    whole = not strict and name != "notebook.html.j2"
    number = map(f"{prefix}t{{}}".format, itertools.count(1)).__next__
    return _template(name).render(
        kind=_kind,
        svg=partial(_svg, look, strict=strict, prefix=prefix) if whole or strict else _small,
        link=_link,
        labels=_labels if whole else None,
        strict=strict,
        number=number,
        layout=_layout,
        broad_columns=_broad,
        classes=_classes,
        together=_together,
        shade=_shade,
        plain_text=plain_text,
        prefix=prefix,
        **variables,
    )


@cache
def _template(name: str) -> Template:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # only where a page is asked for

    folder = Path(__file__).with_name("templates")
    environment = Environment(
        loader=FileSystemLoader(folder, encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["widths"] = CARDS
    return environment.get_template(name)


def _kind(block: Any) -> str:
    return type(block).__name__.lower()


def _link(attached: Attachment) -> str:
    """The file as an address that needs no network and runs nothing; empty if it is too large for one."""
    address = quote(attached.content(), safe=",.:;()+-*!@ ".strip(), errors="replace")
    return f"data:{attached.media_type};charset=utf-8,{address}" if 0 < len(address) <= LONGEST_LINK else ""


def _svg(look: Appearance, figure: Figure, strict: bool = False, prefix: str = "") -> Any:
    """The diagram for the width of a phone, and again for that of a page; its own writer has escaped the names."""
    own = picture_of(figure.result, look, figure.kind)
    picture = _inline(own, prefix)
    if look.width_mm is not None or figure.small or len(picture) > HEAVIEST:
        return _frame(picture, own.width_mm, "drawing", strict)
    narrow, wide = (
        own if fits else picture_of(figure.result, replace(look, width_mm=width), figure.kind)
        for fits, width in ((own.width_mm <= PHONE_MM, PHONE_MM), (own.width_mm >= WIDE_MM, WIDE_MM))
    )
    of_phone = _frame(_inline(narrow, prefix), narrow.width_mm, "drawing narrow", strict)
    return of_phone + _frame(_inline(wide, prefix), wide.width_mm, "drawing wide", strict)


def _small(figure: Figure) -> Any:
    """The diagram once, beside other output."""
    drawing = diagram(figure.result, figure.kind)
    return _frame(_inline(drawing), drawing.width_mm, "drawing")


def _inline(drawing: Drawing, prefix: str = "") -> Markup:
    picture = to_svg(drawing)
    if prefix and (key := re.search('aria-labelledby="t([0-9a-f]+)"', picture)):
        picture = re.sub(f'"([td]{key[1]})"', rf'"{prefix}\1"', picture)
    return Markup(picture[picture.index("<svg") :])  # without an XML declaration


def _frame(picture: Markup, width_mm: float, style: str, strict: bool = False) -> Markup:
    if strict:  # by a class of report.css
        width = min(math.ceil(SCALE * width_mm / 10) * 10, int(LARGEST_MM))
        return Markup('<div class="{} mm{}">{}</div>').format(style, width, picture)
    frame = Markup('<div class="{}" style="max-width: {:.0f}mm">{}</div>')
    return frame.format(style, min(SCALE * width_mm, LARGEST_MM), picture)


def _shade(row: Row, column: int) -> str:
    """The class of a shaded cell."""
    return f" s{dict(row.shades)[column]}" if column in dict(row.shades) else ""


def _together(cell: str) -> str:
    """Counts and intervals are not broken between lines."""
    return cell.replace(" / ", "\u00a0/\u00a0").replace(", ", ",\u00a0")


def _layout(table: Table) -> str:
    """One column per algorithm: a square, scrolled sideways; many columns: tight, then cards, where they do not fit."""
    if table.square:
        return "square"
    rows = list(itertools.islice(table.rows, MEASURED))
    cells = [[row.cells[i] for row in rows] for i in range(len(table.columns))]
    needed = LETTER * sum(map(_letters, table.columns, cells)) + PADDING * len(cells)
    if needed <= PHONE:
        return "whole"
    tight = TIGHT_LETTER * sum(map(_tight_letters, table.columns, cells)) + TIGHT_PADDING * len(cells)
    return f"cards cards-{_step(tight)} tight-{_step(needed)}"


def _broad(table: Table) -> list[bool]:
    """Which columns take two places where a row takes several lines."""
    rows = [] if table.square else list(itertools.islice(table.rows, MEASURED))
    most = [BROAD_CELL if column.numeric else LONG_CELL for column in table.columns]
    return [any(len(row.cells[i]) > letters for row in rows) for i, letters in enumerate(most)]


def _classes(*names: str | bool | None) -> Markup:
    """The attribute of a cell, without the names that do not hold."""
    held = [name for name in names if name]
    return Markup(' class="{}"').format(" ".join(map(str, held))) if held else Markup("")


def _step(needed: float) -> int:
    return next((width for width in CARDS if width >= needed), CARDS[-1])


def _letters(column: Column, cells: list[str]) -> int:
    """The least width of a column in letters."""
    longest = max(map(len, cells), default=0)
    return max(_head(column), longest if column.numeric else min(longest, LONG_CELL + 2))


def _tight_letters(column: Column, cells: list[str]) -> int:
    """The least width of a column in letters where words may take two lines."""
    if not column.wraps:
        return _letters(column, cells)
    return max(
        _head(column), min(max((len(word) for cell in cells for word in cell.split()), default=0), LONG_CELL + 2)
    )


def _head(column: Column) -> int:
    """The longest word of a title."""
    return max(map(len, re.split("[ –-]", column.title)))


def _labels(table: Table, key: str) -> Markup:
    """The titles of the columns, for a screen so narrow that a row becomes a card: rules of a style sheet."""
    first = [column.numeric for column in table.columns].index(False)
    rules = []
    for i, column in enumerate(table.columns):
        title = "– " if column.role == "second" and i == first + 1 else f"{column.title} "
        if i != first and column.title not in ("", "#"):
            rules.append(f"#{key} td:nth-child({i + 1})::before {{ content: '{_quoted(title)}' }}")
    widest = _layout(table).split()[1].removeprefix("cards-")
    return Markup(f"<style>@media screen {{ @container (max-width: {widest}rem) {{ {' '.join(rules)} }} }}</style>")


def _quoted(text: str) -> str:
    """Inside quotation marks of a style sheet; nothing in it can end them, or the style sheet."""
    return "".join(c if c.isalnum() and c.isascii() else f"\\{ord(c):x} " for c in text)
