"""Sums of ranks among those still racing, over all problems so far; counted anew when the field shrinks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bakeoff.ranks.within import doubled_row_ranks
from bakeoff.scores.cells import Array


class FieldRanks:
    """``points`` (m,): how far below the middle of the field each one's ranks were, summed; the largest is best.

    A latecomer has points from the problems it was measured on only; of those that began together the order is that
    of mean ranks.
    """

    def __init__(self, m: int) -> None:
        self.n_problems = 0
        self._doubled = np.zeros(m, dtype=np.int64)  # Σ (m + 1 − 2 rank)
        self._blocks: list[tuple[int, list[Array]]] = []  # costs since the field last grew: of its first so many

    @property
    def points(self) -> Array:
        return np.asarray(self._doubled / 2.0)

    def add(self, block: Array, doubled: npt.NDArray[np.int64]) -> None:
        """A block of costs and twice its ranks."""
        m = block.shape[1]
        if not self._blocks or self._blocks[-1][0] != m:
            self._blocks.append((m, []))
        self._blocks[-1][1].append(block)
        self.n_problems += len(block)
        self._doubled += len(block) * (m + 1) - doubled.sum(axis=0)

    def keep(self, keep: npt.NDArray[np.bool_]) -> None:
        """Drop the others, and rank those left among themselves."""
        self._doubled = np.zeros(int(keep.sum()), dtype=np.int64)
        blocks: list[tuple[int, list[Array]]] = []
        for m, costs in self._blocks:
            here = keep[:m]
            left = int(here.sum())
            if left and costs:
                seen = np.vstack(costs)[:, here]
                self._doubled[:left] += len(seen) * (left + 1) - doubled_row_ranks(seen).sum(axis=0)
                if blocks and blocks[-1][0] == left:
                    blocks[-1][1].append(seen)
                else:
                    blocks.append((left, [seen]))
        self._blocks = blocks

    def widen(self, n: int) -> None:
        """``n`` more candidates, measured from now on."""
        self._doubled = np.pad(self._doubled, (0, n))

    @property
    def costs(self) -> Array:
        """(problems, m) all costs so far, of a field that nobody joined late."""
        return np.vstack([block for _, blocks in self._blocks for block in blocks])
