"""The report for a terminal: what a person reads in ten seconds, as wide as the terminal is."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from bakeoff.dataclass import dataclass, replace
from bakeoff.numerals import MISSING, in_ascii, plain, width as columns_of, with_e
from bakeoff.report.document import (
    Column,
    Document,
    Figure,
    JointDocument,
    Paragraph,
    Points,
    Section,
    Table,
    plain_text,
)
from bakeoff.report.formats.narrow_pages import column_groups, short_heads, shortened
from bakeoff.report.sections import FEW_PAIRS, NOTES

if TYPE_CHECKING:
    from bakeoff.plan import PowerCurve

# A power curve in characters, for a terminal.

_DOT, _LINE, _WALL, _CORNER, _MARK = "•", "─", "│", "└", "●"
_PLOT_IN_ASCII = {_DOT: "*", _LINE: "-", _WALL: "|", _CORNER: "+", _MARK: "@"}


def plotted(curve: PowerCurve, width: int, height: int = 9, ascii_only: bool = False) -> list[str]:
    """Lines at most ``width`` wide; the wanted power is a line, the point that reaches it a larger dot."""
    columns = max(20, min(width - 8, 60))
    power = curve.y_name == "power"
    low, high = (0.0, 1.0) if power else (0.0, float(curve.y.max()))
    left, right = float(curve.x[0]), float(curve.x[-1])

    def column(x: float) -> int:
        return round((x - left) / (right - left) * (columns - 1)) if right > left else 0

    def row(y: float) -> int:
        return height - round((y - low) / (high - low) * height)

    grid = [[" "] * columns for _ in range(height + 1)]
    if power:
        grid[row(curve.wanted_power)] = [_LINE] * columns
    for x, y in zip(curve.x, curve.y, strict=True):
        grid[row(float(y))][column(float(x))] = _DOT
    if curve.mark is not None and left <= curve.mark[0] <= right:
        grid[row(curve.mark[1])][column(curve.mark[0])] = _MARK
    labels = {0: high, height: low} | ({row(curve.wanted_power): curve.wanted_power} if power else {})
    lines = [f"{_label(labels.get(i)):>6} {_WALL}{''.join(cells)}".rstrip() for i, cells in enumerate(grid)]
    ends = f"{left:.3g}", f"{right:.3g}"
    name = {"effect size": "effect size d"}.get(curve.x_name, curve.x_name)
    room = columns - len(ends[0]) - len(ends[1])
    lines += [" " * 7 + _CORNER + _LINE * columns, " " * 8 + ends[0] + name.center(room) + ends[1]]
    drawn = [curve.y_name, *lines]
    return ["".join(_PLOT_IN_ASCII.get(sign, sign) for sign in line) for line in drawn] if ascii_only else drawn


def _label(value: float | None) -> str:
    return "" if value is None else f"{value:.3g}"


# The report for a terminal: what a person reads in ten seconds, as wide as the terminal is.

MOST_ROWS = 40  # of a ranking, or of decided pairs
_CLIPPED = 16  # a text column clipped to this shows what it means
_NARROWEST = 8
SIGNS = {"no difference shown": "·", "none shown": "·", "practically equal": "≈"}
"""In place of a cell of words."""
_MEANING = {"·": "no difference shown", "≈": "practically equal"}
_ASCII = {
    "–": "-",
    "—": "-",
    "−": "-",
    "…": "...",
    "“": '"',
    "”": '"',
    "’": "'",
    "∞": "inf",
    "α": "alpha",
    "χ": "chi",
    "²": "2",
    "≈": "=",
    "≤": "<=",
    "≥": ">=",
    "×": "x",
    "±": "+-",
    "·": ".",
    "√": "sqrt",
    "─": "-",
    "←": "<",
    "↑": "^",
    "\u00a0": " ",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """The width of the page, and what it can show."""

    width: int = 80
    ascii: bool = False
    colour: bool = False
    wider: str = ""  # the option that sets the width, where there is one
    names: tuple[str, ...] = ()  # of the algorithms
    heads: bool = False  # what room is left goes to the heads of columns

    def say(self, text: str) -> str:
        return to_ascii(text) if self.ascii else text

    def bold(self, text: str) -> str:
        return f"\x1b[1m{text}\x1b[0m" if self.colour else text

    def wrap(self, text: str, indent: str = "") -> list[str]:
        """Lines no wider than the page, later ones indented; a word that is too long stands alone."""
        lines, line = [], ""
        for word in self.say(text).split():
            if line and columns_of(line) + 1 + columns_of(word) > self.width:
                lines.append(line)
                line = indent + word
            else:
                line = f"{line} {word}" if line else word
        return [*lines, line]


def render(document: Document, page: Page | None = None) -> str:
    """Verdict, what it rests on, and the sections that belong on a screen."""
    page = page or Page()
    page = replace(page, names=document.names)
    if document.bare:
        blocks = [_in_parts(table, page) for table in document.shown_tables]
        return "\n\n".join("\n".join(block) for block in blocks) + "\n"
    lines = head_lines(document, document.below_verdict, page)
    if (table := document.summarised("line")) is not None:
        lines += page.wrap(_first_row(table))
    for section in document.shown:
        lines += section_lines(document, section, page)
    return "\n".join(lines) + "\n"


def head_lines(document: Document, below: Iterable[str], page: Page) -> list[str]:
    """Doubts, the verdict, and what stands below it."""
    lines = [] if document.doubts is None else [*section_lines(document, document.doubts, page)[1:], ""]
    lines += [page.bold(line) for line in page.wrap(document.verdict)]
    return [*lines, *(part for line in below for part in page.wrap(line))]


def render_joint(joint: JointDocument) -> str:
    """Several results, one below the other."""
    page = Page()
    head = "\n".join([*page.wrap(joint.title), *page.wrap(joint.read)])
    parts = ("\n".join([*page.wrap(part.title), "─" * page.width, render(part, page)]) for part in joint.parts)
    return "\n\n\n".join([head, *(part.rstrip("\n") for part in parts)]) + "\n"


def section_lines(document: Document, section: Section, page: Page) -> list[str]:
    """A list has the section's title, a table its caption."""
    lines: list[str] = []
    pairs = [block for block in section.blocks if isinstance(block, Table) and block.brief is not None]
    if pairs:
        lines += ["", *_pairs(pairs, page), *_other_corrections(document, page)]
    for block in section.blocks:
        if isinstance(block, Table) and block.wide:
            lines += _whole(block, page)
        elif isinstance(block, Table) and block.square:
            lines += ["", *_in_parts(block, page)]
        elif isinstance(block, Table) and block.brief is None:
            lines += ["", *table_lines(_shortened(block), page)]
        elif isinstance(block, Points):
            lines += ["", page.bold(page.say(section.title))]
            mark = "!" if section.role in ("doubts", "cautions") and section.title != NOTES else "-"
            lines += [part for line in block.lines(mark) for part in page.wrap(line, indent="  ")]
        elif isinstance(block, Paragraph):
            lines += ["", *page.wrap(plain_text(block.text))]
        elif isinstance(block, Figure) and block.in_characters:
            lines += ["", *plotted(block.result, page.width, ascii_only=page.ascii)]
    return lines


