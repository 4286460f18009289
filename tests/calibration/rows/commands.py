"""Commands timed side by side, and the replicability that sensitivity() reports."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

import bakeoff as bo
from calibration.rows.row import Outcome, Row

ALPHA, ROUNDS = 0.05, 60
Floats = NDArray[np.float64]
Slots = Callable[[Generator, int], Floats]

# --- commands timed side by side --------------------------------------------------------------------------------------


def quiet(rng: Generator, n: int) -> Floats:
    return 0.02 * rng.normal(size=n)


def drifting(rng: Generator, n: int) -> Floats:
    """Random walk and trend, much larger than the noise."""
    return np.cumsum(0.05 * rng.normal(size=n)) + np.linspace(0, rng.normal(), n) + 0.01 * rng.normal(size=n)


def heavy(rng: Generator, n: int) -> Floats:
    """Cauchy noise: no mean."""
    return 0.02 * rng.standard_cauchy(size=n)


def rhythm(rng: Generator, n: int) -> Floats:
    """A machine that alternates, in step with the slots, and now and then stalls."""
    wave = 0.2 * np.sin(np.arange(n) * math.pi * rng.choice([0.25, 0.5, 1.0]) + rng.uniform(0, 6))
    return np.asarray(wave + 2.0 * (rng.random(n) < 0.05) + 0.01 * rng.normal(size=n))


def ordered(rng: Generator, n: int) -> Floats:
    """Later places in a round are slower by 30 %, over autocorrelated noise."""
    noise = np.empty(n)
    noise[0] = rng.normal()
    for i in range(1, n):
        noise[i] = 0.95 * noise[i - 1] + rng.normal()
    return np.tile([0.0, 0.3], n // 2) + 0.05 * noise


def ticks(rng: Generator, n: int) -> Floats:
    """Times of one, two or three ticks: many ties."""
    return np.log(rng.integers(1, 4, size=n))


def modes(rng: Generator, n: int) -> Floats:
    """Each run fast or 10 % slower, with noise of 0.3 %: three of one side are soon all slow."""
    return np.asarray(0.1 * rng.integers(0, 2, n) + 0.003 * rng.normal(size=n))


def coarse(rng: Generator, n: int) -> Floats:
    """75 ms on a clock of 10 ms: two values, and ties."""
    return np.asarray(np.log(np.round(0.075 * np.exp(0.02 * rng.normal(size=n)), 2)))


SLOTS: dict[str, Slots] = {
    "normal noise of 2 %": quiet,
    "random walk and trend": drifting,
    "Cauchy noise": heavy,
    "a rhythm, stalls": rhythm,
    "later places 30 % slower": ordered,
    "one to three ticks": ticks,
    "two modes, 10 % apart": modes,
    "75 ms on a clock of 10 ms": coarse,
}


def timed(rng: Generator, slots: Floats, k: int, design: str, effects: Floats) -> bo.Scores:
    """The time of each slot goes to the command that stands there, times its own factor."""
    n = len(slots) // k
    orders = rng.permuted(np.tile(np.arange(k), (n, 1)), axis=1)
    if design == "abba":
        orders[1::2] = orders[: 2 * (n // 2) : 2, ::-1]
    if design == "fixed":
        orders[:] = np.arange(k)
    table = np.empty((n, k))
    np.put_along_axis(table, orders, slots[: n * k].reshape(n, k), axis=1)
    times = np.exp(np.clip(table + effects, -300, 300))
    return bo.Scores.from_cells(times.T[None], [f"c{j}" for j in range(k)], ["p"], better="lower")


def ever(noise: str, design: str, k: int = 2, effect: float = 0.0, interval: bool = False) -> Callable[..., Outcome]:
    """At the last round: what was decided before stays, and intervals are what no look has excluded."""
    effects = np.r_[0.0, np.full(k - 1, effect)]

    def count(rng: Generator) -> Outcome:
        scores = timed(rng, SLOTS[noise](rng, k * ROUNDS), k, design, effects)
        found = bo.time_ratios(scores, alpha=ALPHA, design="abba" if design == "abba" else "random")
        if interval:
            pair = found.pairs[0]
            low, high = pair.low or 0.0, math.inf if pair.high is None else pair.high  # None: without a bound
            return int(not low <= math.exp(effect) * (1 + 1e-12) or not high >= math.exp(effect)), 1
        return int(any(pair.verdict in ("a better", "b better") for pair in found.pairs)), 1

    return count


TIMED = (
    *(
        Row(
            f"time: {noise}, {design}",
            f'`bo.time_ratios(design="{design}")`, ever called different',
            f"two equal commands, up to {ROUNDS} rounds, {design} order; {noise}",
            "error",
            ALPHA,
            ever(noise, design),
            tables=4000,
        )
        for noise in SLOTS
        for design in ("random", "abba")
    ),
    Row(
        "time: three commands",
        "`bo.time_ratios`, any ever called different",
        f"three equal commands, up to {ROUNDS} rounds; random walk and trend",
        "error",
        ALPHA,
        ever("random walk and trend", "random", k=3),
        tables=4000,
    ),
    *(
        Row(
            f"time: interval, {noise}",
            "`bo.time_ratios`, interval, at every round",
            f"a ratio of e^0.1, up to {ROUNDS} rounds; {noise}",
            "coverage",
            1 - ALPHA,
            ever(noise, "random", effect=0.1, interval=True),
            tables=4000,
        )
        for noise in ("normal noise of 2 %", "random walk and trend", "Cauchy noise")
    ),
    Row(
        "time: fixed order",
        "`bo.time_ratios`, ever called different",
        "two equal commands in a fixed order, later places 30 % slower",
        "error",
        ALPHA,
        ever("later places 30 % slower", "fixed"),
        tables=4000,
        ends="docs/how-to/time.md",
    ),
)

# --- replicability ----------------------------------------------------------------------------------------------------


SIZES, EFFECTS = (6, 8, 10, 12, 15, 20, 25, 30), (0.0, 0.2, 0.5, 0.8)


def replicated(declared: bool) -> Callable[[Generator], Outcome]:
    """The same verdict again, beside what the first experiment says of it."""

    def count(rng: Generator) -> Outcome:
        effect, n = rng.choice(EFFECTS), int(rng.choice(SIZES))
        first, second = (
            bo.Scores(np.column_stack([rng.normal(effect, 1, n), np.zeros(n)]), better="higher") for _ in range(2)
        )
        verdict = bo.compare(first).pairs[0].verdict
        if (verdict in ("a better", "b better")) != declared:
            return 0, 0, 0.0
        (pair,) = bo.sensitivity(first, n_resamples=100).pairs
        again = bo.compare(second).pairs[0].verdict == verdict
        return int(again), 1, pair.replicability.estimate if pair.replicability else math.nan

    return count


REPLICATED = tuple(
    Row(
        f"replicability: {said}",
        "`bo.sensitivity`, `.replicability`",
        f"6 to 30 normal differences, d = 0, 0.2, 0.5 or 0.8; {said}",
        "stated",
        0.05,
        replicated(declared),
        tables=4000,
    )
    for said, declared in (("a difference was shown", True), ("none was shown", False))
)

ROWS = (*TIMED, *REPLICATED)
