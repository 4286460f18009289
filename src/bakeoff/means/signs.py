"""Choices of signs for whole clusters: all of them, or a sample, and the one-sided test of many sums at once."""

from __future__ import annotations

import numpy as np

from bakeoff.randomness import generator
from bakeoff.scores import Array

EXACT = 16
"""Clusters up to which all 2^G choices of signs are counted."""
RESAMPLES = 65_535
"""Choices of signs drawn beyond, always from one seed, so that a table has one p."""
_ROUNDING = 1e-9  # of the sum of sizes: two sums that differ by less are tied
_NO_ERROR = 1e-13  # of a sum of squares: what is left of it by rounding
_CHUNK = 1 << 22  # numbers at a time; fixed, so that the answer does not depend on the machine


def flips_above(sums: Array) -> Array:
    """(P,) share of choices of signs whose Σ ±S is at least Σ S, of each column of ``sums`` (G, P)."""
    groups, pairs = sums.shape
    sums = sums[np.lexsort((np.abs(sums).min(axis=1), np.abs(sums).max(axis=1)))]  # signs are of a content, not a place
    exact = groups <= EXACT
    size = 2**groups if exact else RESAMPLES
    observed, slack = sums.sum(axis=0), _ROUNDING * np.abs(sums).sum(axis=0)
    rng, counts = generator(0), np.zeros(pairs)
    per_chunk = max(1, _CHUNK // max(groups, pairs))
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
    """Of all choices that leave the first sign alone (the others give the same |t|), ``count`` from ``first`` on."""
    numbers = np.arange(first, first + count, dtype=np.int64)[:, None]
    return ((numbers >> np.arange(groups - 1, -1, -1)) & 1).astype(np.float64)


def drawn_bits(count: int, groups: int, rng: np.random.Generator) -> Array:
    """(count, groups) zeros and ones at random."""
    packed = rng.integers(0, 256, size=(count, -(-groups // 8)), dtype=np.uint8)
    return np.unpackbits(packed, axis=1, count=groups).astype(np.float64)
