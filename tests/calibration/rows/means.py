"""The mean over clusters of unequal size, of two algorithms: cluster_t, sign_flip, evaluate, leaderboard, tradeoff."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

import bakeoff as bo
from calibration.rows.row import Row

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


def by_compare(scores: bo.Scores) -> bool:
    """Each cluster counts equally; means of large and of small ones differ in variance."""
    return bo.compare(scores, pairwise="t").pairs[0].pvalue <= ALPHA


def by_curves(scores: bo.Scores) -> bool:
    """The scores at two budgets; anything shown anywhere."""
    p, a, b = (index.ravel() for index in np.indices((*scores.values.shape, 2)))
    clusters = np.asarray(scores.clusters)[p]
    table = {"problem": p, "algorithm": a, "budget": 1 + b, "score": scores.values[p, a] * (1 + b), "cluster": clusters}
    return bool(bo.curves(table, better="higher", best_so_far=False, n_resamples=399).pairs[0].segments)


DOORS: dict[str, tuple[Callable[[bo.Scores], bool], str]] = {
    "cluster_t": (by_cluster_t, "`bo.cluster_t`, p ≤ 5 %"),
    "sign_flip": (by_sign_flip, "`bo.sign_flip`, p ≤ 5 %"),
    "evaluate": (by_evaluate, "`bo.evaluate`, verdict"),
    "leaderboard": (by_leaderboard, "`bo.leaderboard`, one of two is no candidate"),
    "tradeoff": (by_tradeoff, "`bo.tradeoff`, verdict"),
    "compare": (by_compare, '`bo.compare(pairwise="t")`, p ≤ 5 %'),
    "curves": (by_curves, "`bo.curves`, anything shown at either budget"),
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
        short=20 if "of 1" in sizes or door in ("tradeoff", "curves") else 50,
    )


ROWS = (
    *(rejects(door, sizes) for door in ("cluster_t", "evaluate", "sign_flip") for sizes in SIZES),
    *(rejects(door, sizes, 1.0, t3=True) for door in ("evaluate", "compare") for sizes in FEW),
    *(rejects(door, sizes) for door in ("leaderboard", "tradeoff", "curves", "compare") for sizes in FEW),
)
