"""Which difference is found with power 0.8: the noncentral t beyond the critical value in force."""

import math
from functools import lru_cache

import numpy as np
from scipy.special import betaincinv

from bakeoff.nulls.numerics import positive_root
from bakeoff.plan.power_models.t import noncentral_t_sf

POWER = 0.8


@lru_cache(maxsize=4096)
def detectable_ratio(df: float, critical: float, power: float = POWER) -> float:
    """δ/SE with P(|T| > critical) = power, T noncentral t with ``df`` degrees of freedom and noncentrality δ/SE."""

    def surplus(ratio: float) -> float:
        shifts = np.array([ratio, -ratio])
        return float(noncentral_t_sf(np.full(2, critical), np.full(2, df), shifts).sum()) - power

    return positive_root(surplus, critical + 1.0, 1e-10)


@lru_cache(maxsize=256)
def least_detectable(n: int, level: float, power: float = POWER) -> float | None:
    """The difference of two shares of ``n`` below which McNemar's exact test has less power, whatever the shares are.

    It needs m questions that one model alone answers, 2·2^(−m) ≤ level, and has most power where none favours the
    other: P(Bin(n, δ) ≥ m) = power. None where n < m.
    """
    m = math.ceil(1.0 - math.log2(level) - 1e-9)
    return float(betaincinv(m, n - m + 1, power)) if n >= m else None
