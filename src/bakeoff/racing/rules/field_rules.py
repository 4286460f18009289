"""The field's rules that test again after every block as if it were the first look: F-race in two forms, irace.

Survivors i = 1 … m after n problems; R_i is the sum of i's ranks (m = best) among the survivors, L the one with the
highest. ``gate``: nobody leaves unless Friedman's test rejects,

    Q = 12/(n m (m + 1)) Σ (R_i − n(m + 1)/2)² > χ²_{m−1, 1−α}  (Benavoli et al. 2015, section 2; F10 in docs/errata.md)

as Birattari et al. (2002) have it. They are reproductions: no level is corrected for pairs or looks.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from scipy import special

from bakeoff.errors import Caution
from bakeoff.racing.rule import MOST_IN_PAIRS, Elimination, Measure, Rule, flag, leading, wins_in
from bakeoff.racing.rules.field_ranks import FieldRanks, block_ranks, mean_costs
from bakeoff.racing.rules.signed_rank_looks import signed_rank_pvalues
from bakeoff.scores.cells import Array

NO_GUARANTEE = (
    "none: the test is repeated after every block as if it were the only one, so the best candidate is lost far more "
    "often than with probability {alpha:g}"
)


def peeking_caution(measured: str) -> Caution:
    """``measured``: how often a given best one was lost, all candidates equal."""
    return Caution(
        code="error-under-peeking",
        text=f"This rule looks again and again without paying for it. Measured at a nominal 5 %, 100 looks, all "
        f"candidates equal: a given best candidate was removed in {measured} of the races. Use e-sign or e-rank where "
        "that matters (at most 5 %, measured below 3 %).",
        reference="bo.study.race",
    )


class FieldRule(Rule):
    """What they share: ranks among the survivors, a leader, a gate."""

    guarantee: ClassVar[str] = NO_GUARANTEE
    measure: ClassVar[Measure] = "1 - p"
    anytime: ClassVar[bool] = False
    measured: ClassVar[tuple[str, str]]  # with and without gate; docs/racing.md and an earlier study of 2000 races

    def __init__(self, n_candidates: int, alpha: float = 0.05, *, gate: bool = True) -> None:
        super().__init__(n_candidates, alpha)
        self.gate = flag("gate", gate)
        self.threshold = 1.0 - alpha
        self.field = FieldRanks(n_candidates)
        self._evidence = np.zeros(n_candidates)

    @property
    def evidence(self) -> Array:
        return self._evidence

    def cautions(self) -> tuple[Caution, ...]:
        return (peeking_caution(self.measured[0 if self.gate else 1]),)

    def _decide(self, block: Array) -> list[Elimination]:
        self.field.add(block, block_ranks(block))
        self._count(block)
        leader = self._leader()
        pvalues = self._pvalues(leader)
        self._evidence = 1.0 - pvalues
        out = pvalues < self.alpha
        out[leader] = False
        if self.gate and self._gated() and not friedman_rejects(self.field, self.alpha):
            return []
        return self._worse(np.flatnonzero(out), self._evidence, np.full(len(out), leader))

    def _leader(self) -> int:
        """The survivor with the best ranks."""
        return leading(self.field.points)[0]

    def _gated(self) -> bool:
        return True

    def _count(self, block: Array) -> None:
        """Whatever else is kept."""

    @abstractmethod
    def _pvalues(self, leader: int) -> Array:
        """(m,) of "i is not worse than the leader"; 1 for the leader."""

    def _forget(self, keep: npt.NDArray[np.bool_]) -> None:
        self.field.keep(keep)
        self._evidence = self._evidence[keep]


def friedman_rejects(field: FieldRanks, alpha: float) -> bool:
    """Q > χ²_{m−1, 1−α}, not corrected for ties."""
    n, m = field.n_problems, len(field.doubled)
    q = 3.0 * float((field.doubled.astype(float) ** 2).sum()) / (n * m * (m + 1.0))
    return q > float(special.chdtri(m - 1, alpha))


class SignFieldRace(FieldRule):
    """F-race with the sign test: i leaves when P(Bin(n, 1/2) >= wins of L over i) < α, one-sided.

    Ties are split, an odd one is ignored (Demšar 2006, section 3.1.4).
    """

    name: ClassVar[str] = "f-race-sign"
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
    """F-race with mean ranks: i leaves when (R_L − R_i)/n > z_{1−α} sqrt(m(m + 1)/(6n)); F10 in docs/errata.md."""

    name: ClassVar[str] = "f-race-mean-ranks"
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


class IteratedRace(FieldRule):
    """As irace decides: Friedman's test, then Conover's, i leaves when

        R_L − R_i > t_{1−α/2, (n−1)(m−1)} sqrt(2(nA − Σ R_i²)/((n − 1)(m − 1))),   A = Σ of all squared ranks;

    of two candidates: Wilcoxon's signed-rank test, two-sided, instead of both. irace itself looks after five problems
    and then after every single one, and resamples new candidates between races: only its decisions are reproduced.
    """

    name: ClassVar[str] = "irace"
    takes_differences = True
    measured: ClassVar[tuple[str, str]] = (
        "16 % (2 candidates), 19 % (10) and 19 % (30)",
        "16 % (2 candidates), 60 % (10) and 79 % (30)",  # race_errors("irace", gate=False, repetitions=300, rng=11)
    )

    def _leader(self) -> int:
        """The survivor with the best ranks."""
        return leading(self.field.points)[0]

    def _gated(self) -> bool:
        return len(self.alive) > 2

    def _pvalues(self, leader: int) -> Array:
        n, m = self.field.n_problems, len(self.alive)
        if m == 2:
            return np.minimum(1.0, 2.0 * signed_rank_pvalues(self.field.costs, leader))
        pvalues = np.ones(m)
        if n == 1:
            return pvalues
        df = (n - 1.0) * (m - 1.0)
        points = self.field.points
        sums = self.field.doubled + n * (m + 1)  # 2 R
        spread = (n * self.field.squares - int((sums * sums).sum())) / 4.0
        behind = points[leader] - points
        scale = math.sqrt(2.0 * spread / df)
        t = behind / scale if scale > 0 else np.where(behind > 0, np.inf, 0.0)
        pvalues = 2.0 * np.asarray(special.stdtr(df, -t))
        pvalues[leader] = 1.0
        return pvalues


class SignedRankRace(FieldRule):
    """As Optuna's pruner decides: everybody against the leader by mean, one-sided signed-rank test; no gate.

    Exact up to 30 problems, normal above.
    """

    name: ClassVar[str] = "wilcoxon"
    takes_differences = True
    measured: ClassVar[tuple[str, str]] = ("", "31 % (2 candidates), 76 % (10) and 88 % (30)")

    def __init__(self, n_candidates: int, alpha: float = 0.05) -> None:
        super().__init__(n_candidates, alpha, gate=False)

    def _leader(self) -> int:
        return leading(-mean_costs(self.field.costs))[0]

    def _pvalues(self, leader: int) -> Array:
        return signed_rank_pvalues(self.field.costs, leader)
