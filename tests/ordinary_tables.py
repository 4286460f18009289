"""Tables that the examples of several analyses are made from."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import bakeoff as bo


def noisy(problem: float, rng: object) -> float:
    return problem + float(rng.normal())


def table(n: int = 20, k: int = 3, step: float = 0.5, seed: int = 0, **names: Any) -> bo.Scores:
    """Normal scores, each algorithm worse than the one before by ``step``."""
    values = np.random.default_rng(seed).normal(size=(n, k)) + step * np.arange(k)
    return bo.Scores(values, better="lower", **names)


def runs(n: int, k: int, r: int) -> bo.Scores:
    values = np.random.default_rng(0).normal(size=(n, k, r)) + 0.5 * np.arange(k)[:, None]
    return bo.Scores(values + 2 * np.random.default_rng(1).normal(size=(n, k, 1)), better="lower")


def clustered() -> bo.Scores:
    rng = np.random.default_rng(3)
    values = np.repeat(rng.normal(size=(24, 3)), 3, 0) + rng.normal(size=(72, 3)) + np.arange(3)
    return bo.Scores(values, better="lower", clusters=[f"c{i // 3}" for i in range(72)])


def close() -> bo.Scores:
    """Three that differ by little on every problem, to either side."""
    x, *noise = np.random.default_rng(5).normal(size=(3, 30))
    return bo.Scores(np.column_stack([x, *(x + 0.1 * each for each in noise)]), list("ABC"), better="lower")


def times(n: int = 16, cap: float = math.inf) -> bo.Scores:
    values = np.random.default_rng(3).lognormal(2, 1, size=(n, 3)) * [1, 1.5, 2]
    return bo.Scores(np.minimum(values, cap), better="lower")


def gaps() -> bo.Scores:
    values = table(30, 3, 3.0).values.copy()
    values[1, 1] = math.nan
    return bo.Scores(values, better="lower", missing="keep")


def described() -> bo.Scores:
    """A table with everything that a table may say of itself."""
    values = [[[i + 1.0, i + 1.25], [i + 2.0, i + 2.5]] for i in range(8)]
    status = [[["ok", "ok"], ["ok", "ok"]] for _ in range(8)]
    values[3][1][1], status[3][1][1] = math.nan, "timeout"
    return bo.Scores(
        values,
        ["new", "old"],
        [f"task{i}" for i in range(8)],
        better="lower",
        metric="seconds",
        unit="s",
        clusters=[f"c{i // 2}" for i in range(8)],
        run_ids=["s1", "s2"],
        run_kind="seed",
        status=status,
        missing="keep",
    )


def few_runs() -> bo.Scores:
    """Three algorithms, eight runs each on six problems."""
    rng = np.random.default_rng(7)
    return bo.Scores(rng.normal(np.arange(3.0)[None, :, None], 0.7, (6, 3, 8)), list("ABC"), better="lower")


def with_runs(scores: bo.Scores) -> bo.Scores:
    """Three runs where there was one."""
    runs = scores.values[:, :, None] + np.array([-0.3, 0.1, 0.2])
    return bo.Scores(runs, better="lower", clusters=scores.clusters)
