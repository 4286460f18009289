"""Step functions: the share of problems within τ."""

from __future__ import annotations

import numpy as np

from bakeoff.ranks.ties import TIE_ULPS
from bakeoff.scores import Array


def steps_of(distances: Array, first: float | None) -> Array:
    """(T,) where any of the curves may rise, after the distance of the best itself."""
    found = np.unique(distances[np.isfinite(distances)])
    if first is None or (len(found) and found[0] == first):
        return found if len(found) else np.zeros(1)
    return np.concatenate([[first], found])


def shares_within(distances: Array, tau: Array) -> Array:
    """(k, T): the share of the n problems whose distance is at most τ."""
    n = len(distances)
    return np.stack([np.searchsorted(np.sort(column), tau, side="right") for column in distances.T]) / n


def just_above(tau: Array) -> Array:
    """τ with the tolerance of ties: 0.6 is at most 3 times 0.2, though not in binary."""
    return np.asarray(tau + TIE_ULPS * np.spacing(np.abs(tau)))
