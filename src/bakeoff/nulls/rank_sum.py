"""The exact null distribution of Wilcoxon's and Mann and Whitney's rank sum, for any ranks.

Under the null every m of the N = m + n pooled observations are equally often the first sample, so given the mid-ranks
r_1, …, r_N the sum W of the first sample's ranks has the generating function

    Σ_w #{subsets of size m with sum w} x^w = [y^m] Π_i (1 + y·x^{r_i}),

counted by dynamic programming over the ranks. Mid-ranks are doubled, lowered by their least and divided by their
greatest common divisor, which makes the exponents small integers. All terms are counts: nothing cancels, and counts
below 2^53 are exact.

Without ties it is the Gaussian binomial coefficient Π_{i ≤ m} (1 − x^{n+i})/(1 − x^i) (Mann & Whitney 1947), a product
of m factors in place of N·m additions of arrays. Its differences would cancel in floating point, so the coefficients
are whole numbers, side by side in one of Python's: a factor 1 − x^i is a shift and a subtraction.
"""

import math
from functools import lru_cache
from types import ModuleType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from bakeoff.accelerator import compiled
from bakeoff.dataclass import dataclass
from bakeoff.errors import TooLargeError
from bakeoff.ranks import Ints
from bakeoff.scores import Array
from bakeoff.special import ndtri

EXACT_WORK = 2e8
"""Additions up to which ``method="auto"`` is exact (about 0.2 s: two samples of 80 without ties)."""

PLAIN_WORK = 1.2e7
"""Coefficients times bits times factors, 64 at a time, up to which the distribution without ties is exact (about 0.4 s:
two samples of 165)."""

COUNTED = 56
"""Number of tied ranks up to which two tails are counted by themselves; all counts are below 2^53."""

REMEMBERED = 32
"""Number of ranks up to which the counts of their halves are kept (at most 33 kB each)."""

HARD_LIMIT = 1000
"""Observations beyond which the counts, up to C(N, N/2), leave the range of floating point."""

WORTH_LOADING = 10_000
"""Tests with ties from which it is worthwhile to load numba."""

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


def rank_sum_tails(doubled_ranks: Ints, m: int, doubled_sum: int) -> tuple[float, float]:
    """P(W ≤ w) and P(W ≥ w): as of :func:`rank_sum_null`, of few ranks with ties without the rest of their law."""
    ranks = np.sort(np.asarray(doubled_ranks, dtype=np.int64))
    if len(ranks) > COUNTED or _plain(ranks):
        return rank_sum_null(ranks, m).tails(doubled_sum)
    return counted_tails(ranks, m, doubled_sum)


def counted_tails(ranks: Ints, m: int, doubled_sum: int) -> tuple[float, float]:
    """Σ_j Σ_s #{j of the lower half, sum s}·#{m − j of the upper half, sum ≤ w − s}, of ascending ranks.

    The terms are whole numbers, and their sum is below 2^53: it is exact in any order. Halves come again and again.
    """
    total = float(math.comb(len(ranks), m))
    if (twin := compiled(_twin, len(ranks) >= WORTH_LOADING)) is not None:
        up_to, less = twin.counts_of_tails(ranks, m, doubled_sum)
        return up_to / total, (total - less) / total
    middle = len(ranks) // 2
    half = _half if len(ranks) <= REMEMBERED else _half.__wrapped__
    lower, upper = (half((part - part[0]).tobytes()) for part in (ranks[:middle], ranks[middle:]))
    first, last = lower.starts[max(0, m - len(ranks) + middle)], lower.starts[min(m, middle) + 1]
    ways, taken = lower.ways[first:last], lower.sizes[first:last]
    others = m - taken
    most = doubled_sum - int(ranks[middle]) * m + (int(ranks[middle]) - int(ranks[0])) * taken - lower.sums[first:last]
    place, before, whole = upper.offsets[others] + most, upper.before[others], upper.before[others + 1] - 1
    up_to = float(ways @ upper.below[np.minimum(np.maximum(place, before), whole)])
    less = float(ways @ upper.below[np.minimum(np.maximum(place - 1, before), whole)])
    return up_to / total, (total - less) / total


def load_rank_sum_twin(n_tests: int) -> None:
    """Load the compiled twin, if there is one, for so many tests with ties that it repays that."""
    compiled(_twin, n_tests >= WORTH_LOADING)


def _twin() -> ModuleType:
    from bakeoff.ranks import rank_sum_compiled

    return rank_sum_compiled


class _Half(NamedTuple):
    """Numbers of subsets of some steps with each size and sum: those that occur, by size; and, of each size, those of
    at most a sum, after a 0."""

    ways: Array
    sizes: npt.NDArray[np.int32]
    sums: npt.NDArray[np.int32]
    starts: list[int]  # of each size among these; at the end their number
    below: Array
    before: Ints  # the place of the 0 of each size in ``below``; at the end its length
    offsets: Ints  # what leads from a sum to its place


