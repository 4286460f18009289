"""Sentences that were once false: each states only what was done and found."""

from __future__ import annotations

import numpy as np

import bakeoff as bo
from bakeoff.report.methods import methods


def test_wilcoxon_is_called_exact_only_where_it_is() -> None:
    values = np.random.default_rng(0).normal(size=(1001, 2))
    many = bo.compare(bo.Scores(values, better="lower"))
    few = bo.compare(bo.Scores(values[:1000], better="lower"))
    assert "normal approximation beyond 1000" in str(methods(many))
    assert "exact null distribution" not in str(methods(many))
    assert "exact null distribution" in str(methods(few))
    assert all("the exact Wilcoxon" not in choice.reason for choice in many.choices)


def test_algorithms_with_equal_contrasts_share_the_best_median() -> None:
    """With equal columns the step named the first one, whichever that was."""
    table = bo.Scores([[1, 1, 2], [2, 2, 3], [1, 1, 4], [5, 5, 6]], ["x", "y", "z"], better="lower")
    step = bo.compare(table, control="z", recipe="derrac-2011").steps[-1]
    assert step.outcome == "x, y share the best estimated median score."
