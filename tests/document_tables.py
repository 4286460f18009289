"""A table of a document by its key, as tests ask for one."""

from __future__ import annotations

from bakeoff.report.document import Document, Table


def table_in(document: Document, key: str) -> Table | None:
    """The table called so, wherever it is, or None."""
    blocks = (block for section in document.sections for block in section.blocks)
    return next((block for block in blocks if isinstance(block, Table) and block.key == key), None)
