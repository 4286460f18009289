r"""The report as a LaTeX fragment that goes into a paper as it is, by ``\input``, in one column or two.

Printed are the verdict, the figure, the tables and the methods paragraph; everything else (cautions, choices,
provenance, references and their BibTeX) stands in comments. Labels begin with the name of the file, so that a paper
may include several reports. LaTeX itself finds the room: what is wider than a column becomes ``table*`` or
``figure*``.

Citations are written by ``\bakeoffcite{keys}{text}``, which prints the text unless the document says otherwise,
for example ``\newcommand{\bakeoffcite}[2]{\citep{#1}}``.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import replace

from bakeoff.figures import to_tikz
from bakeoff.figures.backends.tikz import SPECIAL, greek, with_powers
from bakeoff.figures.geometry.notes import caption_of, uncaptioned
from bakeoff.report.appearance import Appearance
from bakeoff.report.document import (
    Attachment,
    Block,
    Cite,
    Code,
    Document,
    Figure,
    JointDocument,
    Paragraph,
    Points,
    Section,
    Table,
    Text,
    plain_text,
)
from bakeoff.report.formats import latex_tables
from bakeoff.report.formats.pictures import picture_of

_HEAD = r"""% Written by bakeoff. Include it with \input. Needs in the preamble:
%   \usepackage{booktabs,tikz}
% and, for accents and fonts that scale to every size:
%   \usepackage[T1]{fontenc}
%   \usepackage{lmodern}
% To cite with your own bibliography (entries are at the end of this file):
%   \newcommand{\bakeoffcite}[2]{\citep{#1}}
"""
_MACROS = r"""\providecommand{\bakeoffcite}[2]{#2}
\ifdefined\bakeoffbox\else\newsavebox{\bakeoffbox}\fi
% \bakeofffloat{table or figure}{places}{above}{content}{below}: over all columns where one is too narrow
\providecommand{\bakeofffloat}[5]{%
  \def\bakeoffname{#1}\def\bakeofflarge{\footnotesize\setlength{\tabcolsep}{3pt}}%
  \def\bakeoffsmall{\scriptsize\renewcommand{\arraystretch}{1.15}\setlength{\tabcolsep}{2pt}}%
  \sbox\bakeoffbox{\bakeofflarge#4}%
  \ifdim\wd\bakeoffbox>\columnwidth\sbox\bakeoffbox{\bakeoffsmall#4}\fi
  \ifdim\wd\bakeoffbox>1.1\columnwidth\def\bakeoffname{#1*}\sbox\bakeoffbox{\bakeofflarge#4}\fi
  \ifdim\wd\bakeoffbox>\textwidth\sbox\bakeoffbox{\bakeoffsmall#4}\fi
  \begin{\bakeoffname}[#2]\centering\sloppy #3%
  \ifdim\wd\bakeoffbox>\linewidth\resizebox{\linewidth}{!}{\usebox\bakeoffbox}\else\usebox\bakeoffbox\fi
  #5\end{\bakeoffname}}
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


def render(document: Document, stem: str = "bakeoff", look: Appearance | None = None) -> str:
    """The whole fragment; ``stem`` is the name of the file, with which labels begin."""
    prefix = _label(stem)
    if document.bare:
        tables = (latex_tables.render(table, prefix, escape, alone=True) for table in document.shown_tables)
        return _whole([document], "\n\n".join(text for parts in tables for text in parts))
    body, notes = _parts(document, prefix, look or Appearance())
    return _whole([document], body, notes)


def render_joint(joint: JointDocument, stem: str) -> str:
    """Several results below their titles; the labels of each have its number."""
    prefix, look = _label(stem), Appearance()
    bodies, notes = [], []
    for i, document in enumerate(joint.parts, 1):
        body, more = _parts(document, f"{prefix}-{i}", look)
        bodies.append(f"\\subsection*{{{prose(document.title)}}}\n\n{body}")
        notes += more
    _, _, more = _sorted(joint.end, prefix, look)
    return _whole(joint.parts, "\n\n".join(bodies), [*notes, *more], [joint.title, joint.read])


def _label(stem: str) -> str:
    return re.sub(r"[^0-9A-Za-z]+", "-", stem).strip("-") or "bakeoff"


def _parts(document: Document, prefix: str, look: Appearance) -> tuple[str, list[str]]:
    """The printed part of a document, and what stands in comments."""
    floats, texts, notes = _sorted(document.sections, prefix, look)
    labels = [label for text in floats for label in re.findall(r"\\label\{(.*?)\}", text)]
    first = _paragraph(" ".join(filter(None, [prose(document.verdict), prose(document.basis), _see(labels)])))
    return "\n\n".join([*_doubts(document), first, *floats, *texts]), notes


def _sorted(listed: Sequence[Section], prefix: str, look: Appearance) -> tuple[list[str], list[str], list[str]]:
    """Floats, texts, and what stands in comments."""
    floats: list[str] = []
    texts: list[str] = []
    notes: list[str] = []
    for section in listed:
        for block in section.blocks:
            if isinstance(block, Attachment):
                continue
            if isinstance(block, Code):
                notes.append("\n".join(f"% {line}".rstrip() for line in block.text.splitlines()))
            elif section.role in ("aside", "table"):
                notes += [] if isinstance(block, Figure) else [_comment(section, block)]
            elif isinstance(block, Figure):
                floats.append(_figure(block, prefix, look))
            elif isinstance(block, Table):
                floats += latex_tables.render(block, prefix, escape)
            elif isinstance(block, Paragraph):
                texts.append(_paragraph(_text(block.text)))
            elif section.role == "steps":
                texts.append(_list(block))
            elif section.role != "cautions":
                notes.append(_comment(section, block))
    return floats, texts, notes


def _whole(documents: Sequence[Document], body: str, notes: Sequence[str] = (), above: Sequence[str] = ()) -> str:
    beyond = "" if all(ord(character) < 0x180 for character in re.sub("^%.*", "", body, flags=re.M)) else _BEYOND
    head = "".join(f"% {line}\n" for line in above)
    for document in documents:
        head += "".join(f"% {line}\n" for line in (document.title, document.read) if line)
        cautions = document.of_role("cautions")
        head += "".join(f"{_comment(cautions, block)}\n" for block in cautions.blocks) if cautions else ""
    return "\n".join([f"{_HEAD}{beyond}{head}{_MACROS}", body, "", *notes]) + "\n"


def _doubts(document: Document) -> list[str]:
    """Doubts about the input are printed: what follows may be wrong."""
    if document.doubts is None:
        return []
    lists = [block for block in document.doubts.blocks if isinstance(block, Points)]
    printed = [_list(block) for block in lists]
    return [_paragraph(rf"\textbf{{{prose(document.doubts.title)}}}"), *printed]


def escape(text: str) -> str:
    """Text in which no character means anything to LaTeX."""
    apart = re.sub(r"([-,'])(?=\1)", "\\1\u200b", text)  # "--" would print as a dash
    apart = re.sub(r"(?<=\d) (?=%)", "\u00a0", apart)
    apart = re.sub(r"(?<=\w) ([=<>]) (?=[\d−])", "\u00a0\\1\u00a0", apart)
    return with_powers(apart, _escaped).replace(r"$\chi$$^2$", r"$\chi^2$")


def prose(text: str) -> str:
    """The same in a paragraph, where long words may be broken."""
    return escape(_LONG_WORD.sub("\\g<0>\u00ad", text))


def _escaped(text: str) -> str:
    return "".join(_ESCAPES[character] if character in _ESCAPES else greek(character) for character in text)


def _paragraph(text: str) -> str:
    return f"{{\\sloppy\\emergencystretch=3em\n{text}\\par}}"


def _text(text: Text) -> str:
    return "".join(
        rf"\bakeoffcite{{{','.join(part.keys)}}}{{{prose(str(part))}}}" if isinstance(part, Cite) else prose(part)
        for part in text
    )


def _list(block: Points) -> str:
    items = "\n".join(_point(*item) for item in block.items)
    return f"\\begin{{itemize}}\\sloppy\n{items}\n\\end{{itemize}}"


def _point(term: str, text: str, tag: str) -> str:
    start = rf"\item \textbf{{{prose(term)}}}: " if term else r"\item "
    return start + prose(text) + (f" ({prose(tag)})" if tag else "")


def _see(labels: list[str]) -> str:
    """``See Figure 1, Table 1 and Table 2.``"""
    if not labels:
        return ""
    kinds = {"fig": "Figure", "tab": "Table"}
    *most, last = [rf"{kinds[label[:3]]}~\ref{{{label}}}" for label in labels]
    return f"See {', '.join(most)} and {last}." if most else f"See {last}."


def _comment(section: Section, block: Block) -> str:
    """A list or a table that is not printed, for the author."""
    lines = [f"{section.title}:"]
    if section.role == "table":
        return f"% {section.title}: bakeoff compare --report scores.tex writes the table of scores."
    if isinstance(block, Points):
        lines += block.lines("-")
    elif isinstance(block, Paragraph):
        lines.append(plain_text(block.text))
    elif isinstance(block, Table) and len(block.columns) <= latex_tables.WIDEST:
        lines += [" | ".join(column.title for column in block.columns)]
        lines += [" | ".join(row.cells) for row in block.rows]
    elif isinstance(block, Table):
        lines.append(f"{block.caption}: see the HTML report.")
    wrapped = [
        part for line in lines for part in textwrap.wrap(line, 100, subsequent_indent="  ", break_long_words=False)
    ]
    return "\n".join(f"% {line}" for line in wrapped)


def _figure(figure: Figure, prefix: str, look: Appearance) -> str:
    """The caption is LaTeX's: the one inside the drawing is left out."""
    drawing = picture_of(figure.result, replace(look, caption=True), figure.kind)
    caption = prose(caption_of(drawing) or figure.caption)
    label = f"fig:{prefix}{f'-{figure.key}' if figure.key else ''}"
    picture = to_tikz(uncaptioned(drawing)).strip()
    return f"\\bakeofffloat{{figure}}{{!htb}}{{}}{{%\n{picture}}}{{\\caption{{{caption}}}\\label{{{label}}}}}"
