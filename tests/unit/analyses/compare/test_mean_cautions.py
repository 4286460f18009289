"""Cautions of tests and effects that are means: of few units, and of skewed differences; each there, and not there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.analyses.compare.statistics import mean_cautions

RNG = np.random.default_rng(3)
NORMAL = RNG.normal(size=(40, 3))
TAILED = np.column_stack([NORMAL[:, 0], NORMAL[:, 0] + RNG.lognormal(0, 1.5, 40), NORMAL[:, 0] + NORMAL[:, 1]])


def compared(values: np.ndarray, **options: Any) -> bo.Comparison:  # type: ignore[type-arg]
    return bo.compare(bo.Scores(values, list("abc")[: values.shape[1]], better="lower"), **options)


def texts(found: bo.Comparison, code: str) -> list[str]:
    return [caution.text for caution in found.cautions if caution.code == code]


@pytest.mark.parametrize("options", [{"pairwise": "t"}, {"posthoc": "tukey", "omnibus": "anova"}, {"omnibus": "anova"}])
def test_skewed_differences_are_said_where_means_are_tested_or_shown(options: dict[str, Any]) -> None:
    (text,) = texts(compared(TAILED, **options), "skew")
    assert "a – b" in text
    assert "a – c" not in text
    assert not texts(compared(NORMAL, **options), "skew")


def test_ranks_and_signs_do_not_rest_on_means() -> None:
    for pairwise in ("wilcoxon", "sign", "mean-ranks"):
        assert not texts(compared(TAILED, pairwise=pairwise), "skew")
        assert not texts(compared(TAILED[:12], pairwise=pairwise), "too-few")


@pytest.mark.parametrize(("n", "severity"), [(9, "warning"), (10, "note"), (19, "note"), (20, None)])
def test_few_units_beside_t(n: int, severity: str | None) -> None:
    found = compared(NORMAL[:n], pairwise="t")
    assert [c.severity for c in found.cautions if c.name == "too-few (units)"] == ([severity] if severity else [])


def test_clusters_are_the_units() -> None:
    clusters = [f"c{i // 4}" for i in range(40)]
    found = bo.compare(bo.Scores(NORMAL, list("abc"), better="lower", clusters=clusters), pairwise="t")
    (text,) = texts(found, "too-few")
    assert text.startswith("There are 10 clusters")
    alone = bo.compare(bo.Scores(NORMAL, list("abc"), better="lower", clusters=clusters), pairwise="t", unit="problem")
    assert not texts(alone, "too-few")


def test_a_mean_because_of_ties_says_how_far_its_interval_holds() -> None:
    d = np.r_[np.zeros(15), np.random.default_rng(1).lognormal(0, 2, 25)]
    (text,) = texts(compared(np.column_stack([0 * d, d])), "skew")
    assert "because of ties" in text
    even = np.r_[np.zeros(15), np.arange(1.0, 14), -np.arange(1.0, 13)]
    assert not texts(compared(np.column_stack([0 * even, even])), "skew")


def test_shares_of_runs_won_are_a_mean_over_problems() -> None:
    runs = np.zeros((30, 2, 4))
    runs[:, 1] = np.where(np.arange(30) < 2, 1.0, -1.0)[:, None] * np.array([1, 1, 1, 1]) + 0.0
    lost = bo.compare(bo.Scores(runs, ["a", "b"], better="lower"), effect="a12")
    assert texts(lost, "skew")
    even = np.random.default_rng(0).normal(size=(30, 2, 4))
    assert not texts(bo.compare(bo.Scores(even, ["a", "b"], better="lower"), effect="a12"), "skew")


def test_pairs_with_missing_scores_have_units_of_their_own() -> None:
    values = TAILED.copy()
    values[:5, 1] = np.nan
    scores = bo.Scores(values, list("abc"), better="lower", missing="keep")
    (text,) = texts(bo.compare(scores, pairwise="t"), "skew")
    assert "a – b" in text
    short = bo.Scores(values[:18], list("abc"), better="lower", missing="keep")
    (text,) = texts(bo.compare(short, pairwise="t"), "too-few")
    assert text.startswith("There are 13 problems")


def test_nothing_is_said_of_one_problem_or_of_no_difference() -> None:
    for values in (NORMAL[:1], np.ones((12, 3))):
        found = {caution.code for caution in compared(values, pairwise="t").cautions}
        assert not found & {"too-few", "skew"}


def test_pairs_of_different_lengths_are_looked_at_together() -> None:
    long, short = np.random.default_rng(0).lognormal(0, 2, (2, 50))
    shown = [mean_cautions.ShownMean(name=name, values=d, tied=False) for name, d in (("x", long), ("y", short[:30]))]
    (caution,) = mean_cautions.shown_means([*shown, mean_cautions.ShownMean(name="z", values=np.ones(50), tied=False)])
    assert "Differences of x, y look skewed" in caution.text


def test_scores_whose_sums_overflow_are_compared() -> None:
    """The contrasts of four algorithms add up three medians of 1.7e308."""
    values = np.array([[1.7e308, 0.0, 0.0, 0.0]] * 6)
    found = bo.compare(bo.Scores(values, better="lower"), pairwise="t")
    assert found.contrasts is not None
    assert found.contrasts[0, 1] == 1.7e308
    assert {pair.pvalue for pair in found.pairs} == {1.0}
