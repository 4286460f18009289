"""Running times that are equal within a tolerance: runtimes(ties=)."""

from __future__ import annotations

from collections.abc import Callable

from numpy.random import Generator

import bakeoff as bo
from calibration.rows.row import Outcome, Row
from calibration.rows.times import ALPHA, CAP, solvers


def order_errs(ties: float | str, **how: int) -> Callable[[Generator], Outcome]:
    def count(rng: Generator) -> Outcome:
        found = bo.runtimes(
            solvers(rng, how["n"], 2, how.get("clusters", 0), steps=True), CAP, ties=ties, n_resamples=100
        )
        return int(found.pairs[0].pvalue <= ALPHA), 1

    return count


ROWS = tuple(
    Row(
        f"runtimes: p of the order, equal within {ties}, {words}",
        f"`bo.runtimes(ties={ties!r})`, p of the order",
        f"two equal solvers, whole seconds, a third of the runs stopped; {words}",
        "error",
        ALPHA,
        order_errs(ties, **how),
    )
    for ties in (1, "30%", "400%")
    for words, how in (("60 problems", {"n": 60}), ("30 clusters of 4", {"n": 120, "clusters": 30}))
)
