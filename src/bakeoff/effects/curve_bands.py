"""Simultaneous bands of distribution functions: one half-width for the whole curve (profiles, shares solved in time).

The larger of two: the quantile of sup |F* − F| over problems (clusters) drawn again, and the bound of Dvoretzky, Kiefer
and Wolfowitz with Massart's constant, √(ln(2/α) / 2n), which holds for any number of independent problems; without it,
curves of few steps (0 or 1 nearly everywhere) would have a band of no width.
"""

from __future__ import annotations

import math

import numpy as np

from bakeoff.means.strata import effective_clusters
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes, cluster_sizes


def dkw(n: float, level: float) -> float:
    """√(ln(2/α) / 2n): P(sup |F_n − F| > it) ≤ α = 1 − level (Massart 1990)."""
    return math.sqrt(math.log(2 / (1 - level)) / (2 * n))


def dkw_of_clusters(codes: Codes, level: float) -> float:
    """Of n²/Σm² clusters: as many equal ones, whose problems are copies, vary as much; G if they are equal."""
    return dkw(effective_clusters(cluster_sizes(codes)), level)


def band_half_widths(suprema: Array, codes: Codes, level: float) -> Array:
    """(k,) from sup |F* − F| in resamples (B, k) of clusters."""
    return largest_deviation(suprema, dkw_of_clusters(codes, level), level)


def largest_deviation(suprema: Array, bound: float, level: float) -> Array:
    """(k,) of resamples (B, k): order statistic ⌈level·(B + 1)⌉, at least the bound, at most 1."""
    size = len(suprema)
    place = min(size, math.ceil(level * (size + 1))) - 1
    return np.asarray(np.clip(np.sort(suprema, axis=0)[place], min(1.0, bound), 1.0))
