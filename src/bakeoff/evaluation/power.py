"""Which difference is found with power 0.8: the noncentral t beyond the critical value in force."""

from functools import lru_cache

import numpy as np

from bakeoff.nulls.roots import positive_root
from bakeoff.plan.power_models.t import noncentral_t_sf

POWER = 0.8


@lru_cache(maxsize=4096)
def detectable_ratio(df: float, critical: float, power: float = POWER) -> float:
    """δ/SE with P(|T| > critical) = power, T noncentral t with ``df`` degrees of freedom and noncentrality δ/SE."""

    def surplus(ratio: float) -> float:
        shifts = np.array([ratio, -ratio])
        return float(noncentral_t_sf(np.full(2, critical), np.full(2, df), shifts).sum()) - power

    return positive_root(surplus, critical + 1.0, 1e-10)
