"""Distributions of the scores of runs on problems that are given: bands of whole curves."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.random import Generator

import bakeoff as bo
from calibration.rows.over_runs import ALPHA, SIZES, of, times
from calibration.rows.row import Outcome, Row


def distribution(n: int, r: int, steps: bool) -> Callable[[Generator], Outcome]:
    """Of each of three curves of scores at all τ of the table; the truth is of 2000 runs a cell."""

    def count(rng: Generator) -> Outcome:
        cells = rng.normal(size=(n, 1)) + 0.3 * rng.normal(size=(n, 3)) + [0.0, 0.2, 0.5]
        seen, many = times(rng, cells, r, steps), np.sort(times(rng, cells, 2000, steps), axis=2)
        found = bo.profile(bo.Scores(-seen, better="higher"), "score", over="runs", n_resamples=199)
        at = -found.tau * (1 + 1e-12)
        truth = (
            np.mean([[np.searchsorted(many[i, j], at, side="right") for i in range(n)] for j in range(3)], axis=1)
            / 2000
        )
        room = 4 * 0.5 / np.sqrt(2000 * n)
        return int(((found.lower > truth + room) | (found.upper < truth - room)).any(axis=1).sum()), 3

    return count


ROWS = (
    *(
        Row(
            f"scores over runs: band, {n} x {r}{', in steps' if steps else ''}",
            '`bo.profile(kind="score", over="runs")`, band of a whole curve',
            f"three algorithms, {of(n, r)}{', scores in steps of a half' if steps else ''}",
            "coverage",
            1 - ALPHA,
            distribution(n, r, steps),
            tables=400,
        )
        for n, r in SIZES
        for steps in (False, True)
    ),
)
