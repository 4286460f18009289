"""P(Σ a_i Γ_i > 0) for independent gamma variables Γ_i of given shapes: signs of weighted sums under Dirichlet weights.

With the moment generating function M(s) = Π (1 − a_i s)^(−α_i), analytic for 0 <= Re s < 1/max a,

    P(Σ a_i Γ_i > 0) = (1/2πi) ∫ M(s)/s ds   over c + iy, any 0 < c < 1/max a.

c is the saddle point, the minimum of h = ln M(s) − ln s on the real line, where h is convex: there the integrand is
largest at y = 0 and small tails keep their digits. With y = w sinh u, w = h″(c)^(−½), its singularities are π/2 away
from the real u, it falls exponentially, and the trapezoid rule converges faster than any power of the step. With all
a_i = ±1 and shapes 1 it is I_½ of the counts (Theorem 2 of Benavoli et al. 2015).
"""

import math

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

STEP = 0.125
HALVINGS = 18  # of the interval that holds the saddle point; any point near it will do
NEGLIGIBLE = 37.0  # of ln |integrand| below its peak
BATCH = 24  # factors multiplied before the logarithm is taken
AT_ONCE = 1 << 20  # numbers held: complex, 16 MB
NEAR_HALF = 1e-13  # a smaller distance from 1/2 is rounding: the two sides are equal


def positive_probability(coefficients: Array, shapes: npt.ArrayLike = 1.0) -> Array:
    """(m,) for coefficients (m, v) and shapes (v,); 1/2 where all coefficients are 0. Small ones keep their digits."""
    a = np.atleast_2d(np.asarray(coefficients, dtype=np.float64))
    alpha = np.broadcast_to(np.asarray(shapes, dtype=np.float64), a.shape[1:])
    a, alpha = a[:, alpha > 0], alpha[alpha > 0]
    up, down = (a > 0).any(axis=1), (a < 0).any(axis=1)
    probability = np.where(up & ~down, 1.0, np.where(down & ~up, 0.0, 0.5))
    rows = np.flatnonzero(up & down)
    size = max(1, AT_ONCE // max(1, a.shape[1]))
    for first in range(0, len(rows), size):
        part = rows[first : first + size]
        turned = a[part] @ alpha > 0  # then the other tail is the smaller one
        tail = _tail(np.where(turned[:, None], -1.0, 1.0) * a[part], alpha)
        probability[part] = np.where(turned, 1.0 - tail, tail)
    return np.where(np.abs(probability - 0.5) < NEAR_HALF, 0.5, np.clip(probability, 0.0, 1.0))


def _tail(a: Array, alpha: Array) -> Array:
    a = a / a.max(axis=1, keepdims=True)  # the largest coefficient is 1
    c = _saddle_points(a, alpha)
    left = 1.0 - a * c[:, None]
    height = -(alpha * np.log(left)).sum(axis=1) - np.log(c)
    slopes = a / left
    width = 1.0 / np.sqrt((alpha * slopes**2).sum(axis=1) + 1.0 / c**2)
    nodes = np.arange(0.0, _reach(slopes, alpha, c, width) + STEP, STEP)
    size = max(1, AT_ONCE // len(nodes))
    sums = [
        _trapezoid(slopes[i : i + size], alpha, c[i : i + size], width[i : i + size], nodes)
        for i in range(0, len(a), size)
    ]
    return np.asarray(np.exp(height) * width * STEP / math.pi * np.concatenate(sums))


def _reach(slopes: Array, alpha: Array, c: Array, width: Array) -> float:
    """The u beyond which the integrand is negligible for every row: it falls like exp(−u Σα), or faster."""
    low, high = 0.0, math.asinh(12.0) + 1.0

    def highest(u: float) -> float:
        y = width * math.sinh(u)
        falls = 0.5 * (alpha * np.log1p((slopes * y[:, None]) ** 2)).sum(axis=1) + 0.5 * np.log1p((y / c) ** 2)
        return float(np.max(u - falls))

    while highest(high) > -NEGLIGIBLE and high < 300.0:
        low, high = high, 1.5 * high
    for _ in range(4):
        middle = (low + high) / 2.0
        low, high = (middle, high) if highest(middle) > -NEGLIGIBLE else (low, middle)
    return high


def _trapezoid(slopes: Array, alpha: Array, c: Array, width: Array, nodes: Array) -> Array:
    """Σ Re f(c + iy)/f(c) cosh u: 1 − a(c + iy) is (1 − ac)(1 − iy slope)."""
    y = width[:, None] * np.sinh(nodes)
    logs = np.log1p(1j * y / c[:, None])
    product = np.ones(y.shape, dtype=np.complex128)
    for v, (slope, shape) in enumerate(zip(slopes.T, alpha.tolist(), strict=True), start=1):
        factor = 1.0 - 1j * (slope[:, None] * y)
        if shape == 1.0:
            product *= factor
        else:
            logs += shape * np.log(factor)
        if v % BATCH == 0:  # before it overflows; the branch of the logarithm does not matter to exp
            logs += np.log(product)
            product[:] = 1.0
    terms = np.exp(-logs - np.log(product)).real * np.cosh(nodes)
    terms[:, 0] /= 2.0
    return np.asarray(terms.sum(axis=1))


def _saddle_points(a: Array, alpha: Array) -> Array:
    """(m,) where Σ α a/(1 − a c) = 1/c, between 0 and 1, by bisection: in the logit, as c may be near either end."""
    low, high = np.full(len(a), -60.0), np.full(len(a), 30.0)
    for _ in range(HALVINGS):
        middle = (low + high) / 2.0
        c = 1.0 / (1.0 + np.exp(-middle))
        scaled = a * c[:, None]
        rising = (scaled / (1.0 - scaled)) @ alpha > 1.0
        low, high = np.where(rising, low, middle), np.where(rising, middle, high)
    return np.asarray(1.0 / (1.0 + np.exp(-(low + high) / 2.0)))
