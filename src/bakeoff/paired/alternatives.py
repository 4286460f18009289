"""What the two-algorithm tests mean by an alternative: "greater" says that a is better than b."""

from __future__ import annotations

import math

from bakeoff.nulls.tails import normal_sf, normal_two_sided

ALTERNATIVES = ("two-sided", "greater", "less")


def normal_tail(z: float, alternative: str) -> tuple[float, float]:
    """p-value and its logarithm of a z statistic that is positive where a is better."""
    if alternative == "two-sided":
        p, log_p = normal_two_sided(z)
    else:
        p, log_p = normal_sf(z if alternative == "greater" else -z)
    return float(p), float(log_p)


def both_sides(p: float, log_p: float) -> tuple[float, float]:
    """Twice one tail of a symmetric discrete null, at most 1 (the centre belongs to both tails)."""
    if 2 * p > 0.5:  # near 1 the sum log 2 + log p would lose the digits of a small logarithm
        return min(1.0, 2 * p), min(0.0, math.log(2 * p))
    return 2 * p, math.log(2.0) + log_p


def sides(alternative: str) -> str:
    """In a sentence."""
    return "two-sided" if alternative == "two-sided" else "one-sided"


def smallest_pvalue(n: int, alternative: str) -> float:
    """Of a test that flips n signs: all of them on one side."""
    return min(1.0, math.ldexp(2.0 if alternative == "two-sided" else 1.0, -n))
