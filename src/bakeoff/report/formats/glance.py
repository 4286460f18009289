"""The page of a terminal that fits a screen: verdict, basis, ranking, the pairs that differ, cautions by title."""

from __future__ import annotations

from dataclasses import replace

from bakeoff.cautions import title_of
from bakeoff.report.document import Document, Paragraph, Points, Section, Table, plain_text
from bakeoff.report.formats.terminal import Page, head_lines, render as render_whole, table_lines
from bakeoff.report.sections import NOTES

LINES = 36
"""At 80 columns, for a table of nine algorithms."""
FEWEST_PAIRS = 3
MOST_RANKED = 12


def render(document: Document, page: Page | None = None, more: str = "") -> str:
    """A screen, if the analysis says what is on it; else all. ``more`` says how the rest is shown."""
    page = page or Page()
    sections = tuple(document.brief())
    if not sections:
        return render_whole(document, page)
    page = replace(page, heads=True, wider="", names=document.names)
    head = head_lines(document, filter(None, (document.read, document.brief_basis)), page)
    end = _cautions(document, page) + (["", *page.wrap(more)] if more else [])
    pairs = next((section for section in sections if _may_be_cut(section)), None)
    others = [line for section in sections if section is not pairs for line in _lines(section, page, MOST_RANKED)]
    room = LINES - len(head) - len(others) - len(end)
    body = [
        line
        for section in sections
        for line in (_fitting(section, page, room) if section is pairs else _lines(section, page, MOST_RANKED))
    ]
    return "\n".join([*head, *body, *end]) + "\n"


def _may_be_cut(section: Section) -> bool:
    return any(isinstance(block, Table) and block.brief is not None for block in section.blocks)


def _fitting(section: Section, page: Page, room: int) -> list[str]:
    """As many rows as there is room for."""
    whole = _lines(section, page, 10_000)
    over = len(whole) - room
    rows = sum(len(block.rows) for block in section.blocks if isinstance(block, Table))
    return whole if over <= 0 else _lines(section, page, max(FEWEST_PAIRS, rows - over - 1))


def _lines(section: Section, page: Page, most: int) -> list[str]:
    """A table after an empty line; what is said below it follows at once."""
    lines: list[str] = []
    for block in section.blocks:
        if isinstance(block, Table):
            kept = [row for i, row in enumerate(block.rows) if i < most or row.pinned]
            left = len(block.rows) - len(kept)
            starred = any(cell.endswith("*") for row in kept for cell in row.cells)
            note = block.note if starred else block.note.partition(" *: ")[0]
            note = f"… and {left} more. {note}".rstrip() if left else note
            lines += ["", *table_lines(replace(block, rows=kept, note=note), page)]
        elif isinstance(block, Paragraph):
            lines += page.wrap(plain_text(block.text))
    return lines


def _cautions(document: Document, page: Page) -> list[str]:
    """By title, which is the question that each asks; one without a title in full."""
    section = document.of_role("cautions")
    if section is None:
        return []
    mark = "-" if section.title == NOTES else "!"
    lines = ["", page.bold(page.say(f"{section.title} (bakeoff explain CODE)"))]
    listed = [item for block in section.blocks if isinstance(block, Points) for item in block.items]
    for line in dict.fromkeys(f"{name}: {title_of(name) or text}" for name, text, _ in listed):
        lines += page.wrap(f"{mark} {line}", indent="  ")
    return lines
