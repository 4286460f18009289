"""ln ∫ exp(f) for many smooth, single-peaked integrands at once, without underflow; and the point of a given tail.

All integrals of the multiple-comparison laws have this form, with f falling at least like −x²/2 or −|x|: outside a
window around the peak the integrand is below exp(−DEPTH) of it. There it is analytic and vanishes at both ends (or is
even about one of them), and the trapezoid rule converges faster than any power of the step.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
LogIntegrand = Callable[[Array], Array]  # (v, points) -> (v, points): row i belongs to integral i

DEPTH = 42.0
_GRID = 20


def log_integral(f: LogIntegrand, low: Array, high: Array, steps: int = 128) -> Array:
    """(v,): ln ∫ exp(f(x)) dx; the peak of integral i lies in low[i]..high[i]. Rows do not influence each other."""
    for _ in range(12):
        narrow_low, narrow_high = _narrowed(f, low, high)
        wide = narrow_high - narrow_low < 0.7 * (high - low)
        low, high = np.where(wide, narrow_low, low), np.where(wide, narrow_high, high)
        if not wide.any():
            break
    step = (high - low) / steps
    terms = f(low[:, None] + step[:, None] * np.arange(steps + 1))
    top = terms.max(axis=1)
    weights = np.exp(terms - top[:, None])
    weights[:, [0, -1]] /= 2.0
    total: Array = top + np.log(np.sum(weights, axis=1) * step)
    return total


def _narrowed(f: LogIntegrand, low: Array, high: Array) -> tuple[Array, Array]:
    """One grid step outside the points within DEPTH of the highest one."""
    step = (high - low) / _GRID
    values = f(low[:, None] + step[:, None] * np.arange(_GRID + 1))
    inside = values > values.max(axis=1, keepdims=True) - DEPTH
    first = np.argmax(inside, axis=1)
    last = _GRID - np.argmax(inside[:, ::-1], axis=1)
    return low + step * np.maximum(first - 1, 0), low + step * np.minimum(last + 1, _GRID)


def upper_point(log_tail: Callable[[float], float], goal: float) -> float:
    """The x at which a decreasing log_tail equals ``goal``: secants kept inside a bracket."""
    low, high = 0.0, 1.0
    at_low, at_high = log_tail(low) - goal, log_tail(high) - goal
    while at_low < 0:
        low, high, at_high = 2.0 * low - 1.0, low, at_low
        at_low = log_tail(low) - goal
    while at_high > 0:
        low, at_low, high = high, at_high, 2.0 * high
        at_high = log_tail(high) - goal
    for _ in range(200):
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        if not low < middle < high:
            middle = (low + high) / 2.0
        value = log_tail(middle) - goal
        if value == 0.0 or high - low <= 4e-16 * high:
            return middle
        # the Illinois rule: an end that stays twice loses half its weight
        if value > 0:
            low, at_low, at_high = middle, value, at_high / 2.0
        else:
            high, at_high, at_low = middle, value, at_low / 2.0
        if not low < np.nextafter(low, high) < high:
            break
    return (low + high) / 2.0


def root_between(rising: Callable[[float], float], low: float, high: float, tolerance: float) -> float:
    """The x, within ``tolerance``, at which ``rising`` is 0; it is at most 0 at ``low`` and at least 0 at ``high``.

    Secants by the rule of Anderson and Björck (1973, BIT 13, 253–264): few steps where the function is nearly a line;
    halvings where they gain little.
    """
    at_low, at_high = rising(low), rising(high)
    side, widths = 0, [math.inf] * 4
    for _ in range(200):
        if at_low >= 0 or at_high <= 0:
            return low if at_low >= 0 else high
        if high - low <= tolerance:
            break
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        if not low <= middle <= high or high - low > widths[-4] / 2:  # an end is infinite; or four steps gained little
            middle = (low + high) / 2.0
        # a step across a root near an end closes the bracket
        middle = min(max(middle, low + tolerance / 2), high - tolerance / 2)
        widths.append(high - low)
        value = rising(middle)
        now = 1 if value > 0 else -1
        weight = 1.0 - value / (at_high if now > 0 else at_low)  # of the end that stays for the second time
        weight = 1.0 if now != side else weight if weight > 0 else 0.5
        if now > 0:
            high, at_high, at_low = middle, value, at_low * weight
        else:
            low, at_low, at_high = middle, value, at_high * weight
        side = now
    return (low + high) / 2.0
