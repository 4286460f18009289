"""Bayesian statements: true as often as stated, and how often they are made where nothing differs.

A Dirichlet process on finitely many kinds of problems with a Dirichlet(1 … 1) prior is the same as one problem of each
kind added to the data, and s = 0. So truth is drawn from that prior, data from the truth, and then of all events to
which the posterior gives probability p a share p must have happened.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.random import Generator

import bakeoff as bo
from calibration.rows.row import Outcome, Row

KINDS = np.array(sorted({tuple(row) for row in itertools.product(range(3), repeat=3) if min(row) == 0}), dtype=float)
Happened = dict[str, tuple[float, float]]
"""What: its posterior probability, and whether it is true."""


def joint_of_signs(seed: int) -> Happened:
    rng = np.random.default_rng(seed)
    truth = rng.dirichlet(np.ones(len(KINDS)))
    seen = rng.choice(len(KINDS), size=int(rng.integers(0, 15)), p=truth)
    scores = bo.Scores(np.vstack([KINDS, KINDS[seen]]), better="lower")
    found = bo.bayes.compare(scores, 0.0, 0.3, n_draws=400, rng=seed, prior="flat")
    return statement_events(found, lambda i, j: float(truth @ np.sign(KINDS[:, j] - KINDS[:, i])), rng)


def statement_events(found: object, margin: Callable[[int, int], float], rng: np.random.Generator) -> Happened:
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


def places(seed: int) -> Happened:
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


def relative_effects(seed: int) -> Happened:
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


def runs_in_cells(seed: int) -> Happened:
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


MODELS: dict[str, tuple[Callable[[int], Happened], str]] = {
    "joint_of_signs": (joint_of_signs, '`bo.bayes.compare(prior="flat")`'),
    "places": (places, "`bo.bayes.rank_probabilities`"),
    "relative_effects": (relative_effects, "`bo.bayes.kruskal_wallis`"),
    "runs_in_cells": (runs_in_cells, "`bo.bayes.repeated_runs`"),
}
EVENTS = {
    "joint_of_signs": ("one statement", "joint", "accepted"),
    "places": ("place", "quantile 0.25"),
    "relative_effects": ("accepted", "interval", "region"),
    "runs_in_cells": ("accepted", "p_better"),
}


def event(model: Callable[[int], Happened], what: str) -> Callable[[Generator], Outcome]:
    def count(rng: Generator) -> Outcome:
        probability, true = model(int(rng.integers(1 << 31))).get(what, (0.0, -1))
        return (0, 0, 0.0) if true < 0 else (int(true), 1, float(probability))

    return count


STATED = tuple(
    Row(
        f"bayes: {name}, {what}",
        f"{MODELS[name][1]}, {what}",
        "truth drawn from the prior, then problems from the truth",
        "stated",
        0.0,
        event(MODELS[name][0], what),
        short=25,
    )
    for name, events in EVENTS.items()
    for what in events
)

# --- where nothing differs: a posterior probability is no error rate ------------------------------------------------


def list_of_noise(k: int, n: int, prior: Literal["flat", "exchangeable"]) -> Callable[[Generator], Outcome]:
    def count(rng: Generator) -> Outcome:
        scores = bo.Scores(rng.normal(size=(n, k)), better="lower")
        found = bo.bayes.compare(scores, prior=prior, n_draws=1000, rng=int(rng.integers(1 << 31)))
        return int(found.n_accepted > 0), 1, 0

    return count


def lists_of_small_differences(k: int, n: int, tau: float) -> Callable[[Generator], Outcome]:
    """Normal noise and normal strengths: near to what the exchangeable prior describes, which knows ranks alone."""

    def count(rng: Generator) -> Outcome:
        truth = rng.normal(0, tau, k)
        scores = bo.Scores(truth + rng.normal(size=(n, k)), better="lower")
        found = bo.bayes.compare(scores, prior="exchangeable", n_draws=1000, rng=int(rng.integers(1 << 31)))
        accepted = [one for one in found.statements if one.accepted]
        true = all(truth[scores.index(one.better)] < truth[scores.index(one.worse)] for one in accepted)
        return (int(true), 1, found.joint) if accepted else (0, 0, 0.0)

    return count


def verdict_of_noise(test: str, n: int) -> Callable[[Generator], Outcome]:
    def count(rng: Generator) -> Outcome:
        scores = bo.Scores(rng.normal(size=(n, 2 if test == "sign_test" else 4)), better="lower")
        if test == "sign_test":
            return int(bo.bayes.sign_test(scores, 0, 1).verdict in ("a better", "b better")), 1, 0
        return int(bo.bayes.friedman(scores).verdict == "different"), 1, 0

    return count


GUIDE = "docs/guides/bayes.md"
NOISE = (
    *(
        Row(
            f"bayes: list of noise, {prior}, {n} × {k}",
            f'`bo.bayes.compare(prior="{prior}")`, any statement accepted',
            f"{n} problems, {k} equal algorithms",
            "error",
            0.05,
            list_of_noise(k, n, prior),
            short=20,
            ends=GUIDE,
        )
        for k, n in ((5, 14), (10, 30))
        for prior in ("exchangeable", "flat")
    ),
    *(
        Row(
            f"bayes: {test} of noise, {n}",
            f"`bo.bayes.{test}`, verdict",
            f"{n} problems, {'two' if test == 'sign_test' else 'four'} equal algorithms",
            "error",
            0.05,
            verdict_of_noise(test, n),
            ends=GUIDE,
        )
        for test in ("sign_test", "friedman")
        for n in (10, 40)
    ),
    Row(
        "bayes: lists, small differences, 30 × 10",
        '`bo.bayes.compare(prior="exchangeable")`, list wholly true',
        "30 problems, 10 algorithms, strengths N(0, 0.3²), noise N(0, 1)",
        "stated",
        0.05,
        lists_of_small_differences(10, 30, 0.3),
        short=20,
        ends=GUIDE,
    ),
)

ROWS = (*STATED, *NOISE)
