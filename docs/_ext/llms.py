"""llms.txt beside the pages: the repository's, with links to the pages instead of their sources."""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx


def linked_to_pages(text: str) -> str:
    """``docs/guides/compare.md#clusters`` is ``guides/compare.html#clusters`` on the site."""
    return re.sub(r"\]\(docs/([^)#]+)\.md(#[^)]+)?\)", r"](\1.html\2)", text)


def _write(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        text = (Path(app.srcdir).parent / "llms.txt").read_text(encoding="utf-8")
        (Path(app.outdir) / "llms.txt").write_text(linked_to_pages(text), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("build-finished", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
