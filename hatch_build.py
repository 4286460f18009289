"""What a wheel carries beside the package: the documentation as Markdown, and as a site where that has been built."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SITE = Path("build") / "site"
NO_PAGES = ("_ext", "_static", "examples", "gallery", "generate")
"""Folders below docs without pages, or with such as the build of the site writes."""


class SiteHook(BuildHookInterface):  # type: ignore[type-arg]
    """A wheel has them as bakeoff/pages and bakeoff/site, for ``bakeoff docs``; a source distribution as they were."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        site = Path(self.root) / SITE
        if version != "editable" and (site / "_static" / "words.js").is_file():
            target = SITE.as_posix() if self.target_name == "sdist" else "bakeoff/site"
            build_data["force_include"][str(site)] = target
        if version != "editable" and self.target_name == "wheel":
            docs = Path(self.root) / "docs"
            for page in sorted([*docs.glob("*.md"), *docs.glob("*/*.md")]):
                inside = page.relative_to(docs)
                if inside.parts[0] not in NO_PAGES:
                    build_data["force_include"][str(page)] = f"bakeoff/pages/{inside.as_posix()}"
