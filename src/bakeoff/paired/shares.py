"""Shares of right answers: Wilson's and Tango's score intervals, and a test of two paired shares against a margin."""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from bakeoff.nulls.numerics import root_between
from bakeoff.nulls.tails import normal_sf
from bakeoff.ranks import Ints
from bakeoff.scores import Array, read_only
from bakeoff.special import gammaln, ndtri, xlogy

# Score intervals of right and wrong answers: Wilson's for a share, Tango's for the difference of two paired ones.
#
# With b and c problems won and lost of n, the hypothesis that the shares differ by δ has the score statistic
#
#     z(δ) = (b − c − nδ) / √(n(2q + δ(1 − δ))),   q = (√(B² − 4AC) − B)/(2A),
#     A = 2n,  B = (2n − b + c)δ − b − c,  C = −cδ(1 − δ),
#
# and the interval holds the δ with |z| below the normal quantile: Tango (1998), Statistics in Medicine 17, 891–908. At
# δ = 0 z is McNemar's. Unlike the interval of a mean it is neither empty nor without width where few problems, or none,
# were won or lost.

_PRECISE = 1e-13


def wilson(successes: float, n: int, z: float) -> tuple[float, float]:
    """The shares p with |p̂ − p| ≤ z·√(p(1 − p)/n) (Wilson 1927); ``z`` is the normal quantile of the level."""
    share, z2 = successes / n, z * z
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    reach = z / (1 + z2 / n) * math.sqrt(share * (1 - share) / n + z2 / (4 * n * n))
    low = 0.0 if successes == 0 else max(0.0, middle - reach)
    return low, 1.0 if successes == n else min(1.0, middle + reach)


def joined_wilson(parts: Sequence[tuple[float, float, int]], z: float) -> tuple[float, float]:
    """The interval of Σ w·p, for ``parts`` (w, successes, n): Wilson's intervals, their distances joined by squares.

    Zou, Huang and Zhang (2009), Computational Statistics & Data Analysis 53, 1080–1085; of a difference Newcombe's
    (1998). Of one part it is Wilson's.
    """
    if len(parts) == 1:
        return wilson(*parts[0][1:], z)
    middle = math.fsum(w * successes / n for w, successes, n in parts)
    ends = [(w, successes / n, wilson(successes, n, z)) for w, successes, n in parts]
    below, above = (math.hypot(*(w * (p - end[side]) for w, p, end in ends)) for side in (0, 1))
    return middle - below, middle + above


def score_of_t(t: float, n: int) -> float:
    """McNemar's (wins − losses)/√(wins + losses) at which the paired t of the same answers is ``t``."""
    return t * math.sqrt(n / (n - 1 + t * t))


def share_difference(wins: int, losses: int, n: int, level: float) -> tuple[float, float, float]:
    """(wins − losses)/n, and both ends of Tango's interval."""
    estimate = (wins - losses) / n
    low, high = tango(wins, losses, n, -float(ndtri((1 - level) / 2)))
    return estimate + 0.0, min(low, estimate) + 0.0, max(high, estimate) + 0.0


def tango(wins: int, losses: int, n: int, z: float) -> tuple[float, float]:
    """The differences δ of two paired shares with |z(δ)| ≤ ``z``.

    An infinite ``z`` gives (−1, 1).
    """
    if math.isinf(z):
        return -1.0, 1.0
    return -_upper(losses, wins, n, z), _upper(wins, losses, n, z)  # to the last bit the same from either side


def _upper(wins: int, losses: int, n: int, z: float) -> float:
    estimate = (wins - losses) / n
    if estimate == 1.0:
        return 1.0
    return root_between(lambda delta: -tango_score(wins, losses, n, delta) - z, estimate, 1.0, _PRECISE)


def tango_score(wins: int, losses: int, n: int, delta: float) -> float:
    """z(δ); q is the share of losses that is most likely given δ."""
    over = wins - losses - n * delta
    if over == 0.0:
        return 0.0
    a, b = 2.0 * n, -wins - losses + (2 * n - wins + losses) * delta
    c = -losses * delta * (1 - delta)
    root = math.sqrt(max(0.0, b * b - 4 * a * c))
    q = (root - b) / (2 * a) if b <= 0 else -2 * c / (root + b)  # without cancellation
    variance = n * (2 * q + delta * (1 - delta))
    return over / math.sqrt(variance) if variance > 0 else math.copysign(math.inf, over)


# Two paired shares against a margin: is the first lower than the second by δ or more?
#
# The statistic is Tango's score at −δ (Tango 1998, Statistics in Medicine 17, 891–908). Up to 200 problems p is exact:
# the probability, if the shares differ by exactly δ, of a score at least as large, largest over the share of problems
# that only the second one solves (Barnard's unconditional test, over a grid of that share). Beyond, the normal
# distribution.

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
