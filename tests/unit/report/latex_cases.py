"""LaTeX documents around reports, and whether this machine can compile them."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

FONTS = r"\usepackage[T1]{fontenc}\usepackage{lmodern}"
NEEDED = r"\usepackage{booktabs,tikz}"
PREAMBLES = {
    "article": rf"\documentclass{{article}}{FONTS}{NEEDED}",
    "article without lmodern": rf"\documentclass{{article}}{NEEDED}",
    "two columns": rf"\documentclass[twocolumn]{{article}}{FONTS}{NEEDED}",
    "IEEE": rf"\documentclass{{IEEEtran}}{NEEDED}",
    "IEEE with lmodern": rf"\documentclass{{IEEEtran}}{FONTS}{NEEDED}",
    "LNCS": rf"\documentclass{{llncs}}{FONTS}{NEEDED}",
    "ACM": rf"\documentclass[sigconf]{{acmart}}\usepackage{{environ,manyfoot,totpages}}{NEEDED}"  # what acmart needs
    r"\newcommand\shorttitle{T}",
}
_COMPLAINTS = r"^(?:Overfull .*|LaTeX (?:Font )?Warning: (?!Text page).*|!.*)$"
# Where Times, Helvetica and Courier are not installed, IEEEtran is set in Computer Modern, which is wider
_SUBSTITUTES = {"ptm": ("cmr", "lmr"), "phv": ("cmss", "lmss"), "pcr": ("cmtt", "lmtt")}


def can_compile(preamble: str = PREAMBLES["article"]) -> bool:
    """With every file that the preamble names."""
    files = [
        f"{name}.sty"
        for names in re.findall(r"\\usepackage(?:\[.*?\])?\{(.*?)\}", preamble)
        for name in names.split(",")
    ]
    files += [f"{name}.cls" for name in re.findall(r"\\documentclass(?:\[.*?\])?\{(.*?)\}", preamble)]
    return bool(shutil.which("pdflatex") and shutil.which("kpsewhich")) and all(map(_installed, files))


@cache
def _installed(file: str) -> bool:
    return bool(subprocess.run(["kpsewhich", file], capture_output=True, text=True).stdout.strip())


def compiled(folder: Path, preamble: str, reports: Sequence[str]) -> tuple[int, list[str]]:
    """The pages of a paper that includes these files of ``folder``, and what LaTeX complains of in the second run."""
    if "IEEEtran" in preamble and not _installed("ptmr7t.tfm"):
        _substitute_fonts(folder)
    included = "\n".join(f"\\input{{{name}}}" for name in reports)
    (folder / "whole.tex").write_text(f"{preamble}\n\\begin{{document}}\n{included}\n\\end{{document}}\n")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "whole.tex"]
    for _ in range(2):  # references are known in the second run
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
        assert done.returncode == 0, done.stdout[-2000:]
    log = (folder / "whole.log").read_text(errors="replace")
    pages = re.search(r"\((\d+) pages?,", log)
    assert pages is not None
    return int(pages[1]), re.findall(_COMPLAINTS, log, re.MULTILINE)


def _substitute_fonts(folder: Path) -> None:
    for family, others in _SUBSTITUTES.items():
        for encoding, other in zip(("OT1", "T1"), others, strict=True):
            lines = [rf"\DeclareFontFamily{{{encoding}}}{{{family}}}{{}}"]
            for series, wanted in (("m", "m"), ("b", "bx"), ("bx", "bx")):
                for shape in ("n", "it", "sc"):
                    as_is = "n" if (shape == "sc" and series != "m") or other[2:] != "r" else shape
                    name = f"{other}/{'m' if other[2:] == 'tt' else wanted}/{as_is}"
                    lines.append(
                        rf"\DeclareFontShape{{{encoding}}}{{{family}}}{{{series}}}{{{shape}}}{{<->ssub*{name}}}{{}}"
                    )
            (folder / f"{encoding.lower()}{family}.fd").write_text("\n".join(lines))
