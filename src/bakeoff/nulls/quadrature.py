"""ln ∫ exp(f) for many smooth, single-peaked integrands at once, without underflow.

All integrals of the multiple-comparison laws have this form, with f falling at least like −x²/2 or −|x|: outside a
window around the peak the integrand is below exp(−DEPTH) of it. There it is analytic and vanishes at both ends (or is
even about one of them), and the trapezoid rule converges faster than any power of the step.
"""

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
