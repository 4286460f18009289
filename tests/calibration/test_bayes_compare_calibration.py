"""Simulation-based calibration of joint statements, places, relative effects and repeated runs.

A Dirichlet process on finitely many kinds of problems with a Dirichlet(1 … 1) prior is the same as one problem of each
kind added to the data, and s = 0. So truth is drawn from that prior, data from the truth, and then of all events to
which the posterior gives probability p a share p must have happened. The band is four standard errors.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest

import bakeoff as bo

KINDS = np.array(sorted({tuple(row) for row in itertools.product(range(3), repeat=3) if min(row) == 0}), dtype=float)
Events = dict[str, list[tuple[float, float]]]  # what: (probability, did it happen)


def check(events: Events) -> None:
    """All of them, and those given little or much probability apart."""
    for name, pairs in events.items():
        p, happened = np.array(pairs, dtype=float).T
        for low, high in ((0.0, 1.0), (0.0, 0.5), (0.5, 0.9), (0.9, 1.0)):
            inside = (p >= low) & (p <= high)
            spread = math.sqrt(float(np.sum(p[inside] * (1 - p[inside]))))
            if spread < 1:
                continue
            z = float(np.sum(happened[inside] - p[inside])) / spread
            assert abs(z) <= 4, f"{name}, p in [{low}, {high}]: z = {z:.2f} over {inside.sum()}"


def joint_of_signs(seed: int) -> dict[str, tuple[float, float]]:
    rng = np.random.default_rng(seed)
    truth = rng.dirichlet(np.ones(len(KINDS)))
    seen = rng.choice(len(KINDS), size=int(rng.integers(0, 15)), p=truth)
    scores = bo.Scores(np.vstack([KINDS, KINDS[seen]]), better="lower")
    found = bo.bayes.compare(scores, n_draws=400, rng=seed, gamma=0.3)
    return statement_events(found, lambda i, j: float(truth @ np.sign(KINDS[:, j] - KINDS[:, i])), rng)


def statement_events(
    found: object, margin: Callable[[int, int], float], rng: np.random.Generator
) -> dict[str, tuple[float, float]]:
    statements, names = found.statements, found.algorithms  # type: ignore[attr-defined]
    true = [margin(names.index(x.better), names.index(x.worse)) > 0 for x in statements]
    one = int(rng.integers(len(statements)))  # one statement of each table: events of different tables are independent
    happened = {
        "one statement": (statements[one].probability, true[one]),
        "joint": (statements[one].joint, all(true[: one + 1])),
    }
    if found.n_accepted:  # type: ignore[attr-defined]
        happened["accepted"] = (found.joint, all(true[: found.n_accepted]))  # type: ignore[attr-defined]
    return happened


def places(seed: int) -> dict[str, tuple[float, float]]:
    rng = np.random.default_rng(seed)
    truth = rng.dirichlet(np.ones(len(KINDS)))
    seen = rng.choice(len(KINDS), size=int(rng.integers(0, 15)), p=truth)
    scores = bo.Scores(np.vstack([KINDS, KINDS[seen]]), better="lower")
    found = bo.bayes.rank_probabilities(scores, 0.0, n_draws=400, rng=seed)
    means = truth @ bo.rank(bo.Scores(KINDS, better="lower"))
    i, place = rng.integers(3, size=2)
    happened = {"place": (found.p_rank[i, place], np.argsort(np.argsort(means))[i] == place)}
    for level, quantile in zip(found.quantile_levels, found.quantiles[i], strict=True):
        happened[f"quantile {level}"] = (level, means[i] <= quantile)
    return happened


def relative_effects(seed: int) -> dict[str, tuple[float, float]]:
    rng = np.random.default_rng(seed)
    kinds, gamma = np.arange(4), 0.2
    truth = rng.dirichlet(np.ones(4), size=3)
    runs = np.full((1, 3, 12), np.nan)
    for i in range(3):
        r = int(rng.integers(0, 9))
        runs[0, i, : 4 + r] = np.concatenate([kinds, rng.choice(4, size=r, p=truth[i])])
    scores = bo.Scores.from_cells(runs, ["a", "b", "c"], ["p"], better="lower")
    found = bo.bayes.kruskal_wallis(scores, None, 0.0, gamma, n_draws=400, rng=seed, region="exact")
    margins = truth @ np.sign(kinds[None, :] - kinds[:, None]) @ truth.T
    effects = 0.5 + margins.sum(axis=1) / 6
    happened = statement_events(found, lambda i, j: float(margins[i, j]), rng)
    i = int(rng.integers(3))
    happened["interval"] = (1 - gamma, found.intervals[i, 0] <= effects[i] <= found.intervals[i, 1])
    away = (effects - found.effects)[:2]
    depth = away @ np.linalg.solve(found.covariance[:2, :2], away)
    happened["region"] = (1 - gamma, depth <= found.critical_value)
    return happened


def runs_in_cells(seed: int) -> dict[str, tuple[float, float]]:
    """Four problems with weights of their own, every cell with a distribution of its own."""
    rng = np.random.default_rng(seed)
    kinds = np.arange(3)
    weights, truth = rng.dirichlet(np.ones(4)), rng.dirichlet(np.ones(3), size=(4, 3))
    runs = np.full((4, 3, 8), np.nan)
    for cell in itertools.product(range(4), range(3)):
        r = int(rng.integers(0, 6))
        runs[cell][: 3 + r] = np.concatenate([kinds, rng.choice(3, size=r, p=truth[cell])])
    scores = bo.Scores.from_cells(runs, ["a", "b", "c"], ["p", "q", "r", "s"], better="lower")
    found = bo.bayes.repeated_runs(scores, 0.0, 0.3, n_draws=400, rng=seed)
    sign = np.sign(kinds[None, :] - kinds[:, None])
    margins = np.einsum("l,lix,xy,ljy->ij", weights, truth, sign, truth)
    happened = statement_events(found, lambda i, j: float(margins[i, j]), rng)
    i, j = (0, 1) if rng.random() < 0.5 else (1, 2)
    happened["p_better"] = (found.p_better[i, j], margins[i, j] > 0)
    return happened


MODELS = [joint_of_signs, places, relative_effects, runs_in_cells]


def run(model: Callable[[int], dict[str, tuple[float, float]]], seeds: range) -> None:
    events: Events = {}
    for seed in seeds:
        for name, event in model(seed).items():
            events.setdefault(name, []).append(event)
    check(events)


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_calibration_in_short(model: Callable[[int], dict[str, tuple[float, float]]]) -> None:
    run(model, range(100))


@pytest.mark.exhaustive
@pytest.mark.parametrize("model", MODELS)
def test_calibration(model: Callable[[int], dict[str, tuple[float, float]]]) -> None:
    run(model, range(10_000, 11_500))
