"""The exact null distribution of Wilcoxon's and Mann and Whitney's rank sum, for any ranks.

Under the null every m of the N = m + n pooled observations are equally often the first sample, so given the mid-ranks
r_1, …, r_N the sum W of the first sample's ranks has the generating function

    Σ_w #{subsets of size m with sum w} x^w = [y^m] Π_i (1 + y·x^{r_i}),

counted by dynamic programming over the ranks. Mid-ranks are doubled, lowered by their least and divided by their
greatest common divisor, which makes the exponents small integers. All terms are counts: nothing cancels, and counts
below 2^53 are exact.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from bakeoff.errors import TooLargeError
from bakeoff.ranks import Ints
from bakeoff.scores import Array

EXACT_WORK = 2e8
"""Additions up to which ``method="auto"`` is exact (about 0.2 s: two samples of 80 without ties)."""

HARD_LIMIT = 1000
"""Observations beyond which the counts, up to C(N, N/2), leave the range of floating point."""

_CACHED_STATES = 1 << 14


@dataclass(frozen=True, slots=True, eq=False)
class RankSumNull:
    """The distribution of W given the ranks; build it with :func:`rank_sum_null`."""

    unit: int  # doubled rank sums are offset + a multiple of this
    offset: int
    ways: Array  # (W_max + 1,) subsets with each sum, in units
    below: Array  # their running sums
    above: Array  # from the other end

    def tails(self, doubled_sum: int) -> tuple[float, float]:
        """P(W ≤ w) and P(W ≥ w), w given as twice a rank sum."""
        place = (doubled_sum - self.offset) // self.unit
        total = float(self.below[-1])
        return float(self.below[place]) / total, float(self.above[place]) / total


def work(doubled_ranks: Ints, m: int) -> float:
    """Additions that the exact distribution takes."""
    ranks = np.asarray(doubled_ranks)
    m = min(m, len(ranks) - m)
    lowered, unit = _lowered(ranks)
    return float(len(ranks)) * (m + 1) * (float(np.sort(lowered)[len(ranks) - m :].sum()) // unit + 1)


def rank_sum_null(doubled_ranks: Ints, m: int) -> RankSumNull:
    """The exact distribution of the sum of ``m`` of these doubled mid-ranks (N,), in any order; 0 < m < N."""
    ranks = np.sort(np.asarray(doubled_ranks, dtype=np.int64))
    if len(ranks) > HARD_LIMIT:
        raise TooLargeError(
            f"the exact rank-sum distribution is limited to {HARD_LIMIT} observations; got {len(ranks)}. "
            'Use method="normal" (or "auto"), which is accurate to many digits there.'
        )
    small = int(ranks[len(ranks) - m :].sum()) <= _CACHED_STATES
    return _remembered(ranks.tobytes(), m) if small else _build(ranks, m)


@lru_cache(maxsize=256)
def _remembered(ranks: bytes, m: int) -> RankSumNull:
    return _build(np.frombuffer(ranks, dtype=np.int64), m)


def _build(ranks: Ints, m: int) -> RankSumNull:
    lowered, unit = _lowered(ranks)
    steps, smaller = (lowered // unit).tolist(), min(m, len(ranks) - m)
    ways = _ways(steps, smaller)
    if smaller < m:  # the sums of the others, and what is left for these
        ways = ways[::-1]
        least = sum(steps) - (len(ways) - 1)
    else:
        least = 0
    return RankSumNull(
        unit=unit,
        offset=m * int(ranks[0]) + least * unit,
        ways=ways,
        below=np.cumsum(ways),
        above=np.cumsum(ways[::-1])[::-1],
    )


def _lowered(ranks: Ints) -> tuple[Ints, int]:
    """The ranks above the least one, and their greatest common divisor (1 where all are tied)."""
    lowered = ranks - ranks.min()
    return lowered, max(int(np.gcd.reduce(lowered)), 1)


def _ways(steps: list[int], m: int) -> Array:
    """How many subsets of size ``m`` of ``steps`` (ascending) have each sum from 0 to the largest."""
    most = sum(steps[len(steps) - m :])
    ways = np.zeros((m + 1, most + 1))
    ways[0, 0] = 1.0
    top = 0  # the largest sum of any m of the steps so far
    for i, step in enumerate(steps):
        top = min(top + step, most)
        sizes = min(i + 1, m)
        ways[1 : sizes + 1, step : top + 1] += ways[:sizes, : top + 1 - step].copy()
    return np.asarray(ways[m])


def least_rank_sum_pvalue(m: int, n: int) -> float:
    """The least two-sided p-value that samples of m and n observations can give: the first all above the second."""
    return min(1.0, 2 / math.comb(m + n, m))
