"""Simultaneous bands of a profile: one half-width for the whole curve of an algorithm.

The larger of two: the quantile of sup_τ |ρ*(τ) − ρ(τ)| over problems (clusters) drawn again, and the bound of
Dvoretzky, Kiefer and Wolfowitz with Massart's constant, √(ln(2/α) / 2n), which holds for any number of independent
problems; without it, curves of few steps (0 or 1 nearly everywhere) would have a band of no width.
"""

from __future__ import annotations

import math

import numpy as np

from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes, cluster_sizes

_CHUNK = 1 << 21  # numbers at a time; fixed, so that the answer does not depend on the machine


def dkw(n: float, band: float) -> float:
    """√(ln(2/α) / 2n): P(sup |F_n − F| > it) ≤ α (Massart 1990)."""
    return math.sqrt(math.log(2 / (1 - band)) / (2 * n))


def effective_clusters(codes: Codes) -> float:
    """n² / Σ m_g²: the number of equal clusters whose mean varies as much at most; G if they are equal."""
    sizes = cluster_sizes(codes)
    return float(len(codes)) ** 2 / float((sizes.astype(float) ** 2).sum())


def half_widths(distances: Array, codes: Codes, band: float, n_resamples: int, rng: np.random.Generator) -> Array:
    """(k,) of the band around each curve."""
    floor = dkw(effective_clusters(codes), band)
    groups = int(codes.max()) + 1
    sups = []
    per_chunk = max(1, _CHUNK // max(len(codes), groups))
    for first in range(0, n_resamples, per_chunk):
        size = min(per_chunk, n_resamples - first)
        drawn = rng.multinomial(groups, np.full(groups, 1 / groups), size)
        sups.append(suprema(distances, drawn[:, codes]))
    place = min(n_resamples, math.ceil(band * (n_resamples + 1))) - 1
    drawn_widths = np.sort(np.concatenate(sups), axis=0)[place]
    return np.asarray(np.maximum(drawn_widths, floor))


def suprema(distances: Array, weights: Array | Codes) -> Array:
    """(B, k): sup_τ |Σ w_i 1{d_i ≤ τ} / Σ w_i − ρ(τ)|, for each row of weights (B, n)."""
    n, k = distances.shape
    totals = weights.sum(axis=1, keepdims=True)
    found = np.zeros((len(weights), k))
    for j in range(k):
        order = np.argsort(distances[:, j], kind="stable")
        ordered = distances[order, j]
        ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True) & np.isfinite(ordered))
        if not len(ends):
            continue
        risen = np.cumsum(weights[:, order], axis=1)[:, ends] / totals
        found[:, j] = np.abs(risen - (ends + 1) / n).max(axis=1)
    return found
