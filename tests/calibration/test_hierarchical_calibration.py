"""Simulation-based calibration of the hierarchical model (Talts et al. 2018): parameters drawn from the prior, data
from the parameters; among draws from the posterior the true value must have every rank equally often.

Every data set is a chain of its own, so that thousands of them are one run of the sampler.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import stdtr, stdtrit

import bakeoff as bo
from bakeoff.wings.bayes._correlated_t import correlated_t
from bakeoff.wings.bayes.mcmc.hierarchical_model import RATE_RANGE, SHAPE_RANGE, RunTable
from bakeoff.wings.bayes.mcmc.hierarchical_sampler import gibbs_sweep, starting_state

KEPT = 63  # draws kept per data set: ranks 0..63


def check_uniform(name: str, ranks: np.ndarray, bins: int = 16) -> None:
    """χ² of the ranks' histogram and their mean, each within four standard errors."""
    counts = np.bincount(ranks * bins // (KEPT + 1), minlength=bins)
    goal = len(ranks) / bins
    chi2 = float(np.sum((counts - goal) ** 2) / goal)
    assert chi2 < (bins - 1) + 4 * math.sqrt(2 * (bins - 1)), f"{name}: {counts}"
    z = (np.mean((ranks + 0.5) / (KEPT + 1)) - 0.5) * math.sqrt(12 * len(ranks))
    assert abs(z) < 4, f"{name}: mean rank off by {z:.1f} standard errors"


def simulate(rng: np.random.Generator, sets: int, q: int, n: int, rho: float) -> tuple[dict[str, np.ndarray], RunTable]:
    """Parameters from the prior with bounds 1, 1.5 and 1.2, and the statistics of the runs."""
    centre, spread = rng.uniform(-1, 1, sets), rng.uniform(0, 1.2, sets)
    nu = 1 + rng.gamma(rng.uniform(*SHAPE_RANGE, sets), 1 / rng.uniform(*RATE_RANGE, sets))
    effects = centre[:, None] + spread[:, None] * rng.standard_t(nu[:, None], size=(sets, q))
    sigmas = rng.uniform(0, 1.5, (sets, q))
    noise = rng.normal(size=(sets, q, n))
    noise = math.sqrt(1 - rho) * noise + math.sqrt(rho) * rng.normal(size=(sets, q, 1))
    runs = effects[..., None] + sigmas[..., None] * noise
    table = RunTable(
        unit=1.0,
        means=runs.mean(axis=2),
        squares=runs.var(axis=2) * n / (1 - rho),
        inflation=np.full(q, (1 + (n - 1) * rho) / n),
        df=np.full(q, n - 1.0),
        fixed=np.zeros(q, dtype=bool),
        fixed_sigma=1e-3,
        largest_mean=1.0,
        largest_sigma=1.5,
        largest_spread=1.2,
    )
    truth = {"centre": centre, "spread": spread, "nu": nu, "effect": effects[:, 0], "sigma": sigmas[:, 1]}
    return truth, table


def calibrate(sets: int, q: int, n: int, rho: float, seed: int, thin: int = 4) -> None:
    rng = np.random.default_rng(seed)
    truth, table = simulate(rng, sets, q, n, rho)
    state = starting_state(rng, table, sets)
    ranks = {name: np.zeros(sets, dtype=int) for name in truth}
    for _ in range(60):
        gibbs_sweep(rng, table, state)
    for _ in range(KEPT):
        for _ in range(thin):
            gibbs_sweep(rng, table, state)
        now = {
            "centre": state.centre,
            "spread": state.spread,
            "nu": state.nu,
            "effect": state.effects[:, 0],
            "sigma": state.sigmas[:, 1],
        }
        for name, value in now.items():
            ranks[name] += value < truth[name]
    for name, rank in ranks.items():
        check_uniform(name, rank)


@pytest.mark.slow
def test_hierarchical_quick():
    calibrate(sets=400, q=3, n=4, rho=0.2, seed=1, thin=2)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("q", "n", "rho"), [(2, 3, 0.0), (3, 10, 0.1), (8, 4, 0.5)])
def test_hierarchical(q, n, rho):
    calibrate(sets=2000, q=q, n=n, rho=rho, seed=2)


@pytest.mark.few(1)
@pytest.mark.parametrize("n", [2, 5, 20])
def test_correlated_t_covers(n):
    """Under its prior the posterior of (μ − x̄)/scale is Student's t whatever μ and σ: P(better) is uniform when the
    rope's edge is the truth. Runs with correlation ρ, whose mean has the variance σ²(1/n + (n−1)/n ρ), would be covered
    exactly by 1/n + ρ/(1−ρ): s² estimates σ²(1 − ρ).
    """
    rng, sets, rho, mu = np.random.default_rng(n), 3000, 0.3, 0.7
    noise = math.sqrt(1 - rho) * rng.normal(size=(sets, n)) + math.sqrt(rho) * rng.normal(size=(sets, 1))
    x = mu + 2.0 * noise
    scale = np.sqrt(1 / n + rho / (1 - rho)) * x.std(axis=1, ddof=1)
    u = stdtr(n - 1, (x.mean(axis=1) - mu) / scale)
    check_uniform("correlated t", np.minimum((u * (KEPT + 1)).astype(int), KEPT))
    inside = 0
    for row in x[:300]:
        s = bo.Scores(np.stack([row, np.zeros(n)])[None], better="higher")
        low, high = correlated_t(s, 0, 1, correlation=rho, gamma=0.2).interval
        inside += low <= mu <= high
    assert abs(inside / 300 - 0.8) < 4 * math.sqrt(0.16 / 300)
    assert stdtrit(n - 1, 0.5) == pytest.approx(0, abs=1e-12)
