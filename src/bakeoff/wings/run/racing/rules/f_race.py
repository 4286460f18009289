"""F-race in two forms: tests against the leader by signs or by mean ranks, with Friedman's test as a gate."""

import math
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from scipy import special

from bakeoff.scores.cells import Array
from bakeoff.wings.run.racing.rules.field import FieldRule
from bakeoff.wings.run.racing.rules.rule import MOST_IN_PAIRS, wins_in


class SignFieldRace(FieldRule):
    """F-race with the sign test: i is eliminated when P(Bin(n, 1/2) >= wins of L over i) < α, one-sided.

    Ties are split evenly; an odd one is ignored (Demšar 2006, section 3.1.4).
    """

    name: ClassVar[str] = "f-race-sign"
    summary: ClassVar[str] = "sign tests against the leader at every look, no guarantee"
    cite: ClassVar[tuple[str, ...]] = ("birattari2002", "benavoli2015")
    most: ClassVar[int] = MOST_IN_PAIRS
    measured: ClassVar[tuple[str, str]] = (
        "19 % (2 candidates), 17 % (10) and 18 % (30)",
        "25 % (2 candidates), 69 % (10) and 85 % (30)",
    )

    def __init__(self, n_candidates: int, alpha: float = 0.05, *, gate: bool = True) -> None:
        super().__init__(n_candidates, alpha, gate=gate)
        self.wins = np.zeros((n_candidates, n_candidates), dtype=np.int64)

    def _count(self, block: Array) -> None:
        self.wins += wins_in(block)

    def _pvalues(self, leader: int) -> Array:
        wins, losses = self.wins[leader], self.wins[:, leader]
        half_ties = (self.field.n_problems - wins - losses) // 2
        pvalues = sign_pvalue(wins + half_ties, losses + half_ties)
        pvalues[leader] = 1.0
        return pvalues

    def _forget(self, keep: npt.NDArray[np.bool_]) -> None:
        super()._forget(keep)
        self.wins = self.wins[np.ix_(keep, keep)]


def sign_pvalue(wins: npt.ArrayLike, losses: npt.ArrayLike) -> Array:
    """P(Bin(w + l, 1/2) >= w)."""
    won, lost = np.broadcast_arrays(np.asarray(wins), np.asarray(losses))
    return np.asarray(special.betainc(np.maximum(won, 1), lost + 1.0, 0.5) * (won > 0) + (won == 0))


class MeanRankFieldRace(FieldRule):
    """F-race with mean ranks: i is eliminated when (R_L − R_i)/n > z_{1−α} sqrt(m(m + 1)/(6n)); F10 in errata.md."""

    name: ClassVar[str] = "f-race-mean-ranks"
    summary: ClassVar[str] = "mean-rank tests against the leader at every look, no guarantee"
    cite: ClassVar[tuple[str, ...]] = ("birattari2002", "benavoli2015")
    measured: ClassVar[tuple[str, str]] = (
        "19 % (2 candidates), 22 % (10) and 25 % (30)",
        "28 % (2 candidates), 70 % (10) and 86 % (30)",
    )

    def _pvalues(self, leader: int) -> Array:
        n, m = self.field.n_problems, len(self.alive)
        points = self.field.points
        z = (points[leader] - points) / math.sqrt(n * m * (m + 1.0) / 6.0)
        pvalues = special.ndtr(-z)
        pvalues[leader] = 1.0
        return np.asarray(pvalues)
