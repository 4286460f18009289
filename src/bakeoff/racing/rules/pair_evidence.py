"""Evidence, valid at every look, that j beats i more often than i beats j, from counts alone.

    E(w, l) = mean over L in GRID of (1 + L)^w (1 − L)^l

after w wins and l losses of j (ties are ignored). If P(j wins | past) <= P(j loses | past) on every problem, each
factor has a mean of at most 1, so E is an e-process: P(E ever reaches c) <= 1/c. The grid covers probabilities of
a win from 0.515 to 0.95.
"""

import math
from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

from bakeoff.scores.cells import Array

GRID = (0.03, 0.06, 0.12, 0.24, 0.48, 0.9)

Ints = npt.NDArray[np.int64]


def log_pair_evidence(wins: npt.ArrayLike, losses: npt.ArrayLike) -> Array:
    """log E(w, l), any shape."""
    won, lost = np.broadcast_arrays(np.asarray(wins, dtype=float), np.asarray(losses, dtype=float))
    return log_grid_mean(*(won * np.log1p(step) + lost * np.log1p(-step) for step in GRID))


def log_grid_mean(*logs: Array) -> Array:
    """log of the mean of exponentials, without overflow."""
    largest = logs[0]
    for log in logs[1:]:
        largest = np.maximum(largest, log)
    total = sum((np.exp(log - largest) for log in logs), start=np.zeros_like(largest))
    return np.asarray(largest + np.log(total / len(logs)))


def log_likelihood_ratio(wins: npt.ArrayLike, losses: npt.ArrayLike, points: Iterable[float], edge: float) -> Array:
    """log of the mean over p in ``points`` of (p/edge)^w ((1 − p)/(1 − edge))^l."""
    won, lost = np.broadcast_arrays(np.asarray(wins, dtype=float), np.asarray(losses, dtype=float))
    return log_grid_mean(*(won * math.log(p / edge) + lost * math.log((1.0 - p) / (1.0 - edge)) for p in points))


class PairTable:
    """A function of two counts, by default log E, tabulated on demand: a look-up is cheaper for 10 000 pairs."""

    def __init__(self, function: Callable[[npt.ArrayLike, npt.ArrayLike], Array] = log_pair_evidence) -> None:
        self._function = function
        self._table = np.zeros((0, 0))

    def __call__(self, wins: Ints, losses: Ints) -> Array:
        """log E(w, l), or the other function, of whole numbers."""
        needed = max(int(wins.max(initial=0)), int(losses.max(initial=0))) + 1
        if needed > _LARGEST:
            return self._function(wins, losses)
        if needed > len(self._table):
            size = min(_LARGEST, max(64, 2 * needed))
            counts = np.arange(size)
            self._table = self._function(counts[:, None], counts[None, :])
        return np.asarray(self._table[wins, losses])


PAIRS = PairTable()
"""Table shared by all races."""

_LARGEST = 2048  # 32 MB; larger counts are computed directly
