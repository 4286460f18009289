"""Running times over runs of the same problems: the order, penalised means, and shares solved within a time."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.random import Generator
from scipy.special import ndtr

import bakeoff as bo
from calibration.rows.over_runs import ALPHA, Floats, of
from calibration.rows.row import Outcome, Row

CAP = 10.0
SIZES = ((1, 10), (1, 30), (4, 3), (20, 3), (10, 5), (6, 10))
"""Problems, runs of each."""
SHORT = ((1, 10), (4, 3))
LAWS = ("a third stopped", "a tenth fails", "spreads 0.2 to 1.5", "in steps of 3")
"""Of three solvers; of all but the third, runs of one distribution on problems on which they are equal."""


def solvers(rng: Generator, n: int, r: int, law: str, apart: float = 0.0) -> Floats:
    """(n, 3, r) times, 11 where unsolved. Of two problems in a row the leads of a solver, ± ``apart``, are opposite."""
    hard = rng.normal(size=(n, 1, 1)) + (2.0 if law == "a third stopped" else 0.0)
    leads = np.repeat(rng.normal(size=((n + 1) // 2, 3, 1)), 2, axis=0)[:n] * np.resize([apart, -apart], (n, 1, 1))
    if n % 2:
        leads[-1] = 0.0
    spread = np.array([0.2, 0.6, 1.5])[:, None] if law == "spreads 0.2 to 1.5" else 0.7
    drawn = np.exp(hard + leads + spread * rng.normal(size=(n, 3, r)))
    if law == "in steps of 3":
        drawn = 3 * np.ceil(drawn / 3)
    if law == "a third stopped":
        return np.minimum(drawn, CAP + 1)
    failed = rng.random(drawn.shape) < {"a tenth fails": 0.1, "one in fifty fails": 0.02}.get(law, 0.0)
    return np.asarray(np.where(failed, np.inf, drawn))


def runtimes(cells: Floats, law: str) -> bo.Runtimes:
    """A limit where times are cut at one, or failures are."""
    cap = CAP if law == "a third stopped" else 1e6 if law.endswith("fails") else None
    return bo.runtimes(bo.Scores(cells, better="lower"), cap, (1, 10), over="runs", n_resamples=100)


def ordered(n: int, r: int, law: str) -> Callable[[Generator], Outcome]:
    """Is any pair shown to differ? On single problems the three do; the means of their leads over these do not (which
    holds of opposite problems only without a limit and on one scale)."""
    apart = 1.0 if law in ("a tenth fails", "spreads 0.2 to 1.5") else 0.0

    def count(rng: Generator) -> Outcome:
        return int(runtimes(solvers(rng, n, r, law, apart), law).decision == "difference"), 1

    return count


def few_against_many(n: int, few: int, law: str, what: str = "order") -> Callable[[Generator], Outcome]:
    """Are two equal solvers shown to differ, one of which has 30 runs of each problem?"""

    def count(rng: Generator) -> Outcome:
        cells = solvers(rng, n, 30, law)[:, :2]
        cells[:, 0, few:] = np.nan
        s = bo.Scores.from_cells(cells, ["a", "b"], [f"p{i}" for i in range(n)], better="lower", holes=True)
        cap = CAP if law == "a third stopped" else 1e6 if law.endswith("fails") else None
        pair = bo.runtimes(s, cap, (1, 10), over="runs", n_resamples=100).pairs[0]
        if what == "order":
            return int(pair.verdict.endswith("better")), 1
        if what == "solved":
            return int(pair.solved_pvalue <= ALPHA), 1
        return sum(verdict.endswith("better") for verdict in pair.par_verdicts.values()), len(pair.par_verdicts)

    return count


def beside_a_steady_one(n: int, r: int, many: int) -> Callable[[Generator], Outcome]:
    """Is a solver shown to be faster or slower than one that always takes its median time on each problem?"""

    def count(rng: Generator) -> Outcome:
        middle = rng.normal(size=(n, 1))
        cells = np.full((n, 2, many), np.nan)
        cells[:, 0, :r], cells[:, 1] = np.exp(middle + rng.normal(size=(n, r))), np.exp(middle)
        s = bo.Scores.from_cells(cells, ["a", "b"], [f"p{i}" for i in range(n)], better="lower", holes=True)
        return int(bo.runtimes(s, over="runs", n_resamples=100).decision == "difference"), 1

    return count


def penalised(n: int, r: int, law: str, interval: bool) -> Callable[[Generator], Outcome]:
    """At either penalty: is any pair shown to differ; or which of the intervals of differences lack 0?"""

    def count(rng: Generator) -> Outcome:
        found = runtimes(solvers(rng, n, r, law), law)
        if not interval:
            shown = [any(pair.par_verdicts[k].endswith("better") for pair in found.pairs) for k in found.k]
            return sum(shown), len(shown)
        ends = [own for pair in found.pairs for own in pair.par_intervals.values() if own is not None]
        return sum(not low <= 0 <= high for low, high in ends), len(ends)

    return count


def within(n: int, r: int) -> Callable[[Generator], Outcome]:
    """Of the band of each solver at every time; the truth is known."""

    def count(rng: Generator) -> Outcome:
        middles = rng.normal(size=(n, 3))
        cells = np.exp(middles[:, :, None] + 0.7 * rng.normal(size=(n, 3, r)))
        curves = bo.runtimes(bo.Scores(cells, better="lower"), CAP, over="runs", n_resamples=199).curves
        at = np.log(np.array(curves.times))
        truth = ndtr((at[:, None, None] - middles) / 0.7).mean(axis=1).T
        outside = [
            ((curves.lower(name) > own + 1e-9) | (curves.upper(name) < own - 1e-9)).any()
            for name, own in zip(curves.share, truth, strict=True)
        ]
        return sum(map(int, outside)), 3

    return count


ROWS = (
    *(
        Row(
            f"runtimes over runs: order, {n} x {r}, {law}",
            '`bo.runtimes(over="runs")`, all pairs by the order',
            f"three solvers, none with a lead in the mean over these problems, {of(n, r)}, {law}",
            "error",
            ALPHA,
            ordered(n, r, law),
            tables=400,
            short=50 if (n, r) in SHORT else 0,
        )
        for n, r in SIZES
        for law in LAWS
    ),
    *(
        Row(
            f"runtimes over runs: unequal, {n} x {few}, {law}",
            '`bo.runtimes(over="runs")`, one pair by the order',
            f"two equal solvers, {of(n, few)} of one and 30 of the other, {law}",
            "error",
            ALPHA,
            few_against_many(n, few, law),
            tables=400,
            short=0,
        )
        for n, few in ((1, 4), (5, 3))
        for law in ("a third stopped", "in steps of 3")
    ),
    *(
        Row(
            f"runtimes over runs: unequal, {what}, {n} x {few}, {law}",
            f'`bo.runtimes(over="runs")`, one pair by {said}',
            f"two equal solvers, {of(n, few)} of one and 30 of the other, {law}",
            "error",
            ALPHA,
            few_against_many(n, few, law, what),
            tables=400,
            short=0,
        )
        for what, said, laws in (
            ("order", "the order", ("a tenth fails", "one in fifty fails")),
            ("PAR", "a penalised mean", ("a third stopped", "a tenth fails", "one in fifty fails", "in steps of 3")),
            ("solved", "the shares solved", ("a third stopped", "a tenth fails")),
        )
        for n, few in ((1, 4), (1, 6), (5, 3))
        for law in laws
    ),
    *(
        Row(
            f"runtimes over runs: steady, {n} x {r} and {many}",
            '`bo.runtimes(over="runs")`, one pair by the order',
            f"a solver that always takes the median time of another, {of(n, r)} of that and {many} of it",
            "error",
            ALPHA,
            beside_a_steady_one(n, r, many),
            tables=400,
            short=0,
            ends="docs/guides/runtimes.md" if (n, r) == (1, 7) else "",
        )
        for n, r, many in ((1, 4, 4), (1, 4, 30), (1, 5, 5), (1, 7, 7), (1, 10, 10), (2, 3, 3), (5, 3, 3))
    ),
    *(
        Row(
            f"runtimes over runs: PAR, {n} x {r}, {law}",
            '`bo.runtimes(over="runs")`, all pairs by a penalised mean',
            f"three equal solvers, {of(n, r)}, {law}",
            "error",
            ALPHA,
            penalised(n, r, law, False),
            tables=400,
            short=50 if (n, r) in SHORT else 0,
        )
        for n, r in SIZES
        for law in ("a third stopped", "a tenth fails", "one in fifty fails", "in steps of 3")
    ),
    *(
        Row(
            f"runtimes over runs: interval, {n} x {r}, {law}",
            '`bo.runtimes(over="runs")`, interval of a difference of PAR',
            f"three equal solvers, {of(n, r)}, {law}",
            "coverage",
            1 - ALPHA,
            penalised(n, r, law, True),
            tables=400,
            short=50 if (n, r) in SHORT else 0,
        )
        for n, r in SIZES
        for law in ("a third stopped", "a tenth fails", "one in fifty fails")
    ),
    *(
        Row(
            f"runtimes over runs: band, {n} x {r}",
            '`bo.runtimes(over="runs")`, band of the shares solved',
            f"three solvers, {of(n, r)}",
            "coverage",
            1 - ALPHA,
            within(n, r),
            tables=400,
            short=50 if (n, r) in SHORT else 0,
        )
        for n, r in SIZES
    ),
)
