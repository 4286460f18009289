"""Campelo & Takahashi (2019), section 5: what follows from the printed Table 2, to the printed digits."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff as bo
from oracles.published import cells, rows

TABLE = cells("campelo_table2")
NAMES = rows("campelo_table2")
PHI = np.array([float(TABLE[name, "phi"]) for name in NAMES])
SE = np.array([float(TABLE[name, "se"]) for name in NAMES])
RUNS = np.array([[int(TABLE[name, column]) for column in ("n1", "n2")] for name in NAMES])


def test_the_planned_number_of_instances_is_that_of_the_table() -> None:
    assert bo.plan.instances(0.5).n == len(NAMES) == 34


def test_the_test_of_experiment_one() -> None:
    # printed: mean -0.379, CI [-0.517, -0.242], df 33, p 2.90e-6; from the rounded phis p is 2.908e-6
    scores = bo.Scores(np.column_stack([PHI, np.zeros(34)]), ["MOEA/D-DE", "MOEA/D"], better="lower")
    found = bo.paired_t(scores, "MOEA/D-DE", "MOEA/D")
    assert found.estimate == pytest.approx(0.379, abs=5e-4)  # positive: the first one is better
    assert (found.low, found.high) == pytest.approx((0.242, 0.517), abs=5e-4)
    assert (found.df, round(found.statistic, 5)) == (33, 5.62572)
    assert found.pvalue == pytest.approx(2.908e-6, abs=5e-10)
    assert found.pvalue == pytest.approx(2.90e-6, rel=0.01)
    # sd .39325, so d = .965: far beyond the 0.5 that was planned for
    assert found.estimate / PHI.std(ddof=1) == pytest.approx(0.965, abs=5e-4)


def test_the_runs_of_experiment_one() -> None:
    assert RUNS.sum(axis=0).tolist() == [1255, 979]  # the sums of the printed column; the paper gives no total
    at_budget = {name for name, row in zip(NAMES, RUNS, strict=True) if row.sum() >= 200}
    assert at_budget == {"UF3 (29)", "UF5 (17)", "UF5 (28)"}
    assert RUNS.min() == 15  # n0
    reached = [se for name, se in zip(NAMES, SE, strict=True) if name not in at_budget]
    assert max(reached) <= 0.05


def test_runs_hardly_matter_beside_instances_in_experiment_one() -> None:
    # (25): sigma_eps² is the mean squared standard error; section 4.6 asks for at most a tenth of the total
    share = float(np.mean(SE**2)) / float(PHI.var(ddof=1))
    assert share < 0.012
