"""Do the runs of two sides spread equally? Rank-sum tests need it: they are exact if both have one distribution."""

import numpy as np
import numpy.typing as npt

from bakeoff.nulls.tails import t_two_sided
from bakeoff.scores import Array

LEVEL = 0.05  # of false alarms among tables without unequal spreads


def spread_pvalues(first: Array, second: Array) -> Array:
    """(n,) of runs (n, r), NaN where there is none; 1 where nothing varies, or a side has infinite runs or one.

    Brown and Forsythe's test (1974): Student's t of the distances of runs from the median of their side.
    """
    with np.errstate(all="ignore"):
        d0, d1 = (np.abs(runs - np.nanmedian(runs, axis=1, keepdims=True)) for runs in (first, second))
        n0, n1 = ((~np.isnan(runs)).sum(axis=1) for runs in (first, second))
        pooled = (n0 * np.nanvar(d0, axis=1) + n1 * np.nanvar(d1, axis=1)) / (n0 + n1 - 2)
        t = (np.nanmean(d1, axis=1) - np.nanmean(d0, axis=1)) / np.sqrt(pooled * (1 / n0 + 1 / n1))
    known = np.isfinite(t) & (np.minimum(n0, n1) > 1)
    p = np.ones(len(t))
    p[known] = t_two_sided(t[known], (n0 + n1 - 2)[known])[0]
    return p


def found_unequal(pvalues: Array) -> "npt.NDArray[np.intp]":
    """Where spreads are unequal, of all tests of a table: a false discovery rate of 5 % (Benjamini & Hochberg 1995).

    The p-values up to the largest p_(i) <= 5 % · i/m.
    """
    ordered = np.sort(pvalues)
    small = ordered[ordered <= LEVEL * np.arange(1, len(ordered) + 1) / len(ordered)]
    return np.flatnonzero(pvalues <= small[-1]) if len(small) else np.zeros(0, dtype=np.intp)
