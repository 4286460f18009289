"""The difference of two shares on the same problems (right and wrong answers), with Tango's score interval.

With b and c problems won and lost of n, the hypothesis that the shares differ by δ has the score statistic

    z(δ) = (b − c − nδ) / √(n(2q + δ(1 − δ))),   q = (√(B² − 4AC) − B)/(2A),
    A = 2n,  B = (2n − b + c)δ − b − c,  C = −cδ(1 − δ),

and the interval holds the δ with |z| below the normal quantile: Tango (1998), Statistics in Medicine 17, 891–908. At
δ = 0 z is McNemar's. Unlike the interval of a mean it is neither empty nor without width where few problems, or none,
were won or lost.
"""

import math

from scipy.special import ndtri

from bakeoff.nulls.roots import root_between

PRECISION = 1e-12


def share_difference(wins: int, losses: int, n: int, level: float) -> tuple[float, float, float]:
    """(wins − losses)/n, and both ends of the interval."""
    estimate, quantile = (wins - losses) / n, -float(ndtri((1 - level) / 2))
    low = root_between(lambda x: quantile - _score(wins, losses, n, x), -1.0, estimate, PRECISION)
    high = root_between(lambda x: quantile - _score(losses, wins, n, x), -1.0, -estimate, PRECISION)
    return estimate + 0.0, min(low, estimate) + 0.0, max(-high, estimate) + 0.0


def _score(b: int, c: int, n: int, shift: float) -> float:
    """z(δ), which falls as δ grows; at the ends of the range the limit."""
    first = (2 * n - b + c) * shift - b - c
    root = math.sqrt(max(0.0, first * first + 8 * n * c * shift * (1 - shift)))
    # of two numbers that nearly cancel, the product with their sum is what is left
    q = (root - first) / (4 * n) if first <= 0 else 2 * c * shift * (1 - shift) / (root + first)
    variance = n * (2 * q + shift * (1 - shift))
    above = b - c - n * shift
    if variance <= 0.0:
        return math.copysign(math.inf, above) if above else 0.0
    return above / math.sqrt(variance)
