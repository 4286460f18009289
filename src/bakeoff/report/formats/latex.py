r"""The report as a LaTeX fragment, to be included by ``\input``: booktabs tables, TikZ diagram, methods paragraph.

Citations are written by ``\bakeoffcite{keys}{text}``, which prints the text unless the document says otherwise,
for example ``\newcommand{\bakeoffcite}[2]{\citep{#1}}``; the BibTeX entries stand in comments at the end.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from bakeoff.figures import diagram, to_tikz
from bakeoff.figures.backends.tikz import SPECIAL, greek, with_powers
from bakeoff.numerals import width
from bakeoff.report.document import (
    Attachment,
    Block,
    Cite,
    Code,
    Column,
    Document,
    Figure,
    Paragraph,
    Points,
    Row,
    Section,
    Table,
    Text,
)

_HEAD = r"""% Written by bakeoff. Include with \input. Needs in the preamble:
%   \usepackage[T1]{fontenc}
%   \usepackage{booktabs,longtable,tikz}
% To cite with your own bibliography (entries are at the end of this file):
%   \newcommand{\bakeoffcite}[2]{\citep{#1}}
\providecommand{\bakeoffcite}[2]{#2}
"""
_BEYOND = "% Has characters beyond Latin: compile with lualatex or xelatex and a font that has them.\n"
_ESCAPES = SPECIAL | {
    '"': "''",
    "`": r"\textasciigrave{}",
    "[": "{[}",  # after a \\ at the end of a row it would be read as its argument
    "]": "{]}",
    "*": "{*}",
    "“": "``",
    "”": "''",
    "’": "'",
    "…": r"\dots{}",
    "·": r"$\cdot$",
    "√": r"$\surd$",
    "∞": r"$\infty$",
    "←": r"$\leftarrow$",
    "↑": r"$\uparrow$",
    "α": r"$\alpha$",
    "χ": r"$\chi$",
    "²": r"$^2$",
    "\u200b": "{}",
    "\u00ad": r"\allowbreak{}",
    "\u200c": "",
    "\u200d": "",
}
_LONG_WORD = re.compile(r"\S{16}(?=\S{16})")  # a hash, an address: may be broken there
LONG = 45  # rows; a longer table breaks over pages
WIDEST = 10  # algorithms; a square table of more does not fit a page
PAGE = 80  # characters of \\footnotesize beside each other in an article
BETWEEN = 2  # the space between columns, in characters
NAMES = ("a", "b", "algorithm", "name", "test")


def render(document: Document) -> str:
    """The whole fragment."""
    if document.bare:
        parts = [_tables(table) for table in document.shown_tables()]
    else:
        parts = [rf"\subsection*{{{escape(document.title)}}}"]
        parts += _section(document.doubts) if document.doubts is not None else []
        parts.append(rf"\textbf{{{escape(document.verdict)}}} {escape(document.basis)}".rstrip())
        for section in document.sections:
            parts += _section(section)
    body = "\n\n".join(parts) + "\n"
    printed = re.sub("^%.*", "", body, flags=re.MULTILINE)
    beyond = "" if all(ord(character) < 0x180 for character in printed) else _BEYOND
    return f"{_HEAD}{beyond}\n\n{body}"


def escape(text: str) -> str:
    """Text in which no character means anything to LaTeX."""
    apart = re.sub(r"([-,'])(?=\1)", "\\1\u200b", text)  # "--" would print as a dash
    return with_powers(apart, _escaped).replace(r"$\chi$$^2$", r"$\chi^2$")


def _escaped(text: str) -> str:
    return "".join(_ESCAPES[character] if character in _ESCAPES else greek(character) for character in text)


def _section(section: Section) -> list[str]:
    blocks = [text for block in section.blocks if (text := _block(block))]
    return [rf"\subsubsection*{{{escape(section.title)}}}", *blocks] if blocks else []


def _block(block: Block) -> str:
    if isinstance(block, Table):
        return _tables(block)
    if isinstance(block, Paragraph):
        return _text(block.text)
    if isinstance(block, Points):
        items = "\n".join(_point(*item) for item in block.items)
        return f"\\begin{{itemize}}\\sloppy\n{items}\n\\end{{itemize}}"
    if isinstance(block, Code):
        return "\n".join(f"% {line}".rstrip() for line in block.text.splitlines())
    if isinstance(block, Attachment):
        return ""
    assert isinstance(block, Figure)
    return _figure(block)


def _text(text: Text) -> str:
    return "".join(
        rf"\bakeoffcite{{{','.join(part.keys)}}}{{{escape(str(part))}}}" if isinstance(part, Cite) else escape(part)
        for part in text
    )


def _point(term: str, text: str, tag: str) -> str:
    start = rf"\item \textbf{{{escape(term)}}}: " if term else r"\item "
    return start + escape(_LONG_WORD.sub("\\g<0>\u00ad", text)) + (f" ({escape(tag)})" if tag else "")


def _figure(figure: Figure) -> str:
    picture = to_tikz(diagram(figure.result)).strip()
    caption = escape(figure.caption)
    label = f"-{figure.key}" if figure.key else ""
    return (
        f"\\begin{{figure}}[htbp]\n\\centering\n{picture}\n"
        f"\\caption{{{caption}}}\n\\label{{fig:bakeoff{label}}}\n\\end{{figure}}"
    )


def _tables(table: Table) -> str:
    """One table, or several where it is too wide for a page; none where no page could hold it."""
    if table.wide and len(table.rows) > WIDEST:
        return f"% {len(table.rows)} by {len(table.rows)}: {table.caption}. Too wide for a page; see the HTML report."
    parts = _fitting(table)
    if len(parts) > 1:
        narrow = replace(table, columns=tuple(replace(c, title=_halved(c.title)) for c in table.columns))
        if len(found := _fitting(narrow)) < len(parts):
            table, parts = narrow, found
    title = table.caption
    return "\n\n".join(
        _table(table, part, title if i == 0 else f"{title} (continued)", f"{table.key}{i + 1 if i else ''}")
        for i, part in enumerate(parts)
    )


def _fitting(table: Table) -> list[list[int]]:
    """The columns in groups that fit a page beside the names, which stand in each of them."""
    cells = [[column.title, *(row.cells[i] for row in table.rows)] for i, column in enumerate(table.columns)]
    widths = [max(map(_room, column)) + BETWEEN for column in cells]
    names = [i for i, column in enumerate(table.columns) if column.key in NAMES]
    groups = [names.copy()]
    for i in range(len(table.columns)):
        if i in names:
            continue
        if len(groups[-1]) > len(names) and sum(widths[j] for j in groups[-1]) + widths[i] > PAGE:
            groups.append(names.copy())
        groups[-1].append(i)
    return [sorted(group) for group in groups]


def _room(cell: str) -> int:
    """Characters a cell takes."""
    return max(map(width, cell.split("\n")))


def _halved(title: str) -> str:
    """In two lines of about the same length, if it has a space."""
    breaks = [i for i, character in enumerate(title) if character == " "]
    if not breaks:
        return title
    at = min(breaks, key=lambda i: max(i, len(title) - i - 1))
    return f"{title[:at]}\n{title[at + 1 :]}"


def _title(column: Column) -> str:
    lines = [escape(line) for line in column.title.split("\n")]
    if len(lines) == 1:
        return lines[0]
    both = r" \\ ".join(lines)
    return rf"\shortstack[{'r' if column.numeric else 'l'}]{{{both}}}"


def _table(table: Table, chosen: Sequence[int], caption: str, key: str) -> str:
    columns = [table.columns[i] for i in chosen]
    layout = "".join("r" if column.numeric else "l" for column in columns)
    head = f"\\toprule\n{_row([_title(column) for column in columns])}\n\\midrule"
    body = "\n".join(("\\midrule\n" if row.ruled else "") + _row(_cells(row, table, chosen)) for row in table.rows)
    title = f"\\caption{{{escape(caption)}}}\\label{{tab:bakeoff-{key}}}"
    note = f"\n\\par\\smallskip\\parbox{{\\linewidth}}{{\\footnotesize {escape(table.note)}}}" if table.note else ""
    small = "\\footnotesize\\setlength{\\tabcolsep}{4pt}"
    if len(table.rows) > LONG:
        inner = f"{title}\\\\\n{head}\n\\endfirsthead\n{head}\n\\endhead\n{body}\n\\bottomrule"
        return f"{{{small}\n\\begin{{longtable}}{{{layout}}}\n{inner}\n\\end{{longtable}}{note}\n\\par}}"
    inner = f"\\begin{{tabular}}{{{layout}}}\n{head}\n{body}\n\\bottomrule\n\\end{{tabular}}"
    return f"\\begin{{table}}[htbp]\n\\centering\n{small}\n{title}\n{inner}{note}\n\\end{{table}}"


def _cells(row: Row, table: Table, chosen: Sequence[int]) -> list[str]:
    cells = []
    for i in chosen:
        cell = escape(row.cells[i])
        cells.append(_bold(cell) if table.is_bold(row, i) else cell)
    return cells


def _bold(cell: str) -> str:
    """With its mathematics: LaTeX's bold text leaves formulas as they are."""
    return rf"\textbf{{\boldmath {cell}}}" if "$" in cell else rf"\textbf{{{cell}}}"


def _row(cells: list[str]) -> str:
    return f"{' & '.join(cells)} \\\\"
