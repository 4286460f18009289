"""Power of Wilcoxon's signed-rank test for normal differences, from the moments of W⁺ under the alternative.

W⁺ = #{i ≤ j: x_i + x_j > 0}; with p₁ = P(x_i > 0), p₂ = P(x_i + x_j > 0) and p₄ = P(x_i + x_j > 0, x_i + x_l > 0),

    E = n·p₁ + n(n−1)/2·p₂,
    Var = n·p₁(1−p₁) + n(n−1)/2·[2(p₁−p₂)² + 3p₂(1−p₂)] + n(n−1)(n−2)·(p₄−p₂²)

(Lehmann 1975, Nonparametrics, section 4.2). For normal differences with mean d standard deviations p₁ = Φ(d),
p₂ = Φ(d√2), and p₄ is bivariate normal at (d√2, d√2) with correlation ½.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import cast

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr, ndtri, owens_t

from bakeoff.nulls.signed_rank import signed_rank_null
from bakeoff.plan.power_models.exact_sign import SLACK
from bakeoff.scores import Array

EXACT_CRITICAL = 300
"""Up to here the critical rank sum is that of the exact null; beyond, of the normal law, continuity and kurtosis
corrected."""


def moments_of_sum(n: float, d: float) -> tuple[float, float]:
    """Mean and variance of W⁺ (the rank sum of positive differences)."""
    p1, p2 = float(ndtr(d)), float(ndtr(d * math.sqrt(2)))
    q1, q2 = float(ndtr(-d)), float(ndtr(-d * math.sqrt(2)))
    # P(X ≤ h, Y ≤ h) = Φ(h) − 2T(h, √((1−ρ)/(1+ρ))), Owen's T; so p₄ − p₂² = p₂q₂ − 2T
    common = p2 * q2 - 2 * float(owens_t(d * math.sqrt(2), 1 / math.sqrt(3)))
    pairs = n * (n - 1) / 2
    mean = n * p1 + pairs * p2
    variance = n * p1 * q1 + pairs * (2 * (p1 - p2) ** 2 + 3 * p2 * q2) + n * (n - 1) * (n - 2) * common
    return mean, max(variance, 0.0)


@lru_cache(maxsize=4096)
def critical_sum(n: int, tail: float) -> int:
    """The largest c with P(W ≤ c) ≤ tail without ties; negative if there is none."""
    if n <= EXACT_CRITICAL:
        return signed_rank_null(2 * np.arange(1, n + 1)).largest_sum(tail * (1 + SLACK)) // 2
    mean, squares = n * (n + 1) / 4, n * (n + 1) * (2 * n + 1) / 6
    kurtosis = -2 * (3 * n * n + 3 * n - 1) / (5 * squares)  # −2·Σr⁴/(Σr²)²: each ±r/2 has cumulants r²/4 and −r⁴/8
    z = float(ndtri(tail))
    z += kurtosis * (z**3 - 3 * z) / 24  # Cornish–Fisher
    return math.floor(mean + z * math.sqrt(squares / 4) - 0.5)


def critical_sums(n: int, levels: Array, one_sided: bool) -> npt.NDArray[np.int64]:
    """(levels,): one critical value per level."""
    return np.array([critical_sum(n, float(a) * (1.0 if one_sided else 0.5)) for a in levels], dtype=np.int64)


def moment_powers(n: int, d: float, levels: Array, one_sided: bool = False) -> Array:
    """(levels,): exact critical values, normal law of W⁺ (and W⁻) with the alternative's own variance."""
    c = critical_sums(n, levels, one_sided)
    total = n * (n + 1) / 2
    power = _at_most(c, total, *moments_of_sum(n, -d))  # W⁻ ≤ c
    if not one_sided:
        power = power + _at_most(c, total, *moments_of_sum(n, d))
    return cast(Array, np.minimum(power, 1.0))


def _at_most(c: npt.NDArray[np.int64], total: float, mean: float, variance: float) -> Array:
    """P(W ≤ c) with continuity correction; 0 where no c exists."""
    if variance == 0:  # all differences have one sign
        return np.asarray((c >= 0) & (mean <= c), dtype=np.float64)
    return cast(Array, np.where(c < 0, 0.0, ndtr((c + 0.5 - mean) / math.sqrt(variance))))


def noether_powers(n: npt.ArrayLike, d: float, levels: npt.ArrayLike, one_sided: bool = False) -> Array:
    """Φ(√(3n)·(p₂ − ½) − z): the normal law with the null's variance (Noether 1987), whose n inverts in closed form."""
    tail = np.asarray(levels, dtype=np.float64) * (1.0 if one_sided else 0.5)
    shift = float(ndtr((d if one_sided else abs(d)) * math.sqrt(2))) - 0.5
    return np.asarray(ndtr(np.sqrt(3.0 * np.asarray(n, dtype=np.float64)) * shift + ndtri(tail)), dtype=np.float64)
