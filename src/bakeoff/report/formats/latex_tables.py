r"""Tables for a paper: without what is secondary there, in parts that fit a page, as floats of LaTeX."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from bakeoff.numerals import width
from bakeoff.report.document import Column, Row, Table
from bakeoff.report.formats.narrow_pages import even_groups

Escape = Callable[[str], str]
LONG = 36  # rows of one float; a longer table stands in parts
WHOLE_PAGE = 48  # rows of a float that has a page of its own
MOST = 160  # rows that are printed
WIDEST = 10  # algorithms; a square table of more does not fit a page
PAGE = 100  # characters of \footnotesize side by side; LaTeX shrinks what is a little wider than the page
SHRUNK = 1.15  # pages that a table may be wide and still stand in one piece
BETWEEN = 2  # the space between columns, in characters
LONGEST_NAME = 28  # characters; longer names stand in several lines
NAMES = ("first", "second", "name")
_PIECES = re.compile(r"\s+|[^\s–_/-]+[–_/-]?|[–_/-]")
_SAID_BY_BOLD = {"first better", "control better", "control worse", "no difference shown"}


def render(table: Table, prefix: str, escape: Escape, *, alone: bool = False) -> list[str]:
    """The floats of a table: one, or its parts; a comment where no page could hold it.

    ``alone``: the file is this table, so nothing of it is left out, and a float may fill a page.
    """
    if table.wide and len(table.columns) > WIDEST + 1:
        size = f"{len(table.rows)} by {len(table.columns) - 1}"
        return [f"% {size}: {escape(table.caption)}. Too wide for a page; see the HTML report."]
    table = _with_lines(table if alone else _first_rows(_compact(table)))
    longest = WHOLE_PAGE if alone else LONG
    pieces = [(group, rows) for group in _fitting(table) for rows in _parts(table, longest)]
    return [
        _float(table, columns, rows, f"tab:{prefix}-{table.key}{i + 1 if i else ''}", i, len(pieces), escape)
        for i, (columns, rows) in enumerate(pieces)
    ]


def _compact(table: Table) -> Table:
    """Without secondary columns, and without verdicts that bold type says."""
    kept = [i for i, column in enumerate(table.columns) if column.rank < 2 or column.in_paper]
    note = table.note
    for i, column in enumerate(table.columns):
        if column.role == "verdict" and {row.cells[i] for row in table.rows} <= _SAID_BY_BOLD:
            kept = [j for j in kept if j != i]
            if any(row.tone == "strong" for row in table.rows):
                note = f"Bold: the difference is declared. {note}"
        if i not in kept and column.legend:
            note = note.replace(column.legend, "")
    return replace(table.selected(kept), note=" ".join(note.split()))


def _first_rows(table: Table) -> Table:
    if len(table.rows) <= MOST:
        return table
    note = f"The first {MOST} of {len(table.rows)} rows; the others are in the reports .html, .md, .csv and .xlsx."
    return replace(table, rows=table.rows[:MOST], note=f"{note} {table.note}".rstrip())


def _with_lines(table: Table) -> Table:
    """Long names, and titles wider than what stands below them, in several lines."""
    rows = [
        replace(
            row,
            cells=tuple(
                cell if column.numeric else _wrapped(cell, LONGEST_NAME)
                for cell, column in zip(row.cells, table.columns, strict=True)
            ),
        )
        for row in table.rows
    ]
    columns = []
    for i, column in enumerate(table.columns):
        cells = max((_room(row.cells[i]) for row in rows), default=0)
        columns.append(replace(column, title=_wrapped(column.title, max(cells, _words(column.title), 4))))
    return replace(table, rows=rows, columns=tuple(columns))


def _wrapped(text: str, room: int) -> str:
    """In lines of at most ``room`` characters, broken at spaces and after dashes; longer words anywhere."""
    if width(text) <= room:
        return text
    lines = [""]
    for piece in _PIECES.findall(text):
        if width(lines[-1] + piece) <= room:
            lines[-1] += piece
        else:
            lines += [piece[i : i + room] for i in range(0, len(piece), room)]
    return "\n".join(line.strip() for line in lines if line.strip())


def _words(title: str) -> int:
    """The width of the longest piece that is not broken."""
    return max((width(piece.strip()) for piece in _PIECES.findall(title)), default=0)


def _room(cell: str) -> int:
    """Characters a cell takes."""
    return max(map(width, cell.split("\n")))


def _fitting(table: Table) -> list[list[int]]:
    """All columns, shrunk by up to an eighth; else in groups of about equal width beside the names."""
    cells = [[column.title, *(row.cells[i] for row in table.rows)] for i, column in enumerate(table.columns)]
    widths = [max(map(_room, column)) + BETWEEN for column in cells]
    names = [i for i, column in enumerate(table.columns) if column.role in NAMES]
    if sum(widths) <= SHRUNK * PAGE:
        return [list(range(len(widths)))]
    return even_groups(widths, names, PAGE)


def _parts(table: Table, longest: int) -> list[Sequence[Row]]:
    """The rows in parts of about equal length; a name in several lines counts as many rows."""
    heights = [max(cell.count("\n") + 1 for cell in row.cells) for row in table.rows]
    n = max(1, -(-sum(heights) // longest))
    parts: list[list[Row]] = [[]]
    taken = 0
    for row, height in zip(table.rows, heights, strict=True):
        if taken >= sum(heights) / n * len(parts) and parts[-1]:
            parts.append([])
        parts[-1].append(row)
        taken += height
    return list(parts)


def _float(
    table: Table, chosen: Sequence[int], rows: Sequence[Row], label: str, part: int, n_parts: int, escape: Escape
) -> str:
    """One float; the note stands below the first part."""
    columns = [table.columns[i] for i in chosen]
    layout = "".join("r" if column.numeric else "l" for column in columns)
    head = _line([_lines(column.title, column, escape) for column in columns])
    body = "\n".join(("\\midrule\n" if row.ruled else "") + _line(_cells(row, table, chosen, escape)) for row in rows)
    lines = ["%", f"\\begin{{tabular}}{{@{{}}{layout}@{{}}}}", "\\toprule", head, "\\midrule", body, "\\bottomrule"]
    tabular = "\n".join([*lines, "\\end{tabular}"])
    shared = "!htb" if n_parts == 1 else "!htbp"  # parts may fill a page between them
    places = shared if len(rows) <= 30 else "!tp"  # "!p" alone waits for the end, where acmart loses floats
    title = escape(table.caption) + (f" (part {part + 1} of {n_parts})" if n_parts > 1 else "")
    note = escape(table.note) if part == 0 else ""
    below = f"\\par\\smallskip\\parbox{{\\linewidth}}{{\\footnotesize\\sloppy {note}}}" if note else ""
    return f"\\bakeofffloat{{table}}{{{places}}}{{\\caption{{{title}}}\\label{{{label}}}}}{{{tabular}}}{{{below}}}"


def _cells(row: Row, table: Table, chosen: Sequence[int], escape: Escape) -> list[str]:
    cells = [(_lines(row.cells[i], table.columns[i], escape), table.is_bold(row, i)) for i in chosen]
    return [_bold(cell) if bold else cell for cell, bold in cells]


def _lines(text: str, column: Column, escape: Escape) -> str:
    lines = [escape(line) for line in text.split("\n")]
    if len(lines) == 1:
        return lines[0]
    side, both = "r" if column.numeric else "l", r" \\ ".join(lines)
    return rf"\begin{{tabular}}[b]{{@{{}}{side}@{{}}}}{both}\end{{tabular}}"


def _bold(cell: str) -> str:
    """With its mathematics: LaTeX's bold text leaves formulas as they are."""
    return rf"\textbf{{\boldmath {cell}}}" if "$" in cell else rf"\textbf{{{cell}}}"


def _line(cells: list[str]) -> str:
    return f"{' & '.join(cells)} \\\\"
