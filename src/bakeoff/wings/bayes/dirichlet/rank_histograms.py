"""Rank probabilities and densities from draws of means, chunk by chunk: nothing is kept but counts."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass
from bakeoff.nulls.tails import drawn_share
from bakeoff.scores import Array

Ints = npt.NDArray[np.int64]
BINS = 256  # in the common grid
FINE = 4096  # in the grid of each algorithm
GATHERED = 1 << 22  # numbers counted at a time: 32 MB
WIDE = 6.0  # standard deviations on either side of the mean


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DistinctColumns:
    """Equal columns once: their means are equal in every draw, whatever rounding does."""

    values: Array  # (n, u)
    of: npt.NDArray[np.intp]  # (k,) which distinct column an algorithm has
    first: npt.NDArray[np.intp]  # (u,) an algorithm that has it
    sizes: Ints  # (u,) how many have it

    @property
    def n(self) -> int:
        return int(self.values.shape[1])


def distinct_columns(values: Array) -> DistinctColumns:
    """In an order that follows from the contents alone."""
    distinct, first, of, sizes = np.unique(values, axis=1, return_index=True, return_inverse=True, return_counts=True)
    return DistinctColumns(values=distinct, of=np.asarray(of).reshape(-1), first=first, sizes=sizes.astype(np.int64))


def gathered(chunks: Iterable[Array]) -> Iterator[Array]:
    """The same draws in larger pieces: with many algorithms counting costs more per piece than per draw."""
    waiting: list[Array] = []
    for chunk in chunks:
        waiting.append(chunk)
        if sum(part.size for part in waiting) >= GATHERED:
            yield np.concatenate(waiting)
            waiting = []
    if waiting:
        yield np.concatenate(waiting)


class RankCounts:
    """Counts of the places (1 is the lowest mean) that columns take; equal columns share theirs evenly."""

    def __init__(self, columns: DistinctColumns) -> None:
        self.columns = columns
        self.k = len(columns.of)
        self.counts = np.zeros(columns.n * self.k, dtype=np.int64)

    def add(self, means: Array) -> None:
        """(size, u) draws."""
        order = np.argsort(means, axis=1)
        sizes = self.columns.sizes[order]
        starts = np.cumsum(sizes, axis=1) - sizes
        self.counts += np.bincount((order * self.k + starts).ravel(), minlength=len(self.counts))

    def shares(self) -> Array:
        """(k, k) probabilities that an algorithm (row) takes a place (column), none of them 0 or 1."""
        draws = int(self.counts.reshape(self.columns.n, self.k)[0].sum())
        return drawn_share(self.counted() * draws, draws, self.k)

    def counted(self) -> Array:
        """(k, k) the same as plain shares of the draws."""
        starts = self.counts.reshape(self.columns.n, self.k) / self.counts.reshape(self.columns.n, self.k)[0].sum()
        shares = np.zeros_like(starts)
        for size in np.unique(self.columns.sizes).tolist():
            rows = self.columns.sizes == size
            for offset in range(size):
                shares[rows, offset:] += starts[rows, : self.k - offset] / size
        return np.asarray(shares[self.columns.of], dtype=np.float64)


class RankHistograms:
    """Histograms of each column's mean, on a grid common to all and on one of its own for quantiles."""

    def __init__(self, columns: DistinctColumns, centres: Array, deviations: Array, averages: bool = True) -> None:
        """``centres`` and ``deviations`` (u,): exact posterior means and standard deviations.

        ``averages``: draws are weighted means of the columns, and lie within their values.
        """
        self.columns = columns
        reach = 0.0 if averages else WIDE * deviations
        lowest = np.minimum(columns.values.min(axis=0), centres - reach)
        highest = np.maximum(columns.values.max(axis=0), centres + reach)
        self.low = np.maximum(lowest, centres - WIDE * deviations)
        self.high = np.minimum(highest, centres + WIDE * deviations)
        self.fixed = self.high <= self.low  # the same mean in every draw
        self.edge, end = float(self.low.min()), float(self.high.max())
        if end <= self.edge:
            self.edge, end = self.edge - 0.5, end + 0.5
        self.step = (end - self.edge) / BINS
        self.coarse = np.zeros(columns.n * BINS, dtype=np.int64)
        self.fine = np.zeros(columns.n * FINE, dtype=np.int64)

    @property
    def grid(self) -> Array:
        """(BINS,) middles."""
        return np.asarray(self.edge + self.step * (np.arange(BINS) + 0.5), dtype=np.float64)

    def add(self, means: Array) -> None:
        """(size, u) draws."""
        widths = np.where(self.fixed, 1.0, self.high - self.low) / FINE
        self.coarse += _counted((means - self.edge) / self.step, BINS)
        self.fine += _counted((means - self.low) / widths, FINE)

    def densities(self) -> Array:
        """(k, BINS); each integrates to 1."""
        counts = self.coarse.reshape(-1, BINS)
        return np.asarray(counts / (counts.sum(axis=1, keepdims=True) * self.step), dtype=np.float64)[self.columns.of]

    def quantiles(self, levels: Sequence[float]) -> Array:
        """(k, levels), linear within a bin."""
        levels_reached = np.empty((self.columns.n, len(levels)))
        for i, counts in enumerate(self.fine.reshape(-1, FINE)):
            below = np.concatenate([[0.0], np.cumsum(counts) / counts.sum()])
            edges = np.linspace(self.low[i], self.high[i], FINE + 1)
            # the first edge that reaches the level, not the far end of a run of empty bins
            at = np.clip(np.searchsorted(below, levels, side="left"), 1, FINE)
            part = (np.asarray(levels) - below[at - 1]) / (below[at] - below[at - 1])
            levels_reached[i] = self.low[i] if self.fixed[i] else edges[at - 1] + part * (edges[at] - edges[at - 1])
        return levels_reached[self.columns.of]


def _counted(place: Array, bins: int) -> Ints:
    """(u · bins,) counts per column of bin numbers (size, u); what lies outside belongs to the last bin there."""
    u = place.shape[1]
    numbers = np.clip(place, 0, bins - 1).astype(np.int64) + np.arange(u) * bins
    return np.bincount(numbers.ravel(), minlength=u * bins).astype(np.int64)
