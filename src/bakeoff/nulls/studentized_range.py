"""The studentized range: the largest distance among k independent standard normal variables, in units of their
estimated standard deviation (``df`` degrees of freedom; infinite: known).

P(Q ≥ q) = ∫ k·φ(z)·Φ(z)^(k−1)·{1 − [1 − Φ(z−q)/Φ(z)]^(k−1)} dz, z the largest: every term is positive, so the
relative error stays near 1e-14 down to 1e-300 and, in logarithms, below. With finite df this is averaged over
s = √(χ²/df): ∫ P(Q ≥ q·s) f(s) ds. Tukey (1953); the range divided by √2 is Nemenyi's statistic.
"""

import math
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.nulls.chi_average import LOG_ROOT_TWO_PI, any_of, log_tail, log_tail_of_many
from bakeoff.nulls.numerics import Array, log_integral, upper_point
from bakeoff.special import log_ndtr


def sf(q: npt.ArrayLike, k: int, df: float = math.inf) -> Any:
    """P(Q ≥ q) for ``k`` groups: a float for a float, an array for an array."""
    return np.exp(log_sf(q, k, df))[()]


def log_sf(q: npt.ArrayLike, k: int, df: float = math.inf) -> Any:
    """ln P(Q ≥ q); finite wherever q is."""
    return log_tail(lambda x: _log_sf(x, k), q, df, at_many=log_tail_of_many)


@lru_cache(maxsize=256)
def isf(alpha: float, k: int, df: float = math.inf) -> float:
    """The q with P(Q ≥ q) = alpha."""
    return upper_point(lambda q: float(log_sf(q, k, df)), math.log(alpha))


def _log_sf(q: Array, k: int) -> Array:
    """q > 0, known standard deviation."""

    def integrand(z: Array) -> Array:
        below = log_ndtr(z)
        beyond = any_of(log_ndtr(z - q[:, None]) - below, k - 1)  # one of the others is below z − q
        terms: Array = beyond + (k - 1) * below - z * z / 2.0
        return terms

    integral = log_integral(integrand, np.full(len(q), -10.0), q + 10.0)
    return integral + (math.log(k) - LOG_ROOT_TWO_PI)
