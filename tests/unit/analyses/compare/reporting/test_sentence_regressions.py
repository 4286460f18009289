"""Sentences that were once false: each states only what was done and found."""

from __future__ import annotations

import numpy as np

import bakeoff as bo
from bakeoff.analyses.compare.reporting.methods import methods
from bakeoff.numerals import pvalue


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
    assert step.outcome == "x, y share the best effect, estimated from medians of differences."


def test_five_wins_are_enough_one_sided() -> None:
    """p = 1/32: the caution that nothing could be significant was for two-sided tests only."""
    table = bo.Scores([[0, i + 1] for i in range(5)], better="lower")
    for test in (bo.sign_test, bo.wilcoxon):
        assert test(table, 0, 1, alternative="greater").pvalue == 1 / 32
        assert not test(table, 0, 1, alternative="greater").cautions
        assert "two-sided p-value is 0.0625" in test(table, 0, 1).cautions[0].text
        four = table.select(problems=range(4))
        assert "exact one-sided p-value is 0.0625" in test(four, 0, 1, alternative="less").cautions[0].text


def test_a_closed_gate_is_not_blamed_on_the_correction() -> None:
    """Iman–Davenport does not reject (p = 0.117) though Holm's adjusted p is 0.046: the step says which of the two
    decided; and "not shown to be better" instead of "better than none".
    """
    rows = ["32410", "10423", "03241", "12403", "04321", "40132", "03421", "12403"]
    table = bo.Scores([[float(x) for x in row] for row in rows], better="lower")
    result = bo.compare(table, control=0, recipe="derrac-2011")
    assert min(pair.adjusted["holm"] for pair in result.pairs) < 0.05 < result.omnibus.pvalue
    by_name = {step.name: step.outcome for step in result.steps}
    assert "omnibus test does not reject" in by_name["post-hoc"]
    assert "not shown to be better than any other" in by_name["multiple-sign"]


def test_a_pvalue_beside_the_level_shows_its_side() -> None:
    assert pvalue(0.0500004, None, 0.05) == "0.0500004"
    assert pvalue(0.05, None, 0.05) == "0.0500"
    assert pvalue(0.2, None, 0.05) == "0.200"


def test_a_single_pair_of_a_recipe_was_not_corrected() -> None:
    """The step said "By Nemenyi …, 0 of 1" of a pair tested by Wilcoxon without correction."""
    rows = np.random.default_rng(2).normal([0.0, 3.0], size=(8, 2))
    step = bo.compare(bo.Scores(rows, better="lower"), recipe="demsar-2006").steps[-1]
    assert step.outcome == "A single hypothesis needs no correction: at alpha = 0.05 the pair is declared different."
    assert "nemenyi" not in step.title


def test_weak_control_is_called_nominal_and_distances_by_their_ranks() -> None:
    """Finner and Li keep the family-wise error only while no algorithm differs."""
    table = bo.Scores(np.random.default_rng(3).normal(size=(12, 4)), better="lower")
    for method in ("finner", "li", "holm"):
        text = str(methods(bo.compare(table, control=0, posthoc=method)))
        assert ("nominal family-wise" in text) == (method != "holm")
    aligned = bo.compare(table, control=0, pairwise="aligned", posthoc="bonferroni")
    assert "critical difference of mean aligned ranks is" in str(methods(aligned))
