"""Interquartile means along the budget, over other runs of the same problems."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.random import Generator
from scipy.stats import trim_mean

import bakeoff as bo
from calibration.rows.over_runs import Floats, drawn_runs, of
from calibration.rows.row import Outcome, Row, cautioned

ALPHA = 0.05
BUDGETS = 12
MANY = 1000  # runs of each problem, for the truth


def walks(rng: Generator, n: int, runs: int, law: str) -> Floats:
    """(n, 2, runs, BUDGETS) neighbouring budgets depend on each other."""
    steps = np.stack([drawn_runs(rng, n, 2, runs, law) for _ in range(BUDGETS)], axis=3)
    return np.asarray(np.cumsum(steps, axis=3) / np.sqrt(np.arange(1, BUDGETS + 1)))


def middle(n: int, r: int, law: str, at_once: bool) -> Callable[[Generator], Outcome]:
    """Of each of two curves."""
    labels = np.indices((n, 2, r, BUDGETS)).reshape(4, -1)
    names = dict(zip(("problem", "algorithm", "run"), labels[:3].astype(str), strict=True))

    def count(rng: Generator) -> Outcome:
        level = 2 * rng.normal(size=(n, 2, 1, 1))
        scores = level + walks(rng, n, r, law)
        table = {**names, "budget": labels[3] + 1, "score": scores.ravel()}
        found = bo.curves(table, better="higher", best_so_far=False, over="runs", interquartile=True, n_resamples=499)
        many = (level + walks(rng, n, MANY, law)).transpose(1, 3, 0, 2).reshape(2, BUDGETS, -1)
        missed = 0
        for one, runs in zip(found.interquartile, many, strict=True):
            low, high = (one.band_low, one.band_high) if at_once else (one.low[-1:], one.high[-1:])
            truth = trim_mean(runs[-len(low) :], 0.25, axis=1)
            missed += bool(((low > truth) | (high < truth)).any())
        return missed, 2, int(cautioned(found, "too-few (middle-half-of-curves)"))

    return count


ROWS = tuple(
    Row(
        f"sample efficiency: {'band' if at_once else 'interval'}, {n} x {r}, {law}",
        f"`bo.curves(interquartile=True)`, {'band of a whole curve' if at_once else 'interval at the last budget'}",
        f"two algorithms at 12 budgets, {of(n, r)}, {law}",
        "coverage",
        1 - ALPHA,
        middle(n, r, law, at_once),
        tables=200,
        ends="too-few (middle-half-of-curves)" if n < 10 else "",
    )
    for n, r in ((1, 10), (5, 3), (10, 5), (20, 10), (26, 3))
    for law in ("normal", "lognormal")
    for at_once in (True, False)
)
