"""The exact null distribution of Wilcoxon's signed-rank sum, for any ranks.

Under the null each non-zero difference is positive or negative with probability 1/2, independently, so given the
ranks r_1, …, r_m the sum W of the ranks of the negative ones has the generating function

    Π_i (1 + x^{r_i}) / 2^m,

symmetric about Σ r_i / 2 whatever ties the ranks have. Mid-ranks are doubled and divided by their greatest common
divisor, which makes the exponents small integers. The ranks are dealt into two halves; each half's coefficients
are counted by dynamic programming up to its middle and mirrored, and only their joint tail is needed. All terms
are non-negative, so nothing cancels: the relative error is below m/2 units in the last place (counts below 2^53
are exact), however small the probability. Of more than ``COUNTED_TOGETHER`` ranks a tail is inverted by itself, with a
relative error below 1e-12.

Few ranks with ties are seldom met again, so a single tail of theirs is counted by itself, with one whole number of
Python's that holds the coefficients side by side in fields of m + 1 bits: a factor 1 + x^r is a shift and an addition.
The counts are below 2^53, hence the bits the same.
"""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from bakeoff.dataclass import dataclass
from bakeoff.errors import TooLargeError
from bakeoff.nulls.coin_sums import CoinSum
from bakeoff.ranks import Ints
from bakeoff.scores import Array

EXACT_LIMIT = 1000
"""The number of non-zero differences up to which ``method="auto"`` is exact (1 ms at the limit)."""

HARD_LIMIT = 2000
"""Beyond this the counts, up to 2^m split in two halves, leave the range of floating point."""

COUNTED = 40
"""Number of tied ranks up to which a single tail is counted by itself (20 µs for 30, 80 µs for 40)."""

COUNTED_TOGETHER = 150
"""Number of ranks up to which all sums are counted; beyond, tails are inverted (:mod:`bakeoff.nulls.tilted`)."""

_CACHED_STATES = 1 << 15  # of those counted, remember distributions up to this size: many pairs often share their ranks
_FEW_SUMS = 1000  # counted sooner than inverted

Tail = tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class SignedRankNull:
    """The distribution of W for given ranks; build it with :func:`signed_rank_null`."""

    unit: int  # doubled rank sums are multiples of this
    total: int  # the largest W, in units
    lower: Callable[[int], Tail]  # P(W ≤ w) and its logarithm, 0 ≤ w < total/2

    def tail(self, doubled_sum: int) -> Tail:
        """P(W ≤ w) and its logarithm, w given as twice a rank sum."""
        w = doubled_sum // self.unit
        if w < 0:
            return 0.0, -math.inf
        if w >= self.total:
            return 1.0, 0.0
        if 2 * w >= self.total:  # by symmetry P(W ≤ w) = 1 − P(W ≤ total − w − 1), and that one is below 1/2
            rest = self.lower(self.total - w - 1)[0]
            return 1.0 - rest, math.log1p(-rest)
        return self.lower(w)

    def largest_sum(self, probability: float) -> int:
        """The largest doubled w with P(W ≤ w) ≤ probability; negative if there is none."""
        low, high = -1, self.total  # P ≤ probability holds at low, fails at high
        while high - low > 1:
            middle = (low + high) // 2
            if self.tail(middle * self.unit)[0] <= probability:
                low = middle
            else:
                high = middle
        return low * self.unit


def signed_rank_tail(doubled_ranks: Ints, doubled_sum: int) -> tuple[float, float]:
    """P(W ≤ w) and its logarithm: the lower tail of the rank sum of one sign.

    ``doubled_ranks`` (m,) are twice the mid-ranks of the non-zero differences, ``doubled_sum`` twice w.
    With no rank at all W is 0 with certainty.
    """
    if len(doubled_ranks) <= COUNTED:
        return _remembered_tail(np.sort(doubled_ranks).tobytes(), int(doubled_sum))
    return signed_rank_null(doubled_ranks).tail(int(doubled_sum))


@lru_cache(maxsize=1 << 13)
def _remembered_tail(ranks: bytes, doubled_sum: int) -> tuple[float, float]:
    """The tail of at most ``COUNTED`` ascending ranks."""
    steps = np.frombuffer(ranks, dtype=np.int64).tolist()
    if steps == list(range(2, 2 * len(steps) + 1, 2)):
        return _remembered(ranks).tail(doubled_sum)
    return _counted_tail(steps, doubled_sum)


