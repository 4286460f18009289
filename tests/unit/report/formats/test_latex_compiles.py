"""The LaTeX report, compiled: where there is a LaTeX; nothing in a name may stop it or be obeyed."""

import subprocess
from pathlib import Path

import pytest

import bakeoff as bo
from bakeoff import report
from unit.report.latex_cases import PREAMBLE, can_compile

NAMES = (
    *("\\input{x}$x^2$ & % # _ ~", "<b>[1]*{a}", "a|b`c'd\"e", "--- ,, ?` !`", "λ_1 χ² Ω", "Šidák é ß"),
    *("x\x1b[2Jy\nz", "=cmd()", "L" * 40, "\\end{table}\\write18{touch hacked}"),
)


@pytest.mark.slow
@pytest.mark.parametrize("control", [None, NAMES[0]])
def test_pdflatex_compiles_any_latin_or_greek_names(control: str | None, tmp_path: Path) -> None:
    if not can_compile():
        pytest.skip("no pdflatex with lmodern, booktabs, longtable and tikz here")
    values = [[(i * j) % 7 + j / 3 for j in range(len(NAMES))] for i in range(1, 21)]
    scores = bo.Scores(values, NAMES, [f"p_{i}%" for i in range(20)], better="lower")
    report.save(bo.compare(scores, control=control, posthoc="all"), tmp_path / "report.tex", "bakeoff compare a_b%.csv")
    (tmp_path / "paper.tex").write_text(f"{PREAMBLE}\n\\begin{{document}}\n\\input{{report.tex}}\n\\end{{document}}\n")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", timeout=100)
    assert done.returncode == 0, done.stdout[-2000:]
    assert not (tmp_path / "hacked").exists()