def to_ascii(text: str) -> str:
    """The nearest text in ASCII: accents dropped, signs spelt, ``?`` for what has no likeness."""
    if text.isascii():
        return text
    spelt = "".join(_ASCII.get(character, character) for character in in_ascii(text))
    bare = (c for c in unicodedata.normalize("NFKD", spelt) if not unicodedata.combining(c))
    return "".join(c if c.isascii() else "?" for c in bare)


def _first_row(table: Table) -> str:
    """The test of all algorithms: its name, statistic, degrees of freedom and p."""
    test, statistic, df, p = table.rows[0].cells[:4]
    freedom = "" if df == MISSING else f" ({df} degrees of freedom)"
    evidence = "" if p == MISSING else f", p {p if p[0] in '<>' else f'= {p}'}"
    return f"{test}: {statistic}{freedom}{evidence}."


def _other_corrections(document: Document, page: Page) -> list[str]:
    """They are many and wide: said to exist, shown elsewhere."""
    table = document.summarised("titles")
    if table is None:
        return []
    others = [column.title for column in table.columns if not column.role and not column.strong]
    return page.wrap(f"Also computed, shown by --json and --report: {', '.join(others)}.")


def _shortened(table: Table) -> Table:
    """The head of a long ranking, and the control wherever it stands."""
    if len(table.rows) <= MOST_ROWS + 5:
        return replace(table, note=table.rest)
    kept = [row for i, row in enumerate(table.rows) if i < MOST_ROWS or row.pinned]
    note = f"… and {len(table.rows) - len(kept)} more; --report FILE.html has them all. {table.rest}"
    return replace(table, rows=kept, note=note.strip())


