"""Independent sign flips of values or whole clusters: the choices of signs, and the distribution of a sum."""

from __future__ import annotations

import math

import numpy as np

from bakeoff.nulls.signed_rank import HARD_LIMIT, signed_rank_null
from bakeoff.randomness import generator
from bakeoff.ranks import Ints
from bakeoff.scores import Array

# Choices of signs for whole clusters: all of them, or a sample, and the one-sided test of many sums at once.

EXACT = 16
"""Clusters up to which all 2^G choices of signs are counted."""
RESAMPLES = 65_535
"""Choices of signs drawn beyond, always from one seed, so that a table has one p."""
_ROUNDING = 1e-9  # of the sum of sizes: two sums that differ by less are tied
_NO_ERROR = 1e-13  # of a sum of squares: what is left of it by rounding
_CHOICES_AT_ONCE = 1 << 22  # numbers at a time; fixed, so that the answer does not depend on the machine


def flips_above(sums: Array) -> Array:
    """(P,) share of choices of signs whose Σ ±S is at least Σ S, of each column of ``sums`` (G, P)."""
    groups, pairs = sums.shape
    sums = sums[np.lexsort((np.abs(sums).min(axis=1), np.abs(sums).max(axis=1)))]  # signs are of a content, not a place
    exact = groups <= EXACT
    size = 2**groups if exact else RESAMPLES
    observed, slack = sums.sum(axis=0), _ROUNDING * np.abs(sums).sum(axis=0)
    rng, counts = generator(0), np.zeros(pairs)
    per_chunk = max(1, _CHOICES_AT_ONCE // max(groups, pairs))
    for first in range(0, size, per_chunk):
        count = min(per_chunk, size - first)
        bits = all_bits(first, count, groups) if exact else drawn_bits(count, groups, rng)
        counts += (2.0 * (bits @ sums) - observed >= observed - slack).sum(axis=0)
    return np.asarray(counts / size if exact else (counts + 1) / (size + 1))


def flipped_t(sums: Array, groups: int) -> Array:
    """t of the mean of G = ``groups`` values d from u = Σ ±d/√Σd²: t² = (G − 1)u²/(G − u²), u signed or not.

    Other signs leave the denominator of u, and its order is that of t. 0 where u is, infinite where values are equal.
    """
    left = groups - sums**2
    left = np.where(left <= _NO_ERROR * groups, 0.0, left)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(np.where(sums == 0, 0.0, sums * np.sqrt((groups - 1) / left)))


def all_bits(first: int, count: int, groups: int) -> Array:
    """Choices that leave the first sign alone (the others give the same |t|): ``count`` from ``first`` on."""
    numbers = np.arange(first, first + count, dtype=np.int64)[:, None]
    return ((numbers >> np.arange(groups - 1, -1, -1)) & 1).astype(np.float64)


def drawn_bits(count: int, groups: int, rng: np.random.Generator) -> Array:
    """(count, groups) zeros and ones at random."""
    packed = rng.integers(0, 256, size=(count, -(-groups // 8)), dtype=np.uint8)
    return np.unpackbits(packed, axis=1, count=groups).astype(np.float64)


# The distribution of a sum of values whose signs are flipped independently, each with probability 1/2.
#
# The sum is at least as large as the observed one exactly if the negative values add up to no more than observed, so
# the law is a count of subsets. Two sums that rounding of the scores explains are tied: both count as at least as
# large.

HALVED = 40
"""Number of values up to which all subsets are counted by halves (2^20 sums each, some 0.2 s)."""

_SHORT = 20  # so few are counted by halves at once
_QUICK, _WORK = 2e7, 1e9  # additions of dynamic programming
_DECIMALS = 9
_CHUNK = 1 << 20  # numbers drawn at a time; fixed, so that the answer does not depend on the machine


def flip_tail(values: Array, tolerances: Array) -> tuple[float, float] | None:
    """P(Σ ± v ≥ Σ v) and its logarithm; None where it is out of reach.

    ``values`` (m,) are not 0, ``tolerances`` (m,) within which each is known.
    """
    m = len(values)
    if m <= _SHORT:
        return _by_halves(values, tolerances)
    steps = whole_steps(np.abs(values), tolerances) if m <= HARD_LIMIT else None
    work = math.inf if steps is None else m * float(steps.sum())
    if steps is not None and work <= (_QUICK if m <= HALVED else _WORK):
        return signed_rank_null(steps).tail(int(steps[values < 0].sum()))
    return _by_halves(values, tolerances) if m <= HALVED else None


def sampled_count(values: Array, tolerances: Array, two_sided: bool, n_resamples: int, rng: np.random.Generator) -> int:
    """#{Σ ± v ≥ Σ v} among ``n_resamples`` random choices of signs; of the sizes of the sums if ``two_sided``.

    The draws depend on the values as a set, not on their order.
    """
    sizes = np.sort(np.abs(values))
    total = math.fsum(values.tolist())
    limit = (abs(total) if two_sided else total) - _slack(values, tolerances)
    count = 0
    per_chunk = max(1, _CHUNK // len(sizes))
    for first in range(0, n_resamples, per_chunk):
        signs = rng.integers(0, 2, size=(min(per_chunk, n_resamples - first), len(sizes)), dtype=np.int8)
        sums = np.where(signs == 1, sizes, -sizes).sum(axis=1)
        count += int(((np.abs(sums) if two_sided else sums) >= limit).sum())
    return count


def whole_steps(sizes: Array, tolerances: Array) -> Ints | None:
    """``sizes`` as whole numbers of a decimal unit, if one explains all of them."""
    for digits in range(_DECIMALS + 1):
        scaled, slack = sizes * 10.0**digits, tolerances * 10.0**digits
        if float(scaled.max()) > _WORK or float(slack.max()) > 0.01:
            return None
        nearest = np.rint(scaled)
        if bool((np.abs(scaled - nearest) <= slack).all()) and float(nearest.min()) > 0.0:
            whole = nearest.astype(np.int64)
            return np.asarray(whole // np.gcd.reduce(whole))
    return None


def _by_halves(values: Array, tolerances: Array) -> tuple[float, float]:
    """Every subset sum of one half beside every one of the other."""
    sizes = np.sort(np.abs(values))
    limit = math.fsum((-values[values < 0]).tolist()) + _slack(values, tolerances) / 2
    first, second = np.sort(_subset_sums(sizes[::2])), np.sort(_subset_sums(sizes[1::2]))
    count, m = int(np.searchsorted(second, limit - first, side="right").sum()), len(sizes)
    rest = 2**m - count
    return count / 2**m, math.log1p(-rest / 2**m) if rest < count else math.log(count) - m * math.log(2.0)


def _subset_sums(sizes: Array) -> Array:
    sums = np.zeros(1)
    for size in sizes.tolist():
        sums = np.concatenate([sums, sums + size])
    return sums


def _slack(values: Array, tolerances: Array) -> float:
    """Within which two sums are tied: what scores do not tell, and the rounding of sums."""
    known = math.fsum(tolerances.tolist())
    return known + len(values) * float(np.finfo(np.float64).eps) * math.fsum(np.abs(values).tolist())
