"""Evidence, valid at any look, that two candidates beat each other equally often to within a margin.

With w wins of i over j, l losses, ties ignored, and P the probability of a win (Wald mixtures, one for each side):

    E⁺ = mean over p in {.48, .50, .52} of (p/.55)^w ((1 − p)/.45)^l    against P >= .55
    E⁻ = mean over p in {.48, .50, .52} of (p/.45)^w ((1 − p)/.55)^l    against P <= .45

for the margin .05; for another margin ε the points are 1/2 and 1/2 ± 2ε/5. The pair is claimed equivalent,
|P − 1/2| < ε, when min(E⁺, E⁻) >= (q − 1)/α. Each is an e-process for every P on its side, because p is nearer to 1/2,
so by Ville's inequality and a union bound over q − 1 opponents the true best is ever falsely called equivalent with
probability at most α. This α is separate from the race's.
"""

import math

import numpy as np
import numpy.typing as npt

from bakeoff.checks import number, probability
from bakeoff.scores.cells import Array
from bakeoff.wings.run.racing.pair_evidence import log_likelihood_ratio
from bakeoff.wings.run.racing.rules.rule import Elimination, without_equivalents

_POINTS = (-0.4, 0.0, 0.4)  # of the margin, around 1/2


class EquivalenceTest:
    """``q`` candidates, the test's own level, and the margin around 1/2 of the probability of a win."""

    def __init__(self, q: int, alpha: float, margin: float = 0.05) -> None:
        self.alpha = probability("equivalence", alpha)
        self.margin = number("margin", margin, least=0.001, below=0.5)
        self.threshold = (q - 1) / self.alpha

    @property
    def promise(self) -> str:
        return (
            f"with probability at least 1 − {self.alpha:g} the best is not eliminated as equivalent to a candidate "
            f"that it beats with a probability {self.margin:g} or more away from 1/2"
        )

    def log_evidence(self, wins: npt.ArrayLike, losses: npt.ArrayLike) -> Array:
        """log min(E⁺, E⁻) of counts."""
        points = [0.5 + point * self.margin for point in _POINTS]
        edges = (0.5 + self.margin, 0.5 - self.margin)
        return np.minimum(*(log_likelihood_ratio(wins, losses, points, edge) for edge in edges))

    def leaving(
        self,
        alive: npt.NDArray[np.int64],
        staying: npt.NDArray[np.bool_],
        wins: npt.NDArray[np.int64] | Array,
        n_problems: int,
    ) -> list[Elimination]:
        """Among the survivors, pairs by decreasing evidence: the one with the worse rank is eliminated; one remains."""
        at = np.flatnonzero(staying)
        if n_problems < self._fewest or len(at) < 2:
            return []
        w = wins[np.ix_(at, at)]
        log_e = np.triu(self.log_evidence(w, w.T), 1)
        points = (w - w.T).sum(axis=1)
        pairs = np.argwhere(np.triu(log_e >= math.log(self.threshold), 1))
        out = []
        for i, j in sorted(pairs.tolist(), key=lambda pair: -log_e[pair[0], pair[1]]):
            stays, goes = (i, j) if points[i] >= points[j] else (j, i)
            out.append((stays, goes, float(np.exp(min(log_e[i, j], 690.0)))))
        return without_equivalents(alive[at], out, n_problems)

    @property
    def _fewest(self) -> float:
        """Fewest problems at which any counts reach the threshold: the factor per problem is bounded."""
        return math.log(self.threshold) / math.log((0.5 + 0.4 * self.margin) / (0.5 - self.margin))
