"""Skewed differences are found by flips of signs: as a literal version has it, and at every door that decides by t."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.means.signs import drawn_bits
from bakeoff.means.skewness import LEVEL, MATTERS, RESAMPLES, long_tails
from bakeoff.means.strata import one_stratum
from bakeoff.randomness import generator


def skewed(differences: np.ndarray, codes: np.ndarray) -> list[bool]:  # type: ignore[type-arg]
    columns = np.column_stack([differences, np.zeros(len(codes))])
    q = differences.shape[1]
    return (long_tails(columns, (np.arange(q), np.full(q, q)), [one_stratum(codes)]) != 0).tolist()


def literal(differences: np.ndarray, codes: np.ndarray) -> list[bool]:  # type: ignore[type-arg]
    """One choice of signs at a time."""
    sizes = np.bincount(codes)
    twos, threes = (np.array(list(combinations(range(len(sizes)), r))) for r in (2, 3))
    units = np.array([[column[codes == g].sum() for column in differences.T] for g in range(len(sizes))])

    def skewness(parts: np.ndarray) -> float:  # type: ignore[type-arg]
        v = parts - sizes * parts.sum() / sizes.sum()
        return float(abs((v**3).sum()) * len(v) ** 0.5 / (v**2).sum() ** 1.5)

    def l_skewness(parts: np.ndarray) -> float:  # type: ignore[type-arg]
        """Over all choices of three: the largest less twice the middle plus the smallest, over the mean difference."""
        v = parts - sizes * parts.sum() / sizes.sum()
        low, middle, high = np.sort(v[threes], axis=1).T
        return float(abs((high - 2 * middle + low).mean() / 3) / (np.abs(v[twos[:, 0]] - v[twos[:, 1]]).mean() / 2))

    centred = units - sizes[:, None] * units.sum(axis=0) / sizes.sum()
    order = np.lexsort((np.abs(centred).min(axis=1), np.abs(centred).max(axis=1), sizes))
    centred, sizes = centred[order], sizes[order]
    own = [l_skewness(column) for column in centred.T]
    signs = 2 * drawn_bits(RESAMPLES, len(sizes), generator(0)) - 1
    largest = [max(l_skewness(s * column) for column in centred.T) for s in signs]
    p = [(1 + sum(value >= one * (1 - 1e-9) for value in largest)) / (RESAMPLES + 1) for one in own]
    matters = [skewness(column) >= MATTERS * len(sizes) ** 0.5 for column in centred.T]
    return [a <= LEVEL and b for a, b in zip(p, matters, strict=True)]


@pytest.mark.parametrize("sizes", [(1,) * 25, (1, 2, 5) * 6])
def test_the_literal_version(sizes: tuple[int, ...]) -> None:
    rng = np.random.default_rng(len(sizes))
    codes = np.repeat(np.arange(len(sizes)), sizes)
    shared = rng.lognormal(sigma=2, size=(len(sizes), 3))[codes]
    d = np.column_stack([rng.normal(size=(len(codes), 2)), shared[:, :1], -shared[:, 1:2] * 1e6])
    d /= np.abs(d).max(axis=0)  # one size, so that the order of units is the same
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
        assert ("skewed-differences" in codes_of(found.cautions)) == is_skewed


def test_right_and_wrong_answers_are_not_skewed() -> None:
    answers = np.column_stack([np.ones(60), np.arange(60) > 5])
    found = bo.evaluate(bo.Scores(answers, ["a", "b"], better="higher"))
    assert "skewed-differences" not in codes_of(found.cautions)
