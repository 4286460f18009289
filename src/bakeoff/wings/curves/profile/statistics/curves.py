"""Step functions: the share of problems within τ."""

from __future__ import annotations

import numpy as np

from bakeoff.ranks.ties import tie_tolerance
from bakeoff.scores import Array

EVEN = 1 << 40
"""Shares of rows that do not count equally are rounded to multiples of its inverse."""


def steps_of(distances: Array, first: float | None) -> Array:
    """(T,) where any of the curves may rise, after the distance of the best itself."""
    steps = np.unique(distances[np.isfinite(distances)])
    if first is None or (len(steps) and steps[0] == first):
        return steps if len(steps) else np.zeros(1)
    return np.concatenate([[first], steps])


def shares_within(distances: Array, tau: Array, weights: Array | None = None) -> Array:
    """(k, T): the share of the n rows whose distance is at most τ; NaN is within none.

    ``weights`` (n, k), whose columns sum to 1, where rows do not count equally.
    """
    if weights is None:
        within = [np.searchsorted(np.sort(column), tau, side="right") for column in distances.T]
        return np.stack(within) / len(distances)
    order = np.argsort(distances, axis=0, kind="stable")
    heights = np.cumsum(np.take_along_axis(weights, order, axis=0), axis=0)
    heights = np.vstack([np.zeros((1, distances.shape[1])), heights]).round(14)
    ordered = np.take_along_axis(distances, order, axis=0)
    return np.stack([heights[np.searchsorted(ordered[:, j], tau, side="right"), j] for j in range(ordered.shape[1])])


def just_above(tau: Array) -> Array:
    """τ with the tolerance of ties: 0.6 is at most 3 times 0.2, though not in binary."""
    return np.asarray(tau + tie_tolerance(np.abs(tau)))
