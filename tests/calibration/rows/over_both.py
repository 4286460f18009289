"""Claims for other problems with runs of their own, from several runs of each: profiles, curves, leaderboards."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.random import Generator

import bakeoff as bo
from calibration.rows.over_runs import ALPHA, Floats, drawn_runs, of
from calibration.rows.row import Outcome, Row

SIZES = ((10, 5), (30, 3), (30, 10))
"""Problems, runs of each."""
LAWS = ("normal", "lognormal", "a tenth of right answers")


def scores(rng: Generator, n: int, k: int, r: int, law: str) -> Floats:
    """(n, k, r) of algorithms that are equal over the problems; each suits some of them."""
    suits = rng.normal(size=(n, k, 1)) if law != "lognormal" else rng.lognormal(size=(n, k, 1)) - np.exp(0.5)
    if law == "a tenth of right answers":
        return np.asarray(rng.random((n, k, r)) < rng.beta(0.2, 1.8, size=(n, k, 1)), dtype=np.float64) - 0.1
    return rng.normal(size=(n, 1, 1)) + suits + drawn_runs(rng, n, k, r, law)


def times(rng: Generator, n: int, k: int, r: int) -> Floats:
    return np.exp(rng.normal(size=(n, k, 1)) * 0.5 + 0.5 * rng.normal(size=(n, k, r)))


@cache
def many_distances(r: int) -> Floats:
    """Ratios of all runs of one algorithm to the best run of three on a problem, of which there are many."""
    drawn = times(np.random.default_rng(0), 100_000, 3, r)
    return np.sort((drawn[:, 0] / drawn.min(axis=(1, 2))[:, None]).ravel())


def band(n: int, r: int) -> Callable[[Generator], Outcome]:
    def count(rng: Generator) -> Outcome:
        found = bo.profile(bo.Scores(times(rng, n, 3, r), better="lower"), over="both", n_resamples=199)
        many = many_distances(r)
        truth = np.searchsorted(many, found.tau * (1 + 1e-12), side="right") / len(many)
        return int(((found.lower > truth) | (found.upper < truth)).any(axis=1).sum()), 3

    return count


def exchanged(n: int, r: int) -> Callable[[Generator], Outcome]:
    def count(rng: Generator) -> Outcome:
        found = bo.profile(bo.Scores(times(rng, n, 2, r), better="lower"), over="both", n_resamples=199)
        return int(found.swap is not None and found.swap.pvalue <= ALPHA), 1

    return count


def few_against_many(n: int, few: int, form: str) -> Callable[[Generator], Outcome]:
    """p of the profiles of two equal algorithms, one of which has 20 runs of each problem; times in steps of a half."""

    def count(rng: Generator) -> Outcome:
        cells = np.ceil(2 * times(rng, n, 2, 20)) / 2
        cells[:, 0, few:] = np.nan
        s = bo.Scores.from_cells(cells, ["a", "b"], [f"p{i}" for i in range(n)], better="lower", holes=True)
        found = bo.profile(s, form, over="both", n_resamples=199)  # type: ignore[arg-type]
        return int(found.swap is not None and found.swap.pvalue <= ALPHA), 1

    return count


def ranked(n: int, r: int, law: str) -> Callable[[Generator], Outcome]:
    """Is any rank interval of four equal ones, or the set of candidates, false?"""

    def count(rng: Generator) -> Outcome:
        found = bo.leaderboard(bo.Scores(scores(rng, n, 4, r, law), better="higher"), over="both", n_resamples=499)
        whole = all(ends == (1, 4) for ends in found.rank_intervals.values())
        return int(not whole or len(found.candidates) < 4), 1

    return count


def won(n: int, r: int) -> Callable[[Generator], Outcome]:
    def count(rng: Generator) -> Outcome:
        table = bo.Scores(scores(rng, n, 4, r, "normal"), better="higher")
        low, high = bo.leaderboard(table, over="both", n_resamples=499).winner.interval
        return int(not low <= 0 <= high), 1

    return count


def along(n: int, r: int, law: str, few: int | None = None) -> Callable[[Generator], Outcome]:
    """Is any stretch shown of three that are equal over the problems, at 12 budgets? The first has ``few`` runs."""
    labels = np.indices((n, 3, r, 12)).reshape(4, -1)
    kept = np.ones(labels.shape[1], dtype=bool) if few is None else (labels[1] > 0) | (labels[2] < few)
    names = dict(zip(("problem", "algorithm", "run"), labels[:3, kept].astype(str), strict=True))

    def count(rng: Generator) -> Outcome:
        steps = np.stack([drawn_runs(rng, n, 3, r, law) for _ in range(12)], axis=3).cumsum(axis=3)
        drawn = steps + (3 if few is None else 0) * rng.normal(size=(n, 3, 1, 1))
        table = {**names, "budget": labels[3, kept] + 1, "score": drawn.ravel()[kept]}
        found = bo.curves(table, better="lower", best_so_far=False, over="both", n_resamples=199)
        return int(found.decision == "difference"), 1

    return count


def row(name: str, door: str, data: str, count: Callable[[Generator], Outcome], kind: str = "error") -> Row:
    what = door.split()[0]
    said = f'`bo.{what}(over="both")`, {door.removeprefix(what + " ")}'
    level = ALPHA if kind == "error" else 1 - ALPHA
    return Row(f"over both: {door}, {name}", said, data, kind, level, count, tables=400)  # type: ignore[arg-type]


EQUAL = tuple(
    each
    for n, r in SIZES
    for size in (f"{n} x {r}",)
    for each in (
        row(size, "profile band of a whole curve", f"three algorithms, {of(n, r)}", band(n, r), "coverage"),
        row(size, "profile p of two profiles", f"two equal algorithms, {of(n, r)}", exchanged(n, r)),
        row(size, "leaderboard interval of the winner", f"four equal algorithms, {of(n, r)}", won(n, r), "coverage"),
        *(
            row(f"{size}, {law}", "leaderboard all ranks and candidates", f"four equal algorithms, {of(n, r)}, {law}",
                ranked(n, r, law))
            for law in LAWS
        ),
        *(
            row(f"{size}, {law}", "curves all pairs and budgets", f"three equal algorithms, {of(n, r)}, {law}",
                along(n, r, law))
            for law in ("normal", "spreads 1 to 5", "lognormal")
        ),
    )
)  # fmt: skip
UNEQUAL = (
    *(
        row(f"unequal, {n} x {few}, {form}", "profile p of two profiles",
            f"two equal algorithms, {of(n, few)} of one and 20 of the other, times in steps of a half; {form}",
            few_against_many(n, few, form))
        for n, few in ((10, 2), (30, 3))
        for form in ("ratio", "score")
    ),
    *(
        row(f"unequal, {n} x {few}, lognormal", "curves all pairs and budgets",
            f"three equal algorithms, {of(n, few)} of one and 20 of the others, lognormal",
            along(n, 20, "lognormal", few))
        for n, few in ((10, 2), (30, 3))
    ),
)  # fmt: skip
ROWS = (*EQUAL, *UNEQUAL)
