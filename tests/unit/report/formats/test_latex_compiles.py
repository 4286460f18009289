"""The LaTeX report, compiled where there is a LaTeX: nothing overfull, undefined or doubled, in one column and two.

Nothing in a name may stop it or be obeyed.
"""

from pathlib import Path

import numpy as np
import pytest

import bakeoff as bo
from bakeoff import report
from bakeoff.scores import Scores
from unit.report.latex_cases import PREAMBLES, can_compile, compiled

pytestmark = pytest.mark.slow

NAMES = (
    *("\\input{x}$x^2$ & % # _ ~", "<b>[1]*{a}", "a|b`c'd\"e", "--- ,, ?` !`", "λ_1 χ² Ω", "Šidák é ß"),
    *("x\x1b[2Jy\nz", "=cmd()", "L" * 40, "\\end{table}\\write18{touch hacked}"),
)
USUAL = ("Ours", "XGBoost", "Random Forest", "SVM", "k-NN", "LR", "NB", "MLP_2x64")


def classifiers(n: int = 40, names: tuple[str, ...] = USUAL) -> Scores:
    rng = np.random.default_rng(5)
    shift = np.linspace(0.02, -0.04, len(names))
    values = 0.8 + rng.normal(0, 0.06, (n, 1)) + shift + rng.normal(0, 0.02, (n, len(names)))
    return bo.Scores(np.round(values, 4), names, better="higher")


@pytest.mark.few(3)
@pytest.mark.parametrize("name", PREAMBLES)
def test_eight_algorithms_on_forty_problems_take_two_pages_at_most(name: str, tmp_path: Path) -> None:
    """U-A5: ten pages in an article, and six boxes over the neighbouring column in IEEEtran."""
    if not can_compile(PREAMBLES[name]):
        pytest.skip(f"this machine cannot compile {name}")
    bo.compare(classifiers()).save(tmp_path / "paper.tex")
    pages, complaints = compiled(tmp_path, PREAMBLES[name], ["paper"])
    assert complaints == []
    assert pages <= 2 + (name == "LNCS")  # a page of LNCS holds two thirds of an article's


@pytest.mark.few(1)
@pytest.mark.parametrize("name", ["article", "two columns", "IEEE", "LNCS", "ACM"])
def test_every_kind_of_report_in_one_paper(name: str, tmp_path: Path) -> None:
    """U-A24: two reports in one paper had the same labels."""
    if not can_compile(PREAMBLES[name]):
        pytest.skip(f"this machine cannot compile {name}")
    few = classifiers()
    long = tuple(f"A rather long name of an algorithm, number {i} with options lr=0.1" for i in range(5))
    results = {
        "control": bo.compare(few, control="Ours"),
        "every correction": bo.compare(few, posthoc="all"),
        "nemenyi": bo.compare(few, posthoc="nemenyi"),
        "recipe_1": bo.compare(bo.datasets.load("derrac_cec2005"), control="SaDE", recipe="derrac-2011"),
        "three": bo.compare(classifiers(12, USUAL[:3])),
        "two": bo.compare(classifiers(12, USUAL[:2])),
        "twenty": bo.compare(classifiers(20, tuple(f"alg{i}" for i in range(20))), control=0),
        "long": bo.compare(classifiers(30, long)),
        "bayes": bo.bayes.overview(few),
    }
    for stem, result in results.items():
        result.save(tmp_path / f"{stem}.tex")
    _, complaints = compiled(tmp_path, PREAMBLES[name], list(results))
    # nine reports without text between them fill pages with floats, which may stand some points too high
    assert [said for said in complaints if r"\output is active" not in said] == []


@pytest.mark.few(1)
@pytest.mark.parametrize("control", [None, NAMES[0]])
def test_pdflatex_compiles_any_latin_or_greek_names(control: str | None, tmp_path: Path) -> None:
    if not can_compile():
        pytest.skip("no pdflatex with lmodern, booktabs and tikz here")
    values = [[(i * j) % 7 + j / 3 for j in range(len(NAMES))] for i in range(1, 21)]
    scores = bo.Scores(values, NAMES, [f"p_{i}%" for i in range(20)], better="lower")
    report.save(bo.compare(scores, control=control, posthoc="all"), tmp_path / "report.tex", "bakeoff compare a_b%.csv")
    _, complaints = compiled(tmp_path, PREAMBLES["article"], ["report"])
    assert complaints == []
    assert not (tmp_path / "hacked").exists()
