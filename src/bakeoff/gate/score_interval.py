"""Tango's score test for the difference of two paired proportions: questions with right or wrong answers.

The t-test of 0/1 differences is far too sure of itself with few questions, and has no error at all where no answer
changed. Tango (1998, Statistics in Medicine 17, 891–908): with b questions that only the baseline answered, c that
only new did, and Δ = P(only baseline) − P(only new),

    z(Δ) = (b − c − nΔ) / √(n(2q + Δ(1 − Δ))),   q = (√(B² − 4AC) − B)/(2A),
    A = 2n, B = −b − c + (2n − b + c)Δ, C = −cΔ(1 − Δ),

q being the estimate of P(only new) under Δ.
"""

import math

from bakeoff.nulls.roots import root_between
from bakeoff.nulls.tails import normal_sf


def score_z(b: int, c: int, n: int, delta: float) -> float:
    """How many standard errors the observed difference lies above ``delta``, −1 < delta < 1."""
    if delta < 0:
        return -score_z(c, b, n, -delta)
    linear = -b - c + (2 * n - b + c) * delta
    root = math.sqrt(max(linear * linear + 8.0 * n * c * delta * (1.0 - delta), 0.0))
    q = max((root - linear) / (4.0 * n), 0.0)
    variance = n * (2.0 * q + delta * (1.0 - delta))
    distance = b - c - n * delta
    if variance <= 0.0:
        return 0.0 if distance == 0.0 else math.copysign(math.inf, distance)
    return distance / math.sqrt(variance)


def p_above(b: int, c: int, n: int, delta: float) -> float:
    """p of "the difference is at most ``delta``"."""
    return float(normal_sf(score_z(b, c, n, delta))[0])


def p_below(b: int, c: int, n: int, delta: float) -> float:
    """p of "the difference is at least ``delta``"."""
    return float(normal_sf(-score_z(b, c, n, delta))[0])


def score_bounds(b: int, c: int, n: int, alpha: float) -> tuple[float, float]:
    """One-sided bounds of level 1 − alpha each."""
    return -_upper(c, b, n, alpha), _upper(b, c, n, alpha)


def _upper(b: int, c: int, n: int, alpha: float) -> float:
    estimate, edge = (b - c) / n, 1.0 - 1e-12
    if estimate >= edge or p_below(b, c, n, edge) > alpha:
        return 1.0
    return root_between(lambda delta: alpha - p_below(b, c, n, delta), max(estimate, -edge), edge, 1e-12)
