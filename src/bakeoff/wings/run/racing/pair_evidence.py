"""Evidence, valid at every look, that j beats i more often than i beats j, from counts alone.

    E(w, l) = mean over L in GRID of (1 + L)^w (1 − L)^l

after w wins and l losses of j (ties are ignored). If P(j wins | past) <= P(j loses | past) on every problem, each
factor has a mean of at most 1, so E is an e-process: P(E ever reaches c) <= 1/c, for any grid that is fixed in
advance. The default grid covers probabilities of a win from 0.515 to 0.95. Where the number N of problems is known,
only steps from 2/√N on are of use: chances of a win below 1/2 + 1/√N are not told from 1/2 in N problems.

With clusters a whole cluster is one problem, of which j won the share w and lost the share l, w + l <= 1:

    E = mean over L in GRID of Π_t (1 + L (w_t − l_t)),

whose factors are positive, as |w_t − l_t| <= 1, and have a mean of at most 1 if E(w_t | past) <= E(l_t | past).
"""

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial

import numpy as np
import numpy.typing as npt

from bakeoff.errors import ParameterError
from bakeoff.scores.cells import Array

GRID = (0.03, 0.06, 0.12, 0.24, 0.48, 0.9)

Ints = npt.NDArray[np.int64]
Counts = Ints | Array  # wins; of clusters the sums of shares won


def horizon_grid(n_problems: int) -> tuple[float, ...]:
    """Six steps from 2/√N to 0.9 in equal ratios, to three digits: the same numbers on every machine."""
    lowest = min(2.0 / math.sqrt(n_problems), GRID[-1])
    steps = (lowest * (GRID[-1] / lowest) ** (k / 5.0) for k in range(6))
    return tuple(sorted({float(f"{step:.3g}") for step in steps}))


def checked_grid(grid: Sequence[float]) -> tuple[float, ...]:
    if not grid or not all(0.0 < step < 1.0 for step in grid):
        raise ParameterError(f"must be numbers between 0 and 1; got {grid!r}", parameter="grid")
    return tuple(grid)


def log_pair_evidence(wins: npt.ArrayLike, losses: npt.ArrayLike, grid: Sequence[float] = GRID) -> Array:
    """log E(w, l), any shape."""
    won, lost = np.broadcast_arrays(np.asarray(wins, dtype=float), np.asarray(losses, dtype=float))
    return log_grid_mean(*(won * np.log1p(step) + lost * np.log1p(-step) for step in grid))


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


class ShareEvidence:
    """log of the mean over bets (u, v) of Π_t (1 + u w_t + v l_t), of shares won and lost in clusters, by pairs."""

    def __init__(self, bets: Iterable[tuple[float, float]], shape: tuple[int, ...]) -> None:
        self._bets = tuple(bets)
        self._logs = np.zeros((len(self._bets), *shape))

    def add(self, won: Array, lost: Array) -> None:
        """One cluster: the shares of its problems won and lost."""
        for log, (up, down) in zip(self._logs, self._bets, strict=True):
            log += np.log1p(up * won + down * lost)

    @property
    def log(self) -> Array:
        return log_grid_mean(*self._logs)

    def keep(self, keep: npt.NDArray[np.bool_]) -> None:
        self._logs = self._logs[..., keep, :][..., keep]

    def widen(self, n: int) -> None:
        self._logs = np.pad(self._logs, [(0, 0)] * (self._logs.ndim - 2) + [(0, n), (0, n)])


def even_bets(grid: Sequence[float]) -> list[tuple[float, float]]:
    """For "j wins more than it loses": 1 + L(w − l)."""
    return [(step, -step) for step in grid]


def ratio_bets(points: Iterable[float], edge: float) -> list[tuple[float, float]]:
    """The likelihood ratio of p to ``edge``, p/edge for a win and (1 − p)/(1 − edge) for a loss, made linear in shares.

    Under P >= edge > p, which is E(l)/(1 − edge) <= E(w)/edge, a factor has the mean
    1 + (edge − p)(E(l)/(1 − edge) − E(w)/edge) <= 1.
    """
    return [(p / edge - 1.0, (1.0 - p) / (1.0 - edge) - 1.0) for p in points]


class PairTable:
    """A function of two counts, by default log E, tabulated on demand: a look-up is cheaper for 10 000 pairs."""

    def __init__(self, function: Callable[[npt.ArrayLike, npt.ArrayLike], Array] = log_pair_evidence) -> None:
        self._function = function
        self._table = np.zeros((0, 0))

    def __call__(self, wins: Counts, losses: Counts) -> Array:
        """log E(w, l), or the other function, of whole numbers."""
        needed = max(int(wins.max(initial=0)), int(losses.max(initial=0))) + 1
        if needed > _LARGEST:
            return self._function(wins, losses)
        if needed > len(self._table):
            size = min(_LARGEST, max(64, 2 * needed))
            counts = np.arange(size)
            self._table = self._function(counts[:, None], counts[None, :])
        return np.asarray(self._table[wins.astype(np.int64, copy=False), losses.astype(np.int64, copy=False)])


PAIRS = PairTable()
"""Table of the default grid, shared by all races."""


@lru_cache(maxsize=4)
def pair_table(grid: tuple[float, ...]) -> PairTable:
    """The table of a grid, shared by the races with it."""
    return PAIRS if grid == GRID else PairTable(partial(log_pair_evidence, grid=grid))


_LARGEST = 2048  # 32 MB; larger counts are computed directly