@lru_cache(maxsize=1 << 12)
def _half(steps: bytes) -> _Half:
    each = np.frombuffer(steps, dtype=np.int64)
    size, total = len(each), int(each.sum())
    ways = np.zeros((size + 1, total + 1))
    ways[0, 0] = 1.0
    for i, step in enumerate(each.tolist()):
        ways[1 : i + 2, step:] += ways[: i + 1, : total + 1 - step].copy()
    sizes, sums = np.nonzero(ways)
    least = np.concatenate([[0], np.cumsum(each)])
    largest = total - least[::-1]
    before = np.concatenate([[0], np.cumsum(largest - least + 2)])
    sums_below = np.zeros((size + 1, total + 2))  # that of 0 comes first
    np.cumsum(ways, axis=1, out=sums_below[:, 1:])
    return _Half(
        ways=ways[sizes, sums],
        sizes=sizes.astype(np.int32),
        sums=sums.astype(np.int32),
        starts=np.searchsorted(sizes, np.arange(size + 2)).tolist(),
        below=np.concatenate([sums_below[j, least[j] : largest[j] + 2] for j in range(size + 1)]),
        before=before,
        offsets=before[:-1] + 1 - least,
    )


def _plain(ranks: Ints) -> bool:
    return bool(np.array_equal(ranks, 2 * np.arange(1, len(ranks) + 1)))


def rank_sum_null(doubled_ranks: Ints, m: int) -> RankSumNull:
    """The exact distribution of the sum of ``m`` of these doubled mid-ranks (N,), in any order; 0 < m < N."""
    ranks = np.sort(np.asarray(doubled_ranks, dtype=np.int64))
    if len(ranks) > HARD_LIMIT:
        raise TooLargeError(
            f"the exact rank-sum distribution is limited to {HARD_LIMIT} observations; got {len(ranks)}. "
            'Use method="normal" (or "auto"), which is accurate to many digits there.'
        )
    if _plain(ranks):
        return plain_rank_sum_null(m, len(ranks) - m)
    small = int(ranks[len(ranks) - m :].sum()) <= _CACHED_STATES
    return _remembered(ranks.tobytes(), m) if small else _build(ranks, m)


@lru_cache(maxsize=256)
def _remembered(ranks: bytes, m: int) -> RankSumNull:
    return _build(np.frombuffer(ranks, dtype=np.int64), m)


@lru_cache(maxsize=64)
def plain_rank_sum_null(m: int, n: int) -> RankSumNull:
    """The null distribution of the sum of m of m + n ranks without ties."""
    ways = _gaussian_binomial(min(m, n), max(m, n))
    return RankSumNull(unit=2, offset=m * (m + 1), ways=ways, below=np.cumsum(ways), above=np.cumsum(ways[::-1])[::-1])


@lru_cache(maxsize=64)
def largest_plain_statistic(m: int, n: int, probability: float) -> int:
    """The largest u with P(U ≤ u) ≤ probability without ties, below 0 if there is none; where the law would take long,
    by the normal distribution with a correction for continuity."""
    if plain_work(m, n) <= PLAIN_WORK:
        below = plain_rank_sum_null(m, n).below
        return int(np.sum(below <= probability * below[-1])) - 1
    sd = math.sqrt(m * n * (m + n + 1) / 12)
    return max(math.floor(m * n / 2 - 0.5 + float(ndtri(probability)) * sd), -1)


def plain_work(m: int, n: int) -> float:
    """Machine words that are shifted for the law without ties."""
    return m * n / 2 * (m + n) / 64 * min(m, n)


def _gaussian_binomial(m: int, n: int) -> Array:
    """Coefficients of x^0 … x^{mn}, m ≤ n; symmetric, so half of them are found."""
    kept = m * n // 2 + 1
    words = (m + n + 2 * kept.bit_length()) // 64 + 1  # each quotient is a sum of at most ``kept`` coefficients
    field = 64 * words
    mask = (1 << field * kept) - 1
    packed = 1
    for i in range(1, m + 1):
        step = i
        while step < kept:  # 1/(1 − x^i) = Π_j (1 + x^(i·2^j))
            packed = (packed + (packed << field * step)) & mask
            step *= 2
        if n + i < kept:
            packed = (packed - (packed << field * (n + i))) & mask
    digits = np.frombuffer(packed.to_bytes(8 * words * kept, "little"), dtype="<u8").reshape(kept, words)
    half = np.zeros(kept)
    for word in range(words):
        half += np.ldexp(digits[:, word].astype(np.float64), 64 * word)
    return np.concatenate([half, half[: m * n + 1 - kept][::-1]])


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
    """The number of subsets of size ``m`` of ``steps`` (ascending) with each sum from 0 to the largest."""
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
