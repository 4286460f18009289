"""A table as the means of its columns and the deviations from them, for tables that are made of both.

Two columns that differ by the same everywhere deviate from their means by the same, but for rounding. Rounding is not
variation: what is made of their deviations must not differ more in one place than in another.
"""

import numpy as np

from bakeoff.ranks import all_equal
from bakeoff.scores import Array
from bakeoff.scores.cells import column_means

NEAR = 1e-12
"""The share of the squares of two columns that rounding leaves of those of their difference, at most."""


def means_and_deviations(values: Array) -> tuple[Array, Array]:
    """(k,) means and (n, k) deviations of ``values``; one and the same deviation where differences are equal."""
    means = column_means(values)
    away = values - means
    scaled = away / (float(np.abs(away).max(initial=0.0)) or 1.0)
    products = scaled.T @ scaled
    both = np.add.outer(np.diag(products), np.diag(products))
    for a, b in np.argwhere(np.triu(both - 2.0 * products <= NEAR * both, 1)).tolist():
        x, y = values[:, a], values[:, b]
        if all_equal(x - y, np.maximum(np.abs(x), np.abs(y))):
            away[:, b] = away[:, a]
    return means, away
