"""The largest standardised rank sum over splits, its null distribution, binary segmentation, and the size of a step.

    M = max over h ≤ t ≤ T − h of |Σ_{i≤t} (R_i − (T + 1)/2)| / √(t (T − t) (T + 1)/12)

Pettitt (1979) without the standardisation; with it a step near an end counts as much as one in the middle. The null
distribution of M permutes the versions once for all benchmarks: so what benchmarks have in common (the host of a night)
is kept, and the largest M over benchmarks has its own distribution: the probability of any false alarm is that of the
largest (Westfall and Young 1993). A benchmark that some versions lack takes the order that the permutation gives to
those it has. The parts of a history that has changed are searched again, level by level. The size of a step is the
median of all differences between two samples, with the interval of the rank-sum test.
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from bakeoff.adjusting import adjust
from bakeoff.dataclass import dataclass, field
from bakeoff.nulls.rank_sum import largest_plain_statistic
from bakeoff.randomness import root_of, stream_of
from bakeoff.ranks.ties import doubled_tied_ranks
from bakeoff.scores import Array


def midranks(values: Array) -> Array:
    """Ranks from 1 on, averages where values are equal, within rounding."""
    return doubled_tied_ranks(values, np.abs(values)) / 2.0


def _deviations(total: int, h: int) -> Array:
    """Standard deviations of the sums at the splits h, …, T − h."""
    t = np.arange(h, total - h + 1)
    return np.asarray(np.sqrt(t * (total - t) * (total + 1) / 12.0))


def largest_split(values: Array, h: int) -> tuple[float, int]:
    """M, and the first t that has it."""
    total = len(values)
    sums = np.cumsum(midranks(values) - (total + 1) / 2.0)[h - 1 : total - h]
    statistics = np.abs(sums) / _deviations(total, h)
    best = int(np.argmax(statistics > statistics.max() - 1e-12))
    return float(statistics[best]), best + h


_CELLS = 10_000  # sums at once: they stay in the processor's cache


def permuted_maxima(ranks: Array, orders: npt.NDArray[np.intp], h: int) -> Array:
    """M of the largest of these series (T, k) in each of these orders (T, m)."""
    total, k = ranks.shape
    centred, deviations = ranks - (total + 1) / 2.0, _deviations(total, h)
    maxima, block = np.empty(orders.shape[1]), max(1, _CELLS // k)
    for first in range(0, len(maxima), block):
        some = orders[:, first : first + block]
        sums, largest, now = np.zeros((3, some.shape[1], k))
        for t in range(1, total - h + 1):
            sums += centred.take(some[t - 1], axis=0, out=now, mode="clip")
            if t >= h:
                np.divide(np.abs(sums, out=now), deviations[t - h], out=now)
                np.maximum(largest, now, out=largest)
        largest.max(axis=1, out=maxima[first : first + block])
    return maxima


def serial_products(ranks: Array) -> tuple[float, float]:
    """The excess of the products of neighbours over their mean over all orders of these ranks, and their variance.

    Wald and Wolfowitz (1943), Ann. Math. Statist. 14, 378–388. The mean of n centred ranks is −1/n of their squares,
    which is far from 0 in short segments. (0, 0) below four.
    """
    n = len(ranks)
    if n < 4:
        return 0.0, 0.0
    x = ranks - ranks.mean()
    squares, fourths = float((x**2).sum()), float((x**4).sum())
    pairs = (squares**2 - fourths) / n  # n − 1 times the mean of x²y²
    chains = 2.0 * (2.0 * fourths - squares**2) / (n * (n - 1))  # 2(n − 2) times that of x²yz
    apart = (3.0 * squares**2 - 6.0 * fourths) / (n * (n - 1))  # (n − 2)(n − 3) times that of wxyz
    return float((x[1:] * x[:-1]).sum()) + squares / n, pairs + chains + apart - (squares / n) ** 2


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


@dataclass(frozen=True, slots=True)
class Split:
    """A change in one series without gaps: the new level begins at ``place``."""

    place: int
    statistic: float
    pvalue: float
    level: int


def segmented(
    series: Mapping[int, Array], first: Mapping[int, tuple[float, int, float]], alpha: float, nulls: SingleNulls
) -> dict[int, list[Split]]:
    """Splits of each series; ``first`` are statistic, place and adjusted p-value in the whole history.

    Deeper levels: each segment is permuted by itself, and Holm over all segments of the level.
    """
    accepted: dict[int, list[Split]] = {key: [] for key in series}
    open_parts: list[tuple[int, int, int]] = []
    for key, (statistic, place, pvalue) in first.items():
        if pvalue <= alpha:
            accepted[key].append(Split(place, statistic, pvalue, 1))
            open_parts += [(key, 0, place), (key, place, len(series[key]))]
    level = 2
    while open_parts:
        parts = [part for part in open_parts if part[2] - part[1] >= 2 * nulls.h]
        tested = [nulls.test(series[key][low:high]) for key, low, high in parts]
        adjusted = adjust([test[2] for test in tested], "holm").tolist() if tested else []
        open_parts = []
        for (key, low, high), (statistic, place, _), pvalue in zip(parts, tested, adjusted, strict=True):
            if pvalue <= alpha:
                accepted[key].append(Split(low + place, statistic, pvalue, level))
                open_parts += [(key, low, low + place), (key, low + place, high)]
        level += 1
    return {key: sorted(splits, key=lambda split: split.place) for key, splits in accepted.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """Series without gaps, by the row of their benchmark, and where each has changed."""

    series: dict[int, Array]
    first: dict[int, tuple[float, int, float]]  # statistic, place, and adjusted p-value in the whole history
    splits: dict[int, list[Split]]
    able: set[int]  # those of which some order could show a change


def search(
    rows: Mapping[int, Array], h: int, alpha: float, exact: bool, n_resamples: int, rng: np.random.Generator
) -> Search:
    """Search all rows, NaN where a version lacks the benchmark."""
    null = null_of_largest(list(rows.values()), h, exact, n_resamples, rng)
    series = {i: row[~np.isnan(row)] for i, row in rows.items()}
    largest = {i: largest_split(values, h) for i, values in series.items()}
    first = {i: (statistic, place, pvalue_of(statistic, null, exact)) for i, (statistic, place) in largest.items()}
    splits = segmented(series, first, alpha, SingleNulls(h=h, n_resamples=n_resamples, root=root_of(rng)))
    in_order = {i: largest_split(np.arange(len(values), dtype=float), h)[0] for i, values in series.items()}
    able = {i for i, most in in_order.items() if pvalue_of(most, null, exact) <= alpha}
    return Search(series=series, first=first, splits=splits, able=able)


def segment_bounds(splits: Sequence[Split], n: int) -> list[tuple[int, int]]:
    """The segments between the splits."""
    cuts = [0, *(split.place for split in splits), n]
    return list(itertools.pairwise(cuts))


def shift_between(before: Array, after: Array, level: float) -> tuple[float, float | None, float | None]:
    """Hodges and Lehmann (1963) for two samples: after against before; None where no interval has this level."""
    differences = np.sort((after[:, None] - before[None, :]).ravel())
    cut = largest_plain_statistic(len(after), len(before), (1.0 - level) / 2.0)
    middle = float(np.median(differences))
    if cut < 0:
        return middle, None, None
    return middle, float(differences[cut]), float(differences[-1 - cut])
