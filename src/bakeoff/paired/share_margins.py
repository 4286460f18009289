"""Two paired shares against a margin: is the first lower than the second by δ or more?

The statistic is Tango's score at −δ (Tango 1998, Statistics in Medicine 17, 891–908). Up to 200 problems p is exact:
the probability, if the shares differ by exactly δ, of a score at least as large, largest over the share of problems
that only the second one solves (Barnard's unconditional test, over a grid of that share). Beyond, the normal
distribution.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from scipy.special import gammaln, xlogy

from bakeoff.nulls.tails import normal_sf
from bakeoff.paired.score_intervals import tango_score
from bakeoff.ranks import Ints
from bakeoff.scores import Array, read_only

EXACT = 200
GRID = 101  # values of the nuisance share, denser at the ends
_AT_ONCE = 1 << 20  # probabilities held
_SAME = 1e-9  # scores that differ by less are the same
_LEAST = 1e-300


def share_pvalues(counts: Sequence[tuple[int, int]], n: int, delta: float) -> list[tuple[float, float]]:
    """p of "the first is lower by ``delta`` or more" and its logarithm, of (wins, losses) of the first among n."""
    if n > EXACT:
        tails = [normal_sf(tango_score(wins, losses, n, -delta)) for wins, losses in counts]
        return [(float(p), float(log_p)) for p, log_p in tails]
    table = _exact(n, delta)
    pvalues = [float(table[wins, losses]) for wins, losses in counts]
    return [(p, float(np.log(p))) for p in pvalues]


@lru_cache(maxsize=16)
def _exact(n: int, delta: float) -> Array:
    """(n + 1, n + 1) p-values by wins and losses."""
    wins, losses = (part.ravel() for part in np.indices((n + 1, n + 1)))
    inside = wins + losses <= n
    wins, losses = wins[inside], losses[inside]
    ties = n - wins - losses
    score = _scores(wins, losses, n, -delta)
    order = np.argsort(-score, kind="stable")
    wins, losses, ties, score = wins[order], losses[order], ties[order], score[order]
    ways = gammaln(n + 1) - gammaln(wins + 1) - gammaln(losses + 1) - gammaln(ties + 1)
    most = np.zeros(len(order))
    lost = delta + (1.0 - delta) / 2.0 * np.sin(np.linspace(0.0, np.pi / 2.0, GRID)) ** 2
    for part in np.array_split(lost, max(1, len(order) * GRID // _AT_ONCE)):
        q = part[:, None]
        logs = ways + xlogy(wins, np.maximum(q - delta, 0.0)) + xlogy(losses, q)
        logs += xlogy(ties, np.maximum(1.0 - 2.0 * q + delta, 0.0))
        most = np.maximum(most, np.cumsum(np.exp(logs), axis=1).max(axis=0))
    last = np.searchsorted(-score, -score + _SAME, side="right") - 1  # of those with the same score
    pvalues = np.full((n + 1, n + 1), np.nan)
    pvalues[wins, losses] = np.clip(most[last], _LEAST, 1.0)
    return read_only(pvalues)


def _scores(wins: Ints, losses: Ints, n: int, delta: float) -> Array:
    """``tango_score`` of many outcomes."""
    over = wins - losses - n * delta
    b = -wins - losses + (2 * n - wins + losses) * delta
    root = np.sqrt(np.maximum(0.0, b * b + 8.0 * n * losses * delta * (1.0 - delta)))
    variance = n * ((root - b) / (2.0 * n) + delta * (1.0 - delta))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(over == 0.0, 0.0, over / np.sqrt(np.maximum(variance, 0.0)))
