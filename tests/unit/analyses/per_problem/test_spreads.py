"""Runs that spread unequally: Brown and Forsythe's test, and whom the caution names."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats

import bakeoff as bo
from bakeoff.means.assumptions import found_unequal, spread_pvalues

CODE = "unequal"


def codes(result: object) -> set[str]:
    return {caution.code for caution in result.cautions}  # type: ignore[attr-defined]


def test_p_is_that_of_levenes_test_about_the_median() -> None:
    """Oracle: scipy.stats.levene(center="median"), row by row."""
    rng = np.random.default_rng(1)
    first, second = rng.normal(size=(200, 9)), rng.gamma(0.7, size=(200, 9)) * rng.uniform(0.2, 5, size=(200, 1))
    for runs, fewest in ((first, 2), (second, 3)):
        for row in runs:
            row[rng.integers(fewest, 10) :] = np.nan
    expected = [stats.levene(a[a == a], b[b == b], center="median").pvalue for a, b in zip(first, second, strict=True)]
    np.testing.assert_allclose(spread_pvalues(first, second), expected, rtol=1e-9)


def test_where_there_is_no_test_nothing_is_found() -> None:
    still, lone, far = np.ones((1, 4)), np.array([[1.0, np.nan, np.nan, np.nan]]), np.array([[1.0, 2.0, np.inf, 3.0]])
    varied, huge = np.array([[1.0, 2.0, 3.0, 9.0]]), np.array([[1e308, -1e308, 1.0, 2.0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for other in (lone, far, huge):
            assert spread_pvalues(varied, other).tolist() == [1.0]
        assert spread_pvalues(still, still).tolist() == [1.0]


def runs_of(spread: float, shift: float = 0.0, problems: int = 4, n: int = 12) -> bo.Scores:
    rng = np.random.default_rng(2)
    values = rng.normal(size=(problems, 2, n))
    values[:, 1] = values[:, 1] * spread + shift
    return bo.Scores(values, ["a", "b"], better="lower")


@pytest.mark.parametrize(
    ("scores", "there"),
    [
        (runs_of(8.0), True),
        (runs_of(1.0), False),
        (runs_of(1.0, 2.0), False),
        (runs_of(8.0, 100.0), False),  # apart: whatever the spreads, one is better
        (bo.Scores(np.exp(runs_of(1.0, 0.7).runs), ["a", "b"], better="lower"), False),  # a shift of logarithms
    ],
    ids=["unequal", "equal", "shift", "apart", "factor"],
)
def test_the_caution_of_a_table(scores: bo.Scores, there: bool) -> None:
    assert (CODE in codes(bo.per_problem(scores))) == there
    assert CODE not in codes(bo.per_problem(scores, paired=True))


@pytest.mark.parametrize(("sd", "test", "there"), [(0.06, "rank", True), (0.01, "rank", False), (0.06, "t", False)])
def test_the_caution_of_a_check(sd: float, test: str, there: bool) -> None:
    rng = np.random.default_rng(3)
    old, new = ({"b": np.exp(rng.normal(0, s, 12))} for s in (0.01, sd))
    found = bo.check(old, new, "5%", better="lower", level="problem", test=test)  # type: ignore[arg-type]
    assert (CODE in codes(found)) == there


@pytest.mark.parametrize(("spread", "shift", "there"), [(8.0, 0.0, True), (1.0, 0.0, False), (8.0, 100.0, False)])
def test_the_caution_of_two_samples(spread: float, shift: float, there: bool) -> None:
    runs = runs_of(spread, shift).runs
    assert runs is not None
    assert (CODE in codes(bo.mann_whitney(*runs[0]))) == there


def test_which_spreads_are_unequal_is_benjamini_and_hochbergs_decision() -> None:
    rng = np.random.default_rng(0)
    for _ in range(300):
        p = rng.beta(0.3, 1.0, int(rng.integers(1, 20))).round(2)
        assert np.array_equal(found_unequal(p), np.flatnonzero(bo.adjust(p, "fdr-bh") <= 0.05)), p
