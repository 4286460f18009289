"""Shaffer's corrections: Holm's, multiplied by the number of hypotheses that can still be true together."""

from functools import lru_cache
from math import comb

import numpy as np
import numpy.typing as npt

from bakeoff.adjusting import bergmann_hommel, bergmann_hommel_line
from bakeoff.adjusting.arithmetic import Arithmetic, Pairs, apply
from bakeoff.adjusting.classical import beside, running_max
from bakeoff.scores import Array

# S(k): how many of the C(k,2) hypotheses of equality can be true at once, as the bits of one integer.
#
# If k algorithms fall into blocks of equals, the true hypotheses are the pairs within blocks, so
# S(k) = ∪_j {C(j,2) + x : x ∈ S(k−j)} with j the largest block. Shaffer (1986); García & Herrera (2008).


@lru_cache(maxsize=32)
def possible_counts(k: int) -> npt.NDArray[np.bool_]:
    """(C(k,2)+1,): whether exactly i hypotheses can be true."""
    bits = _bitset(k).to_bytes(comb(k, 2) // 8 + 1, "little")
    counts = np.unpackbits(np.frombuffer(bits, dtype=np.uint8), bitorder="little")[: comb(k, 2) + 1].astype(bool)
    counts.setflags(write=False)
    return counts


def most_true(k: int) -> npt.NDArray[np.int64]:
    """(m,): t_1 … t_m, the largest possible number of true hypotheses once i − 1 of them are false."""
    counts = possible_counts(k)
    largest = np.maximum.accumulate(np.where(counts, np.arange(len(counts)), 0))
    return largest[:0:-1]


def _bitset(k: int) -> int:
    """Nearly every number up to some ``full`` is possible; only what lies above it needs the recursion.

    With largest block j no more than k(j−1)/2 pairs are within blocks, so small j add nothing above ``full``.
    """
    sets = [1]
    for size in range(1, k + 1):
        base = _filled(sets[-1])
        above = sets[-1] >> base
        j = size
        while j > 1 and size * (j - 1) // 2 >= base:
            shift = comb(j, 2) - base
            above |= sets[size - j] << shift if shift >= 0 else sets[size - j] >> -shift
            j -= 1
        sets.append((above << base) | ((1 << base) - 1))
    return sets[k]


def _filled(bits: int) -> int:
    """The length of the run of ones at the bottom."""
    return (~bits & (bits + 1)).bit_length() - 1


# Shaffer's corrections: Holm's, multiplied by the number of hypotheses that can still be true.
#
# If A = B and B = C then A = C: the true hypotheses are the pairs within the blocks of a partition of the algorithms.


def shaffer(pairs: Pairs) -> Array:
    """(m,) max over j ≤ i of t_j·p_j; t_j = the most hypotheses that can be true when j − 1 of them are false."""
    return apply(lambda p, on: shaffer_steps(p, on, len(pairs.matrix)), pairs.upper, pairs.on)


def shaffer_steps(p: Array, on: Arithmetic, k: int) -> Array:
    """The same of p in increasing order; many lists at once as columns."""
    return running_max(on.times(p, beside(most_true(k), p)))


def shaffer_dynamic(pairs: Pairs) -> Array:
    """The same with the most hypotheses that can be true when exactly those with smaller p are false."""
    distinct, lives = pairs.thresholds()
    if pairs.order is not None:
        count = bergmann_hommel_line.line(lives[np.ix_(pairs.order, pairs.order)]).prefix[:, -1]
    else:
        bergmann_hommel.refuse_large(len(lives), "shaffer-dynamic")
        count = bergmann_hommel.most_within(lives)
    steps = running_max(pairs.on.times(distinct, count))
    return steps[lives[np.triu_indices(len(lives), 1)] - 1]
