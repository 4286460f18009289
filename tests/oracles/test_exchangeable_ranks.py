"""The exchangeable prior of mean ranks beside slow twins: other coordinates, other integrals, other draws."""

import math

import numpy as np
import pytest
from scipy import integrate
from scipy.linalg import helmert
from scipy.special import ndtr

import bakeoff as bo
from bakeoff.wings.bayes.dirichlet.mean_ranks import posterior_covariance, posterior_input, posterior_mean
from bakeoff.wings.bayes.dirichlet.shrunken_ranks import shrunken_ranks, stable_covariance


def table(seed: int, n: int, k: int, step: float = 0.5) -> bo.Scores:
    rng = np.random.default_rng(seed)
    return bo.Scores(rng.normal(size=(n, k)) + step * np.arange(k), better="lower")


def slow_model(scores: bo.Scores) -> tuple[np.ndarray, np.ndarray, float]:
    """(k,) mean less (k + 1)/2, (k, k) covariance, s₀: from ranks, by their definitions."""
    ranks = scores.values.argsort(axis=1).argsort(axis=1) + 1.0
    n, k = ranks.shape
    rows = np.vstack([ranks, np.full(k, (k + 1) / 2)])  # the prior is one more problem
    mean = rows.mean(axis=0)
    own = sum(np.outer(r - mean, r - mean) for r in rows) / (n + 1) / (n + 2) * (n + 2) / n
    equal = np.trace(own) / (k - 1) * (np.eye(k) - np.ones((k, k)) / k)
    v = (n * own + 2 * k * equal) / (n + 2 * k)
    q = helmert(k)
    return mean - (k + 1) / 2, v, (k - 1) / float(np.trace(np.linalg.inv(q @ v @ q.T)))


def given_spread(scores: bo.Scores, tau2: float) -> tuple[float, np.ndarray, np.ndarray]:
    """ln density of the mean ranks, and mean and covariance of θ, given τ²: by matrices in Helmert's contrasts."""
    mean, v, _ = slow_model(scores)
    q = helmert(len(mean))
    y, noise = q @ mean, q @ v @ q.T
    total = noise + tau2 * np.eye(len(y))
    gain = tau2 * np.linalg.inv(total)
    height = -0.5 * (np.linalg.slogdet(total)[1] + y @ np.linalg.solve(total, y))
    return height, q.T @ gain @ y, q.T @ (gain @ noise) @ q


def slow_failure(scores: bo.Scores, a: int, b: int) -> float:
    """P(θ_a > θ_b), integrated over B = s₀/(s₀ + τ²), which is uniform a priori."""
    s0 = slow_model(scores)[2]

    def parts(share: float) -> tuple[float, float]:
        height, mean, covariance = given_spread(scores, s0 * (1 - share) / share)
        sd = math.sqrt(covariance[a, a] + covariance[b, b] - 2 * covariance[a, b])
        return math.exp(height), float(ndtr((mean[a] - mean[b]) / sd))

    whole = integrate.quad(lambda u: parts(u)[0], 0, 1, epsabs=0, epsrel=1e-11, limit=400)[0]
    part = integrate.quad(lambda u: math.prod(parts(u)), 0, 1, epsabs=0, epsrel=1e-11, limit=400)[0]
    return part / whole


@pytest.mark.slow
@pytest.mark.parametrize(("k", "n", "step"), [(2, 6, 0.3), (2, 30, 0.0), (3, 8, 0.4), (3, 40, 1.0), (5, 14, 0.2)])
def test_probabilities_by_another_integral(k: int, n: int, step: float) -> None:
    s = table(n, n, k, step)
    found = bo.bayes.compare(s, prior="exchangeable", n_draws=100)
    for x in found.statements:
        a, b = s.index(x.better), s.index(x.worse)
        expected = slow_failure(s, a, b)
        if x.losses == 0:
            expected = max(expected, 0.5**x.wins)
        assert 1 - x.probability == pytest.approx(expected, rel=1e-7, abs=1e-14)


def test_the_covariance_is_the_definition() -> None:
    s = table(4, 9, 4)
    mean, v, _ = slow_model(s)
    given = posterior_input(s, 1.0)
    assert stable_covariance(given) == pytest.approx(v, abs=1e-13)
    assert posterior_mean(given) - 2.5 == pytest.approx(mean)
    assert np.trace(v) == pytest.approx(np.trace(posterior_covariance(given)) * 11 / 9)


def importance_draws(s: bo.Scores, rng: np.random.Generator, size: int) -> tuple[np.ndarray, np.ndarray]:
    """(size, k) draws of θ and their weights: B uniform, weighted by the likelihood."""
    s0 = slow_model(s)[2]
    heights, drawn = np.empty(size), np.empty((size, s.n_algorithms))
    for i, share in enumerate(rng.random(size).tolist()):
        heights[i], mean, covariance = given_spread(s, s0 * (1 - share) / share)
        drawn[i] = rng.multivariate_normal(mean, covariance, method="svd")
    weights = np.exp(heights - heights.max())
    return drawn, weights / weights.sum()


@pytest.mark.slow
def test_joint_probabilities_places_and_losses_by_importance_sampling() -> None:
    s = table(2, 12, 4, 0.6)
    drawn, weights = importance_draws(s, np.random.default_rng(0), 2500)
    band = 5 * math.sqrt(0.25 * float((weights**2).sum()) + 0.25 / 40_000)
    found = bo.bayes.compare(s, prior="exchangeable", n_draws=40_000)
    held = np.ones(len(drawn), dtype=bool)
    for x in found.statements:
        held &= drawn[:, s.index(x.better)] < drawn[:, s.index(x.worse)]
        assert abs(x.joint - weights @ held) <= band
    ranks = bo.bayes.rank_probabilities(s, n_draws=40_000, prior="exchangeable")
    places = drawn.argsort(axis=1).argsort(axis=1)
    for j in range(4):
        assert ranks.mean_ranks[j] - 2.5 == pytest.approx(weights @ drawn[:, j], abs=0.05)
        assert ranks.standard_deviations[j] == pytest.approx(
            math.sqrt(weights @ (drawn[:, j] - weights @ drawn[:, j]) ** 2), rel=0.06
        )
        for place in range(4):
            assert abs(ranks.p_rank[j, place] - weights @ (places[:, j] == place)) <= band
        assert ranks.expected_loss[j] == pytest.approx(weights @ (drawn[:, j] - drawn.min(axis=1)), abs=0.06)
    assert found.spread is not None
    assert found.spread == pytest.approx(shrunken_ranks(posterior_input(s, 1.0)).spread)