def _pairs(tables: Sequence[Table], page: Page) -> list[str]:
    """With a control every pair; without one, the decided ones of a large family."""
    rows = [row for table in tables for row in table.rows]
    table = replace(tables[0], rows=rows, note="")
    with_control = all(column.role != "first" for column in table.columns)
    brief = table.brief
    if with_control or brief is None or len(rows) <= FEW_PAIRS:
        return table_lines(table, page)
    decided = [row for row in rows if row.tone == "strong"]
    unlisted = sum(part.unlisted for part in tables)
    decided_unlisted = sum(part.unlisted for part in tables if part.rows[0].tone == "strong")
    rest = len(rows) - len(decided) + unlisted - decided_unlisted
    more = len(decided) + decided_unlisted - MOST_ROWS
    where = f"--report FILE.{'csv' if unlisted else 'html'} has them all."
    ends = []
    if more > 5:
        decided = decided[:MOST_ROWS]
        ends.append(f"… and {more} more {brief.more}; {where}")
    if rest:
        ends.append(f"{rest} pairs {brief.rest} are not listed; {where}")
    if not decided:
        return page.wrap(f"All {ends[0]}")
    shown = replace(table, rows=decided, caption=brief.title)
    return [*table_lines(shown, page), *(x for end in ends for x in page.wrap(end))]


def table_lines(table: Table, page: Page) -> list[str]:
    """Columns side by side; the least important give way where the page is narrow."""
    in_words, table = table, shortened(_with_signs(table), page.names, page.width)
    chosen, widths = _fit(table, page)
    columns = [table.columns[i] for i in chosen]
    heads = [_head(column.title, replace(page, width=w)) for column, w in zip(columns, widths, strict=True)]
    height = max(map(len, heads))
    lines = page.wrap(table.caption)
    lines[0] = page.bold(lines[0])
    for level in range(height):
        words = ["" if level < height - len(head) else head[level - height] for head in heads]
        lines.append(_line(words, columns, widths))
    rule = ("-" if page.ascii else "─") * min(page.width, sum(widths) + 2 * len(widths) - 2)
    lines.append(rule)
    for row in table.rows:
        lines += [rule] if row.ruled else []
        cells = [_cell(row.cells[i], table.columns[i], w, page) for i, w in zip(chosen, widths, strict=True)]
        bold = [page.colour and i in row.bold for i in chosen]
        for level in range(max(map(len, cells))):
            words = [cell[level] if level < len(cell) else "" for cell in cells]
            lines.append(_line(words, columns, widths, bold))
    signs = {row.cells[i] for row in table.rows for i in chosen}
    notes = [f"{sign}: {words}." for sign, words in _MEANING.items() if sign in signs]
    notes += [table.note] if table.note else [column.legend for column in columns if column.legend]
    notes += _left_out(in_words, chosen, page.wider)
    return [*lines, *page.wrap(" ".join(notes))] if notes else lines


def _with_signs(table: Table) -> Table:
    """A sign in place of the words of a verdict; the first column names the row."""
    rows = [replace(row, cells=(*row.cells[:1], *(SIGNS.get(x, x) for x in row.cells[1:]))) for row in table.rows]
    return replace(table, rows=rows)


def _whole(table: Table, page: Page) -> list[str]:
    """A square table with its note, where the page is wide enough; else nothing."""
    starred = table if page.colour else _starred(table)
    chosen, widths = _fit(starred, replace(page, width=10_000))
    if sum(widths) + 2 * (len(widths) - 1) > page.width or len(chosen) < len(table.columns):
        return []
    return ["", *table_lines(starred, page)]


