"""The hierarchical model's sampler beside integration on a grid: three problems, bounds narrow enough to be felt."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate, special, stats

from bakeoff.paired.run_differences import summarise
from bakeoff.wings.bayes.mcmc.diagnostics import error_of_mean
from bakeoff.wings.bayes.mcmc.hierarchical_model import (
    RATE_RANGE,
    SHAPE_RANGE,
    RunTable,
    log_prior_excess,
    prior_excess,
    run_table,
)
from bakeoff.wings.bayes.mcmc.hierarchical_sampler import sample_hierarchical
from bakeoff.wings.bayes.mcmc.hierarchical_summary import next_shares


def tiny_table(n: int = 5, rho: float = 0.2) -> RunTable:
    return RunTable(
        unit=1.0,
        means=np.array([0.5, -0.2, 1.1]),
        squares=np.array([1.0, 2.5, 0.6]) / (1 - rho),
        inflation=np.full(3, (1 + (n - 1) * rho) / n),
        df=np.full(3, n - 1.0),
        fixed=np.zeros(3, dtype=bool),
        fixed_sigma=1e-3,
        largest_mean=1.5,
        largest_sigma=1.0,
        largest_spread=2.0,
    )


def log_likelihood(table: RunTable, i: int, delta: np.ndarray) -> np.ndarray:
    """ln ∫₀^s̄ σ^−n exp(−A/(2σ²)) dσ, by the trapezoidal rule on a fine grid of σ."""
    sigma = np.linspace(1e-3, table.largest_sigma, 1001)
    a = table.squares[i] + (table.means[i] - delta) ** 2 / table.inflation[i]
    f = sigma ** -(table.df[i] + 1) * np.exp(-a[:, None] / (2 * sigma**2))
    return np.log(integrate.trapezoid(f, sigma, axis=1))


def prior_of_excess(x: float) -> float:
    """∫∫ Gamma(x; α, β) dα dβ over the two uniform laws, by adaptive quadrature."""
    inner = lambda b, a: stats.gamma.pdf(x, a, scale=1 / b)  # noqa: E731
    area = (SHAPE_RANGE[1] - SHAPE_RANGE[0]) * (RATE_RANGE[1] - RATE_RANGE[0])
    return integrate.dblquad(inner, *SHAPE_RANGE, *RATE_RANGE, epsabs=1e-13, epsrel=1e-10)[0] / area


@pytest.mark.slow
@pytest.mark.parametrize("x", [1e-3, 0.3, 5.0, 40.0, 120.0])
def test_prior_of_the_degrees_of_freedom(x):
    assert prior_excess(np.array([x]))[0] == pytest.approx(prior_of_excess(x), rel=1e-8)
    assert log_prior_excess(np.array([math.log(x)]))[0] == pytest.approx(math.log(x * prior_of_excess(x)), abs=1e-5)


def test_prior_adds_to_one():
    y = np.linspace(-28, 8.5, 40_001)
    assert integrate.trapezoid(np.exp(log_prior_excess(y)), y) == pytest.approx(1, abs=1e-5)


def grid_answers(table: RunTable, rope: float) -> dict[str, float]:
    fine = np.linspace(-12, 12, 2401)  # beyond it the likelihood is below 1e-100
    logs = [log_likelihood(table, i, fine) for i in range(3)]
    nodes, weights = np.polynomial.legendre.leggauss(120)
    p, weights = (nodes + 1) / 2, weights / 2
    centre = (np.arange(60) + 0.5) / 60 * 2 * table.largest_mean - table.largest_mean
    spread = (np.arange(40) + 0.5) / 40 * table.largest_spread
    y = np.linspace(-7, 6.5, 25)
    total: dict[str, float] = dict.fromkeys(("one", "centre", "above", "spread", "normal", "better", "worse"), 0.0)
    for u in y:
        nu = 1 + math.exp(u)
        q = special.stdtrit(nu, p)
        prior = math.exp(float(log_prior_excess(np.array([u]))[0]))
        for s in spread:
            delta = centre[:, None] + s * q
            like = np.ones_like(centre)
            for log in logs:
                like = like * (np.exp(np.interp(delta, fine, log)) @ weights)
            w = prior * like
            total["one"] += w.sum()
            total["centre"] += (w * centre).sum()
            total["above"] += w[centre > 0.4].sum()
            total["spread"] += s * w.sum()
            total["normal"] += w.sum() * (nu > 1 + math.exp(y[18]) * 1.0001) + 0.5 * w.sum() * (abs(u - y[18]) < 1e-9)
            total["better"] += (w * special.stdtr(nu, (centre - rope) / s)).sum()
            total["worse"] += (w * special.stdtr(nu, (-rope - centre) / s)).sum()
    return {k: v / total["one"] for k, v in total.items()} | {"cut": 1 + math.exp(y[18])}


@pytest.mark.slow
def test_sampler_against_a_grid():
    """Every answer within four Monte Carlo standard errors and the grid's own error, 0.003."""
    table, rope = tiny_table(), 0.3
    want = grid_answers(table, rope)
    found = sample_hierarchical(np.random.default_rng(5), table, rope, 40_000, 80)
    shares = next_shares(found, rope)
    pairs = {
        "centre": found.centre,
        "above": (found.centre > 0.4).astype(float),
        "spread": found.spread,
        "normal": (found.nu > want["cut"]).astype(float),
        "better": shares[..., 0],
        "worse": shares[..., 2],
    }
    for name, draws in pairs.items():
        assert abs(draws.mean() - want[name]) < 4 * error_of_mean(draws) + 0.003, name


def test_likelihood_of_the_runs_is_that_of_their_mean_and_squares():
    """The multivariate normal density of the runs themselves, up to a constant."""
    rng = np.random.default_rng(6)
    for _ in range(50):
        n, rho = int(rng.integers(2, 9)), float(rng.uniform(0, 0.7))
        x = rng.normal(size=n).round(1)
        if np.ptp(x) == 0:
            continue
        run = summarise(x, np.zeros(n), "higher", "", "")
        table = run_table([run, run], rho)
        sigma = np.array([[(1 - rho) * (i == j) + rho for j in range(n)] for i in range(n)])
        logs = []
        for delta, s in ((0.1, 0.7), (-0.4, 1.3), (0.8, 0.5)):
            full = stats.multivariate_normal.logpdf(x, np.full(n, delta), s * s * sigma)
            a = table.squares[0] + (table.means[0] - delta / table.unit) ** 2 / table.inflation[0]
            logs.append(full - (-n * math.log(s) - a * table.unit**2 / (2 * s * s)))
        assert logs == pytest.approx([logs[0]] * 3, rel=1e-9)
