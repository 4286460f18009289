"""Simulation-based calibration of Bradley–Terry: strengths from the prior, games from the strengths, ranks uniform.

Every data set is a chain of its own, so that thousands of them are one run of the sampler.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from bakeoff.bayes.mcmc.bradley_terry_model import contest
from bakeoff.bayes.mcmc.bradley_terry_sampler import Sampler

pytestmark = pytest.mark.slow

KEPT = 63


def check_uniform(name: str, ranks: np.ndarray, bins: int = 16) -> None:
    counts = np.bincount(ranks * bins // (KEPT + 1), minlength=bins)
    goal = len(ranks) / bins
    chi2 = float(np.sum((counts - goal) ** 2) / goal)
    assert chi2 < (bins - 1) + 4 * math.sqrt(2 * (bins - 1)), f"{name}: {counts}"
    z = (np.mean((ranks + 0.5) / (KEPT + 1)) - 0.5) * math.sqrt(12 * len(ranks))
    assert abs(z) < 4, f"{name}: mean rank off by {z:.1f} standard errors"


def calibrate(sets: int, k: int, games: int, s: float, model_ties: bool, seed: int, thin: int) -> None:
    rng = np.random.default_rng(seed)
    p = rng.beta(s, s, (sets, k))
    theta = np.log(p) - np.log1p(-p)
    q = rng.random(sets)
    weight = 2 * q / (1 - q) if model_ties else np.zeros(sets)  # e^η
    wins, ties = np.zeros((2, sets, k, k))
    for i in range(k):
        for j in range(i + 1, k):
            d = np.exp((theta[:, i] - theta[:, j]) / 2)
            shares = np.stack((d, 1 / d, weight), axis=1)
            won = rng.multinomial(games, shares / shares.sum(axis=1, keepdims=True))
            wins[:, i, j], wins[:, j, i] = won[:, 0], won[:, 1]
            ties[:, i, j] = ties[:, j, i] = won[:, 2]
    sampler = Sampler(rng, contest(wins, ties, s, model_ties), sets)
    truth = {"strength": theta[:, 0], "difference": theta[:, 0] - theta[:, 1]}
    if model_ties:
        truth["tie parameter"] = np.log(weight)
    ranks = {name: np.zeros(sets, dtype=int) for name in truth}
    for _ in range(40):
        sampler.move()
    for _ in range(KEPT):
        for _ in range(thin):
            sampler.move()
        x = sampler.x
        now = {"strength": x[:, 0], "difference": x[:, 0] - x[:, 1], "tie parameter": x[:, -1]}
        for name in truth:
            ranks[name] += now[name] < truth[name]
    for name, rank in ranks.items():
        check_uniform(name, rank)


def test_bradley_terry_quick():
    calibrate(sets=300, k=3, games=4, s=1.0, model_ties=True, seed=1, thin=2)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("k", "games", "s", "model_ties"), [(2, 5, 1.0, True), (4, 3, 1.0, False), (5, 10, 2.0, True), (3, 1, 0.5, True)]
)
def test_bradley_terry(k, games, s, model_ties):
    calibrate(sets=1200, k=k, games=games, s=s, model_ties=model_ties, seed=2, thin=6)
