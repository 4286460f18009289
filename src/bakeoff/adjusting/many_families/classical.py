"""The corrections that order p-values, of many families at once."""

import numpy as np

from bakeoff.adjusting.arithmetic import ORDINARY
from bakeoff.adjusting.methods import CONTROL_METHODS
from bakeoff.adjusting.shaffer_counts import most_true
from bakeoff.scores import Array


def adjusted_columns(p: Array, method: str) -> Array:
    """``bo.adjust`` of each column."""
    order = np.argsort(p, axis=0)
    ordered = np.take_along_axis(p, order, axis=0)
    adjusted = np.empty_like(p)
    raw = _closed_simes(ordered) if method == "hommel" else CONTROL_METHODS[method].function(ordered, ORDINARY)
    values = np.maximum.accumulate(np.clip(raw, ordered, 1.0), axis=0)
    np.put_along_axis(adjusted, order, values, axis=0)
    return adjusted


def _closed_simes(p: Array) -> Array:
    """Hommel's: min over i of max(i·p, largest Simes p-value of more than i), p increasing along the columns."""
    m = len(p)
    best, worst = np.full_like(p, np.inf), np.zeros(p.shape[1:])
    for size in range(m, 0, -1):
        np.minimum(best, np.maximum(size * p, worst), out=best)
        share = size / np.arange(1.0, size + 1.0)
        np.maximum(worst, (p[m - size :] * share[:, None]).min(axis=0), out=worst)
    return best


def shaffer_columns(p: Array, k: int) -> Array:
    """Shaffer's static procedure for all pairs of k algorithms."""
    order = np.argsort(p, axis=0, kind="stable")
    ordered = np.take_along_axis(p, order, axis=0)
    adjusted = np.empty_like(p)
    values = np.maximum.accumulate(ordered * most_true(k)[:, None].astype(np.float64), axis=0)
    np.put_along_axis(adjusted, order, np.clip(values, ordered, 1.0), axis=0)
    return adjusted
