"""Bergmann–Hommel at any k, when p-values fall with the distance between positions on a line.

Then a block is any set of span at most d, and Σ C(size, 2) is strictly convex: moving an element to a block at least
as large, or merging two blocks, strictly gains. Sort the positions and let C be the block holding the pair a < b. In
an optimum the other blocks have disjoint hulls; one not larger than C has no element inside C's hull; a larger one
that meets C's hull overhangs it on one side, and nothing of C but a or b lies in its hull. So C is one of

1. [l..r];
2. {a} (+ b) + (e..r], beside a block [s..e] without a (and b), s < a;
3. the mirror image of 2;
4. {a} + (e..f) + {b}, beside [s..e] without a and [f..q] without b;

and what lies outside is a prefix and a suffix, whose optimum consists of contiguous blocks. Every case is a feasible
partition, so the maximum over the cases is exact. Contiguous blocks alone (case 1) are not.
"""

from __future__ import annotations

from types import ModuleType
from typing import cast

import numpy as np
import numpy.typing as npt

from bakeoff.accelerator import compiled
from bakeoff.adjusting.arithmetic import Arithmetic
from bakeoff.dataclass import dataclass
from bakeoff.scores import Array

Ints = npt.NDArray[np.int64]

WORTH_COMPILING = 60
"""Algorithms from which loading the compiled twin pays for itself."""

NEVER = -(10**12)
"""The count of an impossible case: sums of a few of them and of any count stay far below 0."""


def _twin() -> ModuleType:
    from bakeoff.adjusting import bergmann_hommel_line_compiled

    return bergmann_hommel_line_compiled


@dataclass(frozen=True, slots=True, kw_only=True)
class RankLine:
    """The algorithms in order of position, at all thresholds (first axis T, lowest p-value first)."""

    reach: Ints  # (T, k): the last element that may share a block with this one
    prefix: Ints  # (T, k+1): most pairs within blocks among the first i elements
    suffix: Ints  # (T, k+1): … among the elements from i on


def line(lives: Ints) -> RankLine:
    """``lives`` (k, k): at how many thresholds two neighbours in the order may share a block, T on the diagonal."""
    reach, back = _reach(lives), _reach(lives[::-1, ::-1])
    return RankLine(reach=reach, prefix=_prefix_optimum(reach), suffix=_prefix_optimum(back)[:, ::-1])


def _mirrored(line: RankLine, lives: Ints) -> RankLine:
    return RankLine(reach=_reach(lives[::-1, ::-1]), prefix=line.suffix[:, ::-1], suffix=line.prefix[:, ::-1])


def _reach(lives: Ints) -> Ints:
    k, count = len(lives), int(lives[0, 0])
    reach = np.empty((count, k), dtype=np.int64)
    for i in range(k):
        # lives falls to the right; the elements with lives > t are those reached at threshold t
        reach[:, i] = i - 1 + np.searchsorted(-lives[i, i:], -np.arange(count), side="left")
    return reach


def _prefix_optimum(reach: Ints) -> Ints:
    """f(i) = max over the last block [l..i−1] of f(l) + C(i−l, 2)."""
    count, k = reach.shape
    best = np.zeros((count, k + 1), dtype=np.int64)
    for i in range(1, k + 1):
        last = np.where(reach[:, :i] >= i - 1, best[:, :i] + _pairs(np.arange(i, 0, -1)), NEVER)
        best[:, i] = last.max(axis=1)
    return best


