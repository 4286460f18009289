"""R-hat and effective sample sizes: closed forms of AR(1) chains, and chains that have not converged."""

from __future__ import annotations

import numpy as np
import pytest

from bakeoff.wings.bayes.mcmc.diagnostics import (
    convergence_caution,
    diagnose,
    error_of_mean,
    ess_bulk,
    ess_mean,
    ess_tail,
    good_enough,
    rhat,
)
from bakeoff.wings.bayes.mcmc.hierarchical_sampler import slice_step


def autoregressive(phi: float, chains: int, n: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    x = np.empty((chains, n))
    x[:, 0] = rng.normal(size=chains)
    for t in range(1, n):
        x[:, t] = phi * x[:, t - 1] + np.sqrt(1 - phi * phi) * rng.normal(size=chains)
    return x


@pytest.mark.slow
@pytest.mark.parametrize("phi", [-0.3, 0.0, 0.5, 0.9])
def test_effective_size_of_an_autoregression(phi):
    """ρ_t = φ^t, so τ = (1 + φ)/(1 − φ)."""
    x = autoregressive(phi, 8, 20_000)
    goal = x.size * (1 - phi) / (1 + phi)
    assert ess_mean(x) == pytest.approx(goal, rel=0.06)
    assert ess_bulk(x) == pytest.approx(goal, rel=0.06)
    assert rhat(x) < 1.005
    assert error_of_mean(x) == pytest.approx(np.sqrt(1 / goal), rel=0.04)


def test_chains_that_disagree_are_seen():
    x = autoregressive(0.2, 4, 1000)
    assert rhat(x + np.array([0, 0, 0, 1.0])[:, None]) > 1.1  # another place
    assert rhat(x * np.array([1, 1, 1, 3.0])[:, None]) > 1.1  # another spread
    assert rhat(x + np.linspace(0, 2, 1000)) > 1.1  # a drift, the same in all chains
    stuck = diagnose("stuck", x + np.array([0, 0, 0, 5.0])[:, None])
    assert stuck.ess_bulk < 20
    assert not good_enough([diagnose("fine", x), stuck])
    (caution,) = convergence_caution([diagnose("fine", x), stuck])
    assert caution.code == "not-converged"
    assert "stuck" in caution.text
    assert convergence_caution([diagnose("fine", x)]) == ()


def test_draws_that_never_change():
    same = np.full((4, 100), 0.1)
    assert (rhat(same), ess_bulk(same), ess_tail(same), ess_mean(same), error_of_mean(same)) == (1, 400, 400, 400, 0)
    apart = same + np.arange(4)[:, None]
    assert rhat(apart) == np.inf
    assert not good_enough([diagnose("apart", apart)])


def test_monotone_change_of_scale_does_not_matter():
    x = autoregressive(0.5, 4, 500)
    assert rhat(x) == pytest.approx(rhat(np.exp(5 * x)), abs=0.01)
    assert ess_bulk(x) == ess_bulk(np.exp(5 * x))
    assert ess_tail(x) == ess_tail(np.exp(5 * x))


@pytest.mark.few(1)
@pytest.mark.parametrize("width", [0.1, 1.0, 30.0])
@pytest.mark.slow
def test_slices_draw_from_the_density(width):
    """A gamma(3) law cut at 1 and 6, beside its moments by quadrature; wide and narrow first intervals."""
    grid = np.linspace(1, 6, 100_001)
    density = grid**2 * np.exp(-grid)
    mean = np.sum(grid * density) / np.sum(density)
    second = np.sum(grid**2 * density) / np.sum(density)
    rng = np.random.default_rng(3)
    x = rng.uniform(1, 6, 2000)
    steps = 30
    kept = []
    for t in range(2 * steps):
        x = slice_step(rng, lambda y: 2 * np.log(y) - y, x, width, 1.0, 6.0)
        kept += [x] if t >= steps else []
    draws = np.array(kept).T
    assert draws.min() >= 1
    assert draws.max() <= 6
    per_chain = draws.mean(axis=1)
    assert abs(per_chain.mean() - mean) < 4 * per_chain.std() / np.sqrt(2000)
    per_chain = (draws**2).mean(axis=1)
    assert abs(per_chain.mean() - second) < 4 * per_chain.std() / np.sqrt(2000)


def test_slices_leave_each_chain_its_own_density():
    rng = np.random.default_rng(4)
    centre = np.repeat([-100.0, 0.0, 50.0], 500)
    x = centre.copy()
    total = np.zeros_like(x)
    for _ in range(40):
        x = slice_step(rng, lambda y: -0.5 * (y - centre) ** 2, x, 2.0)
        total += x
    assert (total / 40).reshape(3, 500).mean(axis=1) == pytest.approx([-100, 0, 50], abs=0.1)
