"""The compiled twin of ``rank_sum.counted_tails``: the same whole numbers, so the same bits in any order.

Imported only through ``bakeoff.accelerator``.
"""

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def ways(steps: Any, most: Any) -> Any:
    """(most + 1, Σ steps + 1) subsets of the (ascending) steps by size and sum."""
    total = steps.sum()
    counts = np.zeros((most + 1, total + 1))
    counts[0, 0] = 1.0
    reached = 0
    for i in range(len(steps)):
        step = steps[i]
        reached += step
        for size in range(min(i + 1, most), 0, -1):
            for s in range(step, reached + 1):
                counts[size, s] += counts[size - 1, s - step]
    return counts


@njit(cache=True, nogil=True)
def counts_of_tails(ranks: Any, m: Any, doubled_sum: Any) -> Any:
    """Subsets of ``m`` of the ascending doubled ranks with at most, and with less than, this sum."""
    n, middle = len(ranks), len(ranks) // 2
    low, high = ranks[0], ranks[middle]
    lower = ways(ranks[:middle] - low, min(m, middle))
    upper = ways(ranks[middle:] - high, min(m, n - middle))
    for size in range(len(upper)):
        for s in range(1, upper.shape[1]):
            upper[size, s] += upper[size, s - 1]
    last = upper.shape[1] - 1
    up_to, less = 0.0, 0.0
    for size in range(max(0, m - n + middle), min(m, middle) + 1):
        other = m - size
        for s in range(lower.shape[1]):
            number = lower[size, s]
            rest = doubled_sum - low * size - high * other - s
            if number and rest >= 0:
                up_to += number * upper[other, min(rest, last)]
                if rest > 0:
                    less += number * upper[other, min(rest - 1, last)]
    return up_to, less
