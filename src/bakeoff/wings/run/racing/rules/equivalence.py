"""Pairs without a difference: equivalent within a margin at any look, or indistinguishable to the Bayesian race.

Evidence that two candidates beat each other equally often to within a margin:
with w wins of i over j, l losses, ties ignored, and P the probability of a win (Wald mixtures, one for each side):

    E⁺ = mean over p in {.48, .50, .52} of (p/.55)^w ((1 − p)/.45)^l    against P >= .55
    E⁻ = mean over p in {.48, .50, .52} of (p/.45)^w ((1 − p)/.55)^l    against P <= .45

for the margin .05; for another margin ε the points are 1/2 and 1/2 ± 2ε/5. The pair is claimed equivalent,
|P − 1/2| < ε, when min(E⁺, E⁻) >= (q − 1)/α. Each is an e-process for every P on its side, because p is nearer to 1/2,
so by Ville's inequality and a union bound over q − 1 opponents the true best is ever falsely called equivalent with
probability at most α. This α is separate from the race's.
"""

import math
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from bakeoff import special
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
        places = np.argwhere(np.triu(log_e >= math.log(self.threshold), 1)).tolist()
        places.sort(key=lambda place: -log_e[place[0], place[1]])
        pairs = [(float(np.exp(min(log_e[i, j], 690.0))), i, j) for i, j in places]
        return without_equivalents(alive[at], pairs, (w - w.T).sum(axis=1), n_problems)

    @property
    def _fewest(self) -> float:
        """Fewest problems at which any counts reach the threshold: the factor per problem is bounded."""
        return math.log(self.threshold) / math.log((0.5 + 0.4 * self.margin) / (0.5 - self.margin))


# Indistinguishable candidates of the Bayesian race: P(|P(better) + P(tie)/2 − 1/2| < ε) is large.
#
# With (θ_tie, θ_win, θ_loss) ~ Dirichlet(ties + s, wins, losses) the quantity is (θ_win − θ_loss)/2, and given θ_tie
# θ_win = (1 − θ_tie) B with B ~ Beta(wins, losses):
#
#     P = E[ I_{(1+c)/2}(wins, losses) − I_{(1−c)/2}(wins, losses) ],   c = min(1, 2ε/(1 − θ_tie)).
#
# At the paper's level 0.95 this rule shortens a race and worsens its choice. Of an indistinguishable pair the one with
# the higher mean cost is eliminated.


_LOGITS = np.linspace(-32.0, 32.0, 97)  # the trapezoidal rule in the logit of a quantile: errors near 1e-12
_QUANTILES = special.expit(_LOGITS)
_WEIGHTS = _QUANTILES * special.expit(-_LOGITS) * (_LOGITS[1] - _LOGITS[0])
_SLACK = 0.03  # margin of the normal approximation used for screening


class Indistinguishable:
    """``level``: posterior probability above which a pair is called so; ``margin``: ε; ``strength``: s of the prior."""

    def __init__(self, level: float, margin: float, strength: float) -> None:
        self.level = probability("indistinguishable", level)
        self.margin, self.strength = number("margin", margin, above=0.0, below=0.5), strength

    def posterior(self, wins: int, losses: int, ties: int) -> float:
        """Exact up to the quadrature over θ_tie, in its quantiles."""
        return _posterior(max(wins, losses), min(wins, losses), ties + self.strength, self.margin)

    def leaving(
        self,
        alive: npt.NDArray[np.int64],
        staying: npt.NDArray[np.bool_],
        wins: npt.NDArray[np.int64],
        n_problems: int,
        mean_costs: Array,
    ) -> list[Elimination]:
        """Among the survivors, pairs by decreasing posterior: the one with the higher mean cost is eliminated."""
        at = np.flatnonzero(staying)
        w = wins[np.ix_(at, at)]
        if self._hopeless(w, n_problems):
            return []
        first, second = np.nonzero(np.triu(self._roughly(w, n_problems) > self.level - _SLACK, 1))
        pairs = []
        for i, j in zip(first.tolist(), second.tolist(), strict=True):
            a, b = int(w[i, j]), int(w[j, i])
            posterior = self.posterior(a, b, n_problems - a - b)
            if posterior > self.level:
                pairs.append((posterior, i, j))
        return without_equivalents(alive[at], pairs, -mean_costs[at], n_problems)

    def _hopeless(self, w: npt.NDArray[np.int64], n: int) -> bool:
        """Would even a pair with the most ties and no lead fall short? True in most races' first hundred problems."""
        total = n + self.strength
        decided = w + w.T
        least = int(decided[~np.eye(len(w), dtype=bool)].min(initial=n))
        sd = np.sqrt(max(least / total / (total + 1.0), 1e-30))
        return bool(2.0 * special.ndtr(2.0 * self.margin / sd) - 1.0 < self.level - _SLACK)

    def _roughly(self, w: npt.NDArray[np.int64], n: int) -> Array:
        """Normal approximation with the Dirichlet mean and variance of θ_win − θ_loss."""
        total = n + self.strength
        mean = (w - w.T) / total
        variance = ((w + w.T) / total - mean**2) / (total + 1.0)
        sd = np.sqrt(np.maximum(variance, 1e-30))
        c = 2.0 * self.margin
        return np.asarray(special.ndtr((c - mean) / sd) - special.ndtr((-c - mean) / sd))


@lru_cache(maxsize=1 << 16)
def _posterior(won: int, lost: int, ties: float, margin: float) -> float:
    if won == 0:
        return 1.0  # all ties
    tie = special.betaincinv(ties, won + lost, _QUANTILES)
    c = np.minimum(1.0, 2.0 * margin / np.maximum(1.0 - tie, 1e-300))
    if lost == 0:
        inside = (c >= 1.0).astype(float)
    else:
        inside = special.betainc(won, lost, 0.5 * (1.0 + c)) - special.betainc(won, lost, 0.5 * (1.0 - c))
    return float(np.sum(_WEIGHTS * inside))
