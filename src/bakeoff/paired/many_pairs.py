"""Signed ranks of many pairs of one table, many rows at once: bit for bit the numbers of one pair at a time.

A difference d and its sign are packed in one 64-bit key, the bits of d rotated left by one: keys sort as |d| does, so
one plain sort gives the sizes in order and their signs. Where sizes near each other are neither clearly tied nor
clearly apart, the row goes through the one-pair rule. Pairs are independent, so threads (sorting releases the
interpreter's lock) and the size of a chunk cannot change a bit.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass
from bakeoff.paired._wilcoxon import SignedRankSums, signed_rank_sums
from bakeoff.paired.differences import Differences
from bakeoff.randomness import in_threads
from bakeoff.ranks import Ints, refuse_overflow, tie_tolerance
from bakeoff.scores import Array, Scores

T = TypeVar("T")
Flags = npt.NDArray[np.bool_]
Pairs = Sequence[tuple[int, int]]
Progress = Callable[[int, int], None]
"""Called with (done, total) as long work goes on."""

CHUNK = 1 << 17
"""Differences held at once by each thread (about 10 MB with everything made from them)."""

SHORT = 1000
"""Rows up to this length are too short for threads."""

_LARGEST = float(np.finfo(np.float64).max)

THREADED = 1 << 22
"""Number of differences from which threads are worthwhile."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Columns:
    """The table by algorithms, so that a pair is two contiguous rows."""

    costs: Array  # (k, n) lower is better
    scales: Array  # (k, n)

    @classmethod
    def of(cls, scores: Scores) -> Columns:
        return cls(costs=np.ascontiguousarray(scores.costs.T), scales=np.ascontiguousarray(scores.scales.T))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowDifferences:
    """One pair a row: what ``Differences`` is for one."""

    values: Array  # (p, n) cost_b − cost_a, exactly 0 where tied; infinite or NaN where it cannot be computed
    scales: Array  # (p, n)

    def row(self, i: int) -> Differences:
        return Differences(values=self.values[i], scales=self.scales[i])


def row_differences(columns: Columns, pairs: Pairs) -> RowDifferences:
    """Differences of each pair, zero within the tie tolerance; nothing is refused here."""
    a, b = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    with np.errstate(over="ignore", invalid="ignore"):
        values = columns.costs[b] - columns.costs[a]
    scales = np.maximum(columns.scales[a], columns.scales[b])
    zero = np.abs(values) <= tie_tolerance(scales)
    values[zero], scales[zero] = 0.0, 0.0
    return RowDifferences(values=values, scales=scales)


