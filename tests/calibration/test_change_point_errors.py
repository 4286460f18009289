"""False alarms and power of change_points; where the promise ends, what happens then."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bakeoff.history.permutations import null_of_largest, pvalue_of
from bakeoff.history.statistic import largest_split
from bakeoff.scores import Array

H, ALPHA = 3, 0.05


def alarms(make: object, n: int, series: int, benchmarks: int = 1, resamples: int = 199) -> float:
    """Share of histories with any alarm."""
    rng = np.random.default_rng(8)
    found = 0
    for _ in range(series):
        rows = [make(rng, n) for _ in range(benchmarks)]  # type: ignore[operator]
        null = null_of_largest(rows, H, False, resamples, rng)
        found += any(pvalue_of(largest_split(row, H)[0], null, False) <= ALPHA for row in rows)
    return found / series


def normal(rng: np.random.Generator, n: int) -> Array:
    return rng.normal(size=n)


def spikes(rng: np.random.Generator, n: int) -> Array:
    return rng.normal(size=n) + 20 * (rng.random(n) < 0.03)


def ties(rng: np.random.Generator, n: int) -> Array:
    return np.round(rng.normal(size=n))


def step(rng: np.random.Generator, n: int) -> Array:
    return rng.normal(size=n) + (np.arange(n) >= n // 2)


def wandering(rng: np.random.Generator, n: int) -> Array:
    """First-order autocorrelation of .5."""
    x = rng.normal(size=n)
    for i in range(1, n):
        x[i] += 0.5 * x[i - 1]
    return x


def band(series: int) -> float:
    return ALPHA + 4 * math.sqrt(ALPHA * (1 - ALPHA) / series)


@pytest.mark.few(2)
@pytest.mark.slow
@pytest.mark.parametrize("make", [normal, spikes, ties])
@pytest.mark.parametrize("n", [60, 200])
def test_nothing_changed(make: object, n: int) -> None:
    assert alarms(make, n, 800) <= band(800)


@pytest.mark.slow
def test_ten_benchmarks_of_one_program_share_alpha() -> None:
    assert alarms(normal, 60, 400, benchmarks=10) <= band(400)


@pytest.mark.slow
def test_a_step_of_one_standard_deviation_is_found() -> None:
    """.82 where it was first measured; .868 here (1,000 histories)."""
    assert alarms(step, 60, 500) == pytest.approx(0.82, abs=0.08)


@pytest.mark.slow
def test_values_that_follow_their_neighbours_break_the_promise() -> None:
    """Which is why the report says so: autocorrelated-history."""
    assert alarms(wandering, 60, 300) > 2 * ALPHA
