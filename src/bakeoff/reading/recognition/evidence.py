"""What the values of a column tell: whether it behaves like its neighbours, which are scores."""

import numpy as np
import numpy.typing as npt

from bakeoff.scores import Array

FEWEST_ROWS = 2
"""Below, whole numbers beside fractions are no evidence: a score may be round by chance."""
FEWEST_FOR_DIFFICULTY = 8, 4
"""Rows and columns from which columns can be seen to share a difficulty, or not."""
LEVELS = 12
"""Different scores below which ranks are mostly ties."""
SHARED, ALONE, REVERSED = 0.5, 0.3, -0.9
"""Rank correlation with the others: the median that says that columns share a difficulty, and below which one does
not; an algorithm may be good where all others are bad. Of 115 columns of seven archives the least is .73."""
MIDDLE = 0.34
"""The share of the others' distances from their mean that an average may have: it may be weighted, or rounded."""
FEWEST_LEVELS = 4
"""Different whole numbers that a count has; a score of fewer may be whole by chance."""
ALIKE = 0.9
"""The range of the others in a row, beside the largest, up to which they measure one thing."""
_ROUND = (0.0, 1.0, 100.0)
"""Whole numbers that a share may well be in every row."""


def is_constant(column: Array) -> bool:
    there = column[~np.isnan(column)]
    return bool(there.size > 1 and (there == there[0]).all())


def are_whole_among_fractions(scores: Array) -> npt.NDArray[np.bool_]:
    """Tell of each column whether it holds several whole numbers, where most of the other columns have fractions."""
    whole = (np.mod(np.where(np.isfinite(scores), scores, 0.0), 1.0) == 0).all(axis=0)
    if 2 * (whole.sum() - 1) >= len(whole) - 1:
        return np.zeros(len(whole), dtype=bool)
    return np.array([own and _is_a_count(scores, i) for i, own in enumerate(whole.tolist())])


def _is_a_count(scores: Array, column: int) -> bool:
    """Are there too many different whole numbers, or too far from the others, to be round scores?"""
    values = scores[:, column]
    several = len(np.unique(values)) >= FEWEST_LEVELS or is_apart(scores, column) or _are_whole_by_rule(scores, column)
    return bool(not np.isin(values, _ROUND).all() and several)


def _are_whole_by_rule(scores: Array, column: int) -> bool:
    """Do its values differ, where most others have two decimals or more?

    A score of two decimals is whole by chance once in a hundred, two of them once in 10 000.
    """
    values, others = scores[:, column], np.delete(scores, column, axis=1)
    different = len(np.unique(values)) > 1 and not np.isin(values, _ROUND).any()
    rest = np.mod(10 * np.mod(others[np.isfinite(others)], 1.0), 1.0)
    return bool(different and np.median(np.minimum(rest, 1 - rest)) > 1e-9)


def is_apart(scores: Array, column: int) -> bool:
    """Does its range not meet that of the others?"""
    others = np.delete(scores, column, axis=1)
    if not np.isfinite(others).any() or not np.isfinite(scores[:, column]).any():
        return False
    values = scores[:, column]
    return bool(np.nanmax(values) < np.nanmin(others) or np.nanmin(values) > np.nanmax(others))


def is_near_the_others(scores: Array, column: int) -> bool:
    """Is it in nine rows of ten within a factor of two of what the others have there?

    An exact solver's costs are whole numbers among the means of heuristics.
    """
    others, values = np.delete(scores, column, axis=1), scores[:, column]
    full = np.isfinite(others).any(axis=1) & np.isfinite(values)
    if not full.any():
        return False
    low, high = np.nanmin(others[full], axis=1), np.nanmax(others[full], axis=1)
    width = np.maximum(np.abs(low), np.abs(high))
    near = (values[full] >= low - width / 2) & (values[full] <= high + width)
    if _are_whole_by_rule(scores, column):
        near &= high - low <= ALIKE * width  # columns that are problems have no common scale
    return bool(near.mean() >= 0.9)


def without_difficulty(scores: Array) -> npt.NDArray[np.bool_]:
    """Tell of each column whether it does not share the difficulty of the rows, which the others do.

    Spearman's correlation of its values with the mean of the other columns' ranks over the rows, beside the median of
    this figure among the columns.
    """
    k = scores.shape[1]
    none = np.zeros(k, dtype=bool)
    full = np.isfinite(scores).all(axis=1)
    if full.sum() < FEWEST_FOR_DIFFICULTY[0] or k < FEWEST_FOR_DIFFICULTY[1] or len(np.unique(scores)) < LEVELS:
        return none
    ranks = _ranks(scores[full])
    shared = _correlations(ranks, (ranks.sum(axis=1, keepdims=True) - ranks) / (k - 1))
    medians = np.array([np.median(np.delete(shared, j)) for j in range(k)])
    return np.asarray((shared < ALONE) & (shared > REVERSED) & (medians > SHARED))


def _ranks(columns: Array) -> Array:
    """Mid-ranks of each column, without SciPy: a reader does not load it."""
    ranks = np.empty_like(columns)
    for j, values in enumerate(columns.T):
        _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
        ranks[:, j] = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    return ranks


def _correlations(a: Array, b: Array) -> Array:
    """Pearson's correlation of each column of ``a`` with that of ``b``; 0 where one is constant."""
    a, b = a - a.mean(axis=0), b - b.mean(axis=0)
    size = np.sqrt((a * a).sum(axis=0) * (b * b).sum(axis=0))
    return np.asarray(np.divide((a * b).sum(axis=0), size, out=np.zeros(a.shape[1]), where=size > 0))


def is_average(scores: Array, column: int) -> bool:
    """Is it in each row nearer to the mean of the others than they are to each other?"""
    others = np.delete(scores, column, axis=1)
    full = np.isfinite(others).all(axis=1) & np.isfinite(scores[:, column])
    if not full.any() or others.shape[1] < 2:
        return False
    mean = others[full].mean(axis=1, keepdims=True)
    spread = np.abs(others[full] - mean).mean(axis=1)
    return bool(np.abs(scores[full, column] - mean[:, 0]).mean() <= MIDDLE * spread.mean())


def counts_from_one(column: Array) -> bool:
    """0, 1, 2, … or 1, 2, 3, … in the order of the rows?"""
    return bool(len(column) > 1 and column[0] in (0.0, 1.0) and (np.diff(column) == 1).all())
