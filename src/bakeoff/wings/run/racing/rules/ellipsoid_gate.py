"""The Bayesian Friedman test as a gate of a race: do the posterior mean ranks exclude that all are equal?

With the Dirichlet weights p = (s, 1 … 1)/(s + n) on the prior atom R_0 = (m + 1)/2 and the ranks R_1 … R_n, and
R_l as deviations from R_0 (Benavoli et al. 2015, Theorem 1 and equation 19):

    μ = Σ R_l/(s + n),   Σ = (Σ R_l R_lᵀ/(s + n) − μ μᵀ)/(s + n + 1),
    μᵀ Σ⁻¹ μ > F⁻¹(1 − γ; m − 1, n − m + 1) (n − 1)(m − 1)/(n − m + 1),

of the first m − 1 components; defined from n = m on.
"""

import numpy as np
import numpy.typing as npt
from scipy import special

from bakeoff.scores.cells import Array


class EllipsoidGate:
    """Sums over problems; they take in blocks of twice the ranks, 1 best."""

    def __init__(self, m: int, strength: float) -> None:
        self.strength = strength
        self._sum = np.zeros(m)
        self._products = np.zeros((m, m))

    def add(self, doubled: npt.NDArray[np.int64]) -> None:
        deviations = doubled.astype(float) - (doubled.shape[1] + 1.0)  # twice R − R_0; whole numbers: sums are exact
        self._sum += deviations.sum(axis=0)
        self._products += deviations.T @ deviations

    def rejects(self, n: int, gamma: float) -> bool:
        m = len(self._sum)
        limit = float(special.fdtri(m - 1.0, n - m + 1.0, 1.0 - gamma)) * (n - 1.0) * (m - 1.0) / (n - m + 1.0)
        return self.statistic(n) > limit

    def statistic(self, n: int) -> float:
        """μᵀ Σ⁻¹ μ; where Σ is singular its directions without variance have no deviation either."""
        total = self.strength + n
        mean = self._sum[:-1] / total
        covariance: Array = (self._products[:-1, :-1] / total - np.outer(mean, mean)) / (total + 1.0)
        try:
            solved = np.linalg.solve(covariance, mean)
        except np.linalg.LinAlgError:
            solved = np.linalg.pinv(covariance, hermitian=True) @ mean
        return float(mean @ solved)
