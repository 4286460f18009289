"""Plackett–Luce against other programs, closed forms, and the whole posterior of three algorithms by quadrature."""

from __future__ import annotations

from itertools import pairwise, permutations

import mpmath
import numpy as np
import pytest
from scipy import stats

import bakeoff as bo
from bakeoff.wings.bayes.mcmc.plackett_luce_model import PlackettLuce, _times
from bakeoff.wings.bayes.mcmc.rankings import rankings_of

CHOIX = {
    "DE-Exp": 0.81596, "SaDE": 0.55059, "DE-Bin": 0.52643, "SS-BLX": 0.16785, "SS-Arit": -0.05755, "SSGA": -0.12699,
    "IPOP-CMA-ES": -0.26501, "PSO": -0.76614, "CHC": -0.84514,
}  # fmt: skip
"""Log worths by maximum likelihood, sum 0: choix 0.4.1, ilsr_rankings, on Derrac et al. (2011), CEC'2005."""

SHARES = (0.2098, 0.1644, 0.1606, 0.1162, 0.0935, 0.0876, 0.0768, 0.0471, 0.0441)
"""Posterior means of the shares, in the same order, by the Gibbs sampler of Caron and Doucet (2012), to ± 0.001."""


def tied_probability(levels: tuple[float, ...], rates: np.ndarray) -> float:
    """Of all orders that agree with the levels; NaN: not on this problem. By enumeration."""
    there = [i for i, level in enumerate(levels) if level == level]
    total = 0.0
    for order in permutations(there):
        if all(levels[a] <= levels[b] for a, b in pairwise(order)):
            p = 1.0
            for place, i in enumerate(order):
                p *= rates[i] / sum(rates[j] for j in order[place:])
            total += p
    return total


