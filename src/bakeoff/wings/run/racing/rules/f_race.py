"""F-race in two forms: tests against the leader by signs or by mean ranks, with Friedman's test as a gate."""

import math
from abc import abstractmethod
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from bakeoff import special
from bakeoff.cautions import caution_of
from bakeoff.checks import flag
from bakeoff.errors import Caution
from bakeoff.ranks._rank import doubled_row_ranks
from bakeoff.scores.cells import Array
from bakeoff.wings.run.racing.rules.rule import MOST_IN_PAIRS, Elimination, Measure, Rule, leading, wins_in

# Rank sums among the survivors over all problems so far; recomputed when the field shrinks.


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
    """``points`` (m,): sums of (m + 1)/2 − rank over problems; the largest is best."""

    def __init__(self, m: int) -> None:
        self.doubled = np.zeros(m, dtype=np.int64)  # Σ (m + 1 − 2 rank): twice the points
        self._rows = Rows(m)

    @property
    def points(self) -> Array:
        return np.asarray(self.doubled / 2.0)

    @property
    def costs(self) -> Array:
        """(problems, m) all costs so far."""
        return self._rows.all

    @property
    def n_problems(self) -> int:
        return len(self.costs)

    def add(self, block: Array, doubled: npt.NDArray[np.int64]) -> None:
        """A block of costs and twice its ranks."""
        self._rows.add(block)
        self.doubled += len(block) * (block.shape[1] + 1) - doubled.sum(axis=0)

    def keep(self, keep: npt.NDArray[np.bool_]) -> None:
        """Drop the others and rank the survivors among themselves."""
        seen = self.costs[:, keep]
        self.doubled, self._rows = np.zeros(seen.shape[1], dtype=np.int64), Rows(seen.shape[1])
        self.add(seen, block_ranks(seen))


# Base of the rules that repeat a fixed-sample test after every block: F-race.
#
# Survivors i = 1 … m after n problems; R_i is the sum of i's ranks (m = best) among the survivors, L the one with the
# highest. ``gate``: no candidate is eliminated unless Friedman's test rejects,
#
#     Q = 12/(n m (m + 1)) Σ (R_i − n(m + 1)/2)² > χ²_{m−1, 1−α}  (Benavoli et al. 2015, section 2; F10 in
#     docs/trust/errata.md)
#
# after Birattari et al. (2002). These are reproductions: no level is corrected for pairs or looks.


NO_GUARANTEE = (
    "none: the test is repeated after every block without correction, so the best candidate is eliminated far more "
    "often than with probability {alpha:g}"
)


def peeking_caution(measured: str) -> Caution:
    """``measured``: how often a given best candidate was eliminated when all were equal."""
    return caution_of("error-under-peeking", measured=measured)


class RankedRule(Rule):
    """Ranks among the survivors; the evidence is that of the last look alone."""

    guarantee: ClassVar[str] = NO_GUARANTEE
    anytime: ClassVar[bool] = False

    def __init__(self, n_candidates: int, alpha: float) -> None:
        super().__init__(n_candidates, alpha)
        self.threshold = 1.0 - alpha
        self.field = FieldRanks(n_candidates)
        self._evidence = np.zeros(n_candidates)

    @property
    def evidence(self) -> Array:
        return self._evidence

    def _forget(self, keep: npt.NDArray[np.bool_]) -> None:
        self.field.keep(keep)
        self._evidence = self._evidence[keep]


class FieldRule(RankedRule):
    """A leader, an optional gate, and p-values against the leader."""

    measure: ClassVar[Measure] = "1 - p"
    measured: ClassVar[tuple[str, str]]  # with and without gate: docs/trust/racing.md, and 2000 simulated races

    def __init__(self, n_candidates: int, alpha: float = 0.05, *, gate: bool = True) -> None:
        super().__init__(n_candidates, alpha)
        self.gate = flag("gate", gate)

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
        return self._leave(np.flatnonzero(out), self._evidence, np.full(len(out), leader))

    def _leader(self) -> int:
        """The survivor with the best ranks."""
        return leading(self.field.points)[0]

    def _gated(self) -> bool:
        return True

    def _count(self, block: Array) -> None:
        """Update counts that only some rules need."""

    @abstractmethod
    def _pvalues(self, leader: int) -> Array:
        """(m,) of "i is not worse than the leader"; 1 for the leader."""


def friedman_rejects(field: FieldRanks, alpha: float) -> bool:
    """Q > χ²_{m−1, 1−α}, not corrected for ties."""
    n, m = field.n_problems, len(field.doubled)
    q = 3.0 * float((field.doubled.astype(float) ** 2).sum()) / (n * m * (m + 1.0))
    return q > float(special.chdtri(m - 1, alpha))


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
