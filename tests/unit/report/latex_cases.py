"""A LaTeX document around a report, and whether this machine can compile it."""

from __future__ import annotations

import shutil
import subprocess

PREAMBLE = r"\documentclass{article}\usepackage[T1]{fontenc}\usepackage{lmodern}\usepackage{booktabs,longtable,tikz}"


def can_compile() -> bool:
    if not (shutil.which("pdflatex") and shutil.which("kpsewhich")):
        return False
    files = ("lmodern.sty", "booktabs.sty", "longtable.sty", "tikz.sty")
    found = subprocess.run(["kpsewhich", *files], capture_output=True, text=True).stdout
    return len(found.splitlines()) == len(files)