def adjusted_on_line(thresholds: Array, lives: Ints, on: Arithmetic) -> Array:
    """(k, k): max over thresholds t ≤ p_ab of t · (most pairs within blocks, a and b together), uncapped.

    First every pair's bound from contiguous blocks; then, from the highest threshold down, only the rows in which
    t · (unconstrained optimum) could still raise something that is below 1.
    """
    best = np.full(lives.shape, on.zero)
    fast = compiled(_twin, worth_loading=len(lives) >= WORTH_COMPILING)
    if fast is not None:
        weights = np.append(0.0, on.weights(np.arange(1, len(lives) * (len(lives) - 1) // 2 + 1)))
        fast.adjusted(thresholds, weights, on.additive, lives, best, on.one)
        return cast(Array, np.maximum(best, best.T))
    straight = line(lives)
    mirror = _mirrored(straight, lives)
    contiguous = []
    for t in range(len(thresholds)):
        most = _contiguous(straight, t)
        _raise(best, thresholds[t], most, on)
        contiguous.append((most == straight.prefix[t, -1]).all())
    for t in range(len(thresholds) - 1, -1, -1):
        top = straight.prefix[t, -1]
        if contiguous[t] or top == 0:
            continue
        open_ = np.triu((lives > t) & (best < on.one) & (best < on.times(thresholds[t], top)), 1)
        if open_.any():
            _raise(best, thresholds[t], _overhanging(straight, mirror, t, open_), on)
    return cast(Array, np.maximum(best, best.T))


def _raise(best: Array, threshold: Array, most: Ints, on: Arithmetic) -> None:
    reached = most > 0
    best[reached] = np.maximum(best[reached], on.times(threshold, most[reached]))


def _contiguous(line: RankLine, t: int) -> Ints:
    """Case 1, for all a < b: max over l ≤ a, r ≥ b of prefix(l) + C(r−l+1, 2) + suffix(r+1)."""
    k = line.reach.shape[1]
    place = np.arange(k)
    size = place[None, :] - place[:, None] + 1
    block = line.prefix[t, :-1, None] + _pairs(size) + line.suffix[t, None, 1:]
    block[(size < 1) | (place[None, :] > line.reach[t, :, None])] = NEVER
    most = np.maximum.accumulate(block, axis=0)
    most = np.maximum.accumulate(most[:, ::-1], axis=1)[:, ::-1]
    return cast(Ints, np.triu(np.maximum(most, 0), 1))


def _overhanging(straight: RankLine, mirror: RankLine, t: int, needed: npt.NDArray[np.bool_]) -> Ints:
    """Cases 2 to 4 for the wanted pairs (upper triangle); rows and columns without one are left at 0."""
    k = len(needed)
    most = np.zeros((k, k), dtype=np.int64)
    left, right = _Overhang.at(straight, t), _Overhang.at(mirror, t)
    from_right = right.without_a[::-1, ::-1]  # (b, f)
    for a in np.flatnonzero(needed.any(axis=1)).tolist():
        stop = int(straight.reach[t, a]) + 1
        if a > 0:
            most[a, a + 1 : stop] = np.maximum(left.one_sided(a, stop), left.two_sided(a, stop, from_right))
    for b in np.flatnonzero(needed.any(axis=0)).tolist():
        row = k - 1 - b
        stop = int(mirror.reach[t, row]) + 1
        if row > 0:
            partners = k - 1 - np.arange(row + 1, stop)
            most[partners, b] = np.maximum(most[partners, b], right.one_sided(row, stop))
    return cast(Ints, np.maximum(most, 0))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Overhang:
    """The pairs within a block that overhangs C on the left, at one threshold."""

    without_a: Ints  # (a, e): prefix(s) + C(e−s, 2), best s < a: the block [s..e] lacks a; NEVER for e < a
    without_both: Ints  # (a, e): prefix(s) + C(e−s−1, 2): it lacks a and b
    rest: Ints  # (e, r): C(1+r−e, 2) + suffix(r+1): C = {a} + (e..r]
    rest_with_b: Ints  # (e, r): best r' ≤ r of C(2+r'−e, 2) + suffix(r'+1): C = {a, b} + (e..r']

    @classmethod
    def at(cls, line: RankLine, t: int) -> _Overhang:
        place = np.arange(line.reach.shape[1])
        later, earlier = place[None, :], place[:, None]  # first index, second index of the tables below
        possible = (later > earlier) & (later <= line.reach[t, :, None])  # (s, e)
        blocks = []
        for lost in (0, 1):
            block = np.where(possible, line.prefix[t, :-1, None] + _pairs(later - earlier - lost), NEVER)
            best = np.full_like(block, NEVER)
            best[1:] = np.maximum.accumulate(block, axis=0)[:-1]  # over s < a
            blocks.append(np.where(later >= earlier, best, NEVER))
        tail = line.suffix[t, None, 1:]
        rest = _pairs(1 + later - earlier) + tail
        with_b = np.where(later >= earlier, _pairs(2 + later - earlier) + tail, NEVER)
        return cls(
            without_a=blocks[0], without_both=blocks[1], rest=rest, rest_with_b=np.maximum.accumulate(with_b, axis=1)
        )

    def one_sided(self, a: int, stop: int) -> Ints:
        """Case 2 for b = a+1 … stop−1."""
        window = slice(a + 1, stop)
        # b ≤ e: C = {a, b} + (e..r]
        behind = self.without_both[a, window] + self.rest_with_b[window, stop - 1]
        best = np.maximum.accumulate(behind[::-1])[::-1]
        # e < b: C = {a} + (e..r], a ≤ e < b ≤ r
        ahead = self.without_a[a, a : stop - 1, None] + self.rest[a : stop - 1, window]
        ahead = np.maximum.accumulate(ahead[:, ::-1], axis=1)[:, ::-1]
        ahead = np.maximum.accumulate(ahead, axis=0)
        return cast(Ints, np.maximum(best, ahead.diagonal()))

    def two_sided(self, a: int, stop: int, from_right: Ints) -> Ints:
        """Case 4 for b = a+1 … stop−1: {a} + (e..f) + {b}, a ≤ e < f ≤ b."""
        e, f = np.arange(a, stop - 1)[:, None], np.arange(a + 1, stop)[None, :]
        inner = np.where(e < f, self.without_a[a, a : stop - 1, None] + _pairs(f - e + 1), NEVER).max(axis=0)
        best: Ints = (inner[None, :] + from_right[a + 1 : stop, a + 1 : stop]).max(axis=1)
        return best


def _pairs(size: Ints) -> Ints:
    """C(size, 2)."""
    return size * (size - 1) // 2
