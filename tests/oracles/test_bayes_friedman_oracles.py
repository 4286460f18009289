"""The Bayesian Friedman test against closed forms, R and the sign test."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

import bakeoff as bo
from bakeoff.wings.bayes.dirichlet.mean_ranks import RankPosteriorInput, posterior_input, scatters
from bakeoff.wings.bayes.regions.credible_region import whiten


def table(rows, better="lower"):
    return bo.Scores(rows, better=better)


# R version 4.2.2, R the ranks of García et al. (2010), Table 3 (apply(-x, 1, rank)), n = 24, k = 4, s = 1:
#   mu <- (s*R0 + colSums(R))/(s+n); S <- (t(R) %*% R + s*R0 %*% t(R0) - (s+n)*mu %*% t(mu))/((s+n)*(s+n+1))
#   d <- (mu - R0)[1:3]; T <- drop(d %*% solve(S[1:3,1:3], d)); pf(T*(n-k+1)/((n-1)*(k-1)), k-1, n-k+1)
#   qf(.95, k-1, n-k+1)*(n-1)*(k-1)/(n-k+1)
def test_garcia_against_r():
    r = bo.bayes.friedman(bo.datasets.load("garcia_2010"))
    np.testing.assert_allclose(r.mean, [1.80, 2.48, 2.48, 3.24], rtol=1e-14)
    np.testing.assert_allclose(r.covariance[0], [0.05, -0.01092307692307694, -0.0151538461538461, -0.02392307692307694])
    np.testing.assert_allclose(r.covariance[3, 3], 0.0385538461538461, rtol=1e-13)
    assert r.statistic == pytest.approx(16.6902148992756, rel=1e-13)
    assert r.probability == pytest.approx(0.991566153180168, rel=1e-13)
    assert r.critical_value == pytest.approx(10.0952486695897, rel=1e-13)
    assert (r.rejected, r.verdict, r.rank) == (True, "different", 3)


# R: qf(.99, 8, 17)*24*8/17
def test_critical_value_against_r():
    r = bo.bayes.friedman(bo.datasets.load("derrac_cec2005"), gamma=0.01)
    assert r.critical_value == pytest.approx(42.8155954246496, rel=1e-13)


@pytest.mark.parametrize("gamma", [1e-12, 1e-3, 0.05, 0.5, 0.999])
@pytest.mark.parametrize(("n", "k"), [(5, 3), (10, 10), (200, 5)])
def test_critical_value_against_mpmath(gamma, n, k):
    """ρ = (n − 1)(1 − y)/y puts I_y((n − k + 1)/2, (k − 1)/2) = γ (mpmath, 30 digits)."""
    rng = np.random.default_rng(n)
    rho = bo.bayes.friedman(table(rng.random((n, k))), gamma=gamma).critical_value
    with mpmath.workdps(30):
        y = (n - 1) / (mpmath.mpf(rho) + n - 1)
        back = mpmath.betainc(mpmath.mpf(n - k + 1) / 2, mpmath.mpf(k - 1) / 2, 0, y, regularized=True)
        assert float(back / gamma) == pytest.approx(1, rel=1e-11)


# --- moments ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("s", [0.0, 0.5, 1.0, 30.0])
def test_bayesian_bootstrap_covariance_is_sample_covariance_over_n(s):
    """ERRATA F11: at s = 0 exactly Σ (R − μ)(R − μ)ᵀ / (n (n + 1)), not the sample covariance the paper names."""
    rng = np.random.default_rng(3)
    scores = table(rng.integers(0, 4, (12, 5)))
    ranks = bo.rank(scores)
    r = bo.bayes.friedman(scores, prior_strength=s)
    np.testing.assert_allclose(r.mean, (s * 3 + ranks.sum(axis=0)) / (s + 12), rtol=1e-14)
    if s == 0:
        centred = ranks - ranks.mean(axis=0)
        np.testing.assert_allclose(r.covariance, centred.T @ centred / (12 * 13), rtol=1e-12, atol=1e-17)
    assert (r.covariance == r.covariance.T).all()
    np.testing.assert_allclose(r.covariance.sum(axis=1), 0, atol=1e-15)
    np.testing.assert_allclose(r.mean.sum(), 15, rtol=1e-14)


def test_beta_moments_for_two_algorithms():
    """w wins, l losses, no ties, s = 0: the first mean rank is 2 − Beta(w, l)."""
    r = bo.bayes.friedman(table([[0, 1]] * 7 + [[1, 0]] * 3), prior_strength=0)
    assert r.mean[0] == pytest.approx(2 - 0.7, rel=1e-15)
    assert r.covariance[0, 0] == pytest.approx(0.7 * 0.3 / 11, rel=1e-14)


# --- two algorithms -----------------------------------------------------------------------------------------------


# Benavoli et al. (2015), Table 1: 20 of 30 gives 1 − P(H) = .0307, 15 of 30 gives .5 (ERRATA B4)
@pytest.mark.parametrize(("wins", "losses", "one_sided"), [(20, 10, 0.0307), (15, 15, 0.5)])
def test_exact_region_of_two_algorithms_is_table_1(wins, losses, one_sided):
    r = bo.bayes.friedman(table([[0, 1]] * wins + [[1, 0]] * losses), region="exact")
    assert r.probability == pytest.approx(1 - 2 * one_sided, abs=1.1e-4)
    assert (r.n_draws, r.standard_error) == (0, 0.0)


@pytest.mark.slow
@pytest.mark.parametrize("prior", ["equal", "ignorance"])
@pytest.mark.parametrize("s", [0.0, 0.3, 4.0])
@pytest.mark.parametrize("n", [5, pytest.param(9, marks=pytest.mark.slow)])
def test_exact_region_of_two_algorithms_is_the_two_sided_sign_test(n, s, prior):
    """Section 5.1.2: ½ outside the equal-tail interval, for every table of so many problems."""
    for wins in range(n + 1):
        for losses in range(n + 1 - wins):
            ties = n - wins - losses
            scores = table([[0, 1]] * wins + [[1, 0]] * losses + [[0, 0]] * ties)
            for gamma in (0.05, 0.3) if n > 5 else (0.2,):
                r = bo.bayes.friedman(scores, s, gamma, "exact", prior=prior)
                sign = bo.bayes.sign_test(scores, 0, 1, s, prior=prior, gamma=gamma)
                low, high = sign.interval
                # at the very edge (½ is an end of the interval) the interval is a root found to 1e-14
                if min(abs(low - 0.5), abs(high - 0.5)) > 1e-12:
                    assert r.rejected == (not low <= 0.5 <= high)
                assert r.rejected == (r.probability > 1 - gamma)
                if r.rank:
                    assert r.rejected == (r.statistic > r.critical_value)


def test_ellipsoid_of_two_algorithms_is_a_t_test():
    """One dimension: T against (n − 1) F/(n − 1) = t², so probability = P(|t| with n − 1 degrees < √T)."""
    scores = table([[0, 1]] * 9 + [[1, 0]] * 3 + [[0, 0]] * 2)
    r = bo.bayes.friedman(scores, prior_strength=2)
    n = 14
    with mpmath.workdps(25):
        x = n - 1 + mpmath.mpf(r.statistic)
        tail = mpmath.betainc(mpmath.mpf(n - 1) / 2, 0.5, 0, (n - 1) / x, regularized=True)
    assert r.probability == pytest.approx(float(1 - tail), rel=1e-13)
    assert r.statistic == pytest.approx((r.mean[0] - 1.5) ** 2 / r.covariance[0, 0], rel=1e-13)


# --- where the covariance is singular ------------------------------------------------------------------------------


def test_perfect_agreement_is_a_line():
    """All n problems rank alike, prior at equality: the mean ranks are R₀ + (1 − w₀)(R − R₀), w₀ ~ Beta(s, n).

    μ − μ₀ = (R − R₀) n/(s + n), variance of 1 − w₀: sn/((s + n)²(s + n + 1)); so T = n (s + n + 1)/s, r = 1.
    """
    for k, n, s in [(3, 5, 1.0), (4, 8, 0.5), (10, 4, 2.0), (5, 3, 1e-9)]:
        r = bo.bayes.friedman(table([list(range(k))] * n), prior_strength=s)
        assert r.statistic == pytest.approx(n * (s + n + 1) / s, rel=1e-13)
        assert r.rank == 1
        assert "reduced-rank" in {c.code for c in r.cautions}


def test_perfect_agreement_without_prior_is_certain():
    r = bo.bayes.friedman(table([[1, 2, 3]] * 6), prior_strength=0)
    assert (r.statistic, r.probability, r.rejected, r.rank) == (math.inf, 1.0, True, 0)
    assert "certainty (equality)" in {c.name for c in r.cautions}


@pytest.mark.parametrize("region", ["ellipsoid", "exact"])
@pytest.mark.parametrize("prior", ["equal", "ignorance"])
def test_nothing_differs(region, prior):
    r = bo.bayes.friedman(table([[1, 1, 1]] * 6), region=region, prior=prior)
    assert np.array_equal(r.mean, [2, 2, 2]) or prior == "ignorance"
    if prior == "equal":
        assert (r.statistic, r.probability, r.rejected, r.rank) == (0.0, 0.0, False, 0)
        assert r.verdict == "no difference shown"


def test_identical_algorithms_count_once():
    """A copied column: the distance is that of one dimension less, found exactly, whatever the strength."""
    rng = np.random.default_rng(8)
    values = rng.integers(0, 5, (14, 3)).astype(float)
    doubled = table(np.column_stack([values, values[:, 0]]))
    for s in (0.0, 1.0, 2.5):
        r = bo.bayes.friedman(doubled, prior_strength=s)
        assert r.rank == 2
        assert r.mean[0] == r.mean[3]
        keep = [0, 1]
        direct = (r.mean - 2.5)[keep] @ np.linalg.solve(r.covariance[np.ix_(keep, keep)], (r.mean - 2.5)[keep])
        assert r.statistic == pytest.approx(direct, rel=1e-11)


def test_tiny_strength_is_not_rounded_away():
    """All problems but the prior on one line that misses equality: T grows like 1/s, and is found to the last digit.

    Ranks (1,2,3) and (1,3,2), three of each, s: the first mean rank is 1 + w₀, w₀ ~ Beta(s, 6), the others differ by
    a symmetric variable uncorrelated with it. T = (1 − E w₀)²/Var w₀ = 6 (s + 7)/s.
    """
    for s in (1e-3, 1e-12, 1e-20, 1e-200):
        r = bo.bayes.friedman(table([[1, 2, 3], [1, 3, 2]] * 3), prior_strength=s)
        assert r.statistic == pytest.approx(6 * (s + 7) / s, rel=1e-14)
        assert r.rank == 2


def test_scatters_are_whole_numbers():
    given = posterior_input(table([[1, 2, 3], [1, 3, 2], [2, 2, 1]]), 1.0)
    sums, about_mean, about_prior = scatters(given)
    assert sums.tolist() == [-3, 3, 0]
    assert np.array_equal(about_prior, given.deviations.T @ given.deviations)
    assert np.array_equal(about_mean, 3 * about_prior - np.outer(sums, sums))


def test_scatters_of_integers_beyond_floats_are_exact():
    """Deviations are multiplied by the sizes of clusters: as a float, the square of 2⁴⁰ + 1 loses its last bits."""
    d = 2**40 + 1
    given = RankPosteriorInput(
        deviations=np.array([[d, -d], [3, -3]], dtype=object), prior=np.array([0, 0], dtype=object), strength=1.0
    )
    sums, about_mean, about_prior = scatters(given)
    assert sums.tolist() == [d + 3, -d - 3]
    assert about_prior[0].tolist() == [d * d + 9, -d * d - 9]
    assert about_mean[0, 0] == 2 * (d * d + 9) - (d + 3) ** 2


def test_whitened_atoms_have_mean_0_and_covariance_1():
    """Of the Dirichlet weights: Σ α_j z_j = 0 and Σ α_j z_j z_jᵀ = (s + n)(s + n + 1)·1 with α = (s, 1 … 1)."""
    rng = np.random.default_rng(5)
    for s in (0.0, 0.7, 3.0):
        given = posterior_input(table(rng.integers(0, 6, (20, 5))), s)
        found = whiten(given)
        np.testing.assert_allclose(found.atoms.sum(axis=0) + s * found.prior, 0, atol=1e-11)
        second = found.atoms.T @ found.atoms + s * np.outer(found.prior, found.prior)
        np.testing.assert_allclose(second / (20 + s) / (21 + s), np.eye(4), atol=1e-12)
        assert found.null @ found.null == pytest.approx(found.depth, rel=1e-12)
