"""Tables of who beat whom how often, to which a model of pairwise contests is fitted."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass
from bakeoff.errors import ParameterError, ScoreError
from bakeoff.scores.cells import Array, as_floats, labels, read_only


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class WinTable:
    """Wins and ties of every algorithm against every other, as counts: games, matches, comparisons by judges.

    Parameters
    ----------
    wins : array_like, shape (k, k)
        How often the row's algorithm beat the column's; the diagonal is 0. Fractions are allowed (weighted counts).
    ties : array_like, shape (k, k), optional
        How often neither won: symmetric, each tie of i and j stands at (i, j) and at (j, i). None: no ties.
    algorithms : sequence of str, optional
        Unique names; ``A1, A2, …`` if absent.

    Raises
    ------
    ScoreError
        Not square, ties not symmetric, a negative, missing or infinite count, a diagonal that is not 0.

    Examples
    --------
    >>> import bakeoff as bo
    >>> games = bo.WinTable([[0, 7], [2, 0]], ties=[[0, 1], [1, 0]], algorithms=["new", "old"])
    >>> games
    WinTable(2 algorithms, 10 games, 1 tied)
    """

    wins: Array  # (k, k) row beat column
    ties: Array  # (k, k) symmetric
    algorithms: tuple[str, ...]

    def __init__(
        self, wins: npt.ArrayLike, ties: npt.ArrayLike | None = None, algorithms: Sequence[str] | None = None
    ) -> None:
        won = _counts("wins", wins)
        k = len(won)
        tied = np.zeros_like(won) if ties is None else _counts("ties", ties)
        if tied.shape != won.shape:
            raise ScoreError(f"must have the shape of wins, {won.shape}; got {tied.shape}", parameter="ties")
        if not np.array_equal(tied, tied.T):
            i, j = np.argwhere(tied != tied.T)[0]
            raise ScoreError(
                f"must be symmetric: a tie of two algorithms is a tie of both; got {tied[i, j]:g} at ({i}, {j}) "
                f"and {tied[j, i]:g} at ({j}, {i})",
                parameter="ties",
            )
        if not (won.any() or tied.any()):
            raise ScoreError(": no game was played; at least one win or tie is needed", parameter="wins")
        put = object.__setattr__
        put(self, "wins", read_only(won))
        put(self, "ties", read_only(tied))
        put(self, "algorithms", labels("algorithms", algorithms, "A", k))

    @property
    def n_algorithms(self) -> int:
        return len(self.algorithms)

    @property
    def games(self) -> Array:
        """(k, k) how often each pair met; symmetric."""
        return np.asarray(self.wins + self.wins.T + self.ties)

    @property
    def n_games(self) -> float:
        return float(self.wins.sum() + self.ties.sum() / 2)

    @property
    def n_ties(self) -> float:
        return float(self.ties.sum() / 2)

    def __repr__(self) -> str:
        return f"WinTable({self.n_algorithms} algorithms, {self.n_games:g} games, {self.n_ties:g} tied)"


def components(games: Array) -> list[list[int]]:
    """Groups of algorithms linked by games, directly or through others."""
    left, groups = set(range(len(games))), []
    while left:
        group, edge = set(), {min(left)}
        while edge:
            group |= edge
            edge = {int(j) for i in edge for j in np.flatnonzero(games[i])} - group
        left -= group
        groups.append(sorted(group))
    return groups


def _counts(parameter: str, counts: npt.ArrayLike) -> Array:
    array = as_floats(counts)
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise ScoreError(
            f"must be a square table, algorithms × algorithms; got shape {array.shape}", parameter=parameter
        )
    if len(array) < 2:
        raise ScoreError(f": at least 2 algorithms are needed; got {len(array)}", parameter=parameter)
    bad = np.argwhere(~(np.isfinite(array) & (array >= 0)))
    if bad.size:
        i, j = bad[0]
        raise ScoreError(f"must be counts, 0 or larger; got {array[i, j]} at ({i}, {j})", parameter=parameter)
    if np.diagonal(array).any():
        i = int(np.flatnonzero(np.diagonal(array))[0])
        raise ParameterError(
            f": an algorithm cannot meet itself; got {array[i, i]:g} at ({i}, {i})", parameter=parameter
        )
    return array
