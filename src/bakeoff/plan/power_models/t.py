"""Power of the paired t-test: exact, from the noncentral t distribution, without its library traps.

T' = (Z + δ)/S with S² = χ²_ν/ν, so P(T' > c) = E Φ(δ − c·S) = E P(S < (Z + δ)/c). With S = eᵘ the first
integrand is analytic and single-peaked in u; for large δ the second one is, in z. The trapezoid rule on logarithms
gives full relative accuracy in both tails, for any δ and ν: SciPy's noncentral t is NaN far out (ν = 33, δ = 40),
where a search for an effect size may look.
"""

import math
from typing import cast

import numpy as np
import numpy.typing as npt

from bakeoff.nulls.chi_average import log_scale
from bakeoff.nulls.numerics import log_integral
from bakeoff.plan.power_models.base import Formula
from bakeoff.scores import Array
from bakeoff.special import gammainc, log_ndtr, stdtrit

_STEPS, _FEW_STEPS = 1024, 256  # the fewer where the density of S is narrow, from _NARROW degrees of freedom on
_NARROW = 10.0
_ROWS = 1024  # at once
_FAR = 12.0  # from here on Z < −δ has no weight, and Φ(δ − c·eᵘ) is steep in u
_DEPTH = 45.0  # the integrand is left out below exp(−DEPTH) of its peak


def t_powers(
    n: npt.ArrayLike, d: npt.ArrayLike, levels: npt.ArrayLike, one_sided: bool = False, df: float | None = None
) -> Array:
    """Power of the t-test of n paired differences with mean d in units of their standard deviation.

    ``n`` (a real number ≥ 2), ``d`` and ``levels`` broadcast. Two-sided: P(T' > t_{1−α/2}) + P(T' < −t_{1−α/2}), (22)
    of Campelo & Takahashi (2019); one-sided, towards positive d: P(T' > t_{1−α}). ``df``: if not n − 1.
    """
    size, effect, level = np.broadcast_arrays(*(np.asarray(x, dtype=np.float64) for x in (n, d, levels)))
    shape = size.shape
    degrees = size.ravel() - 1.0 if df is None else np.full(size.size, df)
    delta = effect.ravel() * np.sqrt(size.ravel())
    tail = level.ravel() if one_sided else level.ravel() / 2.0
    critical = -np.asarray(stdtrit(degrees, tail), dtype=np.float64)
    power = noncentral_t_sf(critical, degrees, delta)
    if not one_sided:
        power = power + noncentral_t_sf(critical, degrees, -delta)
    return np.minimum(power, 1.0).reshape(shape)


T_TEST = Formula("exact", t_powers, least=2, real=True)


def noncentral_t_sf(c: Array, df: Array, delta: Array) -> Array:
    """(v,): P(T' > c) for noncentrality ``delta``; rows do not influence each other."""
    parts = [slice(i, i + _ROWS) for i in range(0, len(c), _ROWS)]
    return np.concatenate([_upper_tail(c[part], df[part], delta[part]) for part in parts]) if parts else c


def _upper_tail(c: Array, df: Array, delta: Array) -> Array:
    negative = c < 0  # P(T'_δ > c) = 1 − P(T'_{−δ} > −c)
    side, shift = np.abs(c), np.where(negative, -delta, delta)
    far = (shift > _FAR) & (side > 0)
    narrow = df >= _NARROW
    log_upper = np.empty_like(side)
    for rows, steps in ((~far & narrow, _FEW_STEPS), (~far & ~narrow, _STEPS)):
        log_upper[rows] = _over_spread(side[rows], df[rows], shift[rows], steps)
    log_upper[far] = _over_mean(side[far], df[far], shift[far])
    upper = np.exp(np.minimum(log_upper, 0.0))
    return cast(Array, np.where(negative, 1.0 - upper, upper))


def _over_mean(c: Array, df: Array, delta: Array) -> Array:
    """ln P(T' > c), c > 0 and δ large: ln ∫ φ(z) P(χ²_ν < ν(z + δ)²/c²) dz."""
    if not c.size:
        return np.empty(0)

    def log_integrand(z: Array) -> Array:
        below = gammainc(df[:, None] / 2.0, df[:, None] / 2.0 * ((z + delta[:, None]) / c[:, None]) ** 2)
        return cast(Array, np.log(np.maximum(below, 1e-300)) - z * z / 2.0)

    high = 10.0 + np.sqrt(2.0 * df)  # the integrand falls there: d ln P(χ² < …)/dz < ν/(z + δ)·… ≤ z
    low = np.full_like(df, -10.0)  # below, φ is beyond the last digit and the other factor smaller still
    return log_integral(log_integrand, low, high, _STEPS) - math.log(2.0 * math.pi) / 2.0


def _over_spread(c: Array, df: Array, delta: Array, steps: int) -> Array:
    """ln P(T' > c), c ≥ 0: ln ∫ Φ(δ − c·s) f(s) ds, f the density of √(χ²_ν/ν), over u = ln s."""
    if not c.size:
        return np.empty(0)
    half = df / 2.0

    def log_integrand(u: Array) -> Array:
        inside = log_ndtr(delta[:, None] - c[:, None] * np.exp(u))
        return cast(Array, inside - half[:, None] * (np.expm1(2.0 * u) - 2.0 * u))  # the density over that at u = 0

    # below this s the slope in u is at least ν/2: ν(1 − s²) less c·s·(c·s + |δ| + 1), which bounds that of ln Φ
    lowest = df / (4.0 * (c * (c + np.abs(delta) + 1.0) + df))
    low = np.log(lowest) - 2.0 * _DEPTH / df
    high = np.sqrt(_DEPTH / df)  # beyond u = 0 the density falls like exp(−ν·u²) or faster
    return log_scale(half) + log_integral(log_integrand, low, high, steps)