def chunks_of(pairs: Pairs, n: int, cells: int = CHUNK) -> Iterator[Pairs]:
    """Runs of pairs whose differences fill about ``cells``."""
    step = max(1, cells // max(n, 1))
    for start in range(0, len(pairs), step):
        yield pairs[start : start + step]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RowSums:
    """Rank sums of each row as ``signed_rank_sums`` has them, ranks ascending; ``one`` ranks unsure rows again."""

    rows: RowDifferences
    ranks: Ints  # (p, n) doubled, 0 for zeros
    plus: Ints  # (p,) doubled sums
    minus: Ints
    zeros: Ints
    ties: Ints
    unsure: Flags

    @property
    def plain(self) -> Flags:
        """(p,) has the row the ranks 1 to n?"""
        return np.asarray(~self.unsure & (self.zeros == 0) & (self.ties == 0))

    def __iter__(self) -> Iterator[SignedRankSums]:
        return map(self.one, range(len(self.plus)))

    def one(self, i: int) -> SignedRankSums:
        if self.unsure[i]:
            return signed_rank_sums(self.rows.row(i))
        zeros = int(self.zeros[i])
        kept = zeros - zeros % 2
        return SignedRankSums(
            ranks=self.ranks[i, zeros:],
            plus=int(self.plus[i]),
            minus=int(self.minus[i]),
            half_zeros=kept * (kept + 1) // 2,
            n=self.ranks.shape[1] - zeros % 2,
            zeros=zeros,
            ties=int(self.ties[i]),
        )


def for_signed_ranks(scores: Scores, pairs: Pairs, function: Callable[[SignedRankSums], T], method: str) -> list[T]:
    """``function`` of each pair's rank sums (zeros split), in the order of ``pairs``.

    The sums are handed over one at a time: those of all pairs of a large table would not fit in memory. Infinite
    scores and overflow are refused in the name of ``method``.
    """
    chunks = of_chunks(scores, pairs, lambda rows: [function(sums) for sums in rows], method)
    return [value for values in chunks for value in values]


def of_chunks(
    scores: Scores, pairs: Pairs, function: Callable[[RowSums], T], method: str, progress: Progress | None = None
) -> Iterator[T]:
    """Do the same with as many pairs at a time as are ranked together."""
    if not pairs:
        return
    scores.require_finite(method, sorted({column for pair in pairs for column in pair}))
    columns = Columns.of(scores)

    def work(chunk: Pairs) -> T:
        rows = row_differences(columns, chunk)
        refuse_overflow(rows.values, method)
        return function(summed(rows))

    chunks, done, n = list(chunks_of(pairs, scores.n_problems)), 0, scores.n_problems
    threads = min(8, os.cpu_count() or 1, len(chunks)) if n > SHORT and len(pairs) * n >= THREADED else 1
    for chunk, part in zip(chunks, in_threads(work, chunks, threads), strict=True):
        yield part
        done += len(chunk)
        if progress is not None:
            progress(done, len(pairs))


def summed(rows: RowDifferences) -> RowSums:
    """The rank sums of all rows."""
    sizes, negative = _sorted_sizes(rows.values)
    equal, unsure = _ties(sizes, rows)
    doubled, shared = mid_ranks_of_sorted(equal)
    zeros = np.count_nonzero(sizes == 0, axis=1)
    odd = zeros % 2
    doubled -= 2 * odd[:, None]  # an odd zero is dropped before ranking
    doubled[sizes == 0] = 0
    minus = np.where(negative, doubled, 0).sum(axis=1)
    return RowSums(
        rows=rows,
        ranks=doubled,
        plus=doubled.sum(axis=1) - minus,
        minus=minus,
        zeros=zeros,
        ties=np.count_nonzero(shared & (sizes != 0), axis=1),
        unsure=unsure,
    )


def _sorted_sizes(values: Array) -> tuple[Array, Flags]:
    """|d| of each row in ascending order, and which of them are negative (b better)."""
    bits = np.ascontiguousarray(values).view(np.uint64)
    keys = (bits << np.uint64(1)) | (bits >> np.uint64(63))
    keys.sort(axis=1)
    return (keys >> np.uint64(1)).view(np.float64), (keys & np.uint64(1)).astype(bool)


def mid_ranks_of_sorted(equal: Flags) -> tuple[Ints, Flags]:
    """(p, n) twice the mid-ranks of sorted rows, given which are tied with the one before, and which share theirs."""
    p, n = equal.shape[0], equal.shape[1] + 1
    place = np.arange(n)
    shared = np.zeros((p, n), dtype=bool)
    if not equal.any():
        return np.repeat(2 * place[None, :] + 2, p, axis=0), shared
    shared[:, 1:] |= equal
    shared[:, :-1] |= equal
    first = np.broadcast_to(place, (p, n)).copy()
    first[:, 1:][equal] = 0
    last = np.broadcast_to(place, (p, n)).copy()
    last[:, :-1][equal] = n
    np.maximum.accumulate(first, axis=1, out=first)
    last = np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
    return first + last + 2, shared


def _ties(sizes: Array, differences: RowDifferences) -> tuple[Flags, Flags]:
    """(p, n − 1) which of the sorted sizes are tied with the one before, and (p,) the rows where that is not certain.

    A gap wider than twice the row's largest tolerance parts two sizes whatever the rounding; other gaps are looked at
    value by value: one large score makes that tolerance too large for the row's small differences.
    """
    equal = sizes[:, 1:] == sizes[:, :-1]
    slack = 2.0 * tie_tolerance(differences.scales.max(axis=1))[:, None]
    with np.errstate(invalid="ignore"):  # between infinite sizes, which are equal
        close = ~equal & (np.diff(sizes) <= slack) & (sizes[:, :-1] > 0.0)
    rows = np.flatnonzero(close.any(axis=1))
    unsure = np.zeros(len(sizes), dtype=bool)
    if len(rows):
        equal[rows], unsure[rows] = _within_tolerance(np.abs(differences.values[rows]), differences.scales[rows])
    return equal, unsure


def _within_tolerance(sizes: Array, scales: Array) -> tuple[Flags, Flags]:
    """As ``tie_groups``: a stretch of sizes, each tied with another, is one group if all are tied with its first."""
    order = np.argsort(sizes, axis=1)
    v = np.take_along_axis(np.minimum(sizes, _LARGEST), order, axis=1)
    t = np.take_along_axis(tie_tolerance(scales), order, axis=1)
    equal = v[:, 1:] == v[:, :-1]
    starts = np.flatnonzero(np.pad(~equal, ((0, 0), (1, 0)), constant_values=True))
    lengths = np.diff(np.append(starts, v.size))
    t = np.repeat(np.minimum.reduceat(t.ravel(), starts), lengths).reshape(v.shape)  # of equal sizes the smallest
    with np.errstate(over="ignore"):
        reach = np.maximum.accumulate(v + t, axis=1)[:, :-1]
        back = np.minimum.accumulate((v - t)[:, ::-1], axis=1)[:, ::-1][:, 1:]
    linked = ((reach >= v[:, 1:]) | (back <= v[:, :-1])) & (v[:, :-1] > 0.0) | equal
    first = np.broadcast_to(np.arange(v.shape[1]), v.shape).copy()
    first[:, 1:][linked] = 0
    np.maximum.accumulate(first, axis=1, out=first)
    slack = np.maximum(t, np.take_along_axis(t, first, axis=1))
    apart = np.asarray((v - np.take_along_axis(v, first, axis=1) > slack).any(axis=1))
    return linked, apart
