"""Symmetric elimination in integers: the rank and the range of a covariance, exactly.

Covariances of mean ranks are whole-number matrices but for a factor, and they are singular whenever two algorithms
always tie, all problems agree, or problems are few. Bareiss' fraction-free elimination keeps every number whole, so
that rank, range and Mahalanobis distance have no rounding in them.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from bakeoff.ranks import Ints
from bakeoff.scores import Array

EXACT_UP_TO = 100  # algorithms; whole numbers grow with their number (100: a third of a second)
ROUNDING = 1e-10  # beyond that: what counts as zero, relative to the largest number of its kind


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LDLFactors:
    """N = L D Lᵀ on the rows ``pivots``, the first independent ones."""

    pivots: Ints  # (r,)
    lower: Array  # (r, r) L, with ones on its diagonal
    log_diagonal: Array  # (r,) natural logarithms of D
    quadratic: float | Fraction | None  # vᵀ N⁺ v; None: v has a component outside the range of N


def eliminate(matrix: list[list[int]], vector: list[int]) -> LDLFactors:
    """Of a symmetric matrix without negative directions, and v."""
    a, v = [row[:] for row in matrix], vector[:]
    rows = range(len(v))
    pivots: list[int] = []
    before = 1
    columns: list[list[int]] = []
    heights: list[tuple[int, int]] = []
    quadratic = Fraction(0)
    left = list(rows)
    while (p := next((i for i in left if a[i][i]), None)) is not None:
        pivot, row = a[p][p], a[p]
        left.remove(p)
        pivots.append(p)
        columns.append([row[i] for i in rows])
        heights.append((pivot, before))
        quadratic += Fraction(v[p] * v[p], before * pivot)
        for place, i in enumerate(left):
            factor, target = row[i], a[i]
            v[i] = (pivot * v[i] - factor * v[p]) // before
            for j in left[place:]:
                target[j] = a[j][i] = (pivot * target[j] - factor * row[j]) // before
        before = pivot
    r = len(pivots)
    lower = np.eye(r)
    for j in range(r):
        for i in range(j + 1, r):
            lower[i, j] = columns[j][pivots[i]] / heights[j][0]
    return LDLFactors(
        pivots=np.array(pivots, dtype=np.int64),
        lower=lower,
        log_diagonal=np.array([_log_ratio(*height) for height in heights], dtype=np.float64),
        quadratic=None if any(v[i] for i in left) else quadratic,
    )


def eliminate_rounded(matrix: Array, vector: Array) -> LDLFactors:
    """The same in floats, largest pivot first: for more than ``EXACT_UP_TO`` algorithms."""
    a, v = matrix.copy(), vector.copy()
    largest, length = float(np.diagonal(a).max(initial=0.0)), float(np.abs(v).max(initial=0.0))
    pivots: list[int] = []
    columns: list[Array] = []
    heights: list[float] = []
    quadratic = 0.0
    while largest > 0 and a[p := int(np.argmax(np.diagonal(a))), p] > ROUNDING * largest:
        height, column = float(a[p, p]), a[:, p] / a[p, p]
        pivots.append(p)
        heights.append(height)
        columns.append(column)
        quadratic += float(v[p] * v[p]) / height
        v -= v[p] * column
        a -= np.outer(column, a[p])
        a[p], a[:, p], v[p] = 0.0, 0.0, 0.0
    order = np.array(pivots, dtype=np.int64)
    below = np.array([column[order] for column in columns]).reshape(len(order), len(order)).T
    return LDLFactors(
        pivots=order,
        lower=np.tril(below, -1) + np.eye(len(order)),
        log_diagonal=np.log(heights),
        quadratic=quadratic if float(np.abs(v).max(initial=0.0)) <= ROUNDING * length else None,
    )


def _log_ratio(top: int, bottom: int) -> float:
    try:
        return math.log(top / bottom)
    except (OverflowError, ValueError):  # beyond the range of floats
        return math.log(top) - math.log(bottom)
