"""Interquartile means over the runs of two or three tasks with levels apart: half of the runs of a task are cut."""

from __future__ import annotations

from collections.abc import Callable

from numpy.random import Generator

import bakeoff as bo
from calibration.rows.row import Outcome, Row

ALPHA = 0.05


def shown(t: int, r: int, k: int, normal: bool) -> Callable[[Generator], Outcome]:
    """Is any difference of equal algorithms shown?"""

    def count(rng: Generator) -> Outcome:
        noise = rng.normal(size=(t, k, r)) if normal else rng.exponential(size=(t, k, r))
        values = 3 * rng.normal(size=(t, 1, 1)) + rng.lognormal(sigma=0.5, size=(t, 1, 1)) * noise
        found = bo.interquartile_mean(bo.Scores(values, better="higher"), over="runs")
        return int(any(pair.verdict.endswith("better") for pair in found.pairs)), 1

    return count


ROWS = tuple(
    Row(
        f"iqm over runs: pairs, {t} x {r} x {k}, {law}",
        '`bo.interquartile_mean(over="runs")`, verdicts of all pairs',
        f"{k} equal algorithms, {t} tasks, {r} runs each, {law}; tasks differ in level and spread",
        "error",
        ALPHA,
        shown(t, r, k, law == "normal"),
        tables=1000,
    )
    for t, r, k in ((2, 3, 2), (2, 3, 3), (2, 5, 5), (2, 10, 3), (3, 3, 2), (3, 3, 4))
    for law in ("normal", "exponential")
)
