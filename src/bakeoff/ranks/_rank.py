"""Ranks within a problem: 1 is best, tied scores share the mean of their ranks."""

import os
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.accelerator import compiled
from bakeoff.ranks.ties import Ints, doubled_tied_ranks, tie_tolerance
from bakeoff.scores import Array, Scores, check_scores, read_only
from bakeoff.takes_table import takes_table

COUNTED, COUNTED_COMPILED = 48, 32
"""Most columns for which counting comparisons is measured to be faster than sorting, in NumPy and compiled."""

ROWS_A_COLUMN = 20
"""Rows for each column beyond the third from which counting in NumPy is: its calls grow with the columns alone."""

WORTH_LOADING, WORTH_CALLING, WORTH_THREADS = 2_000_000, 20_000, 500_000
"""Numbers of scores from which it is worthwhile to load numba, to call the compiled twins, to use several threads."""


@takes_table
def rank(scores: Scores) -> Array:
    """Rank the algorithms within each problem: 1 is best, ties share the mean rank.

    Returns
    -------
    ndarray, shape (n_problems, n_algorithms)
        Each row sums to k(k+1)/2.

    Notes
    -----
    Scores are compared exactly; means over several runs are tied within 16 units in the last place.
    Infinite scores are ordered, equal infinities tie. Derrac et al. (2011), section 4.2, step 2.

    Examples
    --------
    >>> import bakeoff as bo
    >>> s = bo.Scores([[2.711, 3.147, 2.515, 2.612], [7.832, 9.828, 7.832, 7.921]], better="lower")
    >>> bo.rank(s)  # Derrac et al. (2011), Table 8
    array([[3. , 4. , 1. , 2. ],
           [1.5, 4. , 1.5, 3. ]])
    """
    scores = check_scores(scores)
    if scores.runs is None:
        costs = scores.costs
        ranks = np.empty(costs.shape)
        if _filled_by_compiled_twin(ranks, costs, 0.5):
            return read_only(ranks)
    return read_only(doubled_ranks(scores) / 2.0)


def doubled_ranks(scores: Scores) -> Ints:
    """(n, k) twice the mid-ranks within each problem."""
    return doubled_ranks_of(scores.costs, None if scores.runs is None else scores.scales)


def doubled_ranks_of(costs: Array, scales: Array | None) -> Ints:
    """The same of a bare table; ``scales`` are those of means over runs, which are tied within a tolerance."""
    doubled = doubled_row_ranks(costs)
    if scales is not None:
        for i in _rows_with_near_ties(costs, scales):
            doubled[i] = doubled_tied_ranks(costs[i], scales[i])
    return doubled


def doubled_row_ranks(costs: Array) -> Ints:
    """(n, k) twice the mid-ranks within each row, lowest first, comparing exactly.

    Counting comparisons is faster than sorting while rows are short and many; both give the same whole numbers.
    """
    doubled = np.empty(costs.shape, dtype=np.int64)
    if _filled_by_compiled_twin(doubled, costs, 1):
        return doubled
    n, k = costs.shape
    counted = k <= COUNTED and n >= ROWS_A_COLUMN * (k - 3)
    return _ranks_by_counting(costs) if counted else _ranks_by_sorting(costs)


def _twin() -> ModuleType:
    from bakeoff.ranks import rank_compiled

    return rank_compiled


def _filled_by_compiled_twin(ranks: npt.NDArray[Any], costs: Array, unit: float) -> bool:
    """Fill ``ranks`` (n, k), in units of ``unit``, if a compiled twin is available and worth calling.

    On as many processors as there are (up to four), each with rows of its own.
    """
    if costs.size < WORTH_CALLING:
        return False
    fast = compiled(_twin, worth_loading=costs.size >= WORTH_LOADING)
    if fast is None:
        return False
    costs = np.ascontiguousarray(costs, dtype=np.float64)

    def piece(rows: slice) -> None:
        if costs.shape[1] <= COUNTED_COMPILED:
            fast.count(costs[rows], unit, ranks[rows])
        else:
            _distribute(fast, costs[rows], unit, ranks[rows])

    workers = min(4, os.cpu_count() or 1) if costs.size >= WORTH_THREADS else 1
    if workers == 1:
        piece(slice(None))
        return True
    from concurrent.futures import ThreadPoolExecutor  # not at start-up: it brings logging

    edges = [len(costs) * i // workers for i in range(workers + 1)]
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(piece, map(slice, edges[:-1], edges[1:])))
    return True


def _distribute(fast: ModuleType, costs: Array, unit: float, ranks: npt.NDArray[Any]) -> None:
    """By buckets; rows that are too uneven for them, by sorting."""
    uneven = np.zeros(len(costs), dtype=bool)
    fast.distribute(costs, unit, ranks, uneven)
    if uneven.any():
        rest = costs[uneven]
        sorted_ranks = np.empty(rest.shape, dtype=ranks.dtype)
        fast.scan(rest, np.argsort(rest, axis=1), unit, sorted_ranks)
        ranks[uneven] = sorted_ranks


def _ranks_by_counting(costs: Array, chunk: int = 8192) -> Ints:
    """Twice the mid-rank is k + 1 plus the number of lower values minus the number of higher ones."""
    n, k = costs.shape
    doubled = np.empty((n, k), dtype=np.int64)
    for start in range(0, n, chunk):  # a chunk stays in the processor's cache
        columns = np.ascontiguousarray(costs[start : start + chunk].T)
        counts = np.full(columns.shape, k + 1, dtype=np.int16)
        for a in range(k - 1):
            one, others = columns[a], columns[a + 1 :]
            worse = (one > others).view(np.int8) - (one < others).view(np.int8)
            counts[a] += worse.sum(axis=0, dtype=np.int16)
            counts[a + 1 :] -= worse
        doubled[start : start + chunk] = counts.T
    return doubled


def _ranks_by_sorting(costs: Array) -> Ints:
    n, k = costs.shape
    order = np.argsort(costs, axis=1)  # equal scores in any order: they get the same rank
    ordered = np.take_along_axis(costs, order, axis=1)
    starts = np.ones((n, k), dtype=bool)
    starts[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    place = np.arange(k)
    first = np.maximum.accumulate(np.where(starts, place, 0), axis=1)
    ends = np.ones((n, k), dtype=bool)
    ends[:, :-1] = starts[:, 1:]
    last = np.minimum.accumulate(np.where(ends, place, k - 1)[:, ::-1], axis=1)[:, ::-1]
    doubled = np.empty((n, k), dtype=np.int64)
    np.put_along_axis(doubled, order, first + last + 2, axis=1)
    return doubled


def _rows_with_near_ties(costs: Array, scales: Array) -> Ints:
    """Problems in which two cell means are unequal but might be tied within the tolerance."""
    ordered = np.sort(costs, axis=1)
    slack = tie_tolerance(scales).max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", over="ignore"):
        gap = ordered[:, 1:] - ordered[:, :-1]
    return np.flatnonzero(((gap > 0) & (gap <= slack)).any(axis=1)).astype(np.int64)
