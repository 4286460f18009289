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


def test_five_wins_are_enough_one_sided() -> None:
    """p = 1/32: the caution that nothing could be significant was for two-sided tests only."""
    table = bo.Scores([[0, i + 1] for i in range(5)], better="lower")
    for test in (bo.sign_test, bo.wilcoxon):
        assert test(table, 0, 1, alternative="greater").pvalue == 1 / 32
        assert not test(table, 0, 1, alternative="greater").cautions
        assert "two-sided p-value possible is 0.0625" in test(table, 0, 1).cautions[0].text
        four = table.select(problems=range(4))
        assert "one-sided p-value possible is 0.0625" in test(four, 0, 1, alternative="less").cautions[0].text
