"""Power of Friedman's test, asymptotic: noncentral χ² with the noncentrality of the expected ranks.

Scores are independent normal within a problem, with means μ_j in units of the residual standard deviation. With
P_jl = Φ((μ_j − μ_l)/√2), E R_j = 1 + Σ_{l≠j} P_jl and ncp = n·12/(k(k+1))·Σ_j (E R_j − (k+1)/2)².
"""

from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt
from scipy.special import chdtri, chndtr, ndtr

from bakeoff.plan.power_models.base import Effect, PowerModel
from bakeoff.scores import Array


@dataclass(frozen=True, slots=True)
class FriedmanChiSquare(PowerModel):
    n_algorithms: int
    name = "chi2"
    least = 2

    def powers(self, n: int, effect: Effect, levels: Array, one_sided: bool) -> Array:
        means = one_apart(effect, self.n_algorithms) if isinstance(effect, float) else effect
        return np.array([float(friedman_powers(n, means, float(a))) for a in levels])


def one_apart(d: float, n_algorithms: int) -> Array:
    """(k,): one algorithm d residual standard deviations from the rest, which are equal."""
    means = np.zeros(n_algorithms)
    means[-1] = d
    return means


def expected_mean_ranks(means: Array) -> Array:
    """(k,): E R_j; the largest mean has the largest rank."""
    beats = ndtr((means[:, None] - means[None, :]) / np.sqrt(2.0))
    return cast(Array, 0.5 + beats.sum(axis=1))  # the diagonal holds ½


def noncentrality(means: Array) -> float:
    """Per problem."""
    k = len(means)
    return float(12 / (k * (k + 1)) * np.sum((expected_mean_ranks(means) - (k + 1) / 2) ** 2))


def friedman_powers(n: npt.ArrayLike, means: Array, alpha: float) -> Array:
    """(...,) power of the χ² test at ``alpha`` for n problems."""
    df = len(means) - 1
    shift = np.asarray(n, dtype=np.float64) * noncentrality(means)
    # far beyond any plan the power is 1 to the last bit, and the series of the noncentral law is long
    near = np.minimum(shift, 1e4)
    return np.asarray(1.0 - chndtr(chdtri(df, alpha), df, near), dtype=np.float64)
