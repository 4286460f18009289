"""The compiled twin of ``walsh_averages.walsh_order_statistics`` for long lists: the same sums of the same floats.

Imported only through ``bakeoff.accelerator``. With h ascending, how many h_i + h_j (i ≤ j) are up to t is one pass with
two pointers. Interpolation of these counts, and bisection where it does not help, closes in on a place; what lies
between the last two thresholds is listed and sorted.
"""

from typing import Any

import numpy as np
from numba import njit

STEPS, MOST = 200, 60_000  # thresholds that are tried for a place, and sums that are listed at most


@njit(cache=True, nogil=True)
def sums_up_to(halves: Any, t: Any) -> Any:
    """The number of sums h_i + h_j, i ≤ j, up to t."""
    n, j = len(halves), len(halves) - 1
    up_to = 0
    for i in range(n):
        while j >= i and halves[i] + halves[j] > t:
            j -= 1
        if j < i:
            break
        up_to += j - i + 1
    return up_to


@njit(cache=True, nogil=True)
def sums_between(halves: Any, low: Any, high: Any, size: Any) -> Any:
    """The ``size`` sums above ``low`` and up to ``high``, ascending."""
    n, place = len(halves), 0
    sums = np.empty(size)
    last = n - 1
    for i in range(n):
        while last >= i and halves[i] + halves[last] > high:
            last -= 1
        j = last
        while j >= i and halves[i] + halves[j] > low:
            sums[place] = halves[i] + halves[j]
            place += 1
            j -= 1
    sums.sort()
    return sums


@njit(cache=True, nogil=True)
def order_statistics(halves: Any, places: Any, out: Any) -> Any:
    """``out``: the sums of the (finite, ascending) halves at these places, 0 for the smallest.

    False if numbers of very different size leave too many of them.
    """
    n = len(halves)
    for number in range(len(places)):
        place = places[number]
        low, high = 2.0 * halves[0], 2.0 * halves[n - 1]
        below, up_to = sums_up_to(halves, low), n * (n + 1) // 2
        if below > place:
            out[number] = low
            continue
        closed = False  # no number lies between the thresholds
        for step in range(STEPS):
            if up_to - below <= n:
                break
            share = 0.5 if step % 3 == 2 else (place + 0.5 - below) / (up_to - below)
            t = low + share * (high - low)
            if not low < t < high:
                t = 0.5 * low + 0.5 * high
                if not low < t < high:
                    closed = True
                    break
            c = sums_up_to(halves, t)
            if c <= place:
                low, below = t, c
            else:
                high, up_to = t, c
        if not closed and up_to - below > max(n, MOST):
            return False
        out[number] = high if closed else sums_between(halves, low, high, up_to - below)[place - below]
    return True
