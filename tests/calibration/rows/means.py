"""The mean over independent units: cluster_t, sign_flip, evaluate, leaderboard, tradeoff, interquartile_mean."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

import bakeoff as bo
from calibration.rows.row import Outcome, Row, cautioned

Floats = NDArray[np.float64]
ALPHA = 0.05
SIZES: dict[str, list[int]] = {
    "one of 100, 14 of 2": [100] + [2] * 14,
    "60 of 1, two of 50": [1] * 60 + [50] * 2,
    "60 of 1, three of 30": [1] * 60 + [30] * 3,
    "100/rank, 20": [max(1, 100 // rank) for rank in range(1, 21)],
    "44 of 2, one of 60": [2] * 44 + [60],
    "1 to 8": list(range(1, 9)),
    "15 of 5": [5] * 15,
    "5 of 4": [4] * 5,
}
FEW = ("one of 100, 14 of 2", "100/rank, 20", "15 of 5")
TABLE = Callable[[Generator], bo.Scores]


def in_clusters(sizes: list[int], icc: float, t3: bool = False) -> TABLE:
    """Two algorithms without a difference; the share ``icc`` of the variance is common to a cluster."""

    def drawn(rng: Generator, n: int) -> Floats:
        return np.asarray(rng.standard_t(3, (n, 2)) / math.sqrt(3) if t3 else rng.normal(size=(n, 2)))

    def table(rng: Generator) -> bo.Scores:
        codes = np.repeat(np.arange(len(sizes)), sizes)
        values = math.sqrt(icc) * drawn(rng, len(sizes))[codes] + math.sqrt(1 - icc) * drawn(rng, len(codes))
        return bo.Scores(values, better="higher", clusters=[f"c{code}" for code in codes])

    return table


def by_cluster_t(scores: bo.Scores) -> bool:
    return bo.cluster_t(scores, 0, 1).pvalue <= ALPHA


def by_sign_flip(scores: bo.Scores) -> bool:
    return bo.sign_flip(scores, 0, 1).pvalue <= ALPHA


def by_evaluate(scores: bo.Scores) -> bool:
    return bo.evaluate(scores, n_resamples=999).pairs[0].verdict in ("a better", "b better")


def by_leaderboard(scores: bo.Scores) -> bool:
    return len(bo.leaderboard(scores, n_resamples=999).candidates) < 2


def by_tradeoff(scores: bo.Scores) -> bool:
    """One-sided both ways, at half the level; the second metric is the same table."""
    found = bo.tradeoff({"x": scores, "y": scores}, {"x": 50.0, "y": 50.0}, alpha=ALPHA / 2, n_draws=100)
    return any(pair.verdict == "a better trade-off" for pair in found.pairs)


DOORS: dict[str, tuple[Callable[[bo.Scores], bool], str]] = {
    "cluster_t": (by_cluster_t, "`bo.cluster_t`, p ≤ 5 %"),
    "sign_flip": (by_sign_flip, "`bo.sign_flip`, p ≤ 5 %"),
    "evaluate": (by_evaluate, "`bo.evaluate`, verdict"),
    "leaderboard": (by_leaderboard, "`bo.leaderboard`, one of two is no candidate"),
    "tradeoff": (by_tradeoff, "`bo.tradeoff`, verdict"),
}


def rejects(door: str, sizes: str, icc: float = 0.2, t3: bool = False) -> Row:
    test, table = DOORS[door][0], in_clusters(SIZES[sizes], icc, t3)
    law = "t with 3 df" if t3 else "normal"
    return Row(
        name=f"{door}: clusters {sizes}, {law}",
        door=DOORS[door][1],
        data=f"two equal algorithms; clusters {sizes}; {law}, intraclass correlation {icc:g}",
        kind="error",
        level=ALPHA,
        count=lambda rng: (int(test(table(rng))), 1),
        short=20 if "of 1" in sizes or door == "tradeoff" else 50,
    )


# --- five models, of which three are equal ---------------------------------------------------------------------------

SHIFTS = np.array([0.0, 0.0, 0.0, 0.6, 1.5])
CLUSTERS: dict[str, Callable[[Generator], NDArray[np.int64]]] = {
    "20 clusters of 3": lambda rng: np.repeat(np.arange(20), 3),
    "40 problems": lambda rng: np.arange(40),
    "25 clusters of 1 to 8": lambda rng: np.asarray(np.unique(rng.integers(0, 25, size=90), return_inverse=True)[1]),
}


def normal(rng: Generator, codes: NDArray[np.int64]) -> Floats:
    return np.asarray(rng.normal(size=(len(codes), 5)) + 0.7 * rng.normal(size=(codes.max() + 1, 5))[codes])


def heavy(rng: Generator, codes: NDArray[np.int64]) -> Floats:
    return np.asarray(rng.standard_t(3, (len(codes), 5)) + 0.7 * rng.standard_t(3, (codes.max() + 1, 5))[codes])


ERRORS: dict[str, Callable[[Generator, NDArray[np.int64]], Floats]] = {
    "normal": normal,
    "t with 3 df": heavy,
    "standard deviations 0.2 to 3": lambda rng, codes: normal(rng, codes) * np.array([0.2, 1.0, 3.0, 1.0, 1.0]),
    "of one skewed shape": lambda rng, codes: np.asarray(rng.exponential(size=(len(codes), 5)) ** 2 - 2),
}


def evaluated(
    errors: str, clusters: str, misses: Callable[[bo.Scores, object], bool]
) -> Callable[[Generator], Outcome]:
    def count(rng: Generator) -> Outcome:
        codes = CLUSTERS[clusters](rng)
        labels = None if clusters == "40 problems" else codes.tolist()
        scores = bo.Scores(ERRORS[errors](rng, codes) + SHIFTS, better="higher", clusters=labels)
        return int(misses(scores, bo.evaluate(scores, n_resamples=799))), 1

    return count


def place(name: str) -> int:
    return int(name[1:]) - 1


def interval_misses(_: bo.Scores, found: object) -> bool:
    """Any simultaneous interval, or one that is missing."""
    truth = [SHIFTS[place(p.a)] - SHIFTS[place(p.b)] for p in found.pairs]  # type: ignore[attr-defined]
    pairs = zip(found.pairs, truth, strict=True)  # type: ignore[attr-defined]
    return any(p.simultaneous is None or not p.simultaneous[0] <= d <= p.simultaneous[1] for p, d in pairs)


def claim_or_rank_misses(_: bo.Scores, found: object) -> bool:
    for pair in found.pairs:  # type: ignore[attr-defined]
        d = SHIFTS[place(pair.a)] - SHIFTS[place(pair.b)]
        if (pair.verdict == "a better" and d <= 0) or (pair.verdict == "b better" and d >= 0):
            return True
    return any(
        low > 1 + np.sum(SHIFTS[place(name)] < SHIFTS) or high < 5 - np.sum(SHIFTS[place(name)] > SHIFTS)
        for name, (low, high) in found.rank_intervals.items()  # type: ignore[attr-defined]
    )


PARTIAL = [
    Row(
        name=f"evaluate: {what}, {errors}, {clusters}",
        door=f"`bo.evaluate`, {said}",
        data=f"five models, three of them equal; {clusters}; errors {errors}",
        kind=kind,  # type: ignore[arg-type]
        level=level,
        count=evaluated(errors, clusters, misses),
        short=50 if errors == "normal" or clusters == "40 problems" else 0,
    )
    for errors in ERRORS
    for clusters in CLUSTERS
    for what, said, kind, level, misses in (
        ("intervals", "all simultaneous intervals", "coverage", 1 - ALPHA, interval_misses),
        ("ranks", "all verdicts and rank intervals", "error", ALPHA, claim_or_rank_misses),
    )
]


# --- interquartile means ----------------------------------------------------------------------------------------------


def few_tasks(t: int, k: int, interval: bool) -> Callable[[Generator], Outcome]:
    def count(rng: Generator) -> Outcome:
        values = rng.normal(size=(t, 1)) + 0.3 * rng.normal(size=(t, k))
        found = bo.interquartile_mean(bo.Scores(values, better="higher"))
        if interval:
            low, high = found.estimates[0].interval
            return int(not low <= 0 <= high), 1
        return int(any(pair.verdict != "no difference shown" for pair in found.pairs)), 1

    return count


IQM = [
    Row(
        name=f"iqm: {what}, {t} tasks",
        door=f"`bo.interquartile_mean`, {said}",
        data=f"{t} normal tasks, {k} equal algorithms, one run each",
        kind=kind,  # type: ignore[arg-type]
        level=level,
        count=few_tasks(t, k, interval),
    )
    for t, k in ((4, 5), (8, 10), (12, 10))
    for what, said, kind, level, interval in (
        ("pairs", "verdicts of all pairs", "error", ALPHA, False),
        ("interval", "interval of one algorithm", "coverage", 1 - ALPHA, True),
    )
]


# --- where differences are skewed ------------------------------------------------------------------------------------


def skewed(door: str, n: int) -> Callable[[Generator], Outcome]:
    """A true mean of 0 among centred lognormal differences."""

    def count(rng: Generator) -> Outcome:
        base = rng.normal(size=n)
        scores = bo.Scores(np.c_[base + rng.lognormal(size=n) - math.exp(0.5), base], better="higher")
        if door == "cluster_t":
            found = bo.cluster_t(scores, 0, 1)
            return int(found.pvalue <= ALPHA), 1, int(cautioned(found, "skewed-differences"))
        shown = bo.evaluate(scores, n_resamples=999)
        false = shown.pairs[0].verdict != "no difference shown"
        return int(false), 1, int(cautioned(shown, "skewed-differences"))

    return count


SKEWED = [
    Row(
        name=f"{door}: lognormal differences, {n}",
        door=DOORS[door][1],
        data=f"two of one mean, differences lognormal, {n} problems",
        kind="error",
        level=ALPHA,
        count=skewed(door, n),
        ends="skewed-differences",
    )
    for door in ("cluster_t", "evaluate")
    for n in (30, 60)
]

ROWS = (
    *(rejects(door, sizes) for door in ("cluster_t", "evaluate") for sizes in SIZES),
    *(rejects("evaluate", sizes, 1.0, t3=True) for sizes in FEW),
    *(rejects(door, sizes) for door in ("sign_flip", "leaderboard", "tradeoff") for sizes in FEW),
    *PARTIAL,
    *IQM,
    *SKEWED,
)
