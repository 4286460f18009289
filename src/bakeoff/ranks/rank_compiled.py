"""The compiled twins of ``_rank._ranks_by_counting`` and ``_rank._ranks_by_sorting``.

Imported only through ``bakeoff.accelerator``. Both give whole numbers or halves of them:
nothing is rounded. ``unit`` is 1 for doubled ranks, 0.5 for ranks.
"""

from typing import Any

import numpy as np
from numba import njit

LANES = 128
"""Rows compared side by side: one instruction takes several of them, and short numbers let it take more."""

FULLEST = 24
"""Most scores of a row in one bucket for which comparing them is measured to be faster than sorting the row."""


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
def distribute(costs: Any, unit: Any, ranks: Any, left: Any) -> None:
    """The same for long rows, by buckets of equal width between the lowest and the highest score (bucket sort).

    Lower buckets hold lower scores, because rounding keeps the order; scores of one bucket are compared with each
    other. Rows with a bucket too full, or whose range is 0, tiny or infinite, are marked in ``left`` (n,), unranked.
    """
    n, k = costs.shape
    n_buckets = 4 * k
    bucket, order = np.empty(k, np.uint32), np.empty(k, np.uint32)
    starts, one = np.empty(n_buckets + 1, np.uint32), np.uint32(1)
    values, doubled = np.empty(k, np.float64), np.empty(k, np.int64)
    for i in range(n):
        row = costs[i]
        lowest, highest, low, high = row[0], row[0], row[k - 1], row[k - 1]
        for j in range(0, k - 1, 2):  # two by two: neither waits for the other
            x, y = row[j], row[j + 1]
            lowest, highest = x if x < lowest else lowest, x if x > highest else highest
            low, high = y if y < low else low, y if y > high else high
        lowest, highest = min(lowest, low), max(highest, high)
        width = highest - lowest
        if not 1e-290 < width < 1e300:
            left[i] = True
            continue
        per_unit = (n_buckets - 1) / width
        starts[:] = 0
        for j in range(k):
            bucket[j] = np.uint32(np.int32((row[j] - lowest) * per_unit))
        for j in range(k):
            starts[bucket[j]] += one
        before, fullest = np.uint32(0), np.uint32(0)
        for b in range(n_buckets):
            inside = starts[b]
            starts[b] = before
            before += inside
            fullest = max(fullest, inside)
        if fullest > FULLEST:
            left[i] = True
            continue
        for j in range(k):
            place = starts[bucket[j]]
            starts[bucket[j]] = place + one
            order[place] = np.uint32(j)
            values[place] = row[j]
        for place in range(k):
            doubled[place] = 2 * (place + 1)
        for apart in range(1, np.int64(fullest)):  # in place, every score is below the next unless they share a bucket
            lower, upper = values[: k - apart], values[apart:]
            up, down = doubled[: k - apart], doubled[apart:]
            for place in range(k - apart):
                up[place] += np.int64(lower[place] >= upper[place]) + np.int64(lower[place] > upper[place])
            for place in range(k - apart):  # two loops: each takes several scores in one instruction
                down[place] -= np.int64(lower[place] >= upper[place]) + np.int64(lower[place] > upper[place])
        for place in range(k):
            ranks[i, order[place]] = doubled[place] * unit


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
