"""Ranks within a problem, aligned ranks, weighted (Quade) ranks; rank 1 is always best.

Tied values share the mean of their ranks. Inside the package ranks travel *doubled*, as integers, so that
sums are exact and do not depend on the order of problems or algorithms.

Ties are decided on decimals: 0.3 − 0.2 and 0.2 − 0.1 are the same difference, though not in binary. Derived
quantities (differences, aligned observations, ranges, cell means over runs) are tied when they differ by no
more than ``TIE_ULPS`` units in the last place of the largest score that entered either of them. Values are
sorted; a value joins a group while it is tied with the group's first member.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from bakeoff.errors import OverflowingScoreError, ParameterError
from bakeoff.scores import Array, Scores, check_scores, read_only

Ints = npt.NDArray[np.int64]

_BELOW_LARGEST = math.nextafter(np.finfo(np.float64).max, 0.0)  # the same unit; that of the largest itself overflows

TIE_ULPS = 16
"""Tolerance for ties between derived quantities, in units in the last place of the largest score; 0: none."""


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
    return read_only(doubled_ranks(check_scores(scores)) / 2.0)


def rank_aligned(scores: Scores) -> Array:
    """Rank all n·k observations together after subtracting each problem's mean: 1 is best.

    When to use: few algorithms (k ≤ 4 or 5), and score differences are comparable between problems.

    Returns
    -------
    ndarray, shape (n_problems, n_algorithms)
        Ranks in 1..kn.

    Raises
    ------
    InfiniteScoreError
        Alignment takes differences.

    Notes
    -----
    Hodges & Lehmann (1962); Derrac et al. (2011), section 4.2.

    Examples
    --------
    >>> import bakeoff as bo
    >>> s = bo.Scores([[2.711, 3.147, 2.515, 2.612], [7.832, 9.828, 7.832, 7.921],
    ...                [0.012, 0.532, 0.122, 0.005], [3.431, 4.111, 3.401, 3.401]], better="lower")
    >>> bo.rank_aligned(s)[0]  # Derrac et al. (2011), Table 9
    array([12., 14.,  4., 10.])
    """
    return read_only(doubled_aligned_ranks(check_scores(scores)) / 2.0)


def rank_weighted(scores: Scores, weights: npt.ArrayLike | None = None) -> Array:
    """Ranks within each problem times the rank Q_i of the problem's importance (Quade).

    Parameters
    ----------
    scores : Scores
    weights : array_like (n_problems,), optional
        Your own order of importance, fixed before looking at the results (García et al. 2010, section 4.2);
        only its ranks are used. Default: the range of the scores in each problem.

    Returns
    -------
    ndarray, shape (n_problems, n_algorithms)
        W_ij = Q_i · r_ij, not centred.

    Examples
    --------
    >>> import bakeoff as bo
    >>> s = bo.Scores([[2.711, 3.147, 2.515, 2.612], [7.832, 9.828, 7.832, 7.921],
    ...                [0.012, 0.532, 0.122, 0.005], [3.431, 4.111, 3.401, 3.401]], better="lower")
    >>> bo.rank_weighted(s)[1]  # Derrac et al. (2011), Table 10
    array([ 6., 16.,  6., 12.])
    """
    scores = check_scores(scores)
    return read_only(doubled_problem_ranks(scores, weights)[:, None] * doubled_ranks(scores) / 4.0)


def doubled_ranks(scores: Scores) -> Ints:
    """(n, k) twice the mid-ranks within each problem."""
    costs = scores.costs
    doubled = doubled_row_ranks(costs)
    if scores.runs is not None:
        scales = scores.scales
        for i in _rows_with_near_ties(costs, scales):
            doubled[i] = doubled_tied_ranks(costs[i], scales[i])
    return doubled


def doubled_row_ranks(costs: Array) -> Ints:
    """(n, k) twice the mid-ranks within each row, lowest first, comparing exactly.

    Counting comparisons beats sorting while rows are short (measured: up to about 24 columns).
    """
    return _ranks_by_counting(costs) if costs.shape[1] <= 24 else _ranks_by_sorting(costs)


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
    order = np.argsort(costs, axis=1, kind="stable")
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


def doubled_aligned_ranks(scores: Scores) -> Ints:
    """(n, k) twice the aligned ranks, in 2..2kn."""
    scores.require_finite("Aligned ranks")
    costs = scores.costs
    centres = np.array([_mean(row) for row in costs.tolist()])
    with np.errstate(over="ignore"):
        aligned = costs - centres[:, None]
    refuse_overflow(aligned, "Aligned ranks")
    scales = np.broadcast_to(scores.scales.max(axis=1)[:, None], costs.shape)
    doubled = doubled_tied_ranks(aligned.ravel(), scales.ravel()).reshape(costs.shape)
    return _keep_order_within_problems(doubled, doubled_ranks(scores), costs)


def _keep_order_within_problems(doubled: Ints, within: Ints, costs: Array) -> Ints:
    """Scores of one problem move together, so unequal ones stay unequal, though one huge score among them makes a
    tolerance that swallows the others: ties that contradict ``within`` are decided again, on exact decimals.
    """
    order = np.argsort(within, axis=1, kind="stable")
    inside, outside = np.take_along_axis(within, order, axis=1), np.take_along_axis(doubled, order, axis=1)
    swallowed = (inside[:, 1:] != inside[:, :-1]) & (outside[:, 1:] == outside[:, :-1])
    settled = doubled.copy()
    for tied in np.unique(outside[:, 1:][swallowed]).tolist():
        rows, columns = np.nonzero(doubled == tied)
        exact = {i: _aligned_exactly(costs[i].tolist(), within[i].tolist()) for i in set(rows.tolist())}
        values = [exact[i][j] for i, j in zip(rows.tolist(), columns.tolist(), strict=True)]
        places = {value: float(place) for place, value in enumerate(sorted(set(values)))}
        ranks = doubled_row_ranks(np.array([[places[value] for value in values]]))[0]
        settled[rows, columns] = tied - len(values) - 1 + ranks
    return settled


def _aligned_exactly(costs: list[float], within: list[int]) -> list[Fraction]:
    """The scores of one problem less their mean, as the decimals they show; tied ones have the same value."""
    shown = {rank: Fraction(repr(cost)) for cost, rank in sorted(zip(costs, within, strict=True), reverse=True)}
    centre = sum(shown[rank] for rank in within) / Fraction(len(within))
    return [shown[rank] - centre for rank in within]


def doubled_problem_ranks(scores: Scores, weights: npt.ArrayLike | None = None) -> Ints:
    """(n,) twice Q_i: mid-ranks of the problems' ranges, or of the user's weights."""
    if weights is not None:
        return doubled_row_ranks(_weights(weights, scores.n_problems)[None, :]).ravel()
    scores.require_finite("Quade's ranks of problems by range")
    with np.errstate(over="ignore"):
        ranges = scores.values.max(axis=1) - scores.values.min(axis=1)
    refuse_overflow(ranges, "Quade's ranks of problems by range")
    return doubled_tied_ranks(ranges, scores.scales.max(axis=1))


def doubled_tied_ranks(values: Array, scales: Array, ulps: int | None = None) -> Ints:
    """(m,) twice the mid-ranks of derived quantities, tied within ``ulps`` of the scores behind them."""
    labels = tie_groups(values, scales, ulps)
    sizes = np.bincount(labels)
    last = np.cumsum(sizes)
    return (2 * last - sizes + 1)[labels].astype(np.int64)


def tie_groups(values: Array, scales: Array, ulps: int | None = None) -> Ints:
    """(m,) the group of each value, 0 for the lowest; members are tied with the first of their group.

    Equal values are always together, and the smallest of their tolerances speaks for them: so the groups do not
    depend on the order of the input.
    """
    order = np.argsort(values)
    ordered = values[order]
    new = np.ones(len(values), dtype=bool)
    new[1:] = ordered[1:] != ordered[:-1]
    firsts = np.flatnonzero(new)
    v = ordered[firsts]
    t = np.minimum.reduceat(tie_tolerance(scales, ulps)[order], firsts)
    starts = np.ones(len(v), dtype=bool)
    for lo, hi in _stretches(v, t):
        first = lo
        for i in range(lo + 1, hi):
            starts[i] = v[i] - v[first] > max(t[first], t[i])
            if starts[i]:
                first = i
    labels = np.empty(len(values), dtype=np.int64)
    labels[order] = (np.cumsum(starts) - 1)[np.cumsum(new) - 1]
    return labels


def tie_tolerance(scales: Array, ulps: int | None = None) -> Array:
    """The distance within which a quantity made from scores as large as ``scales`` is tied; 0 if infinite."""
    finite = np.isfinite(scales)
    units = np.spacing(np.where(finite, np.minimum(scales, _BELOW_LARGEST), 1.0))
    return (TIE_ULPS if ulps is None else ulps) * np.where(finite, units, 0.0)


def refuse_overflow(derived: Array, method: str) -> None:
    """Differences of scores near the largest float are infinite: say so instead of ranking them."""
    if not np.isfinite(derived).all():
        raise OverflowingScoreError(f"{method}: scores are too large to subtract (beyond 1e308); rescale the table")


def _stretches(v: Array, t: Array) -> list[tuple[int, int]]:
    """Where distinct sorted values might be tied: only these need the sequential rule.

    Between i and i+1 nothing is tied if no earlier value reaches v[i+1] and no later one reaches back to v[i].
    """
    if len(v) < 2:
        return []
    with np.errstate(invalid="ignore", over="ignore"):
        reach = np.maximum.accumulate(v + t)[:-1]
        back = np.minimum.accumulate((v - t)[::-1])[::-1][1:]
        linked = (reach >= v[1:]) | (back <= v[:-1])
    edges = np.flatnonzero(np.diff(np.concatenate(([0], linked.astype(np.int8), [0]))))
    return [(int(lo), int(hi) + 1) for lo, hi in zip(edges[::2], edges[1::2], strict=True)]


def _rows_with_near_ties(costs: Array, scales: Array) -> Ints:
    """Problems in which two cell means are unequal but might be tied within the tolerance."""
    ordered = np.sort(costs, axis=1)
    slack = tie_tolerance(scales).max(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", over="ignore"):
        gap = ordered[:, 1:] - ordered[:, :-1]
    return np.flatnonzero(((gap > 0) & (gap <= slack)).any(axis=1)).astype(np.int64)


def _mean(row: list[float]) -> float:
    """Correctly rounded sum, so that the order of the algorithms cannot matter."""
    try:
        return math.fsum(row) / len(row)
    except OverflowError:
        return math.fsum(x / len(row) for x in row)


def _weights(weights: npt.ArrayLike, n: int) -> Array:
    try:
        values: npt.NDArray[Any] = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"weights must be finite numbers: {error}") from None
    if values.shape != (n,):
        raise ParameterError(f"weights must have one value per problem, shape ({n},); got shape {values.shape}")
    if not np.isfinite(values).all():
        raise ParameterError("weights must be finite numbers")
    return cast(Array, values)
