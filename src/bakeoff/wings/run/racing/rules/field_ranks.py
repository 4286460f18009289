"""Rank sums among the survivors over all problems so far; recomputed when the field shrinks."""

import numpy as np
import numpy.typing as npt

from bakeoff.ranks._rank import doubled_row_ranks
from bakeoff.scores.cells import Array


class Rows:
    """A table that grows by rows, with amortised copying."""

    def __init__(self, columns: int) -> None:
        self._buffer = np.empty((64, columns))
        self._n = 0

    @property
    def all(self) -> Array:
        return self._buffer[: self._n]

    def add(self, rows: Array) -> None:
        n = self._n + len(rows)
        if n > len(self._buffer):
            grown = np.empty((max(n, 2 * len(self._buffer)), self._buffer.shape[1]))
            grown[: self._n] = self.all
            self._buffer = grown
        self._buffer[self._n : n] = rows
        self._n = n


def block_ranks(block: Array) -> npt.NDArray[np.int64]:
    """Twice the mid-ranks in each row, lowest first; a small block is compared all against all."""
    if block.shape[0] * block.shape[1] ** 2 > _AT_ONCE:
        return doubled_row_ranks(block)
    one, other = block[:, :, None], block[:, None, :]
    above = (other < one).sum(axis=2) - (other > one).sum(axis=2)
    return np.asarray(above + (block.shape[1] + 1), dtype=np.int64)


_AT_ONCE = 20_000  # comparisons


def mean_costs(costs: Array) -> Array:
    """(m,) means over problems of finite costs, however large."""
    with np.errstate(over="ignore"):
        means = costs.mean(axis=0)
    return np.asarray(means if np.isfinite(means).all() else (costs / len(costs)).sum(axis=0))


class FieldRanks:
    """``points`` (m,): sums of (m + 1)/2 − rank over problems; the largest is best.

    A late candidate has points only from the problems it took part in; among candidates that started together the
    order is that of mean ranks.
    """

    def __init__(self, m: int) -> None:
        self.n_problems = 0
        self.doubled = np.zeros(m, dtype=np.int64)  # Σ (m + 1 − 2 rank): twice the points
        self.squares = 0  # Σ (2 rank)² over candidates and problems
        self._epochs = [(m, Rows(m))]  # (field size, costs) since the field last grew

    @property
    def points(self) -> Array:
        return np.asarray(self.doubled / 2.0)

    @property
    def costs(self) -> Array:
        """(problems, m) all costs so far; only for a field without late candidates."""
        return self._epochs[-1][1].all

    def add(self, block: Array, doubled: npt.NDArray[np.int64]) -> None:
        """A block of costs and twice its ranks."""
        m = block.shape[1]
        if self._epochs[-1][0] != m:
            self._epochs.append((m, Rows(m)))
        self._epochs[-1][1].add(block)
        self.n_problems += len(block)
        self._count(doubled)

    def _count(self, doubled: npt.NDArray[np.int64]) -> None:
        n, m = doubled.shape
        self.doubled[:m] += n * (m + 1) - doubled.sum(axis=0)
        self.squares += int((doubled * doubled).sum())

    def keep(self, keep: npt.NDArray[np.bool_]) -> None:
        """Drop the others and rank the survivors among themselves."""
        self.doubled, self.squares = np.zeros(int(keep.sum()), dtype=np.int64), 0
        epochs: list[tuple[int, Rows]] = []
        for m, rows in self._epochs:
            here = keep[:m]
            left = int(here.sum())
            if left:
                seen = rows.all[:, here]
                self._count(block_ranks(seen))
                if not epochs or epochs[-1][0] != left:
                    epochs.append((left, Rows(left)))
                epochs[-1][1].add(seen)
        self._epochs = epochs

    def widen(self, n: int) -> None:
        """``n`` more candidates, ranked on later problems."""
        self.doubled = np.pad(self.doubled, (0, n))
