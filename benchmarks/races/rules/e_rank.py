"""e-rank: e-sign's guarantee for "the best expected rank in every field it races in", at one sort per problem.

H_i: i has the best expected rank among those still racing, in every field it races in, whatever happened before.
Evidence from an earlier field is kept, so a candidate that was not the best there is not covered, even if it now is.
With d = (rank_i − rank_L)/(m − 1) in units of the field (positive: the leader L, known before the block, did better
than i on this problem),

    E_i = mean over L in GRID of Π_t (1 + L d_t),   |d_t| <= 1,

is an e-process under H_i; i is eliminated when E_i >= 1/α. The first block has no leader yet: the field's mean rank
takes its place, d = (rank_i − (m + 1)/2) / ((m − 1)/2). Ranks depend on the other candidates, as in all mean-rank
tests. With clusters d is the mean over the problems of one, which is a single factor. A late candidate starts with
E = 1 and is ranked on later problems only.
"""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from bakeoff.checks import flag
from bakeoff.scores.cells import Array
from bakeoff.wings.run.racing.pair_evidence import GRID, checked_grid, log_grid_mean, log_pair_evidence
from bakeoff.wings.run.racing.rules.e_sign import refuse_fixed_number, strictly
from bakeoff.wings.run.racing.rules.f_race import Rows, block_ranks
from bakeoff.wings.run.racing.rules.rule import BOUND, SEVERAL, Elimination, Rule, crossed, leading


class GrowingField:
    """``points`` (m,): sums of (m + 1)/2 − rank over problems; the largest is best.

    A late candidate has points only from the problems it took part in; among candidates that started together the
    order is that of mean ranks.
    """

    def __init__(self, m: int) -> None:
        self.doubled = np.zeros(m, dtype=np.int64)  # Σ (m + 1 − 2 rank): twice the points
        self._epochs = [(m, Rows(m))]  # (field size, costs) since the field last grew

    @property
    def begun(self) -> bool:
        return any(len(rows.all) for _, rows in self._epochs)

    @property
    def points(self) -> Array:
        return np.asarray(self.doubled / 2.0)

    def add(self, block: Array, doubled: npt.NDArray[np.int64]) -> None:
        """A block of costs and twice its ranks."""
        n, m = block.shape
        if not self._epochs or self._epochs[-1][0] != m:
            self._epochs.append((m, Rows(m)))
        self._epochs[-1][1].add(block)
        self.doubled[:m] += n * (m + 1) - doubled.sum(axis=0)

    def keep(self, keep: npt.NDArray[np.bool_]) -> None:
        """Drop the others and rank the survivors among themselves."""
        before, self._epochs = self._epochs, []
        self.doubled = np.zeros(int(keep.sum()), dtype=np.int64)
        for m, rows in before:
            if keep[:m].any():
                seen = rows.all[:, keep[:m]]
                self.add(seen, block_ranks(seen))

    def widen(self, n: int) -> None:
        """``n`` more candidates, ranked on later problems."""
        self.doubled = np.pad(self.doubled, (0, n))


class RankRace(Rule):
    """``strict``: threshold q/α, so that with probability 1 − α none of several tied bests is eliminated; ``grid``: as
    in e-sign.
    """

    name: ClassVar[str] = "e-rank"
    summary: ClassVar[str] = "the same for the best expected rank in every field it races in"
    cite: ClassVar[tuple[str, ...]] = ("ville1939", "wangramdas2022")
    takes_shares: ClassVar[bool] = True
    guarantee: ClassVar[str] = (
        "the probability that a given best candidate (one that has the best expected rank in every field it races in; "
        f"there may be none) {BOUND}{SEVERAL}"
    )

    def __init__(
        self, n_candidates: int, alpha: float = 0.05, *, strict: bool = False, grid: Sequence[float] = GRID
    ) -> None:
        super().__init__(n_candidates, alpha)
        self.strict = flag("strict", strict)
        self.threshold: float = n_candidates / alpha if self.strict else 1.0 / alpha
        self.grid = checked_grid(grid)
        self._steps = np.array(self.grid)[:, None, None]
        self._logs = np.zeros((len(self.grid), n_candidates))
        self._field = GrowingField(n_candidates)  # ranks are recomputed among the survivors

    @property
    def evidence(self) -> Array:
        return np.asarray(np.exp(np.minimum(log_grid_mean(*self._logs), 690.0)))

    @property
    def promise(self) -> str:
        return (strictly(self.guarantee) if self.strict else self.guarantee).format(alpha=self.alpha)

    def _decide(self, block: Array) -> list[Elimination]:
        m = len(self.alive)
        doubled = block_ranks(block)
        ranks = doubled / 2.0
        begun = self._field.begun
        leader, second = leading(self._field.points)
        if begun:
            d = (ranks - ranks[:, [leader]]) / (m - 1)
            d[:, leader] = (ranks[:, leader] - ranks[:, second]) / (m - 1)
        else:
            d = (ranks - (m + 1) / 2.0) / ((m - 1) / 2.0)
        if self.clustered:
            d = np.array([part.mean(axis=0) for part in self.parts(d)])
        self._logs += np.log1p(self._steps * d).sum(axis=1)
        self._field.add(block, doubled)
        evidence = self.evidence
        by = np.full(m, leader if begun else -1)
        by[leader] = second if begun else -1
        return self._leave(np.flatnonzero(crossed(evidence, self.threshold)), evidence, by)

    def log_most(self, n_problems: int, block: int) -> float:
        return float(log_pair_evidence(n_problems, 0, self.grid))

    def _forget(self, keep: npt.NDArray[np.bool_]) -> None:
        self._field.keep(keep)
        self._logs = self._logs[:, keep]

    def refuse_late(self) -> None:
        refuse_fixed_number(self.name, self.strict, False)

    def _widen(self, n: int) -> None:
        self._field.widen(n)
        self._logs = np.pad(self._logs, ((0, 0), (0, n)))
