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


@pytest.mark.exhaustive
@pytest.mark.parametrize("correlation", [-0.7, 0.0, 0.7])
def test_size_on_both_edges(correlation: float) -> None:
    """Worse by exactly the margin in x and far better in y: exact. Equal in both, margins wide: at most α."""
    rng = np.random.default_rng(int(10 + 10 * correlation))
    tables, inferior, equal = 900, 0, 0
    for _ in range(tables):
        edge = metrics(rng, (np.array([-1.0, 0.0]), np.array([9.0, 0.0])), 15, correlation)
        inferior += bo.tradeoff(edge, {"x": 1.0, "y": 1.0}, n_draws=100).pairs[0].p_better_tradeoff <= ALPHA
        alike = metrics(rng, (np.zeros(2), np.zeros(2)), 15, correlation)
        equal += bo.tradeoff(alike, {"x": 9.0, "y": 9.0}, n_draws=100).pairs[0].p_better_tradeoff <= ALPHA
    assert abs(inferior / tables - ALPHA) <= 4 * error(tables), inferior / tables
    assert equal / tables <= ALPHA + 4 * error(tables), equal / tables


@pytest.mark.exhaustive
def test_families_of_statements() -> None:
    """Four equal algorithms: a better trade-off is stated in at most α of tables, and so is a place on the frontier.

    Margins are wide, so that only superiority keeps a statement away.
    """
    rng = np.random.default_rng(3)
    tables, better, frontier = 600, 0, 0
    for _ in range(tables):
        found = bo.tradeoff(metrics(rng, (np.zeros(4), np.zeros(4)), 15, 0.3), {"x": 9.0, "y": 9.0}, n_draws=100)
        better += any(pair.verdict == "a better trade-off" for pair in found.pairs)
        frontier += any(position.adjusted <= ALPHA for position in found.positions)
    assert better / tables <= ALPHA + 4 * error(tables), better / tables
    assert frontier / tables <= ALPHA + 4 * error(tables), frontier / tables


@pytest.mark.exhaustive
def test_right_and_wrong_answers_on_the_edge() -> None:
    """Of 100 questions the model is right on 0.11 fewer, exactly the margin, and far faster: at most α."""
    rng = np.random.default_rng(12)
    tables, shown = 900, 0
    for _ in range(tables):
        drawn = rng.choice(4, size=100, p=[0.7, 0.18, 0.005, 0.115])  # both right, neither, a alone, b alone
        right = np.column_stack([(drawn == 0) | (drawn == 2), (drawn == 0) | (drawn == 3)]).astype(float)
        seconds = np.array([1.0, 9.0]) * np.exp(0.1 * rng.normal(size=(100, 2)))
        given = {"right": bo.Scores(right, better="higher"), "seconds": bo.Scores(seconds, better="lower")}
        margins: dict[str, float | str] = {"right": 0.11, "seconds": "5%"}
        shown += bo.tradeoff(given, margins, n_draws=100).pairs[0].p_better_tradeoff <= ALPHA
    assert shown / tables <= ALPHA + 4 * error(tables), shown / tables
