"""Indistinguishable candidates of the Bayesian race: P(|P(better) + P(tie)/2 − 1/2| < ε) is large.

With (θ_tie, θ_win, θ_loss) ~ Dirichlet(ties + s, wins, losses) the quantity is (θ_win − θ_loss)/2, and given θ_tie
θ_win = (1 − θ_tie) B with B ~ Beta(wins, losses):

    P = E[ I_{(1+c)/2}(wins, losses) − I_{(1−c)/2}(wins, losses) ],   c = min(1, 2ε/(1 − θ_tie)).

At the paper's level 0.95 this rule shortens a race and worsens its choice. Of an indistinguishable pair the one with
the higher mean cost is eliminated.
"""

from functools import lru_cache

import numpy as np
import numpy.typing as npt
from scipy import special

from bakeoff.checks import number, probability
from bakeoff.scores.cells import Array
from bakeoff.wings.run.racing.rules.rule import Elimination, without_equivalents

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
                pairs.append((-posterior, i, j))
        out = []
        for posterior, i, j in sorted(pairs):
            stays, goes = (i, j) if mean_costs[at[i]] <= mean_costs[at[j]] else (j, i)
            out.append((stays, goes, -posterior))
        return without_equivalents(alive[at], out, n_problems)

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