def _in_parts(table: Table, page: Page) -> list[str]:
    """A table with a column for each algorithm, below each other as many as there is room for."""
    table = short_heads(_with_e(table if page.colour else _starred(table)), page.width)
    natural = [_natural(page, column, [row.cells[i] for row in table.rows]) for i, column in enumerate(table.columns)]
    natural[0] = min(natural[0], page.width // 3)
    groups = column_groups([width + 2 for width in natural], [0], page.width + 2)
    lines: list[str] = []
    for number, group in enumerate(groups):
        part = replace(table.selected(group), note="" if number < len(groups) - 1 else table.note)
        if number:
            part = replace(part, caption=f"{table.caption} (continued)")
        lines += [*([""] if number else []), *table_lines(part, page)]
    return lines


def _with_e(table: Table) -> Table:
    return replace(table, rows=[replace(row, cells=tuple(map(with_e, row.cells))) for row in table.rows])


def _starred(table: Table) -> Table:
    """A star for what cannot be shown in bold."""
    if not any(row.bold for row in table.rows):
        return table
    rows = [
        replace(row, cells=tuple(f"*{cell}" if i in row.bold else cell for i, cell in enumerate(row.cells)))
        for row in table.rows
    ]
    return replace(table, rows=rows, note=table.note.replace("Bold:", "*:"))


def _left_out(table: Table, chosen: Sequence[int], wider: str) -> list[str]:
    """List what a narrow page does not show: a column that is the same in every row in words, the others by name."""
    hidden = [i for i in range(len(table.columns)) if i not in chosen]
    constant = [f"{table.columns[i].title}: {_constant(table, i)} in every row." for i in hidden if _constant(table, i)]
    names = list(dict.fromkeys(table.columns[i].title for i in hidden if not _constant(table, i)))
    hint = f" ({wider})" if wider else ""
    return [*constant, *([f"Columns left out to fit the page: {', '.join(names)}{hint}."] if names else [])]


def _constant(table: Table, i: int) -> str:
    """The text of a column that has one text for three rows or more."""
    if table.columns[i].role in ("first", "second"):
        return ""
    cells = {row.cells[i] for row in table.rows}
    return cells.pop() if len(cells) == 1 and len(table.rows) > 2 and not table.columns[i].numeric else ""


def _fit(table: Table, page: Page) -> tuple[list[int], list[int]]:
    """Which columns, and how wide: drop what is the same in every row, then by rank; then clip the texts."""
    natural = [_natural(page, column, [row.cells[i] for row in table.rows]) for i, column in enumerate(table.columns)]
    chosen = list(range(len(table.columns)))

    def room() -> int:
        return page.width - sum(natural[i] for i in chosen) - 2 * (len(chosen) - 1)

    folded = [_folded(table, i, page) if column.wraps else _CLIPPED for i, column in enumerate(table.columns)]
    same = [i for i in chosen[1:] if _constant(table, i)]
    while room() < 0 and same:
        chosen.remove(same.pop())
    while room() < 0 and (spare := [i for i in chosen if table.columns[i].rank]):
        last = max(spare, key=lambda i: table.columns[i].rank)
        long = [max(0, natural[i] - min(folded[i], _CLIPPED)) for i in chosen if not table.columns[i].numeric]
        if table.columns[last].rank == 1 and room() + sum(long) >= 0:
            break  # it matters more than the end of a long word
        chosen.remove(last)
    for i in reversed(chosen):
        if room() < 0 and table.columns[i].wraps:
            natural[i] = max(natural[i] + room(), folded[i])
    while room() < 0:
        texts = [i for i in chosen if not table.columns[i].numeric and natural[i] > _NARROWEST]
        if not texts:
            break
        natural[max(texts, key=natural.__getitem__)] -= 1
    for i in chosen if page.heads else ():
        natural[i] += max(0, min(room(), columns_of(page.say(table.columns[i].title)) - natural[i]))
    return chosen, [natural[i] for i in chosen]


def _natural(page: Page, column: Column, cells: Sequence[str]) -> int:
    return max([columns_of(page.say(cell)) for cell in cells] + [_longest_word(page, column.title)])


def _longest_word(page: Page, title: str) -> int:
    return max((columns_of(word) for word in page.say(_breakable(title)).split()), default=0)


def _folded(table: Table, i: int, page: Page) -> int:
    """The least width of a column whose cells may take two lines."""
    cells = [_in_two_lines(page.say(row.cells[i])) for row in table.rows]
    return max([*cells, _longest_word(page, table.columns[i].title)])


def _in_two_lines(text: str) -> int:
    """The least width in which the words of ``text`` take two lines."""
    words = text.split()
    splits = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))] or [(text, "")]
    return min(max(columns_of(first), columns_of(second)) for first, second in splits)


def _cell(text: str, column: Column, width: int, page: Page) -> list[str]:
    """The lines of a cell: in several where the column says so, else clipped to one."""
    words = page.say(text)
    lines = replace(page, width=width).wrap(text) if column.wraps and columns_of(words) > width else [words]
    return [_clipped(line, width, page) for line in lines]


def _breakable(title: str) -> str:
    """Between two names: ``Bergmann–Hommel``."""
    return title.replace("–", "– ")


def _head(title: str, page: Page) -> list[str]:
    """The lines of a column's title."""
    return [line.replace(page.say("– "), page.say("–")) for line in page.wrap(_breakable(title))]


def _clipped(text: str, width: int, page: Page) -> str:
    if columns_of(text) <= width:
        return text
    mark = "..." if page.ascii else "…"
    kept = ""
    for character in text:
        if columns_of(kept + character) > width - len(mark):
            break
        kept += character
    return kept + mark


def _line(cells: Sequence[str], columns: Sequence[Column], widths: Sequence[int], bold: Sequence[bool] = ()) -> str:
    padded = []
    for i, (cell, column, width) in enumerate(zip(cells, columns, widths, strict=True)):
        space = " " * (width - columns_of(cell))
        cell = f"\x1b[1m{cell}\x1b[0m" if bold and bold[i] else cell
        padded.append(space + cell if column.numeric else cell + space)
    return "  ".join(padded).rstrip()


def plain_lines(text: str) -> str:
    """Text of ours with names in it, line by line without control characters."""
    return "\n".join(map(plain, text.split("\n")))
