"""The p-values of all pairs of algorithms, as every correction for all pairs takes them."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bakeoff.adjusting.arithmetic import Arithmetic
from bakeoff.scores import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """The checked input of a correction for all pairs."""

    matrix: Array  # (k, k) symmetric p-values; the diagonal is not looked at
    order: npt.NDArray[np.intp] | None  # of the algorithms along the line of positions, if p falls with the distance
    on: Arithmetic

    @property
    def upper(self) -> Array:
        """(m,) the p-values of the pairs, row by row above the diagonal."""
        return self.matrix[np.triu_indices(len(self.matrix), 1)]

    def thresholds(self) -> tuple[Array, npt.NDArray[np.int64]]:
        """The T distinct p-values in increasing order, and (k, k) how many of them are at most each pair's p."""
        distinct = np.unique(self.upper)
        lives = np.searchsorted(distinct, self.matrix, side="right").astype(np.int64)
        np.fill_diagonal(lives, len(distinct))
        return distinct, lives
