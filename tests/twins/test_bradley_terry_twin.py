"""Bradley–Terry beside integration on grids, differences of the log posterior, and the maximum-likelihood iteration."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from bakeoff.bayes._bradley_terry import bradley_terry
from bakeoff.bayes.mcmc.bradley_terry_model import contest, curvature, find_mode, value_and_gradient
from bakeoff.bayes.mcmc.win_table import WinTable


def slow_log_posterior(wins, ties, s, theta, eta):
    """Game by game."""
    out = 0.0
    for i, j in itertools.combinations(range(len(theta)), 2):
        a, b = math.exp((theta[i] - theta[j]) / 2), math.exp((theta[j] - theta[i]) / 2)
        t = 0.0 if eta is None else math.exp(eta)
        out += wins[i][j] * math.log(a / (a + b + t)) + wins[j][i] * math.log(b / (a + b + t))
        if eta is not None:
            out += ties[i][j] * math.log(t / (a + b + t))
    for x in theta:
        p = 1 / (1 + math.exp(-x))  # Beta(s, s) on p, as a density of θ: times p(1 − p)
        out += s * math.log(p) + s * math.log(1 - p)
    if eta is not None:
        q = math.exp(eta) / (2 + math.exp(eta))  # uniform, as a density of η: dq/dη = q(1 − q)
        out += math.log(q * (1 - q))
    return out


def random_table(rng, k):
    wins = rng.integers(0, 5, (k, k)) * (1 - np.eye(k))
    ties = np.triu(rng.integers(0, 3, (k, k)), 1)
    return wins, (ties + ties.T).astype(float)


@pytest.mark.slow
@pytest.mark.parametrize("model_ties", [True, False])
def test_log_posterior_gradient_and_curvature(model_ties):
    rng = np.random.default_rng(0)
    for _ in range(60):
        k, s = int(rng.integers(2, 6)), float(rng.choice([0.1, 1.0, 3.0]))
        wins, ties = random_table(rng, k)
        data = contest(wins[None], ties[None], s, model_ties)
        x = rng.normal(0, 2, (3, k + model_ties))
        value, gradient = value_and_gradient(data, x)
        won = wins if model_ties else wins + ties / 2
        slow = [slow_log_posterior(won, ties, s, r[:k], r[k] if model_ties else None) for r in x]
        assert np.diff(value) == pytest.approx(np.diff(slow), rel=1e-9, abs=1e-9)  # the same up to a constant
        h = 1e-5
        bend = curvature(data, x)
        for d in range(k + model_ties):
            step = np.zeros(k + model_ties)
            step[d] = h
            (up, slope_up), (down, slope_down) = value_and_gradient(data, x + step), value_and_gradient(data, x - step)
            assert (up - down) / (2 * h) == pytest.approx(gradient[:, d], rel=1e-5, abs=1e-5)
            assert -(slope_up - slope_down) / (2 * h) == pytest.approx(bend[:, d], rel=1e-5, abs=1e-5)


def test_blocks_do_not_change_a_bit(monkeypatch):
    rng = np.random.default_rng(1)
    wins, ties = random_table(rng, 5)
    data, x = contest(wins[None], ties[None], 1.0, True), rng.normal(size=(7, 6))
    whole = value_and_gradient(data, x)
    monkeypatch.setattr("bakeoff.bayes.mcmc.bradley_terry_model.BLOCK", 60)
    parts = value_and_gradient(data, x)
    assert (whole[0] == parts[0]).all()
    assert (whole[1] == parts[1]).all()


@pytest.mark.slow
def test_mode_tends_to_the_maximum_likelihood_estimate():
    """Hunter (2004), Annals of Statistics 32, 384–406: π_i ← W_i / Σ_j n_ij/(π_i + π_j); and ties as half wins."""
    rng = np.random.default_rng(2)
    for _ in range(8):
        k = int(rng.integers(2, 6))
        wins = rng.integers(1, 9, (k, k)) * (1.0 - np.eye(k))
        strengths = [1.0] * k
        for _ in range(1500):
            new = []
            for i in range(k):
                met = sum((wins[i, j] + wins[j, i]) / (strengths[i] + strengths[j]) for j in range(k) if j != i)
                new.append(sum(wins[i]) / met)
            strengths = [p / sum(new) for p in new]
        logs = np.log(strengths)
        mode = find_mode(contest(wins[None], np.zeros((1, k, k)), 1e-7, False))[0]
        assert mode - mode.mean() == pytest.approx(logs - logs.mean(), abs=1e-5)


@pytest.mark.slow
def test_mode_is_where_the_gradient_vanishes():
    """Also with all games won, hundreds of them, and hardly any prior."""
    for n, s in ((1.0, 1.0), (500.0, 0.01), (10.0, 50.0)):
        wins = np.triu(np.full((4, 4), n), 1)[None]
        for model_ties in (True, False):
            data = contest(wins, np.zeros((1, 4, 4)), s, model_ties)
            assert np.abs(value_and_gradient(data, find_mode(data))[1]).max() < 1e-6


def grid_answer(wins, ties, s, model_ties, reach=16.0, points=81):
    """Two algorithms, all parameters on a grid: smooth and vanishing at the edges, so sums are exact to many digits."""
    axis = np.linspace(-reach, reach, points)
    one, two = np.meshgrid(axis, axis, indexing="ij")
    etas = np.linspace(-16, 8, 73) if model_ties else [None]
    total = dict.fromkeys(("one", "stronger", "beats", "tie", "strength", "square"), 0.0)
    for eta in etas:
        a, b = np.exp((one - two) / 2), np.exp((two - one) / 2)
        t = 0.0 if eta is None else math.exp(eta)
        log = wins[0][1] * np.log(a / (a + b + t)) + wins[1][0] * np.log(b / (a + b + t))
        if eta is not None:
            log = log + ties[0][1] * np.log(t / (a + b + t)) + eta - 2 * math.log(2 + t)
        for theta in (one, two):
            log = log - s * (np.logaddexp(0, theta) + np.logaddexp(0, -theta))
        w = np.exp(log)
        total["one"] += w.sum()
        total["stronger"] += w[one > two].sum() + 0.5 * w[one == two].sum()
        total["beats"] += (w * a / (a + b + t)).sum()
        total["tie"] += (w * t / (a + b + t)).sum()
        total["strength"] += (w * (one - two) / 2).sum()
        total["square"] += (w * (one - two) ** 2 / 4).sum()
    return {k: v / total["one"] for k, v in total.items()}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wins", "ties", "s"),
    [
        ([[0, 7], [2, 0]], [[0, 0], [0, 0]], 1.0),
        ([[0, 4], [0, 0]], [[0, 0], [0, 0]], 1.0),  # all won
        ([[0, 3], [1, 0]], [[0, 4], [4, 0]], 2.0),
        ([[0, 0], [0, 0]], [[0, 3], [3, 0]], 1.0),  # all tied
    ],
)
def test_two_algorithms_against_a_grid(wins, ties, s):
    model_ties = bool(np.any(ties))
    want = grid_answer(wins, ties, s, model_ties)
    found = bradley_terry(WinTable(wins, ties), s, n_draws=12_000, rng=1)
    error = 4 * found.standard_error  # p_stronger's; those of the smoother averages are smaller
    assert found.p_stronger[0, 1] == pytest.approx(want["stronger"], abs=error)
    assert found.p_beats[0, 1] == pytest.approx(want["beats"], abs=error)
    assert found.p_tie[0, 1] == pytest.approx(want["tie"], abs=error)
    sd = math.sqrt(want["square"] - want["strength"] ** 2)
    least = min(min(d.ess_bulk, d.ess_tail) for d in found.diagnostics)
    assert found.strengths[0] == pytest.approx(want["strength"], abs=4 * sd / math.sqrt(least))
    assert found.sds[0] == pytest.approx(sd, rel=0.05)


@pytest.mark.slow
def test_three_algorithms_against_a_grid():
    wins, s = np.array([[0, 4, 3], [2, 0, 3], [0, 1, 0.0]]), 1.0
    axis = np.linspace(-12, 12, 65)
    x = np.stack(np.meshgrid(axis, axis, axis, indexing="ij"), axis=-1).reshape(-1, 3)
    log = np.zeros(len(x))
    for i, j in itertools.permutations(range(3), 2):
        log -= wins[i, j] * np.logaddexp(0, x[:, j] - x[:, i])
    log -= s * (np.logaddexp(0, x) + np.logaddexp(0, -x)).sum(axis=1)
    w = np.exp(log - log.max())
    w /= w.sum()
    top = x == x.max(axis=1, keepdims=True)
    best = w @ (top / top.sum(axis=1, keepdims=True))
    centred = x - x.mean(axis=1, keepdims=True)
    found = bradley_terry(WinTable(wins), s, n_draws=12_000, rng=2)
    assert found.p_best == pytest.approx(best, abs=4 * found.standard_error)
    assert found.strengths == pytest.approx(w @ centred, abs=4 * found.sds.max() / math.sqrt(5_000))
    assert found.sds == pytest.approx(np.sqrt(w @ centred**2 - (w @ centred) ** 2), rel=0.05)
