"""check_commands(): a gate that looks after every pair, at the margin, and how many rounds it takes beyond it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
from numpy.random import Generator

import bakeoff as bo
from calibration.rows.row import Outcome, Row

ALPHA, MARGIN, BENCHMARKS, ROUNDS = 0.05, math.log(1.05), 40, 40
Noise = Callable[[Generator], Iterator[float]]
"""Log times of one benchmark, run after run, of whichever side."""


def independent(rng: Generator, sd: float = 0.05) -> Iterator[float]:
    while True:
        yield from (sd * rng.normal(size=64)).tolist()


def autocorrelated(rng: Generator) -> Iterator[float]:
    """AR(0.9) over the runs, larger than their own noise."""
    state, own = 0.1 * rng.normal(), independent(rng, 0.03)
    while True:
        state = 0.9 * state + 0.1 * math.sqrt(1 - 0.81) * rng.normal()
        yield state + next(own)


def warming(rng: Generator) -> Iterator[float]:
    """The first runs take 40 % longer; the second of a pair is 8 % slower for its place."""
    for i, own in enumerate(independent(rng, 0.03)):
        yield 0.4 * math.exp(-i / 10) + 0.08 * (i % 2) + own


def bimodal(rng: Generator) -> Iterator[float]:
    """Each run fast or 10 % slower, noise of 0.3 %."""
    for own in independent(rng, 0.003):
        yield math.log(1.1) * float(rng.integers(0, 2)) + own


def two_hosts(rng: Generator) -> Iterator[float]:
    """Stretches of about six runs on one of two hosts, the other 30 % slower and three times as noisy."""
    host = 0
    for own in independent(rng, 0.02):
        host = 1 - host if rng.random() < 1 / 6 else host
        yield 0.26 * host + (1 + 2 * host) * own


def clock(rng: Generator) -> Iterator[float]:
    """60 to 110 ms on a clock of 10 ms (``measured`` rounds)."""
    level = math.log(rng.uniform(0.06, 0.11))
    for own in independent(rng, 0.02):
        yield level + own


def gate(rng: Generator, noise: Noise, slower: float, benchmarks: int, rounds: int, **options: object) -> bo.Check:
    """One gate, its new commands slower by ``slower`` (a log ratio)."""
    names = [f"b{i}" for i in range(benchmarks)]
    runs = {name: noise(rng) for name in names}

    def measured(name: str, side: str) -> dict[str, float]:
        seconds = math.exp(next(runs[name]) + slower * (side == "new"))
        return {"time": max(0.01, round(seconds, 2)) if noise is clock else seconds}

    seed = int(rng.integers(2**31))
    return bo.check_commands(names, "5%", measure=measured, rounds=rounds, seed=seed, **options)  # type: ignore[arg-type]


def at_margin(noise: Noise, said: str) -> Callable[[Generator], Outcome]:
    def count(rng: Generator) -> Outcome:
        rows = gate(rng, noise, MARGIN, BENCHMARKS, ROUNDS, alpha=ALPHA).rows
        false = [row.verdict == said for row in rows]
        return (sum(false), len(false)) if said == "ok" else (int(any(false)), 1)

    return count


@cache
def sd_of_pairs(noise: Noise) -> float:
    """Of a pilot as long as one likes: 400 benchmarks of 50 pairs."""
    rng = np.random.default_rng(1)
    runs = [noise(rng) for _ in range(400)]
    pairs = np.array([[next(each) - next(each) for _ in range(50)] for each in runs])
    signs = rng.choice([-1.0, 1.0], pairs.shape)  # which side is first
    return float(np.std(pairs * signs))


def planned(sd: float, benchmarks: int) -> int:
    """The fixed design for two margins with power 0.8, at its share of 1 %."""
    return int(bo.plan.instances((math.log(1.1) - MARGIN) / sd, 0.01 / benchmarks, 0.8, "greater").n)


def takes_longer(
    noise: Noise, margins: int, benchmarks: int, share: float, known: bool
) -> Callable[[Generator], Outcome]:
    """Whether the one benchmark that is slower takes more rounds than this share of the fixed design."""

    def count(rng: Generator) -> Outcome:
        sd = sd_of_pairs(noise)
        n, guess = planned(sd, benchmarks), {"run_sd": sd / math.sqrt(2)} if known else {}
        names = [f"b{i}" for i in range(benchmarks)]
        runs = noise(rng)

        def measured(name: str, side: str) -> dict[str, float]:
            if name != "b0":  # the others hold still, and are decided early
                return {"time": 1.0}
            return {"time": math.exp(next(runs) + math.log(1 + 0.05 * margins) * (side == "new"))}

        seed = int(rng.integers(2**31))
        found = bo.check_commands(names, "5%", measure=measured, rounds=3 * n, seed=seed, **guess)  # type: ignore[arg-type]
        row = next(row for row in found.rows if row.problem == "b0")
        return int(row.verdict != "regressed" or row.runs[1] > share * n), 1

    return count


NOISES: dict[str, tuple[str, Noise]] = {
    "independent": ("normal noise of 5 %", independent),
    "autocorrelated": ("AR(0.9) of the machine, 10 %", autocorrelated),
    "warming": ("40 % warming, the second of a pair slower", warming),
    "bimodal": ("each run fast or 10 % slower", bimodal),
    "two hosts": ("stretches on two hosts, one 30 % slower and noisier", two_hosts),
    "clock": ("a clock of 10 ms", clock),
}
ERRORS = tuple(
    Row(
        f"gate: {said} at the margin, {name}",
        f"`bo.check_commands()`, {whose}",
        f"{BENCHMARKS} benchmarks slower by exactly the margin of 5 %, looks after each of {ROUNDS} rounds; {words}",
        "error",
        ALPHA,
        at_margin(noise, said),
        tables=100,
        short=0,
    )
    for name, (words, noise) in NOISES.items()
    for said, whose in (("regressed", "any benchmark REGRESSED"), ("ok", "a benchmark OK"))
)
SPEED = tuple(
    Row(
        f"gate: rounds at {margins} margins, {benchmarks} of {name}{', noise known' * known}",
        f"`bo.check_commands({'run_sd=' * known})`, more rounds than {100 * share:.0f} % of the fixed plan",
        f"one of {benchmarks} benchmarks is slower by {margins} margins of 5 %; {NOISES[name][0]}",
        "error",
        0.5,
        takes_longer(NOISES[name][1], margins, benchmarks, share, known),
        tables=100,
        short=0,
    )
    for name in ("independent", "autocorrelated", "warming", "bimodal", "two hosts")
    for margins, share in ((2, 1.0), (3, 0.7))
    for benchmarks in (1, 40)
    for known in (False, True)
)
ROWS = (*ERRORS, *SPEED)
