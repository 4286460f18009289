"""The report as one HTML page that needs nothing else: styles and diagram inline, no scripts, no network."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from bakeoff.figures import diagram, to_svg
from bakeoff.report.document import Attachment, Code, Document, Figure, Paragraph, Points, Table, plain_text

if TYPE_CHECKING:
    from jinja2 import Template

_KINDS = {
    Table: "table",
    Paragraph: "paragraph",
    Points: "points",
    Code: "code",
    Figure: "figure",
    Attachment: "attachment",
}

LONGEST_LINK = 2_000_000  # characters; browsers take 2 MiB

LARGEST_MM = 240.0  # a diagram fills the page, no more


def render(document: Document) -> str:
    """The whole page."""
    return _rendered("report.html.j2", document=document)


def render_fragment(document: Document) -> str:
    """For a notebook: the verdict, the first diagram, and the sections that a terminal shows too."""
    figures = [block for section in document.sections for block in section.blocks if isinstance(block, Figure)]
    shown = [section for key in document.on_screen if (section := document.section(key)) is not None]
    return _rendered("notebook.html.j2", document=document, figures=figures[:1], shown=shown)


def _rendered(name: str, **variables: Any) -> str:
    return _template(name).render(kind=_kind, svg=_svg, link=_link, plain_text=plain_text, **variables)


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
    return environment.get_template(name)


def _kind(block: Any) -> str:
    return _KINDS[type(block)]


def _link(attached: Attachment) -> str:
    """The file as an address that needs no network and runs nothing; empty if it is too large for one."""
    found = quote(attached.content(), safe=",.:;()+-*!@ ".strip(), errors="replace")
    return f"data:{attached.media_type};charset=utf-8,{found}" if 0 < len(found) <= LONGEST_LINK else ""


def _svg(figure: Figure) -> Any:
    """The diagram, no smaller than it can be read (a phone scrolls it); its own writer has escaped the names."""
    from markupsafe import Markup

    drawing = diagram(figure.result)
    picture = to_svg(drawing)
    inline = Markup(picture[picture.index("<svg") :])  # without an XML declaration
    smallest, largest = 0.8 * drawing.width_mm, min(1.8 * drawing.width_mm, LARGEST_MM)
    frame = Markup('<div class="drawing" style="min-width: {:.0f}mm; max-width: {:.0f}mm">{}</div>')
    return frame.format(smallest, max(smallest, largest), inline)
