"""Claims for other runs of the same problems: bands of profiles, curves, ranks and the winner of a leaderboard."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

import bakeoff as bo
from calibration.rows.row import Outcome, Row

ALPHA = 0.05
Floats = NDArray[np.float64]
SIZES = ((1, 10), (5, 3), (20, 10))
"""Problems, runs of each."""


def of(n: int, r: int) -> str:
    return f"{n} problem{'s' * (n > 1)}, {r} runs each"


def times(rng: Generator, cells: Floats, r: int, steps: bool) -> Floats:
    """(n, k, r) times whose median is that of the cell."""
    drawn = np.exp(cells[:, :, None] + 0.5 * rng.normal(size=(*cells.shape, r)))
    return np.asarray(np.ceil(2 * drawn) / 2 if steps else drawn)


def band(n: int, r: int, steps: bool) -> Callable[[Generator], Outcome]:
    """Of each of three curves at all τ of the table; the truth is of 2000 runs a cell."""

    def count(rng: Generator) -> Outcome:
        cells = rng.normal(size=(n, 1)) + 0.3 * rng.normal(size=(n, 3)) + [0.0, 0.2, 0.5]
        seen, many = times(rng, cells, r, steps), np.sort(times(rng, cells, 2000, steps), axis=2)
        found = bo.profile(bo.Scores(seen, better="lower"), over="runs", n_resamples=199)
        at = found.tau * seen.min(axis=(1, 2))[:, None] * (1 + 1e-12)
        within = [[np.searchsorted(many[i, j], at[i], side="right") for i in range(n)] for j in range(3)]
        truth = np.mean(within, axis=1) / 2000
        room = 4 * 0.5 / np.sqrt(2000 * n)
        return int(((found.lower > truth + room) | (found.upper < truth - room)).any(axis=1).sum()), 3

    return count


def exchanged(n: int, r: int, steps: bool) -> Callable[[Generator], Outcome]:
    def count(rng: Generator) -> Outcome:
        cells = np.repeat(rng.normal(size=(n, 1)), 2, axis=1)
        found = bo.profile(bo.Scores(times(rng, cells, r, steps), better="lower"), over="runs", n_resamples=199)
        return int(found.swap is not None and found.swap.pvalue <= ALPHA), 1

    return count


def drawn_runs(rng: Generator, n: int, k: int, r: int, law: str) -> Floats:
    """(n, k, r) with mean 0."""
    if law == "normal":
        return rng.normal(size=(n, k, r))
    if law == "spreads 1 to 5":
        return np.asarray(rng.normal(size=(n, k, r)) * np.linspace(1, 5, k)[:, None] * rng.lognormal(size=(n, 1, 1)))
    if law == "lognormal":
        return np.asarray(rng.lognormal(size=(n, k, r)) - np.exp(0.5))
    return np.asarray((rng.random((n, k, r)) < 0.1) - 0.1)  # a tenth of right answers


def ranked(n: int, r: int, k: int, law: str, lead: float) -> Callable[[Generator], Outcome]:
    """Is any rank interval, or the set of candidates, false? The first half of the algorithms leads."""
    means = np.where(np.arange(k) < k // 2, lead, 0.0)
    best = {f"A{j + 1}" for j in range(k) if means[j] == means.max()}
    ends = {f"A{j + 1}": (1 + int((means > means[j]).sum()), k - int((means < means[j]).sum())) for j in range(k)}

    def count(rng: Generator) -> Outcome:
        values = drawn_runs(rng, n, k, r, law) + means[:, None] + rng.normal(size=(n, 1, 1))
        found = bo.leaderboard(bo.Scores(values, better="higher"), over="runs", n_resamples=499)
        held = all(low <= ends[a][0] and ends[a][1] <= high for a, (low, high) in found.rank_intervals.items())
        return int(not held or not best <= set(found.candidates)), 1

    return count


def won(n: int, r: int, k: int, law: str) -> Callable[[Generator], Outcome]:
    def count(rng: Generator) -> Outcome:
        problems = rng.normal(size=(n, 1, 1))
        values = drawn_runs(rng, n, k, r, law) + problems
        found = bo.leaderboard(bo.Scores(values, better="higher"), over="runs", n_resamples=499).winner
        low, high = found.interval
        return int(not low <= float(problems.mean()) <= high), 1

    return count


def few_against_many(n: int, few: int, law: str) -> Callable[[Generator], Outcome]:
    """Are two equal algorithms shown to differ, one of which has 30 runs of each problem?"""

    def count(rng: Generator) -> Outcome:
        values = drawn_runs(rng, n, 2, 30, law)
        values[:, 0, few:] = np.nan
        names = [f"p{i}" for i in range(n)]
        found = bo.leaderboard(bo.Scores.from_cells(values, ["a", "b"], names, better="higher", holes=True),
                               over="runs", n_resamples=199)  # fmt: skip
        return int(found.pairs[0].adjusted <= ALPHA), 1

    return count


def still(n: int, r: int) -> Callable[[Generator], Outcome]:
    """Is any stretch shown where runs are 0 or 1, mostly one of them, so that often none of a cell differs?"""
    labels = np.indices((n, 3, r, 12)).reshape(4, -1)
    names = dict(zip(("problem", "algorithm", "run"), labels[:3].astype(str), strict=True))

    def count(rng: Generator) -> Outcome:
        first = rng.integers(12, size=(n, 3, r, 1)) * (rng.random((n, 1, 1, 1)) < 0.5)
        scores = (np.arange(12) < first).ravel().astype(float)
        found = bo.curves({**names, "budget": labels[3] + 1, "score": scores}, better="lower", best_so_far=False,
                          over="runs", n_resamples=199)  # fmt: skip
        return int(found.decision == "difference"), 1

    return count


def along(n: int, r: int, law: str, k: int = 3, budgets: int = 12, few: int | None = None) -> Callable[..., Outcome]:
    """Is any stretch shown? On single problems the ``k`` differ; the means over these problems do not. The first has
    ``few`` runs, and is then equal to the others on each problem."""
    labels = np.indices((n, k, r, budgets)).reshape(4, -1)
    kept = np.ones(labels.shape[1], dtype=bool) if few is None else (labels[1] > 0) | (labels[2] < few)
    names = dict(zip(("problem", "algorithm", "run"), labels[:3, kept].astype(str), strict=True))

    def count(rng: Generator) -> Outcome:
        walks = np.cumsum(np.stack([drawn_runs(rng, n, k, r, law) for _ in range(budgets)], axis=3), axis=3)
        apart = 3 * rng.normal(size=(n, k, 1, 1)) * (few is None)
        scores = walks / np.sqrt(np.arange(1, budgets + 1)) + apart - apart.mean(axis=0)
        table = {**names, "budget": labels[3, kept] + 1, "score": scores.ravel()[kept]}
        found = bo.curves(table, better="lower", best_so_far=False, over="runs", n_resamples=199 if k == 3 else 999)
        return int(found.decision == "difference"), 1

    return count


ROWS = (
    *(
        Row(
            f"profile over runs: band, {n} x {r}{', in steps' if steps else ''}",
            '`bo.profile(over="runs")`, band of a whole curve',
            f"three algorithms, {of(n, r)}{', times in steps of a half' if steps else ''}",
            "coverage",
            1 - ALPHA,
            band(n, r, steps),
            tables=400,
        )
        for n, r in SIZES
        for steps in (False, True)
    ),
    *(
        Row(
            f"profile over runs: exchange, {n} x {r}{', in steps' if steps else ''}",
            '`bo.profile(over="runs")`, p of two profiles',
            f"two algorithms with runs of one distribution, {of(n, r)}{', times in steps of a half' if steps else ''}",
            "error",
            ALPHA,
            exchanged(n, r, steps),
            tables=400,
        )
        for n, r in SIZES
        for steps in (False, True)
    ),
    *(
        Row(
            f"leaderboard over runs: ranks, {n} x {r} x {k}, {law}, lead {lead:g}",
            '`bo.leaderboard(over="runs")`, all ranks and candidates',
            f"{k} algorithms, {of(n, r)}, {law}{', half of them better by a standard deviation' if lead else ''}",
            "error",
            ALPHA,
            ranked(n, r, k, law, lead),
            tables=400,
        )
        for n, r, k in ((1, 10, 5), (5, 3, 5), (20, 10, 4))
        for law in ("normal", "spreads 1 to 5", "lognormal", "a tenth of right answers")
        for lead in (0.0, 1.0)
    ),
    *(
        Row(
            f"leaderboard over runs: winner, {n} x {r} x {k}, {law}",
            '`bo.leaderboard(over="runs")`, interval of the winner',
            f"{k} equal algorithms, {of(n, r)}, {law}",
            "coverage",
            1 - ALPHA,
            won(n, r, k, law),
            tables=400,
        )
        for n, r, k in ((1, 10, 5), (5, 3, 5), (20, 10, 4))
        for law in ("normal", "spreads 1 to 5")
    ),
    *(
        Row(
            f"curves over runs: {n} x {r}, {law}",
            '`bo.curves(over="runs")`, all pairs and budgets',
            f"three algorithms with equal means over these problems at 12 budgets, {of(n, r)}, {law}",
            "error",
            ALPHA,
            along(n, r, law),
            tables=400,
        )
        for n, r in (*SIZES, (5, 2))
        for law in ("normal", "spreads 1 to 5", "lognormal")
    ),
    *(
        Row(
            f"curves over runs: ten, {n} x {r}, spreads 1 to 5",
            '`bo.curves(over="runs")`, all pairs and budgets',
            f"ten algorithms with equal means over these problems at 40 budgets, {of(n, r)}, spreads 1 to 5",
            "error",
            ALPHA,
            along(n, r, "spreads 1 to 5", 10, 40),
            tables=400,
            short=0,
        )
        for n, r in ((1, 20), (4, 6))
    ),
    *(
        Row(
            f"curves over runs: unequal, {n} x {few}, {law}",
            '`bo.curves(over="runs")`, all pairs and budgets',
            f"three equal algorithms at 12 budgets, {of(n, few)} of one and 30 of the others, {law}",
            "error",
            ALPHA,
            along(n, 30, law, few=few),
            tables=400,
            short=0,
        )
        for n, few in ((1, 4), (5, 3))
        for law in ("lognormal", "a tenth of right answers")
    ),
    *(
        Row(
            f"leaderboard over runs: unequal, {n} x {few}, {law}",
            '`bo.leaderboard(over="runs")`, one pair',
            f"two equal algorithms, {of(n, few)} of one and 30 of the other, {law}",
            "error",
            ALPHA,
            few_against_many(n, few, law),
            tables=400,
        )
        for n, few in ((1, 4), (5, 3))
        for law in ("lognormal", "a tenth of right answers")
    ),
    *(
        Row(
            f"curves over runs: {n} x {r}, from 1 to 0",
            '`bo.curves(over="runs")`, all pairs and budgets',
            f"three equal algorithms whose runs fall from 1 to 0, half of the problems at once, {of(n, r)}",
            "error",
            ALPHA,
            still(n, r),
            tables=400,
        )
        for n, r in (*SIZES, (5, 2))
    ),
)
