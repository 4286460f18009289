"""The command line of a page whose numbers were measured once and are stored beside it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

Files = Callable[[], dict[Path, str]]


def run(
    arguments: list[str], script: str, files: Files, measure: Callable[[], None], check: Callable[[], list[str]]
) -> int:
    """Nothing given: write the page; --measure: measure everything anew first; --check: is the page current?"""
    if arguments not in ([], ["--measure"], ["--check"]):
        sys.stderr.write(f"usage: python {script} [--measure | --check]\n")
        return 2
    if arguments == ["--check"]:
        complaints = [*outdated(script, files()), *check()]
        sys.stderr.write("".join(f"{complaint}\n" for complaint in complaints))
        return 1 if complaints else 0
    if arguments:
        measure()
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
    return 0


def outdated(script: str, files: dict[Path, str]) -> list[str]:
    """Files that are not what would be written now."""
    return [
        f"{path.name} is not current: run python {script}"
        for path, text in files.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
