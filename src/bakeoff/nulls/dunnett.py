"""Many to one: the largest of m normal statistics that share a control, so that any two are correlated by 1/2.

With X_j independent standard normal and X_0 the control, T_j = (X_j − X_0)/√2 (over s = √(χ²/df) when the standard
deviation is estimated). Given X_0 = x the m events are independent:
P(max |T_j| ≥ t) = ∫ φ(x)·{1 − [1 − Φ(x − t√2) − Φ(−x − t√2)]^m} dx; one-sided with one of the two terms.
Dunnett (1955).
"""

import math
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.nulls.chi_average import LOG_ROOT_TWO_PI, any_of, log_tail
from bakeoff.nulls.numerics import Array, log_integral, upper_point
from bakeoff.special import log_ndtr

_ROOT_TWO = math.sqrt(2.0)


def sf(t: npt.ArrayLike, m: int, df: float = math.inf, *, two_sided: bool = True) -> Any:
    """P(max |T_j| ≥ t), or P(max T_j ≥ t), for ``m`` comparisons with the control."""
    return np.exp(log_sf(t, m, df, two_sided=two_sided))[()]


def log_sf(t: npt.ArrayLike, m: int, df: float = math.inf, *, two_sided: bool = True) -> Any:
    """The natural logarithm of :func:`sf`; finite wherever t is."""
    if two_sided:
        return log_tail(lambda x: _log_two_sided(x, m), t, df)
    return log_tail(lambda x: _log_one_sided(x, m), t, df, lowest=-math.inf)


@lru_cache(maxsize=256)
def isf(alpha: float, m: int, df: float = math.inf, *, two_sided: bool = True) -> float:
    """The t with P(max |T_j| ≥ t), or P(max T_j ≥ t), equal to alpha."""
    return upper_point(lambda t: float(log_sf(t, m, df, two_sided=two_sided)), math.log(alpha))


def _log_two_sided(t: Array, m: int) -> Array:
    """Twice the integral over x > 0, where there is one peak."""
    bound = t[:, None] * _ROOT_TWO

    def integrand(x: Array) -> Array:
        beyond = np.logaddexp(log_ndtr(x - bound), log_ndtr(-x - bound))
        terms: Array = any_of(np.minimum(beyond, 0.0), m) - x * x / 2.0
        return terms

    integral = log_integral(integrand, np.zeros(len(t)), t * _ROOT_TWO + 10.0)
    return integral + (math.log(2.0) - LOG_ROOT_TWO_PI)


def _log_one_sided(t: Array, m: int) -> Array:
    bound = t[:, None] * _ROOT_TWO

    def integrand(x: Array) -> Array:
        terms: Array = any_of(log_ndtr(-x - bound), m) - x * x / 2.0
        return terms

    integral = log_integral(integrand, np.minimum(-t * _ROOT_TWO, 0.0) - 10.0, np.full(len(t), 10.0))
    return integral - LOG_ROOT_TWO_PI
