"""Shapiro–Wilk: could these numbers be a sample of a normal distribution? For inspection, not for choosing a test."""

import math

import numpy as np

from bakeoff import special
from bakeoff.dataclass import dataclass
from bakeoff.errors import ParameterError
from bakeoff.nulls.tails import normal_sf
from bakeoff.scores.cells import Array

LEAST, MOST = 3, 5000

# Royston (1995), Algorithm AS R94: polynomials, lowest power first
_LAST = (0.0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056)  # of 1/√n: correction of the outermost weight
_NEXT = (0.0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633)  # and of the one before it
_SMALL_GAMMA = (-2.273, 0.459)  # of n, for n <= 11
_SMALL_MEAN = (0.544, -0.39978, 0.025054, -6.714e-4)
_SMALL_LOG_SD = (1.3822, -0.77857, 0.062767, -0.0020322)
_LARGE_MEAN = (-1.5861, -0.31082, -0.083751, 0.0038915)  # of log n, for n >= 12
_LARGE_LOG_SD = (-0.4803, -0.082676, 0.0030302)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShapiroWilk:
    """``statistic`` is W in (0, 1], 1 for a perfectly normal-looking sample."""

    statistic: float
    pvalue: float
    n: int


def shapiro_wilk(values: Array) -> ShapiroWilk | None:
    """W = (Σ a_i x_(i))² / Σ (x_i − x̄)², p by Royston's normalising transformation (Royston 1995, AS R94).

    None where it is not defined: fewer than 3 or more than 5000 values, or all of them equal. A large p-value does
    not show normality, and with many values a small one may mean nothing for the t-test.
    """
    x = np.sort(np.asarray(values, dtype=float))
    if x.ndim != 1 or not np.all(np.isfinite(x)):
        raise ParameterError("must be a list of finite numbers", parameter="values")
    n = x.size
    spread = float(x[-1] / 2 - x[0] / 2) if n else 0.0
    if not LEAST <= n <= MOST or spread <= 0.0:
        return None
    x = (x / 2 - x[n // 2] / 2) / spread
    centred = x - math.fsum(x) / n
    w = min(1.0, float(weights(n) @ centred) ** 2 / math.fsum(centred * centred))
    return ShapiroWilk(statistic=w, pvalue=_pvalue(w, n), n=n)


def weights(n: int) -> Array:
    """Royston's a: expected normal order statistics, scaled to length 1, the outermost corrected."""
    if n == 3:
        return np.array([-math.sqrt(0.5), 0.0, math.sqrt(0.5)])
    m = special.ndtri((np.arange(1, n + 1) - 0.375) / (n + 0.25))
    squares, u = float(m @ m), 1.0 / math.sqrt(n)
    outer = [_polynomial(_LAST, u) + m[-1] / math.sqrt(squares)]
    if n > 5:
        outer.append(_polynomial(_NEXT, u) + m[-2] / math.sqrt(squares))
    ends = len(outer)
    left = squares - 2.0 * float(m[-ends:] @ m[-ends:])
    a = m * math.sqrt((1.0 - 2.0 * sum(value * value for value in outer)) / left)
    for i, value in enumerate(outer):
        a[n - 1 - i], a[i] = value, -value
    return np.asarray(a)


def _pvalue(w: float, n: int) -> float:
    if n == 3:
        return max(0.0, min(1.0, 6.0 / math.pi * (math.asin(math.sqrt(w)) - math.asin(math.sqrt(0.75)))))
    if w >= 1.0:
        return 1.0
    y = math.log1p(-w)
    if n <= 11:
        gamma = _polynomial(_SMALL_GAMMA, n)
        if y >= gamma:
            return 0.0  # beyond the smallest W possible
        y, mean, log_sd = -math.log(gamma - y), _polynomial(_SMALL_MEAN, n), _polynomial(_SMALL_LOG_SD, n)
    else:
        mean, log_sd = _polynomial(_LARGE_MEAN, math.log(n)), _polynomial(_LARGE_LOG_SD, math.log(n))
    return float(normal_sf((y - mean) / math.exp(log_sd))[0])


def _polynomial(coefficients: tuple[float, ...], x: float) -> float:
    total = 0.0
    for c in reversed(coefficients):
        total = total * x + c
    return total
