"""From a tail with known standard deviation to the one in which it is estimated with ``df`` degrees of freedom."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.nulls.numerics import Array, log_integral
from bakeoff.special import gammaln

LOG_ROOT_TWO_PI = math.log(2.0 * math.pi) / 2.0
_CHUNK = 1024  # integrals at a time: bounds the memory
_LARGEST = 1e150  # its square is still finite

LogTail = Callable[[Array], Array]
AtMany = Callable[[LogTail, Array], Array]


def log_tail(known: LogTail, x: npt.ArrayLike, df: float, lowest: float = 0.0, at_many: AtMany | None = None) -> Any:
    """ln P(statistic ≥ x) in the shape of x: 0 for x ≤ ``lowest``, −inf for infinite x.

    ``at_many`` evaluates ``known`` at any number of points; the default takes them in chunks.
    """
    x_array = np.asarray(x, dtype=np.float64)
    flat, where = np.unique(x_array.ravel(), return_inverse=True)
    out = np.where(flat < np.inf, 0.0, -np.inf)
    todo = np.flatnonzero((flat > lowest) & (flat < np.inf))
    points = np.clip(flat[todo], -_LARGEST, _LARGEST)
    if math.isinf(df):
        out[todo] = np.minimum((at_many or in_blocks)(known, points), 0.0)
    else:
        for start in range(0, len(todo), _CHUNK):
            part = slice(start, start + _CHUNK)
            out[todo[part]] = np.minimum(averaged(known, points[part], df), 0.0)
    return out[where].reshape(x_array.shape)[()]


def averaged(known: LogTail, x: Array, df: float) -> Array:
    """ln ∫ exp(known(x·s)) f(s) ds, with s = √(χ²_df/df) and u = ln s as the variable."""

    def integrand(u: Array) -> Array:
        tails = in_blocks(known, (x[:, None] * np.exp(u)).ravel()).reshape(u.shape)
        terms: Array = np.minimum(tails, 0.0) - df / 2.0 * (np.expm1(2.0 * u) - 2.0 * u)
        return terms

    low = -np.log(np.maximum(x, 1.0)) - 45.0 / df - 1.0
    high = np.full(len(x), 0.5 * math.log1p(200.0 / df) + 1.0)
    # exp(2u) allows a step of about 1/6 (the integrand is analytic for |Im u| < π/4); the window is 42/df wide
    steps = 72 + int(min(280.0 / df, 320.0))
    return log_integral(integrand, low, high, steps) + log_scale(np.array(df / 2.0))


def any_of(log_one: Array, n: int) -> Array:
    """ln(1 − (1 − p)^n) from ln p: the chance of at least one among n independent events."""
    if n == 1:
        return log_one
    p = np.exp(np.maximum(log_one, -700.0))
    with np.errstate(divide="ignore"):
        several = np.log(-np.expm1(n * np.log1p(-np.minimum(p, 1.0))))
    chosen: Array = np.where(log_one > -700.0, several, log_one + math.log(n))
    return chosen


def in_blocks(known: LogTail, points: Array) -> Array:
    """``known`` at any number of points, in bounded memory."""
    chunks = [known(points[i : i + _CHUNK]) for i in range(0, len(points), _CHUNK)]
    return np.concatenate(chunks) if chunks else np.zeros(0)


def log_scale(half: Array) -> Array:
    """ln(2·h^h·e^(−h)/Γ(h)), h = df/2: the density of ln S at 0; by Stirling's series where the terms would cancel."""
    h = np.maximum(half, 20.0)
    series = 1 / (12 * h) - 1 / (360 * h**3) + 1 / (1260 * h**5) - 1 / (1680 * h**7)
    large = math.log(2.0) + np.log(h) / 2.0 - LOG_ROOT_TWO_PI - series
    h = np.minimum(half, 20.0)
    return np.where(half < 20.0, math.log(2.0) + h * np.log(h) - h - gammaln(h), large)


# A smooth log tail at very many points: Chebyshev interpolation on fixed cells instead of an integral per point.
#
# ln P(Q ≥ q) falls like −q²/4; g(q) = ln P(Q ≥ q) + q²/4 is smooth, and on cells of length 1 a polynomial through 24
# Chebyshev nodes reproduces it to 3e-13 for k = 2 … 1000 (tested against the integral). The cells do not depend on the
# data, so the order of the points cannot matter.

NODES = 24
WORTH = 4.0
"""Interpolate where the direct way would take this many times as many evaluations."""

_X = np.cos(np.pi * (np.arange(NODES) + 0.5) / NODES)
_TO_COEFFICIENTS = 2.0 / NODES * np.cos(np.outer(np.arccos(_X), np.arange(NODES)))
_TO_COEFFICIENTS[:, 0] /= 2.0


def log_tail_of_many(log_tail: Callable[[Array], Array], q: Array) -> Array:
    """``log_tail(q)`` for q > 0, by interpolation where the points are many for the cells they lie in."""
    cell = np.floor(q)
    occupied = np.unique(cell)
    if len(q) < WORTH * NODES * len(occupied):
        return in_blocks(log_tail, q)
    nodes = occupied[:, None] + (1.0 + _X) / 2.0
    coefficients = (in_blocks(log_tail, nodes.ravel()).reshape(nodes.shape) + nodes**2 / 4.0) @ _TO_COEFFICIENTS
    order = np.argsort(cell, kind="stable")
    ends = np.searchsorted(cell[order], occupied, side="right")
    result = np.empty_like(q)
    start = 0
    for base, row, end in zip(occupied, coefficients, ends, strict=True):
        members = order[start:end]
        inside = q[members]
        result[members] = _clenshaw(row, 2.0 * (inside - base) - 1.0) - inside**2 / 4.0
        start = end
    return result


def _clenshaw(coefficients: Array, x: Array) -> Array:
    """Σ c_j T_j(x) by the stable recurrence."""
    last = before = np.zeros_like(x)
    for c in coefficients[:0:-1]:
        last, before = 2.0 * x * last - before + c, last
    total: Array = x * last - before + coefficients[0]
    return total
