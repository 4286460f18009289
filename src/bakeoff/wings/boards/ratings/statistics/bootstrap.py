"""Cluster bootstrap of log strengths, and the largest studentized difference of all pairs."""

import math
from dataclasses import replace

import numpy as np
from scipy.sparse.csgraph import connected_components

from bakeoff.means.resampling import drawn_units
from bakeoff.means.strata import effective_clusters
from bakeoff.randomness import generator
from bakeoff.scores import Array
from bakeoff.wings.boards.ratings.statistics.battles import Battles
from bakeoff.wings.boards.ratings.statistics.fit import bounded, fitted, linked

CELLS = 1 << 21  # of the tables that are fitted at once
DRAWS = 40_000
MANY, DRAWN = 60, 20  # degrees of freedom, and algorithms, up to which errors are drawn pair by pair
VECTORS = 20  # of which an error is drawn; up to so many degrees of freedom exactly
PAIR_DRAWS = 1 << 23  # differences of all pairs drawn at once; changing it changes the draws
IN_CACHE = 512  # draws that are compared at once


def bootstrap_covariance(
    battles: Battles, n_resamples: int, davidson: bool, firth: bool, rng: np.random.Generator
) -> tuple[Array, int]:
    """(k, k) covariance of log strengths over resamples of clusters, times G/(G − 1); and how many were left out.

    A resample in which some algorithms did not meet, even through others, gives no estimate and is left out; one in
    which the estimate would be infinite is fitted with Firth's penalty.
    """
    wins, ties = battles.cluster_tables()
    groups, k = wins.shape[0], len(battles.algorithms)
    at_once = max(1, CELLS // (k * k))
    drawn_strengths: list[Array] = []
    for start in range(0, n_resamples, at_once):
        b = min(at_once, n_resamples - start)
        weights = drawn_units(groups, b, rng)
        some_wins, some_ties = ((weights @ table).reshape(b, k, k) for table in (wins, ties))
        met = linked(some_wins, some_ties)
        finite = bounded(some_wins, some_ties, davidson)
        for rows, penalised in ((met & finite, firth), (met & ~finite, True)):
            if rows.any():
                drawn_strengths.append(fitted(some_wins[rows], some_ties[rows], davidson, penalised).theta)
    theta = np.concatenate(drawn_strengths) if drawn_strengths else np.empty((0, k))
    if len(theta) < 2:
        return np.full((k, k), np.nan), n_resamples - len(theta)
    away = theta - theta.mean(axis=0)
    return away.T @ away / (len(theta) - 1) * groups / (groups - 1), n_resamples - len(theta)


def cluster_df(sizes: Array) -> float:
    """G* − 1, and half a degree of freedom where one cluster has nearly all battles."""
    return max(effective_clusters(sizes) - 1.0, 0.5)


def unequal_share(sizes: Array) -> float:
    """How much larger the variance is than the bootstrap's times G/(G − 1), of unlike clusters of these sizes.

    With shares w it is Σ w², of which residuals from the common estimate show Σ w²(1 − 2w + Σ w²).
    """
    w = sizes / sizes.sum()
    whole, groups = float((w**2).sum()), len(w)
    seen = float((w**2 * (1.0 - 2.0 * w + whole)).sum()) * groups / (groups - 1)
    return max(1.0, whole / seen)


def one_battle_each(battles: Battles, davidson: bool, firth: bool) -> tuple[Array, Array]:
    """(k, k) covariance of the information if each pair had one battle, its mean outcome, in a cluster where it met.

    And its part between groups of which one never lost to another: no resample of clusters shows the error of their
    difference, as the gap is in all of them. 0 without such groups.
    """
    met = battles.counts.sum(axis=1, keepdims=True)
    wins, ties = replace(battles, counts=battles.counts / np.where(met > 0, met, 1.0)).tables()
    k = len(battles.algorithms)
    covariance = fitted(wins[None], ties[None], davidson, firth).covariance[0, :k, :k]
    group = connected_components(wins + ties > 0, connection="strong")[1]
    mean = (group[:, None] == group).astype(np.float64)
    mean /= mean.sum(axis=1, keepdims=True)
    return covariance, mean @ covariance @ mean.T


def largest_differences(covariance: Array, df: float | None, seed: int | None) -> Array:
    """Sorted draws of the largest |θ_i − θ_j|/SE of all pairs where no two strengths differ; of many pairs over few
    clusters infinite, which leaves Bonferroni.

    Multivariate normal, or t with ``df``. Over few clusters the errors of two pairs vary nearly by themselves: of q
    further vectors Z_l the variance is V + √(q/df)·(Σ_l (Z_li − Z_lj)²/q − V), as variable as one with ``df``. The
    common denominator of the multivariate t makes intervals too short there.
    """
    rng = generator(seed)
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    k, own = len(covariance), np.diagonal(covariance)
    q = 0 if df is None or df > MANY else max(1, min(VECTORS, int(df)))
    if q and k > DRAWN:
        return np.full(1, np.inf)
    share = 0.0 if df is None or not q else math.sqrt(min(q / df, 1.0))
    variances = [(own[i] + own[i + 1 :] - 2 * covariance[i, i + 1 :])[:, None] for i in range(k - 1)]
    largest = []
    at_once = max(1, min(DRAWS, PAIR_DRAWS // (k * (k - 1) // 2)))
    for start in range(0, DRAWS, at_once):
        b = min(at_once, DRAWS - start)
        drawn, *others = (np.ascontiguousarray((rng.standard_normal((b, k)) @ root.T).T) for _ in range(1 + q))
        maxima = np.zeros(b)  # squares
        for part in (slice(first, first + IN_CACHE) for first in range(0, b, IN_CACHE)):
            for i, variance in enumerate(variances):
                t = drawn[i, part] - drawn[i + 1 :, part]
                t *= t
                squares = sum((z[i, part] - z[i + 1 :, part]) ** 2 for z in others)
                t /= variance + share * (squares / q - variance) if q else variance
                np.maximum(maxima[part], t.max(axis=0), out=maxima[part])
        largest.append(np.sqrt(maxima if df is None or q else maxima / (rng.chisquare(df, b) / df)))
    return np.sort(np.concatenate(largest))
