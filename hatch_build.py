"""What a wheel carries beside the package: the documentation, where ``make site`` has built it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SITE = Path("build") / "site"


class SiteHook(BuildHookInterface):  # type: ignore[type-arg]
    """A wheel has it as bakeoff/site, where ``bakeoff docs`` looks; a source distribution where it was."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        site = Path(self.root) / SITE
        if version != "editable" and (site / "words.json").is_file():
            target = SITE.as_posix() if self.target_name == "sdist" else "bakeoff/site"
            build_data["force_include"][str(site)] = target
