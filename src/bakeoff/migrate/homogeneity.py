"""Do several columns have one variance? The pre-tests of autorank; they take the columns for independent samples."""

import math

import numpy as np
from scipy.special import chdtrc, fdtrc

from bakeoff.scores import Array


def bartlett(values: Array) -> float:
    """p-value of Bartlett's test, for normal columns (Bartlett 1937); NaN where a column is constant."""
    n, k = values.shape
    variances = values.var(axis=0, ddof=1)
    if not (variances > 0.0).all():
        return math.nan
    pooled = k * (n - 1) * math.log(float(variances.mean())) - (n - 1) * float(np.log(variances).sum())
    return float(chdtrc(k - 1, max(0.0, pooled) / (1.0 + (k + 1) / (3.0 * k * (n - 1)))))


def levene(values: Array) -> float:
    """p-value of Levene's test about medians (Brown & Forsythe 1974): one-way analysis of variance of |x − median|."""
    n, k = values.shape
    distances = np.abs(values - np.median(values, axis=0))
    means = distances.mean(axis=0)
    between = n * float(((means - means.mean()) ** 2).sum()) / (k - 1)
    within = float(((distances - means) ** 2).sum()) / (k * (n - 1))
    return float(fdtrc(k - 1, k * (n - 1), between / within)) if within > 0.0 else math.nan
