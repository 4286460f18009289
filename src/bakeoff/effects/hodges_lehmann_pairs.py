"""Hodges–Lehmann differences of many pairs of one table: the numbers of one pair at a time to the bit."""

import os
from collections.abc import Sequence

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from bakeoff.effects._hodges_lehmann import interval_cut, maybe_tied, reaches, tied_intervals, untied_shifts
from bakeoff.effects.walsh_averages import load_walsh_twin
from bakeoff.nulls.signed_rank import EXACT_LIMIT
from bakeoff.paired.many_pairs import Columns, Pairs, RowDifferences, chunks_of, row_differences
from bakeoff.scores import Array, Scores

TOGETHER = 100
"""Up to this many problems all Walsh averages of a row are listed, many rows at once; beyond, one pair at a time."""

CELLS = 1 << 20  # Walsh averages at once (8 MB)
THREADED = CELLS // 4
"""Walsh averages from which threads are worthwhile."""

INVERSIONS = 10e6
"""Microseconds for pairs with ties; where all would take longer, their intervals are those without ties."""


def computable_shifts(scores: Scores, pairs: Pairs, levels: Sequence[float], n_pairs: int | None = None) -> Array:
    """(pairs, levels, 3): estimate, low and high; NaN where an infinite score or overflow leaves no difference.

    Of large families with ties only the test of no difference is looked at: 0 lies inside where it is not rejected. Of
    the largest not even that, and intervals are those without ties, which cover more often. ``n_pairs`` is the size of
    the family, if ``pairs`` are a part of it.
    """
    columns, n, m = Columns.of(scores), scores.n_problems, n_pairs or len(pairs)
    cuts = [interval_cut(n, level) for level in levels]
    reached = [i for i, level in enumerate(levels) if reaches(level, cuts[i][1])]
    tested = bool(reached) and m * time_of_a_test(n) <= INVERSIONS
    inverted = m * time_of_an_inversion(n) * len(reached) <= INVERSIONS
    load_walsh_twin(m, n)
    by_pair, start = np.full((len(pairs), len(levels), 3), np.nan), 0
    for chunk in chunks_of(pairs, n * (n + 1) // 2 if n <= TOGETHER else n, CELLS):
        differences = row_differences(columns, chunk)
        finite = np.asarray(np.isfinite(differences.values).all(axis=1))
        usable = RowDifferences(values=differences.values[finite], scales=differences.scales[finite])
        shifts = row_shifts(usable.values, [cut for cut, _, _ in cuts])
        if tested:
            tied = np.flatnonzero(maybe_tied(usable.values, usable.scales))
            rows = RowDifferences(values=usable.values[tied], scales=usable.scales[tied])
            untied = shifts[tied][:, reached, 1:].tolist()
            intervals = tied_intervals(rows, [levels[i] for i in reached], untied, inverted)
            if intervals:
                shifts[tied[:, None], reached, 1:] = intervals
                shifts[tied] = _around(shifts[tied])
        by_pair[start : start + len(chunk)][finite] = shifts
        start += len(chunk)
    return by_pair


def _around(shifts: Array) -> Array:
    """Each as :func:`~bakeoff.effects._hodges_lehmann.around` has it."""
    estimate, low, high = np.moveaxis(shifts, -1, 0)
    single = low == high
    ends = np.where(single | (estimate < low), estimate, low), np.where(single | (estimate > high), estimate, high)
    return np.stack([estimate, *ends], axis=-1)


def time_of_an_inversion(n: int) -> float:
    """Microseconds for one level, as measured with few ties; with many it is a tenth to a half of that."""
    return 600.0 + 0.006 * n**3


def time_of_a_test(n: int) -> float:
    """Microseconds for the test of one shift, as measured."""
    return 100.0 + (0.06 * n * n if n <= EXACT_LIMIT else 0.1 * n)


def _sorted_averages(values: Array) -> Array:
    """All Walsh averages of each row, sorted; on all processors if there are many, as NumPy releases the lock."""
    halves, n = np.sort(values, axis=1) / 2, values.shape[1]
    shifted = sliding_window_view(np.concatenate([halves, halves], axis=1), n, axis=1)  # by 0, 1, … places, around
    averages = np.empty((len(values), n * (n + 1) // 2))
    around = (n + 1) // 2  # shifts whose sums all differ; of an even n the next one has each sum twice

    def fill(part: slice) -> None:
        whole = averages[part, : around * n].reshape(-1, around, n)
        np.add(halves[part, None, :], shifted[part, :around], out=whole)
        if n % 2 == 0:
            np.add(halves[part, : n // 2], halves[part, n // 2 :], out=averages[part, around * n :])
        averages[part].sort(axis=1)  # with today's processors faster than a partition at several places

    threads = min(8, os.cpu_count() or 1) if averages.size >= THREADED else 1
    if threads == 1:
        fill(slice(None))
        return averages
    from concurrent.futures import ThreadPoolExecutor

    cuts = [len(values) * i // threads for i in range(threads + 1)]
    with ThreadPoolExecutor(threads - 1) as pool:
        others = pool.map(fill, map(slice, cuts[1:-1], cuts[2:]))
        fill(slice(cuts[1]))
        list(others)
    return averages


def row_shifts(values: Array, cuts: Sequence[int]) -> Array:
    """The shift of each row of differences as ``untied_shift`` has it, with each cut."""
    m, n = values.shape
    if n > TOGETHER:
        return np.array([untied_shifts(row, cuts) for row in values]).reshape(m, len(cuts), 3)
    averages = _sorted_averages(values)
    last = averages.shape[1] - 1
    lower, upper = averages[:, [last // 2, (last + 1) // 2]].T
    shifts = np.empty((m, len(cuts), 3))
    shifts[:, :, 0] = np.where(lower == upper, lower, 0.5 * lower + 0.5 * upper)[:, None]
    shifts[:, :, 1] = averages[:, list(cuts)]
    shifts[:, :, 2] = averages[:, [last - cut for cut in cuts]]
    return shifts + 0.0  # makes a negative zero positive
