"""Ratings beside covariates: ratings(read_battles(covariates=))."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator

import bakeoff as bo
from calibration.rows.row import Outcome, Row

ALPHA = 0.05
LENGTHS = np.array([0.0, 0.2, 0.4, 0.6, 0.8])  # stronger ones write more
STRENGTHS = np.array([-0.8, -0.4, 0.0, 0.4, 0.8])


def battles(
    rng: Generator, sizes: list[int], strengths: Any, effect: float, own: float = 0.0, ties: float = 0.0
) -> dict[str, list[Any]]:
    """Battles of each cluster. ``own``: standard deviation over clusters of each strength, and of the effect of a
    difference in length of 1, which is ``effect`` on average; ``ties``: Davidson's ν.
    """
    m, k = sum(sizes), len(strengths)
    cluster = np.repeat(np.arange(len(sizes)), sizes)
    first = rng.integers(0, k, m)
    second = (first + rng.integers(1, k, m)) % k
    long = LENGTHS[np.column_stack([first, second])] + rng.standard_exponential((m, 2))
    theta = np.asarray(strengths) + own * rng.normal(size=(len(sizes), k))
    beta = effect + own * rng.normal(size=len(sizes))
    d = theta[cluster, first] - theta[cluster, second] + beta[cluster] * (long[:, 0] - long[:, 1])
    weights = np.column_stack([np.exp(d / 2), np.exp(-d / 2), np.full(m, ties)])
    outcome = (rng.random((m, 1)) > np.cumsum(weights / weights.sum(axis=1, keepdims=True), axis=1)).sum(axis=1)
    return {
        "a": [f"A{i}" for i in first.tolist()],
        "b": [f"A{i}" for i in second.tolist()],
        "winner": [("a", "b", "tie")[i] for i in outcome.tolist()],
        "length_a": long[:, 0].tolist(),
        "length_b": long[:, 1].tolist(),
        **({"cluster": [f"c{i}" for i in cluster.tolist()]} if len(sizes) > 1 else {}),
    }


def misses(what: str, strengths: Any, effect: float, sizes: Callable[[Generator], list[int]], **how: float) -> Any:
    def count(rng: Generator) -> Outcome:
        table = battles(rng, sizes(rng), strengths, effect, **how)
        found = bo.ratings(bo.read_battles(table, covariates=["length"]))
        if what == "effect":
            (own,) = found.covariates
            low, high = (end / own.scale for end in own.interval)
            return int(not low <= effect <= high), 1
        truth = [strengths[int(p.a[1])] - strengths[int(p.b[1])] for p in found.pairs]
        return int(any(not p.interval[0] <= d <= p.interval[1] for p, d in zip(found.pairs, truth, strict=True))), 1

    return count


EQUAL = np.zeros(5)
DESIGNS: tuple[tuple[str, Any, float, Callable[[Generator], list[int]], dict[str, float]], ...] = (
    ("200 independent battles, stronger ones write more", STRENGTHS, 0.6, lambda rng: [200], {}),
    ("60 independent battles, of which some are ties", STRENGTHS, 0.6, lambda rng: [60], {"ties": 0.8}),
    ("no differences, 12 clusters of 15, each with its own", EQUAL, 0.0, lambda rng: [15] * 12, {"own": 0.8}),
    (
        "no differences, 40 clusters of 1 to 20, each with its own",
        EQUAL,
        0.0,
        lambda rng: rng.integers(1, 21, 40).tolist(),
        {"own": 0.8},
    ),
)
ROWS = tuple(
    Row(
        f"ratings: {what}, length held equal, {data}",
        f"`bo.ratings`, {words}",
        f"five algorithms, length held equal; {data}",
        "coverage",
        1 - ALPHA,
        misses(what, strengths, effect, sizes, **how),
        tables=600,
        short=25,
    )
    for data, strengths, effect, sizes, how in DESIGNS
    for what, words in (
        ("pairs", "intervals of all pairs at once"),
        ("effect", "interval of the effect of a covariate"),
    )
)
