"""The compiled twins of ``within._ranks_by_counting`` and of the scan in ``within._ranks_by_sorting``.

Imported only through ``bakeoff.accelerator``. Both give whole numbers or halves of them:
nothing is rounded. ``unit`` is 1 for doubled ranks, 0.5 for ranks.
"""

from typing import Any

import numpy as np
from numba import njit

LANES = 128
"""Rows compared side by side: one instruction takes several of them, and short numbers let it take more."""


@njit(cache=True, nogil=True)
def count(costs: Any, unit: Any, ranks: Any) -> None:
    """``ranks`` (n, k), in units of ``unit``: k + 1 plus the lower values in the row, minus the higher ones."""
    n, k = costs.shape
    columns, sums = np.empty((k, LANES), np.float64), np.empty((k, LANES), np.int16)
    for start in range(0, n, LANES):
        rows = min(LANES, n - start)
        for i in range(rows):
            for j in range(k):
                columns[j, i] = costs[start + i, j]
        sums[:] = k + 1
        for a in range(k - 1):
            for b in range(a + 1, k):
                for i in range(LANES):
                    x, y = columns[a, i], columns[b, i]
                    worse = np.int16(x > y) - np.int16(x < y)
                    sums[a, i] += worse
                    sums[b, i] -= worse
        for i in range(rows):
            for j in range(k):
                ranks[start + i, j] = sums[j, i] * unit


@njit(cache=True, nogil=True)
def scan(costs: Any, order: Any, unit: Any, ranks: Any) -> None:
    """The same from ``order`` (n, k), the sorting permutation of each row: first and last place of a tied group."""
    n, k = costs.shape
    for i in range(n):
        first = 0
        for place in range(1, k + 1):
            if place == k or costs[i, order[i, place]] != costs[i, order[i, first]]:
                for tied in range(first, place):
                    ranks[i, order[i, tied]] = (first + place + 1) * unit
                first = place