def _counted_tail(ranks: list[int], doubled_sum: int) -> tuple[float, float]:
    """As ``SignedRankNull.tail``, bit for bit."""
    unit = math.gcd(*ranks) or 1
    steps = [rank // unit for rank in ranks]
    w, total, size = doubled_sum // unit, sum(steps), len(steps)
    if w < 0:
        return 0.0, -math.inf
    if w >= total:
        return 1.0, 0.0
    if 2 * w >= total:
        rest = math.ldexp(float(_subsets(steps, total - w - 1)), -size)
        return 1.0 - rest, math.log1p(-rest)
    ways = float(_subsets(steps, w))
    return math.ldexp(ways, -size), math.log(ways) - size * math.log(2.0)


def _subsets(steps: list[int], w: int) -> int:
    """The number of subsets of ``steps`` (ascending) with a sum of at most w."""
    field = len(steps) + 1  # bits: all 2^m subsets together fit
    kept = (1 << field * (w + 1)) - 1
    ways, top = 1, 0
    for step in steps:
        if step > w:
            break
        ways += ways << field * step
        top += step
        if top > w:
            ways &= kept
    return ways % ((1 << field) - 1)  # the sum of all fields


def signed_rank_null(doubled_ranks: Ints) -> SignedRankNull:
    """The exact distribution of W given twice the mid-ranks (m,), in any order."""
    ranks = np.sort(np.asarray(doubled_ranks, dtype=np.int64))
    if len(ranks) > HARD_LIMIT:
        raise TooLargeError(
            f"the exact signed-rank distribution is limited to {HARD_LIMIT} non-zero differences; got {len(ranks)}. "
            'Use method="normal" (or "auto"), which is accurate to many digits there.'
        )
    small = len(ranks) > COUNTED_TOGETHER or int(ranks.sum()) <= _CACHED_STATES
    return _remembered(ranks.tobytes()) if small else _build(ranks)


@lru_cache(maxsize=256)
def _remembered(ranks: bytes) -> SignedRankNull:
    return _build(np.frombuffer(ranks, dtype=np.int64))


def _build(doubled: Ints) -> SignedRankNull:
    unit = int(np.gcd.reduce(doubled)) if len(doubled) else 1
    steps = doubled // unit
    law = _Counted.of(steps) if len(steps) <= COUNTED_TOGETHER else _Inverted(steps, CoinSum.of(steps))
    return SignedRankNull(unit, int(steps.sum()), law.lower)


@dataclass(frozen=True, slots=True, eq=False)
class _Counted:
    """All sums, counted by halves."""

    size: int  # number of ranks
    first: Array  # ways to reach each sum with the first half of the ranks, scaled by 2^−shift
    below: Array  # ways to reach at most each sum with the second half
    shift: int

    @classmethod
    def of(cls, ranks: Ints) -> "_Counted":
        steps = ranks.tolist()
        shift = max(len(steps) - EXACT_LIMIT, 0)  # keeps first·below below 2^1000; powers of two are exact
        return cls(len(steps), np.ldexp(_ways(steps[::2]), -shift), np.cumsum(_ways(steps[1::2])), shift)

    def lower(self, w: int) -> Tail:
        u = min(w, len(self.first) - 1)
        reach = np.minimum(w - np.arange(u + 1), len(self.below) - 1)
        ways = float(np.sum(self.first[: u + 1] * self.below[reach]))  # not a BLAS product: the same bits everywhere
        exponent = self.shift - self.size
        return math.ldexp(ways, exponent), math.log(ways) + exponent * math.log(2.0)


@dataclass(frozen=True, slots=True, eq=False)
class _Inverted:
    """One tail at a time; counted where inversion is out of its depth: few sizes, or far out."""

    steps: Ints  # ascending
    coins: CoinSum

    def lower(self, w: int) -> Tail:
        if len(self.steps) <= EXACT_LIMIT and w <= _FEW_SUMS:
            return self._counted(w)
        log_p = self.coins.log_lower(w)
        if log_p is not None:
            return math.exp(log_p), log_p
        if len(self.steps) <= EXACT_LIMIT and 8 * w <= int(self.steps.sum()):
            return self._counted(w)
        return _remembered_counts(self.steps.tobytes()).lower(w)

    def _counted(self, w: int) -> Tail:
        """The tail from the sums up to w alone."""
        ways = np.zeros(w + 1)
        ways[0] = 1.0
        for step in self.steps[: np.searchsorted(self.steps, w, side="right")].tolist():
            ways[step:] += ways[: w + 1 - step].copy()
        total, size = float(np.sum(ways)), len(self.steps)
        return math.ldexp(total, -size), math.log(total) - size * math.log(2.0)


@lru_cache(maxsize=4)
def _remembered_counts(steps: bytes) -> _Counted:
    return _Counted.of(np.frombuffer(steps, dtype=np.int64))


def _ways(steps: list[int]) -> Array:
    """The number of subsets of ``steps`` (ascending) with each sum 0..Σ steps."""
    total = sum(steps)
    middle = total // 2
    ways = np.zeros(middle + 1)
    ways[0] = 1.0
    top = 0  # the largest sum reached so far
    for step in steps:
        top += step
        end = min(top, middle) + 1
        if step < end:
            ways[step:end] += ways[: end - step].copy()
    return np.concatenate([ways, ways[: total - middle][::-1]])
