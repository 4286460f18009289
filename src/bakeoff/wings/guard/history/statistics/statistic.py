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


def _deviations(total: int, h: int) -> Array:
    """Standard deviations of the sums at the splits h, …, T − h."""
    t = np.arange(h, total - h + 1)
    return np.asarray(np.sqrt(t * (total - t) * (total + 1) / 12.0))


def largest_split(values: Array, h: int) -> tuple[float, int]:
    """M, and the first t that has it."""
    total = len(values)
    sums = np.cumsum(midranks(values) - (total + 1) / 2.0)[h - 1 : total - h]
    statistics = np.abs(sums) / _deviations(total, h)
    best = int(np.argmax(statistics > statistics.max() - 1e-12))
    return float(statistics[best]), best + h


_CELLS = 10_000  # sums at once: they stay in the processor's cache


def permuted_maxima(ranks: Array, orders: npt.NDArray[np.intp], h: int) -> Array:
    """M of the largest of these series (T, k) in each of these orders (T, m)."""
    total, k = ranks.shape
    centred, deviations = ranks - (total + 1) / 2.0, _deviations(total, h)
    maxima, block = np.empty(orders.shape[1]), max(1, _CELLS // k)
    for first in range(0, len(maxima), block):
        some = orders[:, first : first + block]
        sums, largest, now = np.zeros((3, some.shape[1], k))
        for t in range(1, total - h + 1):
            sums += centred.take(some[t - 1], axis=0, out=now, mode="clip")
            if t >= h:
                np.divide(np.abs(sums, out=now), deviations[t - h], out=now)
                np.maximum(largest, now, out=largest)
        largest.max(axis=1, out=maxima[first : first + block])
    return maxima


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
