"""The table of scores, compiled in a paper of one column or two: no complaint of LaTeX, bold mathematics, any name."""

from pathlib import Path

import numpy as np
import pytest

import bakeoff as bo
from unit.report.latex_cases import PREAMBLES, can_compile, compiled

NAMES = ("k-NN", "naive_Bayes", "C4.5", "Random Forest", "SVM (RBF)", "LR & λ", "100% #1 {}", "\\input{x}")


def tables() -> dict[str, bo.ScoreTable]:
    rng = np.random.default_rng(3)
    accuracies = np.clip(0.6 + 0.3 * rng.random((40, 1)) + 0.05 * rng.normal(size=(40, 8)), 0.0, 1.0)
    errors = 10.0 ** rng.integers(-9, 4, (12, 1, 1)) * (1.0 + rng.random((12, 4, 10)))
    errors[3, 2, 1] = np.inf
    return {
        "accuracies": bo.score_table(bo.Scores(accuracies.round(4), NAMES, better="higher"), control=NAMES[0]),
        "ranks": bo.score_table(bo.Scores(accuracies, NAMES, better="higher"), ranks=True),
        "errors": bo.score_table(bo.Scores(errors, NAMES[:4], better="lower")),
        "many": bo.score_table(bo.Scores(rng.random((10, 60)), better="lower")),
        "long": bo.score_table(bo.Scores(rng.random((150, 3)), better="lower")),
    }


@pytest.mark.few(2)
@pytest.mark.slow
@pytest.mark.parametrize("paper", PREAMBLES)
def test_tables_of_scores_compile(paper: str, tmp_path: Path) -> None:
    if not can_compile(PREAMBLES[paper]):
        pytest.skip(f"no LaTeX for {paper} here")
    found = tables()
    for name, table in found.items():
        table.save(tmp_path / f"{name}.tex")
    pages, complaints = compiled(tmp_path, PREAMBLES[paper], list(found))
    assert complaints == []
    assert pages <= 12


def test_no_row_of_a_long_table_is_lost() -> None:
    """A report prints the first rows of a long table; a file of its own has them all, and those that sum up."""
    from bakeoff.report import render

    tex = render(bo.score_table(bo.Scores(np.random.default_rng(0).random((300, 3)), better="lower")), "tex")
    assert all(f"\nP{i + 1} & " in tex for i in range(300))
    assert "\nmean rank & " in tex


def test_forty_problems_are_one_table() -> None:
    from bakeoff.report import render

    tex = render(tables()["accuracies"], "tex")
    assert tex.count(r"\toprule") == 1
