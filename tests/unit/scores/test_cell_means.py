"""Means of cells: sums formed together are those of ``math.fsum``, cell by cell."""

from __future__ import annotations

import math

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ScoreError
from bakeoff.scores.cells import Array, cell_means

RNG = np.random.default_rng(11)


def one_by_one(cells: Array) -> Array:
    """``math.fsum``, which rounds once."""
    means = np.empty(cells.shape[:2])
    for place in np.ndindex(means.shape):
        runs = [x for x in cells[place].tolist() if not math.isnan(x)] or [math.nan]
        try:
            means[place] = math.fsum(runs) / len(runs)
        except OverflowError:
            means[place] = math.fsum(x / len(runs) for x in runs)
    return means + 0.0


def cells_of(kind: str, shape: tuple[int, int, int]) -> Array:
    if kind == "normal":
        return RNG.normal(size=shape)
    if kind == "decimals":
        return RNG.normal(size=shape).round(3)
    if kind == "all sizes":
        return RNG.normal(size=shape) * 10.0 ** RNG.integers(-300, 300, size=shape)
    if kind == "halfway":  # many sums lie between two neighbouring numbers
        return RNG.integers(-8, 9, size=shape) / 4 * 2.0 ** RNG.integers(0, 60, size=shape)
    if kind == "cancelling":
        return RNG.choice([1e16, 1.0, -1e16, 1e-16, 3.0, 2.0**-1074, 1e308, -0.0, 0.0], size=shape)
    return RNG.choice([math.inf, 1.0, 2.5], size=shape)


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("kind", ["normal", "decimals", "all sizes", "halfway", "cancelling", "infinite"])
def test_sums_of_all_cells_together_are_correctly_rounded(kind: str, gaps: bool) -> None:
    for runs in (*range(1, 12), 37, 1000):
        cells = cells_of(kind, (4, 3, runs))
        if gaps:
            cells[RNG.random(cells.shape) < 0.3] = math.nan
        found = cell_means(cells, tuple("pqrs"), tuple("abc"))
        np.testing.assert_array_equal(found, one_by_one(cells))
        assert not np.signbit(found[found == 0]).any()


def test_many_cells_at_a_time() -> None:
    cells = RNG.normal(size=(9000, 2, 5)).round(6)
    found = cell_means(cells, tuple(map(str, range(9000))), ("a", "b"))
    np.testing.assert_array_equal(found, one_by_one(cells))


def test_both_infinities_have_no_mean() -> None:
    with pytest.raises(ScoreError, match="problem 'P2', algorithm 'A1' has runs at both"):
        bo.Scores([[[1.0, 2.0], [1.0, 2.0]], [[math.inf, -math.inf], [1.0, 2.0]]], better="lower")
