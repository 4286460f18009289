"""Several runs on a problem, or none: means of runs, per_problem, tables with holes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator

import bakeoff as bo
from calibration.rows.row import Outcome, Row, cautioned

ALPHA = 0.05
WON = ("a better", "b better")

# --- runs -------------------------------------------------------------------------------------------------------------


def runs_differ(few: int, sigma: float) -> Callable[[Generator], Outcome]:
    """Means of twenty skewed runs beside means of few: not exchangeable."""

    def count(rng: Generator) -> Outcome:
        runs = rng.lognormal(sigma=sigma, size=(30, 2, 20)) * rng.lognormal(size=(30, 1, 1))
        runs[:, 1, few:] = np.nan
        scores = bo.Scores.from_cells(runs, ["a", "b"], [f"p{i}" for i in range(30)], better="lower")
        found = bo.compare(scores)
        return int(found.pairs[0].verdict in WON), 1, int(cautioned(found, "unequal (runs)"))

    return count


def per_problem(equal: int, spread: float = 1.0, ties: bool = False, runs: tuple[int, int] = (12, 12)) -> Any:
    """Ten problems with a difference beside ``equal`` without one: any of these called different, as Holm promises."""

    def count(rng: Generator) -> Outcome:
        n = equal + 10
        values = rng.normal(size=(n, 2, max(runs)))
        values[:, 1] *= spread
        values[equal:, 1] += 2.0
        for side, of in enumerate(runs):
            values[:, side, of:] = np.nan
        values = np.round(values, 0 if ties else 9)
        found = bo.per_problem(bo.Scores.from_cells(values, ["a", "b"], [f"p{i}" for i in range(n)], better="lower"))
        false = any(cell.verdict != "=" for cell in found.cells if int(cell.problem[1:]) < equal)
        return int(false), 1, int(cautioned(found, "unequal (runs)"))

    return count


RUNS = (
    Row(
        "runs: 20 and 20, lognormal",
        "`bo.compare`, verdict",
        "30 problems, two of one lognormal distribution (σ = 1.5), means of 20 and 20 runs",
        "error",
        ALPHA,
        runs_differ(20, 1.5),
    ),
    Row(
        "runs: 20 and 3, lognormal",
        "`bo.compare`, verdict",
        "30 problems, two of one lognormal distribution (σ = 1.5), means of 20 and of 3 runs",
        "error",
        ALPHA,
        runs_differ(3, 1.5),
        ends="unequal (runs)",
    ),
    *(
        Row(
            f"per_problem: {said}",
            "`bo.per_problem`, any false + or −",
            f"10 problems without a difference, 10 with one; {said}",
            "error",
            ALPHA,
            per_problem(10, **options),
            ends=ends,
        )
        for said, options, ends in (
            ("12 and 12 normal runs", {}, ""),
            ("12 and 12 rounded runs", {"ties": True}, ""),
            ("8 and 20 normal runs", {"runs": (8, 20)}, ""),
            ("40 and 8 runs, spread 1 : 8", {"runs": (40, 8), "spread": 8.0}, "docs/methods/per-problem.md"),
        )
    ),
)

# --- holes ------------------------------------------------------------------------------------------------------------


def holes(what: str) -> Callable[[Generator], Outcome]:
    """A tenth of the scores is missing, whatever they are; two algorithms equal to the first, one worse."""

    def count(rng: Generator) -> Outcome:
        values = rng.normal(size=(30, 4)) + rng.normal(size=(30, 1))
        values[:, 3] += 1.5 * (what == "pairs")
        values[rng.random((30, 4)) < 0.1] = np.nan
        records = [
            {"problem": i, "algorithm": f"A{j + 1}", "score": values[i, j]} for i, j in np.argwhere(values == values)
        ]
        scores = bo.read_scores(records, better="lower", missing="keep")
        if what == "omnibus":
            return int(bo.skillings_mack(scores).pvalue <= ALPHA), 1
        pairs = [pair for pair in bo.compare(scores).pairs if "A4" not in (pair.a, pair.b)]
        return int(any(pair.verdict in WON for pair in pairs)), 1

    return count


HOLES = (
    Row(
        "holes: pairs",
        "`bo.compare` of a table with holes, any false pair",
        "30 normal problems, three equal and one worse; a tenth of the scores missing at random",
        "error",
        ALPHA,
        holes("pairs"),
        short=20,
    ),
    Row(
        "holes: omnibus",
        "`bo.skillings_mack`, p ≤ 5 %",
        "30 normal problems, four equal; a tenth of the scores missing at random",
        "error",
        ALPHA,
        holes("omnibus"),
        short=20,
    ),
)

ROWS = (*RUNS, *HOLES)
