"""Simulation-based calibration of the posterior of the mean ranks and of the exact region.

The prior of the package, Dp(s, δ_x), is one point: no table but ties throughout could come from it. So each
simulation begins with a proper prior that is a posterior of the same family: P ~ Dirichlet with mass s on "all tied"
and 1 on each of the k! rankings. Given n problems drawn from P, its posterior is the package's own for the table of
the k! rankings and the n problems together.
"""

from __future__ import annotations

import dataclasses
import itertools
import math

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.wings.bayes.dirichlet.mean_ranks import posterior_covariance, posterior_input, posterior_mean
from bakeoff.wings.bayes.regions.credible_region import region_by_draws, whiten
from mean_rank_draws import all_mean_rank_draws

DRAWS = 199


def simulated(rng, k, n, s):
    """A true vector of mean ranks, and the posterior after n problems."""
    rankings = np.array(list(itertools.permutations(range(1, k + 1))), dtype=float)
    atoms = np.vstack([np.full(k, (k + 1) / 2), rankings])
    p = rng.dirichlet([s, *np.ones(len(rankings))])
    seen = atoms[rng.choice(len(atoms), n, p=p)]
    scores = bo.Scores(np.vstack([rankings, seen]), better="lower")
    return p @ atoms, posterior_input(scores, s)


def uniform(u, what):
    """Mean, mean square and tenths of numbers that should be uniform, each within four standard errors."""
    m = len(u)
    for power in (1, 2):
        expected, variance = 1 / (power + 1), 1 / (2 * power + 1) - 1 / (power + 1) ** 2
        z = (np.mean(u**power) - expected) / math.sqrt(variance / m)
        assert abs(z) < 4, f"{what}: mean of u^{power} is {z:.2f} standard errors from {expected:.3f}"
    tenths = np.bincount(np.minimum((u * 10).astype(int), 9), minlength=10) / m
    z = (tenths - 0.1) / math.sqrt(0.09 / m)
    assert np.all(np.abs(z) < 4), f"{what}: tenths {tenths}, standard errors {z.round(1)}"


def places_of_the_truth(k, n, s, replications, seed):
    rng = np.random.default_rng(seed)
    places = np.empty((replications, k))
    for i in range(replications):
        truth, given = simulated(rng, k, n, s)
        drawn = all_mean_rank_draws(given, DRAWS, rng)
        places[i] = (np.sum(drawn < truth, axis=0) + rng.random()) / (DRAWS + 1)
    return places


def contents_at_the_truth(k, n, s, replications, seed):
    """The content of the smallest exact region that holds the true mean ranks."""
    rng = np.random.default_rng(seed)
    contents = np.empty(replications)
    for i in range(replications):
        truth, given = simulated(rng, k, n, s)
        found = whiten(given)
        z = truth_in_white(truth, given, found)
        found = dataclasses.replace(found, null=z, depth=float(z @ z))
        contents[i] = region_by_draws(found, s, 0.05, 400, rng, threads=1).probability
    return contents


def truth_in_white(truth, given, found):
    """The linear map that sends deviations to whitened atoms, applied to the truth."""
    centre = 2 * posterior_mean(given) - given.k - 1
    to_white = np.linalg.lstsq(given.deviations - centre, found.atoms, rcond=None)[0]
    return (2 * truth - given.k - 1 - centre) @ to_white


@pytest.mark.slow
def test_mean_ranks_are_calibrated_quickly():
    for column in places_of_the_truth(3, 6, 1.0, 400, 1).T:
        uniform(column, "mean rank")


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize(("k", "n", "s"), [(2, 5, 1.0), (3, 10, 0.5), (3, 0, 2.0), (4, 8, 1.0)])
def test_mean_ranks_are_calibrated(k, n, s):
    for column in places_of_the_truth(k, n, s, 3000, 2).T:
        uniform(column, f"mean rank, k={k} n={n} s={s}")


@pytest.mark.slow
def test_exact_region_covers_quickly(monkeypatch):
    monkeypatch.setattr("bakeoff.wings.bayes.regions.credible_region.MOST_DRAWS", 0)
    uniform(contents_at_the_truth(3, 8, 1.0, 300, 3), "content")


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize(("k", "n", "s"), [(2, 6, 1.0), (3, 12, 0.5), (4, 8, 3.0)])
def test_exact_region_covers(k, n, s, monkeypatch):
    """In one dimension (k = 2) the equal-tail interval, else the region about the mean."""
    monkeypatch.setattr("bakeoff.wings.bayes.regions.credible_region.MOST_DRAWS", 0)
    uniform(contents_at_the_truth(k, n, s, 2500, 4), f"content, k={k} n={n} s={s}")


@pytest.mark.slow
@pytest.mark.parametrize("s", [0.0, 0.5, 1.0, 20.0])
def test_moments_of_many_draws(s):
    """Mean and covariance of a million draws against Theorem 1, each entry within four standard errors."""
    rng = np.random.default_rng(5)
    given = posterior_input(bo.Scores(rng.integers(0, 5, (12, 4)), better="lower"), s)
    size = 1_000_000
    drawn = all_mean_rank_draws(given, size, rng)
    mean, covariance = posterior_mean(given), posterior_covariance(given)
    sd = np.sqrt(np.diag(covariance))
    assert np.all(np.abs(drawn.mean(axis=0) - mean) < 4 * sd / math.sqrt(size))
    products = np.einsum("ij,ik->ijk", drawn - mean, drawn - mean)
    error = products.std(axis=0) / math.sqrt(size)
    assert np.all(np.abs(products.mean(axis=0) - covariance) < 4 * error)


@pytest.mark.parametrize("s", [0.0, 1.0])
def test_moments_of_some_draws(s):
    rng = np.random.default_rng(6)
    given = posterior_input(bo.Scores(rng.integers(0, 4, (9, 5)), better="lower"), s)
    drawn = all_mean_rank_draws(given, 20_000, rng)
    sd = np.sqrt(np.diag(posterior_covariance(given)))
    assert np.all(np.abs(drawn.mean(axis=0) - posterior_mean(given)) < 4 * sd / math.sqrt(20_000))
    np.testing.assert_allclose(drawn.sum(axis=1), 15, rtol=1e-12)


def test_identical_algorithms_are_treated_alike():
    """A copied column has the same mean, variances and covariances, and draws that differ by rounding only."""
    rng = np.random.default_rng(7)
    x = rng.integers(0, 6, (20, 3))
    scores = bo.Scores(np.column_stack([x, x[:, 0]]), better="lower")
    r = bo.bayes.friedman(scores)
    assert r.mean[0] == r.mean[3]
    assert r.covariance[0, 0] == r.covariance[3, 3] == r.covariance[0, 3]
    drawn = all_mean_rank_draws(posterior_input(scores, 1.0), 1000, rng)
    np.testing.assert_allclose(drawn[:, 0], drawn[:, 3], rtol=1e-13)
