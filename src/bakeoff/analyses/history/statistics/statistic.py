"""The largest standardised rank sum of the first t of T values, over the splits t.

    M = max over h ≤ t ≤ T − h of |Σ_{i≤t} (R_i − (T + 1)/2)| / √(t (T − t) (T + 1)/12)

Pettitt (1979) without the standardisation; with it a step near an end counts as much as one in the middle.
"""

import numpy as np
import numpy.typing as npt

from bakeoff.ranks.ties import doubled_tied_ranks
from bakeoff.scores import Array


def midranks(values: Array) -> Array:
    """Ranks from 1 on, averages where values are equal, within rounding."""
    return doubled_tied_ranks(values, np.abs(values)) / 2.0


def split_statistics(ranks: Array, h: int) -> Array:
    """Of rows of ranks (m, T): the standardised sums at the splits h, …, T − h."""
    total = ranks.shape[-1]
    t = np.arange(h, total - h + 1)
    sums = np.cumsum(ranks - (total + 1) / 2.0, axis=-1)[..., t - 1]
    return np.asarray(np.abs(sums) / np.sqrt(t * (total - t) * (total + 1) / 12.0))


def largest_split(values: Array, h: int) -> tuple[float, int]:
    """M, and the first t that has it."""
    statistics = split_statistics(midranks(values), h)
    best = int(np.argmax(statistics > statistics.max() - 1e-12))
    return float(statistics[best]), best + h


def permuted_maxima(ranks: Array, orders: npt.NDArray[np.intp], h: int) -> Array:
    """M of the ranks in each of these orders (m, T)."""
    return np.asarray(split_statistics(ranks[orders], h).max(axis=-1))


def serial_products(ranks: Array) -> tuple[float, float]:
    """By how much the products of neighbours exceed their mean over all orders of these ranks, and their variance.

    Wald and Wolfowitz (1943), Ann. Math. Statist. 14, 378–388. The mean of n centred ranks is −1/n of their squares,
    which is far from 0 in short segments. (0, 0) below four.
    """
    n = len(ranks)
    if n < 4:
        return 0.0, 0.0
    x = ranks - ranks.mean()
    squares, fourths = float((x**2).sum()), float((x**4).sum())
    pairs = (squares**2 - fourths) / n  # n − 1 times the mean of x²y²
    chains = 2.0 * (2.0 * fourths - squares**2) / (n * (n - 1))  # 2(n − 2) times that of x²yz
    apart = (3.0 * squares**2 - 6.0 * fourths) / (n * (n - 1))  # (n − 2)(n − 3) times that of wxyz
    return float((x[1:] * x[:-1]).sum()) + squares / n, pairs + chains + apart - (squares / n) ** 2
