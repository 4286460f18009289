"""Ranks of derived quantities, tied within the tolerance of the scores behind them, of many lists at once."""

import numpy as np
import numpy.typing as npt

from bakeoff.paired.many_pairs import mid_ranks_of_sorted
from bakeoff.ranks import Ints, doubled_tied_ranks, tie_tolerance
from bakeoff.scores import Array


def tied_ranks_of_rows(values: Array, scales: Array) -> Ints:
    """(t, m) twice the mid-ranks within each row; a row in which a tie is in question goes by itself."""
    order = np.argsort(values, axis=1)
    sorted_values = np.take_along_axis(values, order, axis=1)
    tolerance = np.take_along_axis(tie_tolerance(scales), order, axis=1)
    equal = sorted_values[:, 1:] == sorted_values[:, :-1]
    with np.errstate(over="ignore"):
        reach = np.maximum.accumulate(sorted_values + tolerance, axis=1)[:, :-1]
        back = np.minimum.accumulate((sorted_values - tolerance)[:, ::-1], axis=1)[:, ::-1][:, 1:]
    in_question = ~equal & ((reach >= sorted_values[:, 1:]) | (back <= sorted_values[:, :-1]))
    ranks = np.empty(values.shape, dtype=np.int64)
    np.put_along_axis(ranks, order, mid_ranks_of_sorted(equal)[0], axis=1)
    for i in np.flatnonzero(in_question.any(axis=1)).tolist():
        ranks[i] = doubled_tied_ranks(values[i], scales[i])
    return ranks


def contradicting(doubled: Ints, within: Ints) -> npt.NDArray[np.bool_]:
    """(t,) tables (t, n, k) in which scores of one problem are tied that differ within it."""
    order = np.argsort(within, axis=2, kind="stable")
    inside, outside = np.take_along_axis(within, order, axis=2), np.take_along_axis(doubled, order, axis=2)
    swallowed = (inside[:, :, 1:] != inside[:, :, :-1]) & (outside[:, :, 1:] == outside[:, :, :-1])
    return np.asarray(swallowed.any(axis=(1, 2)))
