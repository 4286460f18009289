"""Bayesian results made by hand for the tests of figures: any statements, any names, without drawing a sample."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from bakeoff.wings.bayes import JointComparison, RankPosterior, SignedRankPosterior, Statement
from bakeoff.wings.bayes.statements.statement import partial_order
from unit.figures.figures_cases import NAMES


def empty(kind: type, **values: Any) -> Any:
    """A result with these fields and None in all others."""
    names = [field.name for field in dataclasses.fields(kind)]
    given = {"cautions": (), **values}
    return kind(**(dict.fromkeys(names) | {name: value for name, value in given.items() if name in names}))


def joint(names: Sequence[str], accepted: Sequence[tuple[int, int]], rest: Sequence[tuple[int, int]] = ()) -> Any:
    """Statements with probabilities that fall from the first to the last."""
    pairs = [*accepted, *rest]
    statements = tuple(
        empty(
            Statement,
            better=names[i],
            worse=names[j],
            probability=1 - 0.3 * (place + 1) / (len(pairs) + 1),
            joint=1 - 0.3 * (place + 1) / (len(pairs) + 1),
            accepted=place < len(accepted),
        )
        for place, (i, j) in enumerate(pairs)
    )
    return empty(
        JointComparison,
        algorithms=tuple(names),
        statements=statements,
        joint=0.96,
        gamma=0.05,
        n_problems=25,
        n_draws=1000,
        prior_strength=1.0,
        cycles=partial_order(names, accepted).cycles,
    )


def ranks(names: Sequence[str], draws: np.ndarray) -> Any:
    """Ridges of these draws (m, k) of mean ranks."""
    low, high = float(draws.min()) - 0.01, float(draws.max()) + 0.01
    edges = np.linspace(low, high, 101)
    counts = np.array([np.histogram(column, edges, density=True)[0] for column in draws.T])
    best = np.bincount(draws.argmin(axis=1), minlength=len(names)) / len(draws)
    return empty(
        RankPosterior,
        algorithms=tuple(names),
        mean_ranks=draws.mean(axis=0),
        p_best=best,
        grid=(edges[1:] + edges[:-1]) / 2,
        ridges=counts,
        prior_strength=1.0,
        n_draws=len(draws),
        n_problems=25,
        method="Monte Carlo",
    )


def shares(alpha: Sequence[float], rope: float, names: Sequence[str] = ("new", "old"), size: int = 4000) -> Any:
    """Draws of a Dirichlet distribution as a signed-rank posterior."""
    draws = np.random.default_rng(0).dirichlet(alpha, size)
    if rope == 0:
        draws = np.column_stack([draws[:, 0] + draws[:, 1], np.zeros(size), draws[:, 2]])
    p = np.bincount(draws.argmax(axis=1), minlength=3) / size
    return empty(
        SignedRankPosterior,
        a=names[0],
        b=names[1],
        draws=draws,
        n_draws=size,
        p_better=p[0],
        p_equivalent=p[1],
        p_worse=p[2],
        rope=rope,
        n_problems=25,
        prior_strength=1.0,
        method="monte-carlo",
    )


@lru_cache
def names_of(seed: int, k: int) -> tuple[str, ...]:
    rng = np.random.default_rng(seed)
    found = [f"A{j}" for j in range(k)]
    if seed % 2:
        for j, i in zip(rng.permutation(k), rng.permutation(len(NAMES)), strict=False):
            found[j] = NAMES[i]
    return tuple(found)


@lru_cache
def random_joint(seed: int) -> Any:
    """From 2 to 60 algorithms; sparse, dense, layered, with cycles, or without any statement."""
    rng = np.random.default_rng(seed)
    k = int(rng.choice([2, 3, 4, 5, 7, 9, 12, 20, 30, 40, 60]))
    value = rng.permutation(k) if seed % 3 else rng.integers(0, 3, k)
    reach = rng.random() * k * (0.3 if seed % 3 else 0.0)
    accepted, rest = [], []
    for i in range(k):
        for j in range(i + 1, k):
            a, b = (i, j) if value[i] < value[j] else (j, i)
            (accepted if abs(value[i] - value[j]) > reach and rng.random() < 0.98 else rest).append((a, b))
    if seed % 5 == 0 and k > 4:  # a cycle
        used = {frozenset(p) for p in accepted}
        accepted += [p for p in ((0, 1), (1, 2), (2, 0)) if frozenset(p) not in used]
    if seed % 7 == 0:
        accepted = []
    return joint(names_of(seed, k), accepted, rest)
