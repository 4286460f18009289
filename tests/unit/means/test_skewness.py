"""Skewed differences are found: as a literal version has it, and at every door that decides by t."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

import bakeoff as bo
from bakeoff.means.assumptions import EACH, FEWEST, MATTERS, _l_skewness, long_tails
from bakeoff.means.strata import one_stratum


def skewed(differences: np.ndarray, codes: np.ndarray) -> list[bool]:  # type: ignore[type-arg]
    columns = np.column_stack([differences, np.zeros(len(codes))])
    q = differences.shape[1]
    return (long_tails(columns, (np.arange(q), np.full(q, q)), [one_stratum(codes)]) != 0).tolist()


def literal(differences: np.ndarray, codes: np.ndarray) -> list[bool]:  # type: ignore[type-arg]
    """One pair at a time: L-moments over all choices of two and three units, and SciPy's test of the third moment, by
    both spreads of clusters."""
    sizes = np.bincount(codes)
    groups, shares = len(sizes), sizes / sizes.sum()
    twos, threes = (np.array(list(combinations(range(groups), r))) for r in (2, 3))
    limit = stats.norm.isf(EACH / 2 / differences.shape[1])
    error = np.sqrt(0.1866 / groups + 0.8 / groups**2)

    def l_skewness(v: np.ndarray) -> float:  # type: ignore[type-arg]
        """The largest less twice the middle plus the smallest, over the mean difference."""
        low, middle, high = np.sort(v[threes], axis=1).T
        return float(((high - 2 * middle + low).mean() / 3) / (np.abs(v[twos[:, 0]] - v[twos[:, 1]]).mean() / 2))

    def off(v: np.ndarray, side: float) -> float:  # type: ignore[type-arg]
        return max(side * l_skewness(v) / error, side * float(stats.skewtest(v).statistic))

    def is_skewed(column: np.ndarray) -> bool:  # type: ignore[type-arg]
        v = np.array([(column[codes == g] - column.mean()).sum() for g in range(groups)])
        skewness = float(stats.skew(v))
        alone = off(v / np.sqrt(sizes * (1 - shares)), np.sign(skewness))
        together = off(v / (sizes * np.sqrt(1 - 2 * shares + (shares**2).sum())), np.sign(skewness))
        return abs(skewness) >= MATTERS * groups**0.5 and min(alone, together) >= limit

    return [is_skewed(column) for column in differences.T]


@pytest.mark.parametrize("sizes", [(1,) * 25, (1, 2, 5) * 6])
def test_the_literal_version(sizes: tuple[int, ...]) -> None:
    rng = np.random.default_rng(len(sizes))
    codes = np.repeat(np.arange(len(sizes)), sizes)
    shared = rng.lognormal(sigma=2, size=(len(sizes), 3))[codes]
    d = np.column_stack([rng.normal(size=(len(codes), 2)), shared[:, :1], -shared[:, 1:2] * 1e6])
    found = skewed(d, codes)
    assert found == literal(d, codes)
    assert found[:3] == [False, False, True]


def test_order_of_rows_unit_and_degenerate_columns() -> None:
    d = np.random.default_rng(1).exponential(size=(30, 1))
    codes = np.arange(30)
    assert skewed(d, codes) == skewed(d[::-1], codes) == skewed(d * 1e300, codes) == skewed(-d, codes) == [True]
    assert skewed(np.zeros((30, 2)), codes) == [False, False]
    assert skewed(np.full((30, 1), 0.1), codes) == [False]
    assert skewed(np.array([[1.0], [5.0]]), np.arange(2)) == [False]


def test_one_failure_is_seen_among_many_and_none_among_too_few() -> None:
    """Other signs of one failure are one success: no test beside all symmetric distributions sees it."""
    rng = np.random.default_rng(5)
    for n in (30, 60):
        d = rng.normal(size=(n, 1))
        assert skewed(d, np.arange(n)) == [False]
        d[3] -= 10
        assert skewed(d, np.arange(n)) == [True]
    few = np.eye(FEWEST)[:, :1]
    assert skewed(few, np.arange(FEWEST)) == [True]
    assert skewed(few[:-1], np.arange(FEWEST - 1)) == [False]


@pytest.mark.parametrize("n", [10, 30, 100])
@pytest.mark.slow_cases("100")
def test_the_distribution_of_the_l_skewness_of_normal_values(n: int) -> None:
    """Hosking (1990) gives the variance; of normal values 10 %, and of one pair in 45 what 10 % of all leave it."""
    rng = np.random.default_rng(n)
    z = _l_skewness(rng.normal(size=(n, 40_000))) / np.sqrt(0.1866 / n + 0.8 / n**2)
    for level in (0.1, 0.1 / 45):
        share = np.mean(np.abs(z) >= stats.norm.isf(level / 2))
        assert share <= 1.25 * level + 4 * np.sqrt(level / z.size)
        assert share >= 0.8 * level - 4 * np.sqrt(level / z.size)


@pytest.mark.parametrize("icc", [0.0, 0.2, 1.0])
@pytest.mark.parametrize("sizes", [(1,) * 60 + (30,) * 3, tuple(range(1, 31))])
@pytest.mark.few(2, 4)
@pytest.mark.slow_cases("sizes1-1.0")
def test_normal_clusters_of_unequal_size_are_not_skewed(sizes: tuple[int, ...], icc: float) -> None:
    rng = np.random.default_rng([len(sizes), round(10 * icc)])
    codes = np.repeat(np.arange(len(sizes)), sizes)
    shape = (len(sizes), 500), (len(codes), 500)
    columns = np.sqrt(icc) * rng.normal(size=shape[0])[codes] + np.sqrt(1 - icc) * rng.normal(size=shape[1])
    assert np.mean([skewed(column[:, None], codes)[0] for column in columns.T]) <= 0.1


def test_the_sign_says_to_which_side_the_tail_is() -> None:
    table = np.column_stack([np.random.default_rng(1).exponential(size=40), np.zeros(40)])
    pairs = np.array([0, 1]), np.array([1, 0])
    assert np.sign(long_tails(table, pairs, [one_stratum(np.arange(40))])).tolist() == [1, -1]


def codes_of(cautions: tuple[bo.Caution, ...]) -> set[str]:
    return {c.code for c in cautions}


@pytest.mark.parametrize("door", [bo.paired_t, bo.cluster_t, lambda s, a, b: bo.evaluate(s)])
def test_every_door(door: object) -> None:
    rng = np.random.default_rng(4)
    b = rng.normal(size=40)
    for differences, is_skewed in ((rng.lognormal(size=40), True), (rng.normal(size=40), False)):
        scores = bo.Scores(np.column_stack([b + differences, b]), ["a", "b"], better="higher")
        found = door(scores, "a", "b")  # type: ignore[operator]
        assert ("skew" in codes_of(found.cautions)) == is_skewed


def test_right_and_wrong_answers_are_not_skewed() -> None:
    answers = np.column_stack([np.ones(60), np.arange(60) > 5])
    found = bo.evaluate(bo.Scores(answers, ["a", "b"], better="higher"))
    assert "skew" not in codes_of(found.cautions)
