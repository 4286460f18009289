"""Base of the rules that repeat a fixed-sample test after every block: F-race.

Survivors i = 1 … m after n problems; R_i is the sum of i's ranks (m = best) among the survivors, L the one with the
highest. ``gate``: no candidate is eliminated unless Friedman's test rejects,

    Q = 12/(n m (m + 1)) Σ (R_i − n(m + 1)/2)² > χ²_{m−1, 1−α}  (Benavoli et al. 2015, section 2; F10 in
    docs/trust/errata.md)

after Birattari et al. (2002). These are reproductions: no level is corrected for pairs or looks.
"""

from abc import abstractmethod
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from scipy import special

from bakeoff.cautions import caution_of
from bakeoff.checks import flag
from bakeoff.errors import Caution
from bakeoff.scores.cells import Array
from bakeoff.wings.run.racing.rules.field_ranks import FieldRanks, block_ranks
from bakeoff.wings.run.racing.rules.rule import Elimination, Measure, Rule, leading

NO_GUARANTEE = (
    "none: the test is repeated after every block without correction, so the best candidate is eliminated far more "
    "often than with probability {alpha:g}"
)


def peeking_caution(measured: str) -> Caution:
    """``measured``: how often a given best candidate was eliminated when all were equal."""
    return caution_of("error-under-peeking", measured=measured)


class FieldRule(Rule):
    """Ranks among the survivors, a leader, an optional gate, and p-values against the leader."""

    guarantee: ClassVar[str] = NO_GUARANTEE
    measure: ClassVar[Measure] = "1 - p"
    anytime: ClassVar[bool] = False
    measured: ClassVar[tuple[str, str]]  # with and without gate: docs/trust/racing.md, and 2000 simulated races

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

    def _forget(self, keep: npt.NDArray[np.bool_]) -> None:
        self.field.keep(keep)
        self._evidence = self._evidence[keep]


def friedman_rejects(field: FieldRanks, alpha: float) -> bool:
    """Q > χ²_{m−1, 1−α}, not corrected for ties."""
    n, m = field.n_problems, len(field.doubled)
    q = 3.0 * float((field.doubled.astype(float) ** 2).sum()) / (n * m * (m + 1.0))
    return q > float(special.chdtri(m - 1, alpha))
