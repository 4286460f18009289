"""The null distribution of M for all benchmarks at once: one permutation of the versions for all of them.

So what benchmarks have in common (the host of a night) is kept, and the largest M over benchmarks has its own
distribution: the probability of any false alarm is that of the largest (Westfall and Young 1993). A benchmark that some
versions lack takes the order that the permutation gives to those it has.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from bakeoff.randomness import stream_of
from bakeoff.scores import Array
from bakeoff.wings.guard.history.statistics.statistic import largest_split, midranks, permuted_maxima

EXACT_LIMIT = 50_000
"""Permutations up to which all of them are taken: 8! = 40,320."""

_CHUNK = 1 << 18  # numbers


def takes_all(total: int) -> bool:
    """Whether every permutation of so many versions is taken."""
    return total <= 20 and math.factorial(total) <= EXACT_LIMIT


def _keys(total: int, exact: bool, n_resamples: int, rng: np.random.Generator) -> Iterator[Array]:
    """Chunks of (m, T) sort keys."""
    if exact:
        yield np.array(list(itertools.permutations(range(total))), dtype=float)
        return
    chunk = max(1, _CHUNK // total)
    for first in range(0, n_resamples, chunk):
        yield rng.random((min(chunk, n_resamples - first), total))


def null_of_largest(rows: Sequence[Array], h: int, exact: bool, n_resamples: int, rng: np.random.Generator) -> Array:
    """M of the largest benchmark under each permutation; NaN in a row where a version lacks it."""
    with_gaps: dict[bytes, list[Array]] = {}
    for row in rows:
        with_gaps.setdefault(np.isnan(row).tobytes(), []).append(row)
    groups = []
    for some in with_gaps.values():
        there = ~np.isnan(some[0])
        groups.append((there, np.column_stack([midranks(row[there]) for row in some])))
    maxima = []
    for keys in _keys(len(rows[0]), exact, n_resamples, rng):
        largest = np.zeros(len(keys))
        for there, ranks in groups:
            orders = np.ascontiguousarray(np.argsort(keys if there.all() else keys[:, there], axis=1).T)
            np.maximum(largest, permuted_maxima(ranks, orders, h), out=largest)
        maxima.append(largest)
    return np.concatenate(maxima)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SingleNulls:
    """Null distributions of M of one series each. One depends on the ranks alone, not on their order, so it is kept for
    all series with as many versions and the same ties. Its permutations belong to these ranks, not to a place."""

    h: int
    n_resamples: int
    root: list[int]
    known: dict[bytes, Array] = field(default_factory=dict)

    def test(self, values: Array) -> tuple[float, int, float]:
        """M, where the new level begins, and the p-value."""
        statistic, place = largest_split(values, self.h)
        exact, pattern = takes_all(len(values)), np.sort(midranks(values))
        key = pattern.tobytes()
        if (null := self.known.get(key)) is None:
            rng = stream_of(self.root, key)
            null = self.known[key] = null_of_largest([pattern], self.h, exact, self.n_resamples, rng)
        return statistic, place, pvalue_of(statistic, null, exact)


def pvalue_of(statistic: float, null: Array, exact: bool) -> float:
    """The share of permutations at least as large; of sampled ones with the observed order counted, so never 0."""
    reached = int(np.sum(null >= statistic - 1e-9))
    return reached / len(null) if exact else (1 + reached) / (1 + len(null))
