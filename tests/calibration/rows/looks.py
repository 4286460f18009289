"""Whole curves over a budget, histories of versions, ratings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

import bakeoff as bo
from calibration.rows.row import Outcome, Row, cautioned

ALPHA = 0.05
Floats = NDArray[np.float64]

# --- curves -----------------------------------------------------------------------------------------------------------


def curves(kind: str) -> Callable[[Generator], Outcome]:
    """Random walks of three algorithms, of which the third is better from the seventh budget on."""
    shape, groups = (20, 3, 2, 12), 10 if kind == "two problems a cluster" else None

    def count(rng: Generator) -> Outcome:
        walks = np.cumsum(rng.standard_t(2, shape) if kind == "t with 2 df" else rng.normal(size=shape), -1)
        if groups is not None:  # what the two problems of a cluster share
            walks += 3 * np.repeat(np.cumsum(rng.normal(size=(groups, 3, 1, 12)), -1), 2, axis=0)
        if kind == "scales of problems differ":
            walks *= rng.lognormal(sigma=1.5, size=(20, 1, 1, 1))
        walks[:, 2, :, 6:] -= 4.0
        scores = np.round(walks) if kind == "rounded" else walks
        p, a, r, b = (index.ravel() for index in np.indices(shape))
        table = {"problem": p, "algorithm": a, "run": r, "budget": b + 1, "score": scores.ravel()}
        if groups is not None:
            table["cluster"] = p // 2
        found = bo.curves(table, better="lower", best_so_far=False, n_resamples=299, rng=int(rng.integers(1 << 30)))
        nulls = [pair.adjusted if "2" not in (pair.a, pair.b) else pair.adjusted[:6] for pair in found.pairs]
        return int(any((null <= ALPHA).any() for null in nulls)), 1

    return count


LIMIT = 100.0


@cache
def expected_time(spread: float) -> float:
    """E(spent) / P(reached) of exponential times whose rates differ between problems, stopped at the limit."""
    rates = 30 * np.exp(spread * np.random.default_rng(0).standard_normal(1_000_000))
    reach = 1 - np.exp(-LIMIT / rates)
    return float((rates * reach).mean() / reach.mean())


def running_time(sizes: Sequence[int], spread: float) -> Callable[[Generator], Outcome]:
    """Clusters of these sizes, whose problems share a rate."""
    codes = np.repeat(np.arange(len(sizes)), sizes)
    p, a, r, _ = (index.ravel() for index in np.indices((len(codes), 2, 5, 3)))

    def count(rng: Generator) -> Outcome:
        rate = 30 * np.exp(spread * rng.standard_normal(len(sizes)))
        times = rng.exponential(rate[codes][:, None, None], (len(codes), 2, 5))
        hit = np.minimum(times, LIMIT)[..., None]
        budget = np.concatenate([np.full(hit.shape, 1e-9), hit, np.full(hit.shape, LIMIT + 1e-9)], axis=-1)
        score = np.concatenate([np.ones(hit.shape), *[times[..., None] >= LIMIT] * 2], axis=-1)
        table = {"problem": p, "algorithm": a, "run": r, "budget": budget.ravel(), "score": score.ravel()}
        if max(sizes) > 1:
            table["cluster"] = codes[p]
        found = bo.curves(table, better="lower", grid=[1.0, LIMIT], n_resamples=20)
        low, high = found.running_time(0.5, n_resamples=999, rng=int(rng.integers(1 << 30))).interval[0]
        return int(not low <= expected_time(spread) <= high), 1

    return count


WHOLE = "`bo.curves`, any false statement at any budget"
CURVES = (
    *(
        Row(
            f"curves: {kind}",
            WHOLE,
            f"20 problems, 12 budgets, two of three equal, the third from budget 7 on; {kind}",
            "error",
            ALPHA,
            curves(kind),
            short=25,
        )
        for kind in ("normal", "t with 2 df", "rounded", "two problems a cluster", "scales of problems differ")
    ),
    *(
        Row(
            f"curves: running time, {said}",
            "`bo.curves`, `.running_time`, interval",
            f"exponential times, a part of the runs stopped; {said}",
            "coverage",
            0.93,
            running_time(sizes, spread),
            tables=1000,
            short=25,
            ends=ends,
        )
        for said, sizes, spread, ends in (
            ("25 problems", (1,) * 25, 0.5, ""),
            ("60 problems, rates far apart", (1,) * 60, 1.5, ""),
            ("10 clusters of 3", (3,) * 10, 0.5, "docs/guides/curves.md"),
            ("62 clusters, two of 50, 60 of 1", (50, 50, *(1,) * 60), 0.5, ""),
            ("63 clusters, three of 30, 60 of 1", (30, 30, 30, *(1,) * 60), 0.5, ""),
        )
    ),
)

# --- histories --------------------------------------------------------------------------------------------------------


def walk(rng: Generator, shape: tuple[int, int]) -> Floats:
    """First-order autocorrelation of ½."""
    x = rng.normal(size=shape)
    for i in range(1, shape[1]):
        x[:, i] += 0.5 * x[:, i - 1]
    return x


def louder(rng: Generator, shape: tuple[int, int]) -> Floats:
    return rng.normal(size=shape) * np.where(np.arange(shape[1]) < 2 * shape[1] / 3, 1.0, 8.0)


HISTORIES: dict[str, Callable[[Generator, tuple[int, int]], Floats]] = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "3 % of spikes": lambda rng, shape: rng.normal(size=shape) + 20 * (rng.random(shape) < 0.03),
    "rounded": lambda rng, shape: np.round(rng.normal(size=shape)),
    "autocorrelation ½": walk,
    "8 times the noise in the last third": louder,
}


def history(kind: str, n: int = 60, benchmarks: int = 1, ends: str = "") -> Row:
    def count(rng: Generator) -> Outcome:
        found = bo.change_points(bo.Scores(HISTORIES[kind](rng, (benchmarks, n)), better="lower"), n_resamples=199)
        alarm = any(series.verdict != "no change shown" for series in found.series)
        return int(alarm), 1, int(bool(ends) and cautioned(found, ends))

    several = f"{benchmarks} benchmarks, " if benchmarks > 1 else ""
    return Row(
        f"history: {several}{kind}, {n}",
        "`bo.change_points`, any alarm",
        f"{several}{n} versions without a change; {kind}",
        "error",
        ALPHA,
        count,
        ends=ends,
    )


HISTORY = (
    *(history(kind, n) for kind in ("normal", "3 % of spikes", "rounded") for n in (8, 60)),
    history("normal", benchmarks=10),
    history("autocorrelation ½", ends="dependence (history)"),
    history("8 times the noise in the last third", ends="spread-changed"),
)

# --- ratings ----------------------------------------------------------------------------------------------------------


def ratings(lead: float, ties: bool, clusters: bool) -> Callable[[Generator], Outcome]:
    """Strengths are equal but for the first one's; a rank that is not in its interval, or a false verdict."""

    def count(rng: Generator) -> Outcome:
        values = rng.normal(size=(30, 4))
        if clusters:
            values = np.sqrt(0.5) * (values + np.repeat(rng.normal(size=(15, 4)), 2, axis=0))
        values[:, 0] += lead
        labels = np.repeat(np.arange(15), 2).tolist() if clusters else None
        scores = bo.Scores(np.round(values) if ties else values, better="higher", clusters=labels)
        found = bo.ratings(scores, n_resamples=200)
        truth = [(1, 1)] + [(2, 4)] * 3 if lead else [(1, 4)] * 4
        outside = any(
            low > best or high < worst for (low, high), (best, worst) in zip(found.rank_intervals, truth, strict=True)
        )
        rest = [pair for pair in found.pairs if not lead or "A1" not in (pair.a, pair.b)]
        return int(outside or any(pair.verdict in ("a better", "b better") for pair in rest)), 1

    return count


RATINGS = tuple(
    Row(
        f"ratings: {said}",
        "`bo.ratings`, all ranks and verdicts",
        f"30 problems, four algorithms, {said}",
        "error",
        ALPHA,
        ratings(lead, ties, clusters),
        tables=1000,
        short=20,
    )
    for said, lead, ties, clusters in (
        ("equal", 0.0, False, False),
        ("equal, rounded scores", 0.0, True, False),
        ("one ahead, three equal", 0.8, False, False),
        ("equal, 15 clusters of 2", 0.0, False, True),
    )
)

ROWS = (*CURVES, *HISTORY, *RATINGS)
