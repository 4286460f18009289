"""Numerical tools without SciPy's load time: integrals of many peaked functions at once, and roots of monotone ones."""

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

# ln ∫ exp(f) for many smooth, single-peaked integrands at once, without underflow.
#
# All integrals of the multiple-comparison laws have this form, with f falling at least like −x²/2 or −|x|: outside a
# window around the peak the integrand is below exp(−DEPTH) of it. There it is analytic and vanishes at both ends (or is
# even about one of them), and the trapezoid rule converges faster than any power of the step.

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


# Where a monotone function reaches a value (``scipy.optimize`` would take longer to import than these to run).


def upper_point(log_tail: Callable[[float], float], goal: float) -> float:
    """The x at which a decreasing log_tail equals ``goal``: bracketed by doubling, then as :func:`root_between`."""
    low, high = 0.0, 1.0
    while log_tail(low) < goal:
        low, high = 2.0 * low - 1.0, low
    while log_tail(high) > goal:
        low, high = high, 2.0 * high
    return root_between(lambda x: goal - log_tail(x), low, high, 4e-16 * max(abs(low), high))


def root_between(rising: Callable[[float], float], low: float, high: float, tolerance: float) -> float:
    """The x, within ``tolerance``, at which ``rising`` reaches 0: at most 0 at ``low``, at least 0 at ``high``.

    From above: ``rising`` is at least 0 there, also if it has steps. Secants by the rule of Anderson and Björck (1973,
    BIT 13, 253–264): few steps where the function is nearly a line; halvings where they gain little.
    """
    at_low, at_high = rising(low), rising(high)
    if at_low >= 0 or at_high <= 0:
        return low if at_low >= 0 else high
    side, widths = 0, [math.inf] * 4
    for _ in range(200):
        if high - low <= tolerance:
            break
        middle = (low * at_high - high * at_low) / (at_high - at_low)
        if not low <= middle <= high or high - low > widths[-4] / 2:  # an end is infinite; or four steps gained little
            middle = (low + high) / 2.0
        # a step across a root near an end closes the bracket
        middle = min(max(middle, low + tolerance / 2), high - tolerance / 2)
        widths.append(high - low)
        value = rising(middle)
        now = 1 if value >= 0 else -1
        end = at_high if now > 0 else at_low
        weight = 1.0 - value / end if end else 0.0  # of the end that stays for the second time
        weight = 1.0 if now != side else weight if weight > 0 else 0.5
        if now > 0:
            high, at_high, at_low = middle, value, at_low * weight
        else:
            low, at_low, at_high = middle, value, at_high * weight
        side = now
    return high


def positive_root(rising: Callable[[float], float], guess: float, tolerance: float = 1e-12, step: float = 1.5) -> float:
    """The x > 0 at which ``rising`` reaches 0, from above, within a relative ``tolerance``; infinite beyond 1e50.

    Bracketed outwards from ``guess`` by factors ``step``.
    """
    low = high = guess
    if rising(guess) < 0:
        while rising(high) < 0:
            low, high = high, step * high
            if high > 1e50:
                return math.inf
    else:
        while low > 1e-150 and rising(low) >= 0:
            low, high = low / step, low
    return root_between(rising, low, high, tolerance * high)
