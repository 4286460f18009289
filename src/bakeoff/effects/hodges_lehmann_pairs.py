"""Hodges–Lehmann differences of many pairs of one table: the numbers of one pair at a time to the bit."""

import math
from collections.abc import Iterator

import numpy as np

from bakeoff.effects._hodges_lehmann import interval_cut, maybe_tied, reaches, tied_interval, untied_shift
from bakeoff.nulls.signed_rank import EXACT_LIMIT
from bakeoff.paired.many_pairs import Columns, Pairs, RowDifferences, chunks_of, row_differences
from bakeoff.scores import Array, Scores

Shift = tuple[float, float, float]
TOGETHER = 100
"""Up to this many problems all Walsh averages of a row are listed, many rows at once; beyond, one pair at a time."""

CELLS = 1 << 19  # Walsh averages at once (4 MB)
INVERSIONS = 10e6
"""Microseconds for pairs with ties; where all would take longer, their intervals are those without ties."""


def computable_shifts(scores: Scores, pairs: Pairs, level: float) -> list[Shift | None]:
    """Estimate, low and high of each pair, None where an infinite score or overflow leaves no difference.

    Of large families with ties only the test of no difference is looked at: 0 lies inside where it is not rejected. Of
    the largest not even that, and intervals are those without ties, which cover more often.
    """
    columns, n = Columns.of(scores), scores.n_problems
    cut, achieved, _ = interval_cut(n, level)
    tested = reaches(level, achieved) and len(pairs) * time_of_a_test(n) <= INVERSIONS
    inverted = len(pairs) * places_looked_at(n) * time_of_a_test(n) <= INVERSIONS
    found: list[Shift | None] = []
    for chunk in chunks_of(pairs, n * (n + 1) // 2 if n <= TOGETHER else n, CELLS):
        differences = row_differences(columns, chunk)
        finite = np.asarray(np.isfinite(differences.values).all(axis=1))
        usable = RowDifferences(values=differences.values[finite], scales=differences.scales[finite])
        shifts = list(row_shifts(usable.values, cut))
        if tested:
            for i in np.flatnonzero(maybe_tied(usable.values, usable.scales)).tolist():
                estimate, *ends = shifts[i]
                shifts[i] = (estimate, *tied_interval(usable.row(i), 1.0 - level, (ends[0], ends[1]), inverted))
        following = iter(shifts)
        found += [next(following) if ok else None for ok in finite.tolist()]
    return found


def places_looked_at(n: int) -> float:
    """By the inversion of the test, at most: the bisections, and places from the level to clearly below it."""
    return 60.0 + 0.1 * n * math.sqrt(n)


def time_of_a_test(n: int) -> float:
    """Microseconds for the test of one shift, as measured."""
    return 100.0 + (0.06 * n * n if n <= EXACT_LIMIT else 0.1 * n)


def row_shifts(values: Array, cut: int) -> Iterator[Shift]:
    """Of each row of differences, what ``untied_shift`` gives."""
    n = values.shape[1]
    if n > TOGETHER:
        yield from (untied_shift(row, cut) for row in values)
        return
    halves = np.sort(values, axis=1) / 2
    i, j = np.triu_indices(n)
    averages = halves[:, i] + halves[:, j]
    last = averages.shape[1] - 1
    places = [last // 2, (last + 1) // 2, cut, last - cut]
    averages.partition(sorted(set(places)), axis=1)
    lower, upper, low, high = averages[:, places].T
    # adding 0.0 makes a negative zero positive
    estimates = np.where(lower == upper, lower, 0.5 * lower + 0.5 * upper) + 0.0
    yield from zip(estimates.tolist(), (low + 0.0).tolist(), (high + 0.0).tolist(), strict=True)
