"""A race on several metrics that keeps the non-dominated candidates.

j dominates i if j beats i more often than not in every metric, P(j better in k) > 1/2 for all k. With E^k_ij the
evidence of ``pair_evidence`` that j beats i in metric k,

    e(j dominates i) = min_k E^k_ij

is an e-process under "some k has P^k <= 1/2", because it never exceeds that metric's. H_i, "no candidate dominates i",
is the intersection over j, so E_i = mean_j min_k E^k_ij over all opponents is one too, whatever the dependence between
metrics, and a non-dominated candidate is ever eliminated with probability at most α. The term of an eliminated opponent
is frozen: being dominated by a dominated candidate still counts, since majorities need not be transitive.

``weak``: j need not be better in all metrics. It dominates if in none it is worse by more than the margin,
P^k >= 1/2 − ε, and in some it is better. Then e = min(min_k E^k(P <= 1/2 − ε), mean_k E^k_ij): one of the two parts of
"not weakly dominated" is true, and the part of the minimum that tests it is an e-process under it.
"""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.checks import flag, integer, number
from bakeoff.errors import Caution, ParameterError
from bakeoff.scores.cells import Array
from bakeoff.wings.run.racing.pair_evidence import (
    GRID,
    PAIRS,
    PairTable,
    even_bets,
    log_grid_mean,
    log_likelihood_ratio,
    log_pair_evidence,
    ratio_bets,
)
from bakeoff.wings.run.racing.rules.rule import BOUND, SEVERAL, Elimination, PairRule, crossed, wins_in


class DominanceRace(PairRule):
    """Blocks are (problems, candidates alive, metrics), lower is better in each."""

    name: ClassVar[str] = "e-dominance"
    summary: ClassVar[str] = "several metrics: keeps the candidates that none dominates"
    guarantee: ClassVar[str] = (
        "the probability that a given non-dominated candidate (one that no other beats more often than not in every "
        f"metric) {BOUND}{SEVERAL}"
    )

    def __init__(
        self, n_candidates: int, alpha: float = 0.05, *, n_metrics: int, weak: bool = False, margin: float = 0.05
    ) -> None:
        self.n_metrics = integer("n_metrics", n_metrics, 1, 100)
        super().__init__(n_candidates, alpha, (self.n_metrics,))
        self.weak, self.margin = flag("weak", weak), number("margin", margin, above=0.0, below=0.5)
        q = n_candidates
        self.evidence_on.append((PAIRS, even_bets(GRID)))
        if self.weak:
            self.evidence_on.append((PairTable(self._log_not_worse), ratio_bets(self._points, 0.5 - self.margin)))
        self._frozen = np.zeros(q)  # Σ e over eliminated opponents
        self._log = np.zeros((q, q))  # [i, j] log e(j dominates i)

    @property
    def promise(self) -> str:
        if not self.weak:
            return super().promise
        weakly = f"beats more often than not in some metric while being worse by more than {self.margin:g} in none"
        return super().promise.replace("beats more often than not in every metric", weakly)

    @property
    def evidence(self) -> Array:
        e = np.exp(np.minimum(self._log, 690.0)) * (1.0 - np.eye(len(self.alive)))
        return np.asarray((self._frozen + e.sum(axis=1)) / (self.n_candidates - 1))

    def observe(self, costs: Array, sizes: Sequence[int] | None = None) -> list[Elimination]:
        block = np.asarray(costs, dtype=float)
        if block.ndim != 3 or block.shape[1:] != (len(self.alive), self.n_metrics) or np.any(np.isnan(block)):
            raise ParameterError(
                f"must have shape (block, {len(self.alive)}, {self.n_metrics}), one column per surviving candidate and "
                f"one layer per metric, and no NaN; got {block.shape}",
                parameter="costs",
            )
        return self._take(block, sizes) if len(block) else []

    def _decide(self, block: Array) -> list[Elimination]:
        better, *not_worse = self._count(block)  # (metrics, i, j): that j is better than i, and that it is not worse
        self._log = np.minimum(not_worse[0].min(axis=0), log_grid_mean(*better)) if self.weak else better.min(axis=0)
        np.fill_diagonal(self._log, 0.0)
        evidence = self.evidence
        by = np.where(self._log.max(axis=1) > 0, np.argmax(self._log, axis=1), -1)
        return self._leave(np.flatnonzero(crossed(evidence, self.threshold)), evidence, by)

    def _won(self, block: Array) -> npt.NDArray[np.int64]:
        return np.stack([wins_in(metric) for metric in np.moveaxis(block, 2, 0)])

    @property
    def _points(self) -> list[float]:
        return [0.5 + step / 2.0 for step in (-self.margin, 0.0, *GRID)]

    def _log_not_worse(self, wins: npt.ArrayLike, losses: npt.ArrayLike) -> Array:
        """Against P <= 1/2 − ε: likelihood ratios to it of larger chances, (1 + L)/2, mixed."""
        return log_likelihood_ratio(wins, losses, self._points, 0.5 - self.margin)

    def _forget(self, keep: npt.NDArray[np.bool_]) -> None:
        self._frozen = (self._frozen + np.exp(np.minimum(self._log[:, ~keep], 690.0)).sum(axis=1))[keep]
        self._log = self._log[np.ix_(keep, keep)]
        super()._forget(keep)

    def log_most(self, n_problems: int, block: int) -> float:
        return float(log_pair_evidence(n_problems, 0))

    def cautions(self) -> tuple[Caution, ...]:
        return (caution_of("dominance-is-conservative"),)
