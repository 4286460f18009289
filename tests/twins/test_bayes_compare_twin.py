"""``bo.bayes.compare`` beside a slow twin: one draw, one statement, one problem at a time, with draws of its own."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

import bakeoff as bo


def twin_signs(scores: bo.Scores, i: int, j: int) -> list[int]:
    found = []
    for row in scores.costs.tolist():
        found.append(1 if row[i] < row[j] else -1 if row[i] > row[j] else 0)
    return found


def binomial_error(wins: int, losses: int) -> float:
    """I_½(w, l) = P(Bin(w + l − 1, ½) >= w), in whole numbers."""
    if wins == 0 or losses == 0:
        return 0.5 if wins == losses else float(losses > wins)
    n = wins + losses - 1
    return sum(math.comb(n, x) for x in range(wins, n + 1)) / 2**n


def twin_list(scores: bo.Scores) -> list[tuple[str, str, list[int]]]:
    rows = []
    for i, j in itertools.permutations(range(scores.n_algorithms), 2):
        d = twin_signs(scores, i, j)
        wins, losses = d.count(1), d.count(-1)
        a, b = scores.algorithms[i], scores.algorithms[j]
        if wins > losses or (wins == losses and a < b):
            rows.append((binomial_error(wins, losses), losses - wins, a, b, d))
    return [(a, b, d) for _, _, a, b, d in sorted(rows)]


def twin_joint(listed: list[tuple[str, str, list[int]]], s: float, toward: int, draws: int, seed: int) -> list[float]:
    source = random.Random(seed)
    held = [0] * len(listed)
    n = len(listed[0][2])
    for _ in range(draws):
        weights = [source.expovariate(1.0) for _ in range(n)]
        prior = source.gammavariate(s, 1.0) if s > 0 else 0.0
        alive = True
        for place, (_, _, d) in enumerate(listed):
            total = sum(w * x for w, x in zip(weights, d, strict=True)) + toward * prior
            coin = not any(d) and total == 0
            alive = alive and (source.random() < 0.5 if coin else total > 0)
            held[place] += alive
    return [h / draws for h in held]


def random_table(seed: int, runs: bool = False) -> bo.Scores:
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(1, 9)), int(rng.integers(2, 5))
    spread = int(rng.choice([1, 2, 6, 100]))
    values = rng.integers(0, spread + 1, size=(n, k)) + rng.integers(0, 3, size=k)
    return bo.Scores(values / 10, better=str(rng.choice(["lower", "higher"])))  # type: ignore[arg-type]


@pytest.mark.few(4, 37)
@pytest.mark.parametrize("seed", range(60))
def test_against_the_twin(seed: int) -> None:
    scores, draws = random_table(seed), 1500
    s = [0.0, 0.5, 1.0, 3.0][seed % 4]
    prior = "ignorance" if seed % 2 else "equal"
    found = bo.bayes.compare(scores, prior_strength=s, n_draws=draws, rng=seed, prior=prior)  # type: ignore[arg-type]
    listed = twin_list(scores)
    assert [(x.better, x.worse) for x in found.statements] == [(a, b) for a, b, _ in listed]
    band = 5 * math.sqrt(0.5 / draws)  # two samples
    for x, (_, _, d), joint in zip(found.statements, listed, twin_joint(listed, s, 0, draws, seed), strict=True):
        assert (x.wins, x.losses, x.ties) == (d.count(1), d.count(-1), d.count(0))
        assert x.probability == pytest.approx(1 - binomial_error(x.wins, x.losses), rel=1e-12)
        assert abs(x.joint - joint) <= band
    if prior == "ignorance":
        for toward, at in ((-1, 0), (1, 1)):
            for x, joint in zip(found.statements, twin_joint(listed, s, toward, draws, seed), strict=True):
                assert x.joint_bounds is not None
                assert abs(x.joint_bounds[at] - joint) <= band


@pytest.mark.few(87)
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1400))
def test_many_lists_and_probabilities(seed: int) -> None:
    scores = random_table(seed)
    found = bo.bayes.compare(scores, n_draws=400, prior="flat")
    listed = twin_list(scores)
    assert [(x.better, x.worse) for x in found.statements] == [(a, b) for a, b, _ in listed]
    joints = twin_joint(listed, 1.0, 0, 400, seed)
    assert all(abs(x.joint - j) <= 6 * math.sqrt(0.5 / 400) for x, j in zip(found.statements, joints, strict=True))
