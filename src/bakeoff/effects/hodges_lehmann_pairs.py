"""Hodges–Lehmann differences of many pairs of one table: the numbers of one pair at a time to the bit."""

from collections.abc import Iterator

import numpy as np

from bakeoff.effects._hodges_lehmann import shift_with_interval
from bakeoff.paired.many_pairs import Columns, Pairs, RowDifferences, chunks_of, row_differences
from bakeoff.scores import Array, Scores

TOGETHER = 100
"""Up to this many problems all Walsh averages of a row are listed, many rows at once; beyond, one pair at a time."""

CELLS = 1 << 19  # Walsh averages at once (4 MB)


def computable_shifts(scores: Scores, pairs: Pairs, cut: int) -> list[tuple[float, float, float] | None]:
    """Estimate, low and high of each pair, None where an infinite score or overflow leaves no difference.

    ``cut`` Walsh averages are left out on either side of the interval.
    """
    columns, n = Columns.of(scores), scores.n_problems
    found: list[tuple[float, float, float] | None] = []
    for chunk in chunks_of(pairs, n * (n + 1) // 2 if n <= TOGETHER else n, CELLS):
        differences = row_differences(columns, chunk)
        finite = np.asarray(np.isfinite(differences.values).all(axis=1))
        usable = RowDifferences(values=differences.values[finite], scales=differences.scales[finite])
        shifts = row_shifts(usable.values, cut)
        found += [next(shifts) if ok else None for ok in finite.tolist()]
    return found


def row_shifts(values: Array, cut: int) -> Iterator[tuple[float, float, float]]:
    """Of each row of differences, what ``shift_with_interval`` gives."""
    n = values.shape[1]
    if n > TOGETHER:
        yield from (shift_with_interval(row, cut) for row in values)
        return
    halves = np.sort(values, axis=1) / 2
    i, j = np.triu_indices(n)
    averages = halves[:, i] + halves[:, j]
    last = averages.shape[1] - 1
    places = [last // 2, (last + 1) // 2, cut, last - cut]
    averages.partition(sorted(set(places)), axis=1)
    lower, upper, low, high = averages[:, places].T
    # adding 0.0 makes a negative zero positive
    estimates = 0.5 * lower + 0.5 * upper + 0.0
    yield from zip(estimates.tolist(), (low + 0.0).tolist(), (high + 0.0).tolist(), strict=True)
