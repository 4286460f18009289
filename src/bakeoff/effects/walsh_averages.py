"""Order statistics of the Walsh averages (d_i + d_j)/2, i ≤ j, without listing them all when there are many.

With d sorted, row i of the half-differences h = d/2 holds h_i + h_j for j ≥ i, ascending; floating-point addition
is monotone, so every row is sorted as computed, and counting and selecting are exact. Those of some of the differences
show where an order statistic lies, about; how many averages are up to a threshold t is one search of t − h_i for each
row (Monahan 1984). Once few lie between two thresholds they are listed and partitioned, with those within a rounding
of either, so that the result is the number that a full list has at that place.

Where that fails, with infinite differences or differences of very different size, the pivot of each step is the
weighted median of the rows' middles: at least a quarter of the candidates is discarded (Johnson & Mizoguchi 1978).
"""

from collections.abc import Iterator, Sequence
from types import ModuleType

import numpy as np

from bakeoff.accelerator import compiled
from bakeoff.ranks import Ints
from bakeoff.scores import Array

LISTED = 1_000_000
"""The number of candidates listed at once by ``_select`` (8 MB)."""

SORTED = 40_000
"""All averages up to so many (280 differences) are sorted sooner than thresholds are found."""

WORTH_LOADING = 500_000
"""Differences of all pairs from which it is worthwhile to load numba."""

_SAMPLE = 64  # differences whose averages show where the others lie
_FEW, _MANY = 3_000, 60_000  # candidates between thresholds that are welcome, and taken where ties allow no fewer
_ROUNDS = 6


def walsh_order_statistics(differences: Array, places: Sequence[int], listed: int = LISTED) -> list[float]:
    """The Walsh averages at these places, 0 for the smallest, in n(n+1)/2."""
    halves = np.sort(differences) / 2
    n = len(halves)
    if n * (n + 1) // 2 <= min(listed, SORTED):
        averages = _list(halves, np.arange(n), np.full(n, n))
        averages.sort()  # with the instructions of today's processors faster than a partition at several places
        return [float(averages[place]) for place in places]
    finite = bool(np.isfinite(halves[[0, -1]]).all())
    if (
        finite
        and np.isfinite(2.0 * halves[[0, -1]]).all()
        and (twin := compiled(_twin, n >= WORTH_LOADING)) is not None
    ):
        out = np.empty(len(places))
        if twin.order_statistics(halves, np.array(places, dtype=np.int64), out):
            return [float(x) for x in out.tolist()]
    known = dict(_between_thresholds(halves, sorted(set(places)))) if finite else {}
    return [known[place] if place in known else _select(halves, place, min(listed, _MANY)) for place in places]


def _twin() -> ModuleType:
    from bakeoff.effects import walsh_compiled

    return walsh_compiled


def load_walsh_twin(n_pairs: int, n: int) -> None:
    """Load the compiled twin, if there is one, for so many pairs of n differences that it repays that."""
    compiled(_twin, n * (n + 1) // 2 > SORTED and n_pairs * n >= WORTH_LOADING)


def _between_thresholds(halves: Array, places: Sequence[int]) -> Iterator[tuple[int, float]]:
    """The order statistics at those of the (ascending) places for which close thresholds were found."""
    low, high = _thresholds(halves, np.array(places))
    n = len(halves)
    slack = 8.0 * np.finfo(np.float64).eps * max(abs(float(halves[0])), abs(float(halves[-1])))
    rows = np.arange(n)
    for i, place in enumerate(places):
        if not np.isfinite(low[i]) or not np.isfinite(high[i]):
            continue
        start = np.maximum(np.searchsorted(halves, (low[i] - slack) - halves, side="left"), rows)
        stop = np.maximum(np.searchsorted(halves, (high[i] + slack) - halves, side="right"), start)
        if int((stop - start).sum()) > _MANY:
            continue
        below, between = int((start - rows).sum()), _list(halves, start, stop)
        yield place, float(np.partition(between, place - below)[place - below])


def _thresholds(halves: Array, places: Ints) -> tuple[Array, Array]:
    """Two thresholds for each place: at most as many averages are up to one, more up to the other; or infinite."""
    n = len(halves)
    total = n * (n + 1) // 2
    some = halves[np.linspace(0, n - 1, _SAMPLE).round().astype(np.intp)]
    sample = np.sort(_list(some, np.arange(_SAMPLE), np.full(_SAMPLE, _SAMPLE)))
    at = (np.arange(len(sample)) + 0.5) / len(sample)
    low, high = np.full(len(places), -np.inf), np.full(len(places), np.inf)
    under, up_to = np.full(len(places), -total), np.full(len(places), 2 * total)  # averages up to ``low`` and ``high``
    aim, reach = places / total, np.zeros(len(places))
    for attempt in range(_ROUNDS):
        wide = np.flatnonzero(up_to - under > (_FEW if attempt < 3 else _MANY))
        if not len(wide):
            break
        for side in (-1.0, 1.0) if attempt else (0.0,):
            t = np.interp(aim[wide] + side * reach[wide], at, sample)
            count = _up_to(halves, t)
            fewer = count <= places[wide]
            nearer = fewer & (t > low[wide])
            low[wide[nearer]], under[wide[nearer]] = t[nearer], count[nearer]
            nearer = ~fewer & (t < high[wide])
            high[wide[nearer]], up_to[wide[nearer]] = t[nearer], count[nearer]
            if not attempt:
                aim[wide] += (places[wide] - count) / total
        reach = np.where(reach == 0.0, 1_000 / total, 4.0 * reach)
    return low, high


def _up_to(halves: Array, thresholds: Array) -> Ints:
    """The number of averages up to each threshold, but for rounding."""
    n = len(halves)
    descending = halves[::-1]  # so that what is searched ascends, which is faster
    columns = np.searchsorted(halves, (thresholds[:, None] - descending).ravel(), side="right").reshape(-1, n)
    return np.asarray(np.maximum(columns - np.arange(n - 1, -1, -1), 0).sum(axis=1))


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