def simplex_posterior(table: list[tuple[float, ...]], s: float = 1.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """P(first), P(best) and second moments of the shares of three algorithms, prior Dirichlet(s, s, s).

    Each part of the simplex in which one share is the largest is two triangles, on which the posterior is smooth.
    """
    x, w = np.polynomial.legendre.leggauss(20)
    x, w = (x + 1) / 2, w / 2
    centre, edge = np.full(3, 1 / 3), np.eye(3)
    mass, first, second = np.zeros(3), np.zeros(3), np.zeros(3)
    for i in range(3):
        for j in range(3):
            if i == j:
                continue
            corners = (centre, edge[i], (edge[i] + edge[j]) / 2)
            for u, wu in zip(x, w, strict=True):
                for v, wv in zip(x, w, strict=True):
                    share = (1 - u) * corners[0] + u * ((1 - v) * corners[1] + v * corners[2])
                    density = float(np.prod(share ** (s - 1))) * u * wu * wv
                    for row in table:
                        density *= tied_probability(row, share)
                    mass[i] += density
                    first += density * share
                    second += density * share**2
    total = mass.sum()
    return first / total, mass / total, second / total


def test_maximum_likelihood_is_that_of_choix() -> None:
    scores = bo.datasets.load("derrac_cec2005")
    theta = PlackettLuce(rankings=rankings_of(scores), strength=1e-9).rough_mode()  # no ties, and next to no prior
    found = dict(zip(sorted(scores.algorithms), theta - theta.mean(), strict=True))
    assert {name: round(value, 5) for name, value in found.items()} == CHOIX


@pytest.mark.slow
def test_both_probabilities_of_cec2005() -> None:
    found = bo.bayes.plackett_luce(bo.datasets.load("derrac_cec2005"), n_draws=16_000)
    assert [found.algorithms[i] for i in found.ranked] == list(CHOIX)
    assert found.p_first[list(found.ranked)] == pytest.approx(SHARES, abs=0.001)
    best = dict(zip(found.algorithms, found.p_best, strict=True))
    for name, p in {"DE-Exp": 0.68, "SaDE": 0.17, "DE-Bin": 0.14}.items():
        assert best[name] == pytest.approx(p, abs=0.005 + 4 * found.p_best_standard_error.max())


@pytest.mark.slow
def test_two_algorithms_are_a_beta_distribution() -> None:
    """14 wins of 20: Beta(1 + 14, 1 + 6); ties of both say nothing."""
    table = [[0, 1]] * 14 + [[1, 0]] * 6 + [[1, 1]] * 5
    found = bo.bayes.plackett_luce(bo.Scores(table, better="lower"), n_draws=20_000)
    beta = stats.beta(15, 7)
    assert found.p_first[0] == pytest.approx(15 / 22, abs=4 * found.p_first_standard_error[0])
    assert found.p_best[0] == pytest.approx(beta.sf(0.5), abs=4 * found.p_best_standard_error[0])
    assert found.p_first_intervals[0] == pytest.approx(beta.ppf([0.025, 0.975]), abs=0.01)
    assert found.p_ahead[0, 1] == pytest.approx(found.p_first[0], abs=1e-12)


NAN = float("nan")
TABLES: dict[str, tuple[list[tuple[float, ...]], float]] = {
    "orders": ([(1, 2, 3), (1, 3, 2), (2, 1, 3), (1, 2, 3), (3, 1, 2)], 1.0),
    "ties": ([(1, 1, 2), (1, 2, 2), (1, 1, 2), (1, 1, 1), (2, 1, 1), (1, 2, 1), (1, 2, 3), (1, 1, 2)], 1.0),
    "one tie": ([(1, 1, 2)], 1.0),
    "missing": ([(1, NAN, 2), (NAN, 1, 2), (1, 2, NAN), (1, 2, 3), (2, 1, NAN), (1, 2, NAN)], 1.0),
    "another prior": ([(1, 2, 3), (1, 1, 2), (2, 1, 3)], 3.0),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", TABLES)
def test_three_algorithms_by_quadrature(name: str) -> None:
    table, s = TABLES[name]
    scores = bo.Scores(table, better="lower", missing="keep" if name == "missing" else "raise")
    found = bo.bayes.plackett_luce(scores, s, n_draws=4_000)
    first, best, second = simplex_posterior(table, s)
    assert np.abs(found.p_first - first).max() < 4 * found.p_first_standard_error.max()
    assert np.abs(found.p_best - best).max() < 4 * found.p_best_standard_error.max()
    shares = np.exp(found.draws) / np.exp(found.draws).sum(axis=1, keepdims=True)
    assert (shares**2).mean(axis=0) == pytest.approx(second, abs=0.02)


def test_a_tie_is_all_its_orders() -> None:
    """P(all of T before all of C) = ∫ Π (1 − e^(−λ_i t/Λ)) e^(−t) dt: the sampler's density, against enumeration."""
    rates = np.array([0.7, 2.0, 0.1, 1.3, 0.4])
    rest = mpmath.mpf(1.7)  # of the last two
    found = mpmath.quad(
        lambda t: mpmath.exp(-t) * mpmath.fprod(1 - mpmath.exp(-r * t / rest) for r in rates[:3].tolist()),
        [0, 1, 4, 16, mpmath.inf],
    )
    assert float(found) == pytest.approx(tied_probability((1, 1, 1, 2, 2), rates), rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("rest", [0.05, 1.7, 40.0])
def test_latent_times_of_a_tie_have_the_orders_of_the_model(rest: float) -> None:
    """Given that three are before the others: how often each order, against enumeration; 40 000 draws."""
    scores = bo.Scores([[1, 1, 1, 2, 3]] * 3, better="lower")
    [block] = rankings_of(scores).blocks
    [tied] = block.tied
    rates, n = np.array([0.7, 2.0, 0.1]), 40_000
    rows = np.vstack([np.repeat(rates[:, None], n, axis=1), np.zeros((3, n)), np.full((1, n), np.inf)])
    times, _ = _times(np.random.default_rng(3), tied, rows, np.full((3, n), rest), None)
    order = np.argsort(times[:, 0], axis=0)
    weights = {}
    for wanted in permutations(range(3)):
        left, p = rates.sum() + rest, 1.0
        for i in wanted:
            p *= rates[i] / left
            left -= rates[i]
        weights[wanted] = p
    total = sum(weights.values())
    for wanted, p in weights.items():
        seen = float((order == np.array(wanted)[:, None]).all(axis=0).mean())
        assert seen == pytest.approx(p / total, abs=4 * np.sqrt(p / total / n) + 1e-4)


@pytest.mark.few(1)
@pytest.mark.parametrize("members", [2, 8, 30])
def test_the_time_of_the_first_one_behind_a_tie(members: int) -> None:
    """Equal rates r behind which one of rate 1 comes at M: u = e^(−M) has density ∝ (1 − u^r)^m."""
    for r in (0.02, 1.0, 15.0):

        def inside(u: mpmath.mpf, more: int, r: float = r) -> mpmath.mpf:
            return (1 - u**r) ** (members + more)

        names = [f"a{i:02}" for i in range(members + 2)]
        scores = bo.Scores([[1] * members + [2, 3]], names, better="lower")
        [tied] = rankings_of(scores).blocks[0].tied
        n = 20_000
        rows = np.vstack([np.full((members, n), r), np.zeros((3, n)), np.full((1, n), np.inf)])
        times, _ = _times(np.random.default_rng(4), tied, rows, np.ones((1, n)), None)
        weight = float(mpmath.quad(lambda u: inside(u, 0), [0, 0.5, 1]))
        # of one member: E(1 − e^(−r E)) with E cut at M; over u, (1 − u^r)/2
        mean = float(mpmath.quad(lambda u: inside(u, 1) / 2, [0, 0.5, 1])) / weight
        seen = -np.expm1(-r * times[0, 0])
        assert seen.mean() == pytest.approx(mean, abs=4 * seen.std() / np.sqrt(n))
