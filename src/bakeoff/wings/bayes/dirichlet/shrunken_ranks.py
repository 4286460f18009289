"""Mean ranks under an exchangeable prior: shrunk towards each other, to a degree estimated from the data.

With m and V the posterior mean and covariance of the mean ranks under a Dirichlet process (equations 16 and 17 of
Benavoli et al. 2015; V made unbiased and shrunk towards equal variances), and θ the mean ranks over all problems,

    m | θ ~ N(θ, V),   θ | τ ~ N((k + 1)/2, τ² (I − J/k)),   τ² ~ s₀/(s₀ + τ²)² dτ².

The last, the uniform shrinkage prior (Daniels 1999, Canadian Journal of Statistics 27, 567–578), makes s₀/(s₀ + τ²)
uniform, s₀ the harmonic mean of the variances. In the eigenvectors of V all is independent given τ: with y_u the
coordinates of m and λ_u the variances, y_u ~ N(0, λ_u + τ²), and θ_u ~ N(b_u y_u, b_u λ_u), b_u = τ²/(λ_u + τ²).
What depends on τ is averaged over a grid of x = ln τ²/s₀, where the prior is logistic.
"""

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass, replace
from bakeoff.scores import Array
from bakeoff.special import ndtr
from bakeoff.wings.bayes.dirichlet.mean_ranks import RankPosteriorInput, posterior_covariance, posterior_mean

LEAST_STRENGTH = 1.0  # of the prior in m and V: problems that all agree leave some variance
POOLED = 2  # problems for each algorithm that equal variances count as, which equal algorithms have
COARSE, FINE, WIDE = 801, 129, 40.0  # points of the grid over x within ±WIDE, and of that where the posterior is
NEGLIGIBLE = 30.0  # of ln density below its peak


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ShrunkenRanks:
    """The posterior of the mean ranks less (k + 1)/2: a mixture of normal distributions over the grid of τ²."""

    directions: Array  # (k, q) eigenvectors
    coordinates: Array  # (q,) y
    variances: Array  # (q,) λ
    between: Array  # (g,) τ²
    weights: Array  # (g,) of the grid, sum 1

    @property
    def spread(self) -> float:
        """Posterior mean of τ."""
        return float(self.weights @ np.sqrt(self.between))

    @property
    def kept(self) -> Array:
        """(g, q) the shares b_u of the coordinates that shrinkage leaves."""
        return np.asarray(self.between[:, None] / (self.variances + self.between[:, None]))

    def moments(self) -> tuple[Array, Array]:
        """(k,) means and (k, k) covariance."""
        middles = self.kept * self.coordinates
        mean = self.weights @ middles
        away = middles - mean
        inner = (away * self.weights[:, None]).T @ away + np.diag(self.weights @ self.kept * self.variances)
        return self.directions @ mean, np.asarray(self.directions @ inner @ self.directions.T)

    def failures(self, better: npt.NDArray[np.intp], worse: npt.NDArray[np.intp]) -> Array:
        """(m,) probability that the mean rank of ``better`` is not the lower one; small ones keep their digits."""
        counts = np.zeros(len(better))
        for weight, kept in zip(self.weights, self.kept, strict=True):
            middle = self.directions @ (kept * self.coordinates)
            covariance = (self.directions * (kept * self.variances)) @ self.directions.T
            own = covariance.diagonal()
            sd = np.sqrt(np.maximum(own[better] + own[worse] - 2.0 * covariance[better, worse], 1e-300))
            counts += weight * ndtr((middle[better] - middle[worse]) / sd)
        return counts

    def draw(self, stream: np.random.Generator, size: int) -> Array:
        """(size, k)."""
        at = stream.choice(len(self.weights), size, p=self.weights)
        kept = self.kept[at]
        noise = np.sqrt(kept * self.variances) * stream.standard_normal(kept.shape)
        return np.asarray((kept * self.coordinates + noise) @ self.directions.T)


def shrunken_ranks(data: RankPosteriorInput) -> ShrunkenRanks:
    """From the ranks of all problems; without any variance, all algorithms tie and stay at the mean."""
    data = replace(data, strength=max(data.strength, LEAST_STRENGTH))
    k = data.k
    mean, covariance = posterior_mean(data) - (k + 1) / 2, stable_covariance(data)
    values, vectors = np.linalg.eigh(covariance)
    there = values > 1e-12 * max(float(values[-1]), 1e-300)
    variances, directions = values[there], vectors[:, there]
    if not there.any():
        return ShrunkenRanks(
            directions=np.zeros((k, 1)),
            coordinates=np.zeros(1),
            variances=np.ones(1),
            between=np.zeros(1),
            weights=np.ones(1),
        )
    coordinates = mean @ directions
    between, weights = _posterior_of_spread(coordinates, variances)
    return ShrunkenRanks(
        directions=directions, coordinates=coordinates, variances=variances, between=between, weights=weights
    )


def stable_covariance(data: RankPosteriorInput) -> Array:
    """(k, k): V, without the bias of few problems and averaged with the covariance of equal variances."""
    k, total = data.k, data.n + data.strength
    own = posterior_covariance(data) * ((total + 1.0) / (total - 1.0))
    equal = np.trace(own) / (k - 1.0) * (np.eye(k) - 1.0 / k)
    pooled = POOLED * k
    return np.asarray((data.n * own + pooled * equal) / (data.n + pooled))


def _posterior_of_spread(coordinates: Array, variances: Array) -> tuple[Array, Array]:
    """(g,) τ² and their weights: first where the posterior is, then a fine grid there (the trapezoidal rule)."""
    unit = 1.0 / float(np.mean(1.0 / variances))

    def log_density(x: Array) -> Array:
        total = variances + unit * np.exp(x)[:, None]
        prior = -np.logaddexp(0.0, x) - np.logaddexp(0.0, -x)
        return np.asarray(prior - 0.5 * (np.log(total) + coordinates**2 / total).sum(axis=1))

    coarse = np.linspace(-WIDE, WIDE, COARSE)
    height = log_density(coarse)
    inside = np.flatnonzero(height > height.max() - NEGLIGIBLE)
    low, high = coarse[max(int(inside[0]) - 1, 0)], coarse[min(int(inside[-1]) + 1, COARSE - 1)]
    x = np.linspace(low, high, FINE)
    height = log_density(x)
    weights = np.exp(height - height.max())
    return unit * np.exp(x), np.asarray(weights / weights.sum())
