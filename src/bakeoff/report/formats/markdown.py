"""The report as (GitHub flavoured) Markdown."""

from __future__ import annotations

import re

from bakeoff.report.document import (
    Attachment,
    Block,
    Code,
    Document,
    Figure,
    JointDocument,
    Paragraph,
    Points,
    Section,
    Table,
    plain_text,
)

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~&$])")


def render(document: Document) -> str:
    """The whole document; the diagram is a file of its own in this format."""
    if document.bare:
        return "\n\n".join(map(_table, document.shown_tables)) + "\n"
    return "\n\n".join(_document(document, "#")) + "\n"


def render_joint(joint: JointDocument) -> str:
    """Several results, the headings of each one level lower."""
    parts = [f"# {escape(joint.title)}", escape(joint.read)]
    parts += [text for document in joint.parts for text in _document(document, "##")]
    parts += [text for section in joint.end for text in _section(section, "##")]
    return "\n\n".join(parts) + "\n"


def _document(document: Document, marks: str) -> list[str]:
    below = f"{marks}#"
    parts = [f"{marks} {escape(document.title)}"]
    parts += _section(document.doubts, below) if document.doubts is not None else []
    parts += [f"**{escape(document.verdict)}**"]
    parts += [escape("\n".join(document.below_verdict))] if document.below_verdict else []
    return [*parts, *(text for section in document.sections for text in _section(section, below))]


def escape(text: str) -> str:
    """Text in which no character means anything to Markdown (pipes included: tables are made of them)."""
    return _SPECIAL.sub(r"\\\1", text)


def _section(section: Section, marks: str) -> list[str]:
    blocks = [text for block in section.blocks if (text := _block(block))]
    return [f"{marks} {escape(section.title)}", *blocks] if blocks else []


def _block(block: Block) -> str:
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Paragraph):
        return escape(plain_text(block.text))
    if isinstance(block, Points):
        return "\n".join(_point(*item) for item in block.items)
    if isinstance(block, Code):
        return f"```{block.language}\n{block.text.rstrip()}\n```"
    if isinstance(block, Attachment):
        return ""
    assert isinstance(block, Figure)
    return ""


def _point(term: str, text: str, tag: str) -> str:
    start = f"- **{escape(term)}**: " if term else "- "
    return start + escape(text) + (f" ({escape(tag)})" if tag else "")


def _table(table: Table) -> str:
    parts = [f"*{escape(table.caption)}*", grid(table), escape(table.note)]
    return "\n\n".join(part for part in parts if part)


def grid(table: Table, bold: bool = True) -> str:
    """The columns and rows alone; ``bold``: with what stands out."""
    lines = [
        _line([escape(column.title) for column in table.columns]),
        _line(["---:" if column.numeric else ":---" for column in table.columns]),
    ]
    for row in table.rows:
        cells = [escape(cell) for cell in row.cells]
        cells = [f"**{cell}**" if bold and cell and table.is_bold(row, i) else cell for i, cell in enumerate(cells)]
        lines.append(_line(cells))
    return "\n".join(lines)


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
