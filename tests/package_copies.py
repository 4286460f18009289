"""A copy of the package that a test changes, and what its program prints."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import bakeoff

PACKAGE = Path(bakeoff.__file__).parent
TESTS = Path(__file__).parent


def copied(folder: Path) -> Path:
    """The package, copied into this folder."""
    target = folder / "bakeoff"
    shutil.copytree(PACKAGE, target, ignore=shutil.ignore_patterns("__pycache__"))
    return target


def edited(path: Path, old: str, new: str) -> None:
    """Replace a piece of a file that is there once."""
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, (path.name, old)
    path.write_text(text.replace(old, new), encoding="utf-8")


def ran(source: Path, *words: str, codes: tuple[int, ...] = (0,), cwd: Path | None = None) -> str:
    """What Python prints with the package in this folder."""
    environment = {**os.environ, "PYTHONPATH": f"{source}{os.pathsep}{TESTS}", "BAKEOFF_CACHE": "off", "COLUMNS": "200"}
    done = subprocess.run(
        [sys.executable, *words], cwd=cwd or source, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode in codes, done.stderr[-3000:]
    return done.stdout
