"""Simulation-based calibration of the sign and signed-rank posteriors.

The prior of the papers is degenerate (all its mass at equality), so the truth is drawn from a posterior: with first
observations in hand, P ~ Dp(s + n₀), new problems are drawn from P, and the posterior after them must be calibrated for
P. Pass band: four standard errors.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.wings.bayes.dirichlet.shares import largest_shares
from heaviside import heaviside_cdf

pytestmark = pytest.mark.slow

FIRST = (2, 1, 3)  # wins, ties, losses before


def band(share: float, m: int) -> float:
    return 4 * math.sqrt(share * (1 - share) / m)


def uniform(values: np.ndarray, bins: int = 20) -> float:
    """The chi-squared statistic of equal bins, standardised: beyond 4 the values are not uniform."""
    found = np.histogram(values, bins=bins, range=(0, 1))[0]
    expected = len(values) / bins
    chi2 = float(np.sum((found - expected) ** 2) / expected)
    return (chi2 - (bins - 1)) / math.sqrt(2 * (bins - 1))


def sign_worlds(strength: float, n: int, m: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """True shares (m, 3), and the counts before and after n new problems (m, 3)."""
    rng = np.random.default_rng(seed)
    truth = rng.dirichlet((FIRST[0], FIRST[1] + strength, FIRST[2]), size=m)
    return truth, np.array([rng.multinomial(n, p / p.sum()) for p in truth]) + FIRST


def check_sign(strength: float, n: int, m: int) -> None:
    truth, counts = sign_worlds(strength, n, m, seed=n)
    mean = truth[:, 0] + truth[:, 1] / 2
    levels, inside, excess, largest = [], 0, [], []
    cache: dict[tuple[int, ...], tuple[bo.bayes.SignPosterior, tuple[float, float, float]]] = {}
    for x, p, (g, t, l) in zip(mean.tolist(), truth.tolist(), counts.tolist(), strict=True):  # noqa: E741
        levels.append(heaviside_cdf(x, g, t + strength, l))
        if (g, t, l) not in cache:
            rows = [[0, 1]] * g + [[1, 1]] * t + [[1, 0]] * l
            result = bo.bayes.sign_test(bo.Scores(rows, better="lower"), 0, 1, strength, gamma=0.2)
            cache[g, t, l] = result, largest_shares(g, t + strength, l)
        result, shares = cache[g, t, l]
        inside += result.interval[0] <= x <= result.interval[1]
        excess.append((x > 0.5) - result.p_better)
        largest.append([(p[i] == max(p)) - shares[i] for i in range(3)])
    assert uniform(np.array(levels)) < 4
    assert abs(inside / m - 0.8) <= band(0.8, m), f"{inside / m:.4f} not within {band(0.8, m):.4f} of 0.8"
    for gaps in [np.array(excess), *np.array(largest).T]:
        assert abs(gaps.mean()) <= 4 * gaps.std() / math.sqrt(m), f"{gaps.mean():.4f} is no 0"


def check_signed_rank(strength: float, rope: float, n: int, m: int) -> None:
    """Atoms: the first differences and 0. The rank of the true share among 99 draws from the posterior is uniform."""
    first = np.array([-2.0, -0.9, 0.3, 0.8, 1.4, 2.1])
    atoms = np.append(first, 0.0)
    rng = np.random.default_rng([n, int(10 * rope)])
    sums = atoms[:, None] + atoms
    ranks: list[list[float]] = []
    gaps = []
    for world in range(m):
        weights = rng.gamma(np.append(np.ones(len(first)), strength))
        weights /= weights.sum()
        truth = [weights @ (sums > 2 * rope) @ weights, weights @ (sums < -2 * rope) @ weights]
        seen = np.concatenate([first, rng.choice(atoms, size=n, p=weights)])
        scores = bo.Scores(np.column_stack([seen, 0 * seen]), better="higher")
        result = bo.bayes.signed_rank(scores, 0, 1, strength, rope, n_draws=199, rng=world)
        ranks.append([(np.sum(result.draws[:, 2 * k] < truth[k]) + 0.5) / 200 for k in range(2)])
        shares = (truth[0], 1 - truth[0] - truth[1], truth[1])
        right = (truth[0] > truth[1], False, truth[1] >= truth[0]) if rope == 0 else [x == max(shares) for x in shares]
        gaps.append(np.array(right, float) - (result.p_better, result.p_equivalent, result.p_worse))
    for k in range(2):
        assert uniform(np.array(ranks)[:, k]) < 4
    for gap in np.array(gaps).T:
        assert abs(gap.mean()) <= 4 * gap.std() / math.sqrt(m) + 1e-15, f"{gap.mean():.4f} is no 0"


def test_sign_posterior_briefly() -> None:
    check_sign(1.0, 6, 300)


def test_signed_rank_posterior_briefly() -> None:
    check_signed_rank(1.0, 0.5, 4, 300)


@pytest.mark.few(1)
@pytest.mark.parametrize("strength", [0.5, 1.0, 4.0])
@pytest.mark.parametrize("n", [1, 20])
def test_sign_posterior(strength: float, n: int) -> None:
    check_sign(strength, n, 2500)


@pytest.mark.exhaustive
@pytest.mark.parametrize("rope", [0.0, 0.5])
@pytest.mark.parametrize(("strength", "n"), [(0.5, 2), (1.0, 15)])
def test_signed_rank_posterior(strength: float, rope: float, n: int) -> None:
    check_signed_rank(strength, rope, n, 2500)


@pytest.mark.few(6)
@pytest.mark.parametrize("strength", [0.0, 0.3, 1.0, 5.0])
@pytest.mark.parametrize("rope", [0.0, 0.7])
def test_mean_shares_are_those_of_the_draws(strength: float, rope: float) -> None:
    """E[share] in closed form, within four Monte Carlo errors."""
    rng = np.random.default_rng(3)
    for n in (1, 4, 30, 200):
        d = np.round(rng.normal(0.2, 1, n), 1)  # ties, zeros and edges of the rope
        result = bo.bayes.signed_rank(
            bo.Scores(np.column_stack([d, 0 * d]), better="higher"), 0, 1, strength, rope, n_draws=100_000, rng=n
        )
        error = 4 * result.draws.std(axis=0) / math.sqrt(100_000) + 1e-13
        assert (np.abs(result.draws.mean(axis=0) - result.mean_shares) <= error).all()
