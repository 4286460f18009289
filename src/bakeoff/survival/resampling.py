"""The paired bootstrap: problems (whole clusters of them) drawn again, with all algorithms on each."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr, stdtrit

from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes

_PAIRS = 1000  # at a time


def drawn_weights(groups: int, n_resamples: int, rng: np.random.Generator) -> Array:
    """(B, G): how often each cluster is in each resample."""
    return np.asarray(rng.multinomial(groups, np.full(groups, 1.0 / groups), size=n_resamples), dtype=np.float64)


def resampled_means(values: Array, codes: Codes, weights: Array) -> Array:
    """(B, q): means over the problems, of values (n, q), in each resample of the clusters."""
    sizes = np.bincount(codes).astype(np.float64)
    sums = values
    if len(sizes) < len(codes):
        sums = np.zeros((len(sizes), values.shape[1]))
        np.add.at(sums, codes, values)
    return np.asarray((weights @ sums) / (weights @ sizes)[:, None])


def expanded(alpha: float, groups: int) -> float:
    """2Φ(−√(G/(G − 1))·t) with t of G − 1 degrees of freedom: the share to leave out where alpha is wanted.

    Percentiles are as narrow as a z interval with the biased variance; these are as wide as t's (Hesterberg 2015).
    """
    t = -float(stdtrit(groups - 1, alpha / 2)) if groups > 1 else math.inf
    return 2 * float(ndtr(-math.sqrt(groups / max(groups - 1, 1)) * t))


def percentile_intervals(draws: Array, alpha: float) -> list[tuple[float, float]]:
    """Of each column of draws (B, q), rounded so that they do not depend on how a machine multiplies matrices."""
    low, high = np.quantile(draws, (alpha / 2, 1 - alpha / 2), axis=0)
    return [(to_ten_digits(x), to_ten_digits(y)) for x, y in zip(low.tolist(), high.tolist(), strict=True)]


def pair_intervals(draws: Array, pairs: Sequence[tuple[int, int]], alpha: float) -> list[tuple[float, float]]:
    """Of b less a, for each pair of columns (a, b)."""
    found = []
    for first in range(0, len(pairs), _PAIRS):
        a, b = np.array(pairs[first : first + _PAIRS]).T
        found += percentile_intervals(draws[:, b] - draws[:, a], alpha)
    return found


def to_ten_digits(value: float) -> float:
    return float(f"{value:.10g}")
