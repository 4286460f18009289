"""Running times over other problems with runs of their own: what suits a solver varies, and so do its runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator
from scipy.special import ndtr

import bakeoff as bo
from calibration.rows.over_runs import ALPHA, Floats, of
from calibration.rows.row import Outcome, Row

CAP = 10.0
HARD, OWN, RUN = 1.0, 0.7, 0.7  # standard deviations of log times: of problems, of a solver on one, of a run
SIZES = ((8, 3), (12, 10), (30, 3), (60, 2))
"""Problems, runs of each."""
SHORT = ((8, 3), (12, 10))
LAWS = ("a third stopped", "a tenth fails", "one in fifty fails", "spreads 0.2 to 1.5", "in steps of 3")
STOPPED = LAWS[:3]


def solvers(rng: Generator, n: int, r: int, law: str, behind: float = 0.0) -> Floats:
    """(n, 3, r) times, 11 or infinite where unsolved, of solvers that are equal over the problems but for the third."""
    middle = HARD * rng.normal(size=(n, 1, 1)) + OWN * rng.normal(size=(n, 3, 1)) + [[0.0], [0.0], [behind]]
    spread = np.array([0.2, 0.6, 1.5])[:, None] if law == "spreads 0.2 to 1.5" else RUN
    drawn = np.exp(middle + 1.7 * (law == "a third stopped") + spread * rng.normal(size=(n, 3, r)))
    if law == "in steps of 3":
        drawn = 3 * np.ceil(drawn / 3)
    if law == "a third stopped":
        return np.asarray(np.minimum(drawn, CAP + 1))
    share = {"a tenth fails": 0.1, "one in fifty fails": 0.02}.get(law, 0.0)
    return np.asarray(np.where(rng.random(drawn.shape) < share, np.inf, drawn))


def runtimes(cells: Floats, law: str, n_resamples: int = 100) -> bo.Runtimes:
    """Of (n, k, r) times, NaN where there is no run; a limit where times are cut at one, or failures are."""
    cap = CAP if law == "a third stopped" else 1e6 if law.endswith("fails") else None
    n, k = cells.shape[:2]
    names = [f"p{i}" for i in range(n)]
    s = bo.Scores.from_cells(cells, [f"A{j + 1}" for j in range(k)], names, better="lower", holes=True)
    return bo.runtimes(s, cap, (1, 10), over="both", n_resamples=n_resamples)


EVENTS: dict[str, Callable[[Any], bool]] = {
    "all pairs by the order": lambda found: found.decision == "difference",
    "all pairs by PAR10": lambda found: any(pair.par_verdicts[10].endswith("better") for pair in found.pairs),
    "the log-rank test of two": lambda found: found.pairs[0].logrank_pvalue <= ALPHA,
    "the shares solved of two": lambda found: found.pairs[0].solved_pvalue <= ALPHA,
}


def differs(n: int, r: int, law: str, what: str) -> Callable[[Generator], Outcome]:
    return lambda rng: (int(EVENTS[what](runtimes(solvers(rng, n, r, law), law))), 1)


def beside_a_slow_one(n: int, r: int, law: str) -> Callable[[Generator], Outcome]:
    """By order or by PAR10: are the two equal ones of three shown to differ?"""

    def count(rng: Generator) -> Outcome:
        pair = runtimes(solvers(rng, n, r, law, 1.5), law).pairs[0]
        return int(pair.verdict.endswith("better")) + int(pair.par_verdicts[10].endswith("better")), 2

    return count


def interval(n: int, r: int, law: str) -> Callable[[Generator], Outcome]:
    def count(rng: Generator) -> Outcome:
        pairs = runtimes(solvers(rng, n, r, law), law, 400).pairs
        ends = [own for pair in pairs for own in pair.par_intervals.values() if own is not None]
        return sum(not low <= 0 <= high for low, high in ends), len(ends)

    return count


def within(n: int, r: int) -> Callable[[Generator], Outcome]:
    """Of the band of each solver at every time before the limit."""

    def count(rng: Generator) -> Outcome:
        cells = solvers(rng, n, r, "")
        curves = runtimes(cells, "", 400).curves
        truth = ndtr(np.log(curves.times) / np.sqrt(HARD**2 + OWN**2 + RUN**2))
        outside = [((curves.lower(a) > truth) | (curves.upper(a) < truth)).any() for a in curves.share]
        return sum(map(int, outside)), 3

    return count


def few_against_many(n: int, few: int, law: str, what: str) -> Callable[[Generator], Outcome]:
    """Of two equal solvers, one of which has 20 runs of each problem."""

    def count(rng: Generator) -> Outcome:
        cells = solvers(rng, n, 20, law)[:, :2]
        cells[:, 0, few:] = np.nan
        return int(EVENTS[what](runtimes(cells, law))), 1

    return count


def row(name: str, door: str, data: str, count: Callable[[Generator], Outcome], **more: Any) -> Row:
    given = {"kind": "error", "level": ALPHA, "tables": 400, "short": 0} | more
    return Row(f"runtimes over both: {name}", f'`bo.runtimes(over="both")`, {door}', data, count=count, **given)


ROWS = (
    *(
        row(f"{what}, {n} x {r}, {law}", what, f"three equal solvers, {of(n, r)}, {law}", differs(n, r, law, what),
            short=50 if (n, r) in SHORT else 0)
        for what, laws in zip(EVENTS, (LAWS, LAWS[:3] + LAWS[4:], LAWS[:3] + LAWS[4:], STOPPED), strict=True)
        for law in laws
        for n, r in SIZES
    ),
    *(
        row(f"beside a slow one, {n} x {r}, {law}", "one pair of three, by the order and by PAR10",
            f"two equal solvers and a third that is 4.5 times as slow, {of(n, r)}, {law}",
            beside_a_slow_one(n, r, law))
        for n, r in SIZES
        for law in STOPPED
    ),
    *(
        row(f"interval, {n} x {r}, {law}", "interval of a difference of PAR", f"three equal solvers, {of(n, r)}, {law}",
            interval(n, r, law), kind="coverage", level=1 - ALPHA)
        for n, r in SIZES
        for law in STOPPED
    ),
    *(
        row(f"band, {n} x {r}", "band of the shares solved", f"three solvers, {of(n, r)}", within(n, r),
            kind="coverage", level=1 - ALPHA)
        for n, r in SIZES
    ),
    *(
        row(f"unequal, {what}, {n} x {few}, {law}", what,
            f"two equal solvers, {of(n, few)} of one and 20 of the other, {law}", few_against_many(n, few, law, what))
        for what in EVENTS
        for law in (*STOPPED, "in steps of 3")[: 3 + (what != "the shares solved of two")]
        for n, few in ((10, 2), (40, 3))
    ),
)  # fmt: skip
