"""Which of two algorithms is faster, by the order of times alone: a run that was not solved is slower than any solved.

Two unsolved runs are tied. Nothing here depends on what a timeout counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from bakeoff.nulls.tails import chi2_sf
from bakeoff.paired._mcnemar import mcnemar_tail
from bakeoff.paired._sign_test import sign_tail
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes
from bakeoff.survival.times import RunTimes

_ROUNDING = 1e-12  # shares of pairs of runs, and sums of them


@dataclass(frozen=True, slots=True, kw_only=True)
class PairOrder:
    """Of one pair; counts are of problems."""

    direction: int  # above 0: a is faster on more problems (clusters)
    wins: int
    losses: int
    ties: int
    pvalue: float  # sign test over problems, or clusters
    logrank: float
    logrank_pvalue: float
    only_a: int
    only_b: int
    mcnemar: float


def pair_order(runs: RunTimes, a: int, b: int, codes: Codes) -> PairOrder:
    """``codes``: whose cluster each problem is."""
    x, y = runs.times[:, a], runs.times[:, b]
    ahead = _sign(faster_share(x, y))
    units = _sign(cluster_totals(faster_share(x, y), codes))
    wins, losses = int((units > 0).sum()), int((units < 0).sum())
    statistic, p = logrank(logrank_scores(x, y), codes)
    shares = runs.shares[:, a] - runs.shares[:, b]
    more = _sign(cluster_totals(shares, codes))
    solved = _sign(shares)
    return PairOrder(
        direction=wins - losses,
        wins=int((ahead > 0).sum()),
        losses=int((ahead < 0).sum()),
        ties=int((ahead == 0).sum()),
        pvalue=1.0 if wins == losses else sign_tail(wins, wins + losses, "two-sided")[0],
        logrank=statistic,
        logrank_pvalue=p,
        only_a=int((solved > 0).sum()),
        only_b=int((solved < 0).sum()),
        mcnemar=mcnemar_tail(int((more > 0).sum()), int((more < 0).sum()), "mid-p")[0],
    )


def cluster_totals(values: Array, codes: Codes) -> Array:
    """(G,) sums over the problems of each cluster."""
    return np.asarray(np.bincount(codes, weights=values), dtype=np.float64)


def _sign(values: Array) -> Array:
    return np.asarray(np.where(np.abs(values) <= _ROUNDING, 0.0, np.sign(values)))


def faster_share(x: Array, y: Array) -> Array:
    """(n,) of times (n, r) and (n, s): share of pairs of runs in which x is faster, less that in which y is (Gehan)."""
    if x.shape[1] == y.shape[1] == 1:
        return np.asarray((x < y).astype(np.float64) - (x > y))[:, 0]
    won = (x[:, :, None] < y[:, None, :]).sum(axis=(1, 2))
    lost = (x[:, :, None] > y[:, None, :]).sum(axis=(1, 2))
    return np.asarray((won - lost) / ((~np.isnan(x)).sum(axis=1) * (~np.isnan(y)).sum(axis=1)))


def logrank_scores(x: Array, y: Array) -> Array:
    """(n,): solved runs of x less those expected if, on each problem, both had the same law of times (Mantel 1966).

    At each time of a solved run its share of runs at risk that are of x is expected; runs that were never solved
    are at risk throughout, as all runs of a problem have one cap.
    """
    observed = np.isfinite(x).sum(axis=1)
    expected = np.zeros(len(x))
    for times in (*x.T, *y.T):
        event = np.isfinite(times)
        at_risk = (x >= times[:, None]).sum(axis=1), (y >= times[:, None]).sum(axis=1)
        total = np.maximum(at_risk[0] + at_risk[1], 1)
        expected += np.where(event, at_risk[0] / total, 0.0)
    return np.asarray(observed - expected)


def logrank(scores: Array, codes: Codes) -> tuple[float, float]:
    """χ² with one degree of freedom, and its p: (Σ U)²/Σ U² over the sums U of the clusters.

    With one run of each on a problem, U = ±1/2 and this is the log-rank test stratified by problem, (W − L)²/(W + L).
    """
    sums = cluster_totals(scores, codes)
    squares = float((sums**2).sum())
    if squares <= _ROUNDING:
        return 0.0, 1.0
    statistic = float(sums.sum()) ** 2 / squares
    return statistic, float(chi2_sf(statistic, 1)[0])


def mean_ranks(runs: RunTimes) -> Array:
    """(k,): 1 is the fastest; with several runs, 1 + the shares of pairs of runs lost to each other algorithm."""
    k = runs.times.shape[1]
    ahead: list[list[float]] = [[] for _ in range(k)]
    for a in range(k):
        for b in range(a + 1, k):
            shares = math.fsum(faster_share(runs.times[:, a], runs.times[:, b]).tolist())
            ahead[a].append(shares)
            ahead[b].append(-shares)
    return np.array([1.0 + (k - 1) / 2 - math.fsum(found) / (2 * len(runs.times)) for found in ahead])
