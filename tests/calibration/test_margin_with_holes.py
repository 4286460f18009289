"""Claims against a margin in tables with missing scores: false ones are no more frequent than alpha."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator
from numpy.typing import NDArray

import bakeoff as bo

ALPHA, TABLES = 0.05, 400
Floats = NDArray[np.float64]
Draw = tuple[Callable[[Generator], Floats], float]


def normal(n: int, k: int) -> Draw:
    """The first is worse than each other one by exactly the margin."""
    return lambda rng: rng.normal(size=(n, 1)) + 0.5 * rng.normal(size=(n, k)) + (np.arange(k) > 0), 1.0


def answers(n: int) -> Draw:
    """Right and wrong: shares apart by exactly the margin."""
    return lambda rng: (rng.random((n, 2)) < [0.6, 0.8]).astype(float), 0.2


def at_random(rng: Generator, values: Floats) -> Floats:
    """A tenth of all scores is missing, whatever they are."""
    return np.where(rng.random(values.shape) < 0.1, math.nan, values)


def where_it_hurts(rng: Generator, values: Floats) -> Floats:
    """The problems that show best that the first is worse are missing."""
    worst = np.argsort(values[:, 0] - values[:, 1:].mean(axis=1))[: max(1, len(values) // 15)]
    found = values.copy()
    found[worst, 0] = math.nan
    return found


def claims(draw: Draw, gone: Callable[[Generator, Floats], Floats], missing: Any) -> tuple[int, int]:
    """Tables with a false "a not worse" about the first, and with a claim about the others."""
    rng, false, right = np.random.default_rng(20), 0, 0
    for _ in range(TABLES):
        scores = bo.Scores(gone(rng, draw[0](rng)), better="higher", missing="keep")
        found = bo.compare(scores, margin=draw[1], missing=missing)
        with_first = [pair for pair in found.pairs if pair.a == scores.algorithms[0]]
        false += any((pair.adjusted_a_not_worse or 0.0) <= ALPHA for pair in with_first)
        right += any((pair.adjusted_equal or 1.0) <= ALPHA for pair in found.pairs if pair not in with_first)
    return false, right


@pytest.mark.slow
@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("draw", "gone", "missing"),
    [
        pytest.param(normal(30, 2), at_random, None, id="normal"),
        pytest.param(normal(30, 4), at_random, None, id="normal, 4 algorithms"),
        pytest.param(answers(80), at_random, None, id="answers"),
        pytest.param(normal(30, 2), where_it_hurts, "bounds", id="bounds, normal"),
        pytest.param(normal(60, 3), where_it_hurts, "bounds", id="bounds, normal, 3 algorithms"),
        pytest.param(answers(80), where_it_hurts, "bounds", id="bounds, answers"),
    ],
)
def test_not_worse_is_false_no_more_often_than_alpha(draw: Draw, gone: Any, missing: Any) -> None:
    false, right = claims(draw, gone, missing)
    assert false / TABLES <= ALPHA + 4 * math.sqrt(ALPHA * (1 - ALPHA) / TABLES)
    assert right <= TABLES


@pytest.mark.slow
def test_without_bounds_holes_where_it_hurts_mislead() -> None:
    """What bounds are for."""
    false, _ = claims(normal(30, 2), where_it_hurts, None)
    assert false / TABLES > ALPHA + 4 * math.sqrt(ALPHA * (1 - ALPHA) / TABLES)
