"""Differences with a long tail to one side, of which a test that needs symmetry says too much."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtri

from bakeoff.scores import Array

TELLING = 0.15  # skewness/√G from which a mean of G units is off: one-sided 0.05 becomes 0.065 (Edgeworth)
_LEVEL = 0.05  # of normal samples, over all columns
_FEWEST = 8  # units: below, the approximation fails


def long_tails(sums: Array, family: int) -> Array:
    """(m,) skewness of centred sums (G, m) over units, 0 where that of one in 20 normal families is as large.

    By D'Agostino's (1970) transformation to a normal variable. Few units hide a tail that is there: a sample of G has a
    skewness of (G − 2)/√(G − 1) at most, and what is rare may not have happened.
    """
    found, n = _skewness(sums), len(sums)
    if n < _FEWEST:
        return np.zeros(len(found))
    y = found * math.sqrt((n + 1) * (n + 3) / (6 * (n - 2)))
    kurtosis = 3 * (n * n + 27 * n - 70) * (n + 1) * (n + 3) / ((n - 2) * (n + 5) * (n + 7) * (n + 9))
    squared = math.sqrt(2 * (kurtosis - 1)) - 1
    z = np.arcsinh(y * math.sqrt((squared - 1) / 2)) / math.sqrt(math.log(squared) / 2)
    certain = np.abs(z) > -float(ndtri(_LEVEL / (2 * family)))
    return np.asarray(np.where(certain & (np.abs(found) > TELLING * math.sqrt(n)), found, 0.0))


def _skewness(values: Array) -> Array:
    """(m,) of the columns; 0 where they do not vary."""
    spread = np.sqrt((values**2).mean(axis=0))
    some = spread > 1e-12 * np.max(np.abs(values), initial=0.0)
    return np.asarray(np.where(some, ((values / np.where(some, spread, 1.0)) ** 3).mean(axis=0), 0.0))
