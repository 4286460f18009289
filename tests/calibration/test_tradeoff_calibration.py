"""What bo.tradeoff promises: the size of intersection–union on the edge of its hypothesis, and of both families."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

import bakeoff as bo

ALPHA = 0.05


def error(n: int) -> float:
    return float(np.sqrt(ALPHA * (1 - ALPHA) / n))


Floats = npt.NDArray[np.float64]


def metrics(rng: np.random.Generator, means: tuple[Floats, Floats], n: int, correlation: float) -> dict[str, bo.Scores]:
    first = rng.normal(size=(n, len(means[0])))
    second = correlation * first + np.sqrt(1 - correlation**2) * rng.normal(size=first.shape)
    both = (means[0] + first, means[1] + second)
    return {name: bo.Scores(values, better="higher") for name, values in zip("xy", both, strict=True)}


@pytest.mark.slow
@pytest.mark.parametrize("correlation", [-0.7, 0.0, 0.7])
def test_size_on_both_edges(correlation: float) -> None:
    """Worse by exactly the margin in x and far better in y: exact. Equal in both, margins wide: at most α."""
    rng = np.random.default_rng(int(10 + 10 * correlation))
    tables, inferior, equal = 1500, 0, 0
    for _ in range(tables):
        edge = metrics(rng, (np.array([-1.0, 0.0]), np.array([9.0, 0.0])), 15, correlation)
        inferior += bo.tradeoff(edge, {"x": 1.0, "y": 1.0}, n_draws=100).pairs[0].p_better_tradeoff <= ALPHA
        alike = metrics(rng, (np.zeros(2), np.zeros(2)), 15, correlation)
        equal += bo.tradeoff(alike, {"x": 9.0, "y": 9.0}, n_draws=100).pairs[0].p_better_tradeoff <= ALPHA
    assert abs(inferior / tables - ALPHA) <= 4 * error(tables), inferior / tables
    assert equal / tables <= ALPHA + 4 * error(tables), equal / tables


@pytest.mark.slow
def test_families_of_statements() -> None:
    """Four equal algorithms: a better trade-off is stated in at most α of tables, and so is a place on the frontier.

    Margins are wide, so that only superiority keeps a statement away.
    """
    rng = np.random.default_rng(3)
    tables, better, frontier = 800, 0, 0
    for _ in range(tables):
        found = bo.tradeoff(metrics(rng, (np.zeros(4), np.zeros(4)), 15, 0.3), {"x": 9.0, "y": 9.0}, n_draws=100)
        better += any(pair.verdict == "a better trade-off" for pair in found.pairs)
        frontier += any(position.adjusted <= ALPHA for position in found.positions)
    assert better / tables <= ALPHA + 4 * error(tables), better / tables
    assert frontier / tables <= ALPHA + 4 * error(tables), frontier / tables
