"""Hodges–Lehmann differences of many pairs of one table: the numbers of one pair at a time to the bit."""

import os
from collections.abc import Iterator, Sequence

import numpy as np

from bakeoff.effects._hodges_lehmann import around, interval_cut, maybe_tied, reaches, tied_intervals, untied_shifts
from bakeoff.effects.walsh_averages import load_walsh_twin
from bakeoff.nulls.signed_rank import EXACT_LIMIT
from bakeoff.paired.many_pairs import Columns, Pairs, RowDifferences, chunks_of, row_differences
from bakeoff.scores import Array, Scores

Shift = tuple[float, float, float]
TOGETHER = 100
"""Up to this many problems all Walsh averages of a row are listed, many rows at once; beyond, one pair at a time."""

CELLS = 1 << 19  # Walsh averages at once (4 MB)
THREADED = CELLS // 2
"""Walsh averages from which threads are worthwhile."""

INVERSIONS = 10e6
"""Microseconds for pairs with ties; where all would take longer, their intervals are those without ties."""


def computable_shifts(
    scores: Scores, pairs: Pairs, levels: Sequence[float], n_pairs: int | None = None
) -> list[tuple[Shift, ...] | None]:
    """Estimate, low and high of each pair at each level, None where an infinite score or overflow leaves no difference.

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
    by_pair: list[tuple[Shift, ...] | None] = []
    for chunk in chunks_of(pairs, n * (n + 1) // 2 if n <= TOGETHER else n, CELLS):
        differences = row_differences(columns, chunk)
        finite = np.asarray(np.isfinite(differences.values).all(axis=1))
        usable = RowDifferences(values=differences.values[finite], scales=differences.scales[finite])
        shifts = list(row_shifts(usable.values, [cut for cut, _, _ in cuts]))
        if tested:
            tied = np.flatnonzero(maybe_tied(usable.values, usable.scales))
            rows = RowDifferences(values=usable.values[tied], scales=usable.scales[tied])
            untied = [[shifts[row][i][1:] for i in reached] for row in tied.tolist()]
            intervals = tied_intervals(rows, [levels[i] for i in reached], untied, inverted)
            for row, ends in zip(tied.tolist(), intervals, strict=True):
                new = dict(zip(reached, ends, strict=True))
                shifts[row] = tuple(around(shift[0], *new.get(i, shift[1:])) for i, shift in enumerate(shifts[row]))
        following = iter(shifts)
        by_pair += [next(following) if ok else None for ok in finite.tolist()]
    return by_pair


def time_of_an_inversion(n: int) -> float:
    """Microseconds for one level, as measured with few ties; with many it is a tenth to a half of that."""
    return 600.0 + 0.006 * n**3


def time_of_a_test(n: int) -> float:
    """Microseconds for the test of one shift, as measured."""
    return 100.0 + (0.06 * n * n if n <= EXACT_LIMIT else 0.1 * n)


def _sorted_averages(values: Array) -> Array:
    """All Walsh averages of each row, sorted; on all processors if there are many, as NumPy releases the lock."""
    halves, n = np.sort(values, axis=1) / 2, values.shape[1]
    averages = np.empty((len(values), n * (n + 1) // 2))

    def fill(part: slice) -> None:
        start = 0
        for i in range(n):
            np.add(halves[part, i : i + 1], halves[part, i:], out=averages[part, start : start + n - i])
            start += n - i
        averages[part].sort(axis=1)  # with today's processors faster than a partition at several places

    threads = min(8, os.cpu_count() or 1) if averages.size >= THREADED else 1
    if threads == 1:
        fill(slice(None))
        return averages
    from concurrent.futures import ThreadPoolExecutor

    cuts = [len(values) * i // threads for i in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(fill, map(slice, cuts[:-1], cuts[1:])))
    return averages


def row_shifts(values: Array, cuts: Sequence[int]) -> Iterator[tuple[Shift, ...]]:
    """Of each row of differences, what ``untied_shift`` gives with each cut."""
    n = values.shape[1]
    if n > TOGETHER:
        yield from (untied_shifts(row, cuts) for row in values)
        return
    averages = _sorted_averages(values)
    last = averages.shape[1] - 1
    ends = [place for cut in cuts for place in (cut, last - cut)]
    middle = [last // 2, (last + 1) // 2]
    lower, upper = averages[:, middle].T
    # adding 0.0 makes a negative zero positive
    estimates = np.where(lower == upper, lower, 0.5 * lower + 0.5 * upper) + 0.0
    lows, highs = averages[:, ends[::2]] + 0.0, averages[:, ends[1::2]] + 0.0
    for estimate, *reach in zip(estimates.tolist(), lows.tolist(), highs.tolist(), strict=True):
        yield tuple((estimate, low, high) for low, high in zip(*reach, strict=True))
