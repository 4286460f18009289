"""False decisions and coverage of time_ratios, looked at after every round, where drift, tails and order are bad."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from bakeoff.scores import Array
from bakeoff.timing._time_ratios import sequence_of

ALPHA, ROUNDS, SERIES = 0.05, 60, 2000
Slots = Callable[[np.random.Generator, int], Array]


def quiet(rng: np.random.Generator, n: int) -> Array:
    return 0.02 * rng.normal(size=n)


def drifting(rng: np.random.Generator, n: int) -> Array:
    """Random walk and trend, much larger than the noise."""
    return np.cumsum(0.05 * rng.normal(size=n)) + np.linspace(0, rng.normal(), n) + 0.01 * rng.normal(size=n)


def heavy(rng: np.random.Generator, n: int) -> Array:
    """Cauchy noise: no mean."""
    return 0.02 * rng.standard_cauchy(size=n)


def rhythm(rng: np.random.Generator, n: int) -> Array:
    """A machine that alternates, in step with the slots, and now and then stalls."""
    wave = 0.2 * np.sin(np.arange(n) * math.pi * rng.choice([0.25, 0.5, 1.0]) + rng.uniform(0, 6))
    return wave + 2.0 * (rng.random(n) < 0.05) + 0.01 * rng.normal(size=n)


def ordered(rng: np.random.Generator, n: int) -> Array:
    """Later places in a round are slower by 30 %, over autocorrelated noise."""
    noise = np.empty(n)
    noise[0] = rng.normal()
    for i in range(1, n):
        noise[i] = 0.95 * noise[i - 1] + rng.normal()
    return np.tile([0.0, 0.3], n // 2) + 0.05 * noise


def modes(rng: np.random.Generator, n: int) -> Array:
    """Each run fast or 10 % slower, with noise of 0.3 %: three of one side are soon all slow."""
    return np.asarray(0.1 * rng.integers(0, 2, n) + 0.003 * rng.normal(size=n))


def ticks(rng: np.random.Generator, n: int) -> Array:
    """75 ms on a clock of 10 ms: two values, and ties."""
    return np.asarray(np.log(np.round(0.075 * np.exp(0.02 * rng.normal(size=n)), 2)))


SCENARIOS: dict[str, Slots] = {f.__name__: f for f in (quiet, drifting, heavy, rhythm, ordered, modes, ticks)}


def logs_of(slots: Array, k: int, design: str, rng: np.random.Generator, effects: Array) -> Array:
    """(rounds, k): the time of each slot goes to the command that stands there, times its own factor."""
    n = len(slots) // k
    orders = rng.permuted(np.tile(np.arange(k), (n, 1)), axis=1)
    if design == "abba":
        orders[1::2] = orders[: 2 * (n // 2) : 2, ::-1]
    table = np.empty((n, k))
    np.put_along_axis(table, orders, slots[: n * k].reshape(n, k), axis=1)
    return np.asarray(table + effects)


def errors(slots: Slots, design: str, series: int, effect: float = 0.0) -> tuple[float, float]:
    """Shares of series in which equal commands are ever called different; in which an interval ever misses."""
    rng = np.random.default_rng(11)
    decided = missed = 0
    for _ in range(series):
        table = logs_of(slots(rng, 2 * ROUNDS), 2, design, rng, np.array([0.0, effect]))
        found = sequence_of(table, (0, 1), design, math.log(1 / ALPHA))
        decided += bool(found.sides)
        missed += not found.low <= effect <= found.high
    return decided / series, missed / series


@pytest.mark.few(4)
@pytest.mark.slow
@pytest.mark.parametrize("design", ["random", "abba"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_equal_commands_are_called_different_with_probability_at_most_alpha(scenario: str, design: str) -> None:
    """Each slot of time is what it is; only which command stands there is random."""
    series = SERIES // 2
    decided, missed = errors(SCENARIOS[scenario], design, series)
    band = ALPHA + 4 * math.sqrt(ALPHA * (1 - ALPHA) / series)
    assert decided <= band
    assert missed <= band


@pytest.mark.slow
@pytest.mark.parametrize("scenario", ["quiet", "drifting", "heavy"])
def test_the_interval_covers_a_ratio_that_does_not_change(scenario: str) -> None:
    series = SERIES // 2
    _, missed = errors(SCENARIOS[scenario], "random", series, effect=0.1)
    assert missed <= ALPHA + 4 * math.sqrt(ALPHA * (1 - ALPHA) / series)


@pytest.mark.slow
def test_three_equal_commands_share_alpha() -> None:
    rng, series = np.random.default_rng(5), SERIES // 4
    wrong = 0
    for _ in range(series):
        table = logs_of(drifting(rng, 3 * ROUNDS), 3, "random", rng, np.zeros(3))
        pairs = [(0, 1), (0, 2), (1, 2)]
        wrong += any(sequence_of(table, pair, "random", math.log(3 / ALPHA)).sides for pair in pairs)
    assert wrong / series <= ALPHA + 4 * math.sqrt(ALPHA * (1 - ALPHA) / series)


@pytest.mark.slow
def test_a_fixed_order_has_no_such_promise() -> None:
    """Why the order is drawn: of A B A B … an effect of the place is taken for one of the command."""
    rng, wrong = np.random.default_rng(5), 0
    for _ in range(50):
        slots = ordered(rng, 2 * ROUNDS)
        wrong += bool(sequence_of(slots.reshape(-1, 2), (0, 1), "random", math.log(1 / ALPHA)).sides)
    assert wrong > 25
