"""e-rank: the same guarantee for "the highest expected rank in the current field", at the cost of one sort a problem.

H_i: i has the best expected rank among those still racing, whatever happened before. With d = (rank_i − rank_L)/(m − 1)
in units of the field (positive: the leader L, known before the block, did better than i on this problem),

    E_i = mean over L in GRID of Π_t (1 + L d_t),   |d_t| <= 1,

is an e-process under H_i; i leaves when E_i >= 1/α. The first block has no leader yet: there the field's mean rank
takes its place, d = (rank_i − (m + 1)/2) / ((m − 1)/2). Ranks depend on who else runs, as in all tests on mean ranks.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np
import numpy.typing as npt

from bakeoff.racing.pair_evidence import GRID, log_grid_mean
from bakeoff.racing.rule import Elimination, Rule, leading
from bakeoff.ranks.within import doubled_row_ranks
from bakeoff.scores.cells import Array

_STEPS = np.array(GRID)[:, None, None]


class RankRace(Rule):
    """``strict``: the threshold q/α, so that not even one of several tied bests leaves (P <= α)."""

    name: ClassVar[str] = "e-rank"
    guarantee: ClassVar[str] = (
        "a candidate with the best expected rank among those still racing is ever removed with probability at most "
        "{alpha:g}, however often the race was looked at and whenever it was stopped"
    )

    def __init__(self, n_candidates: int, alpha: float = 0.05, *, strict: bool = False) -> None:
        super().__init__(n_candidates, alpha)
        self.strict = strict
        self.threshold = n_candidates / alpha if strict else 1.0 / alpha
        self._logs = np.zeros((len(GRID), n_candidates))
        self._blocks: list[Array] = []  # all costs: when the field shrinks, ranks among those left are counted anew
        self._rank_sums = np.zeros(n_candidates, dtype=np.int64)  # doubled

    @property
    def evidence(self) -> Array:
        return np.asarray(np.exp(np.minimum(log_grid_mean(*self._logs), 690.0)))

    def _decide(self, block: Array) -> list[Elimination]:
        m = len(self.alive)
        doubled = doubled_row_ranks(block)
        ranks = doubled / 2.0
        leader, second = self._leaders()
        if leader is None:
            d = (ranks - (m + 1) / 2.0) / ((m - 1) / 2.0)
        else:
            d = (ranks - ranks[:, [leader]]) / (m - 1)
            d[:, leader] = (ranks[:, leader] - ranks[:, second]) / (m - 1)
        self._logs += np.log1p(_STEPS * d).sum(axis=1)
        self._blocks.append(block)
        self._rank_sums += doubled.sum(axis=0)
        evidence = self.evidence
        out = evidence >= self.threshold
        if out.all():
            out[int(np.argmin(evidence))] = False
        return [
            Elimination(
                candidate=int(self.alive[i]),
                n_problems=self.n_problems,
                reason="worse",
                by=None if leader is None else int(self.alive[leader if i != leader else second]),
                evidence=float(evidence[i]),
            )
            for i in np.flatnonzero(out).tolist()
        ]

    def _leaders(self) -> tuple[int | None, int]:
        """Best and second best before this block; None before the first."""
        return leading(-self._rank_sums.astype(float)) if self._blocks else (None, 0)

    def _forget(self, keep: npt.NDArray[np.bool_]) -> None:
        left = np.vstack(self._blocks)[:, keep]
        self._blocks, self._logs = [left], self._logs[:, keep]
        self._rank_sums = np.asarray(doubled_row_ranks(left).sum(axis=0))
