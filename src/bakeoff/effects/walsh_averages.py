"""Order statistics of the Walsh averages (d_i + d_j)/2, i ≤ j, without listing them all when there are many.

With d sorted, row i of the half-differences h = d/2 holds h_i + h_j for j ≥ i, ascending; floating-point addition
is monotone, so every row is sorted as computed, and counting and selecting are exact. The pivot of each step is
the weighted median of the rows' middles: at least a quarter of the candidates is discarded (Johnson & Mizoguchi
1978). Once few are left they are listed and partitioned; if few from the start, sorted.
"""

from collections.abc import Sequence

import numpy as np

from bakeoff.ranks import Ints
from bakeoff.scores import Array

LISTED = 1_000_000
"""How many candidates are listed at once (8 MB): all Walsh averages up to about 1400 differences."""


def walsh_order_statistics(differences: Array, places: Sequence[int], listed: int = LISTED) -> list[float]:
    """The Walsh averages at these places, 0 for the smallest, in n(n+1)/2."""
    halves = np.sort(differences) / 2
    n = len(halves)
    if n * (n + 1) // 2 <= listed:
        averages = _list(halves, np.arange(n), np.full(n, n))
        averages.sort()  # with the instructions of today's processors faster than a partition at several places
        return [float(averages[place]) for place in places]
    return [_select(halves, place, listed) for place in places]


def _select(halves: Array, place: int, listed: int) -> float:
    """One order statistic: shrink the candidates, columns low[i]..high[i] of row i, about it."""
    n = len(halves)
    low, high = np.arange(n), np.full(n, n)
    below = 0  # averages known to be smaller than every candidate
    while int((high - low).sum()) > listed:
        pivot = _pivot(halves, low, high)
        less = _columns_up_to(halves, pivot, low, high, inclusive=False)
        up_to = _columns_up_to(halves, pivot, less, high, inclusive=True)
        smaller = below + int((less - low).sum())
        if place < smaller:
            high = less
        elif place < smaller + int((up_to - less).sum()):
            return pivot
        else:
            below = below + int((up_to - low).sum())
            low = up_to
    rest = _list(halves, low, high)
    return float(np.partition(rest, place - below)[place - below])


def _pivot(halves: Array, low: Ints, high: Ints) -> float:
    """The weighted median of the rows' middle candidates, rows weighted by their number of candidates."""
    rows = np.flatnonzero(high > low)
    middles = halves[rows] + halves[(low[rows] + high[rows]) // 2]
    order = np.argsort(middles, kind="stable")
    weight = np.cumsum((high - low)[rows][order])
    return float(middles[order[np.searchsorted(weight, weight[-1] / 2)]])


def _columns_up_to(halves: Array, pivot: float, low: Ints, high: Ints, inclusive: bool) -> Ints:
    """For each row the first column in low..high whose average is above the pivot (or not below it): bisection."""
    start, end = low.copy(), high.copy()
    while (start < end).any():
        middle = (start + end) // 2
        average = halves + halves[np.minimum(middle, len(halves) - 1)]
        before = (average <= pivot) if inclusive else (average < pivot)
        before &= start < end
        start = np.where(before, middle + 1, start)
        end = np.where(before, end, np.minimum(middle, end))
    return start


def _list(halves: Array, low: Ints, high: Ints) -> Array:
    """The candidates of all rows, one after another."""
    widths = np.maximum(high - low, 0)
    rows = np.repeat(np.arange(len(halves)), widths)
    starts = np.cumsum(widths) - widths
    columns = np.arange(len(rows)) - np.repeat(starts - low, widths)
    return np.asarray(halves[rows] + halves[columns])
