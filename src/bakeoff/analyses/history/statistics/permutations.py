"""The null distribution of M for all benchmarks at once: one permutation of the versions for all of them.

So what benchmarks have in common (the host of a night) is kept, and the largest M over benchmarks has its own
distribution: the probability of any false alarm is that of the largest (Westfall and Young 1993). A benchmark that some
versions lack takes the order that the permutation gives to those it has.
"""

import itertools
import math
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from bakeoff.analyses.history.statistics.statistic import midranks, permuted_maxima
from bakeoff.scores import Array

EXACT_LIMIT = 50_000
"""Permutations up to which all of them are taken: 8! = 40,320."""

_CHUNK = 1 << 20  # numbers


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
    total = len(rows[0])
    ranked: list[tuple[bytes, npt.NDArray[np.bool_], Array]] = []
    for row in rows:
        there = ~np.isnan(row)
        ranked.append((there.tobytes(), there, midranks(row[there])))
    maxima = []
    for keys in _keys(total, exact, n_resamples, rng):
        orders: dict[bytes, npt.NDArray[np.intp]] = {}
        largest = np.zeros(len(keys))
        for name, there, ranks in ranked:
            if name not in orders:
                orders[name] = np.argsort(keys[:, there], axis=1)
            np.maximum(largest, permuted_maxima(ranks, orders[name], h), out=largest)
        maxima.append(largest)
    return np.concatenate(maxima)


def pvalue_of(statistic: float, null: Array, exact: bool) -> float:
    """The share of permutations at least as large; of sampled ones with the observed order counted, so never 0."""
    reached = int(np.sum(null >= statistic - 1e-9))
    return reached / len(null) if exact else (1 + reached) / (1 + len(null))
