"""Rank-sum tests of runs that spread unequally, or not: ``bo.per_problem``, ``bo.check(test="rank")``."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.random import Generator

import bakeoff as bo
from calibration.rows.row import Outcome, Row, cautioned

ALPHA, MARGIN = 0.05, math.log(1.05)
CAUTION = "unequal (spreads)"
CAUTIONS = (CAUTION, "unequal (spreads-of-two)", "unequal (spreads-of-new)")


def equal_means(runs: tuple[int, int], spread: float, problems: int = 1) -> Callable[[Generator], Outcome]:
    """Any false + or −; the second side spreads ``spread`` times as much."""

    def count(rng: Generator) -> Outcome:
        values = np.full((problems, 2, max(runs)), np.nan)
        for side, n in enumerate(runs):
            values[:, side, :n] = rng.normal(size=(problems, n)) * (spread if side else 1.0)
        names = [f"p{i}" for i in range(problems)]
        found = bo.per_problem(bo.Scores.from_cells(values, ["a", "b"], names, better="lower"), alpha=ALPHA)
        return int(any(cell.verdict in "+-" for cell in found.cells)), 1, int(cautioned(found, *CAUTIONS))

    return count


def at_margin(
    said: str, benchmarks: int, runs: tuple[int, int], sds: tuple[float, float], test: str
) -> Callable[[Generator], Outcome]:
    """Every benchmark is slower by exactly the margin of 5 %, in the median; its processes are lognormal."""

    def count(rng: Generator) -> Outcome:
        old, new = (
            {f"b{i}": np.exp(shift + sd * rng.normal(size=n)) for i in range(benchmarks)}
            for n, sd, shift in zip(runs, sds, (0.0, MARGIN), strict=True)
        )
        found = bo.check(old, new, "5%", ALPHA, better="lower", level="problem", test=test)  # type: ignore[arg-type]
        false = [row.verdict == said for row in found.rows]
        counts = (sum(false), len(false)) if said == "ok" else (int(any(false)), 1)
        return (*counts, int(cautioned(found, *CAUTIONS)))

    return count


CELLS = (((10, 10), 1, 1), ((10, 10), 1, 8), ((10, 10), 10, 1), ((10, 10), 4, 1), ((30, 30), 4, 1), ((4, 20), 0.2, 8))
GATES = (
    (10, (12, 12), (0.02, 0.02), "rank"),
    (1, (10, 10), (0.01, 0.08), "rank"),
    (10, (12, 12), (0.01, 0.06), "rank"),
    (40, (20, 10), (0.02, 0.06), "rank"),
    (40, (20, 10), (0.02, 0.06), "t"),
)
ROWS = (
    *(
        Row(
            f"spreads: {runs[0]} and {runs[1]} runs, sd 1 : {spread:g}, {problems}",
            "`bo.per_problem`, any false + or −",
            f"{problems} problem{'s' * (problems > 1)}, equal means; {runs[0]} and {runs[1]} normal runs, sd 1 and "
            f"{spread:g}",
            "error",
            ALPHA,
            equal_means(runs, spread, problems),
            tables=1000,
            ends="" if spread == 1 else CAUTION,
        )
        for runs, spread, problems in CELLS
    ),
    *(
        Row(
            f"spreads: check, {said}, {benchmarks}, {runs[0]} and {runs[1]}, sd {sds[0]:g} : {sds[1]:g}, {test}",
            f'`bo.check(test="{test}")`, {whose}',
            f"{benchmarks} benchmark{'s' * (benchmarks > 1)} slower by exactly the margin; {runs[0]} and {runs[1]} "
            f"lognormal processes, sd {100 * sds[0]:g} % and {100 * sds[1]:g} %",
            "error",
            ALPHA,
            at_margin(said, benchmarks, runs, sds, test),
            tables=400,
            ends="" if sds[0] == sds[1] or test == "t" else CAUTION,
        )
        for benchmarks, runs, sds, test in GATES
        for said, whose in (("regressed", "any benchmark REGRESSED"), ("ok", "a benchmark OK"))
    ),
)
