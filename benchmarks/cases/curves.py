"""Curves of many runs, all budgets and pairs judged at once."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

import numpy as np

import bakeoff as bo
from benchmarks.model import Benchmark, Case, Run, at_most


@lru_cache(maxsize=1)
def _table(problems: int) -> dict[str, Any]:
    """10 algorithms, 30 runs and 1000 budgets on each problem, as columns."""
    rng = np.random.default_rng(1)
    k, runs, budgets = 10, 30, 1000
    steps = rng.standard_exponential((problems, k, runs, budgets), dtype=np.float32)
    scores = (
        steps[..., ::-1].cumsum(axis=3)[..., ::-1] + 3 * rng.random((problems, k, 1, 1)) * np.arange(k)[:, None, None]
    )
    names = np.array([f"f{i}" for i in range(problems)]), np.array([f"A{j}" for j in range(k)])
    return {
        "problem": np.repeat(names[0], k * runs * budgets),
        "algorithm": np.tile(np.repeat(names[1], runs * budgets), problems),
        "run": np.tile(np.repeat(np.arange(runs), budgets), problems * k),
        "budget": np.tile(np.arange(1, budgets + 1) * 10, problems * k * runs),
        "score": scores.ravel().astype(np.float64),
    }


def _curves(problems: int) -> Run:
    return partial(bo.curves, _table(problems), better="lower", rng=1)


CASES = (
    Case(
        name="30 runs × 60 problems × 10 algorithms × 1000 budgets",
        make=partial(_curves, 60),
        goals=(at_most(10.0),),
        rounds=1,
    ),
    Case(name="the same on 10 problems", make=partial(_curves, 10), rounds=1, short=True),
)

BENCHMARK = Benchmark(
    name="curves",
    item=24,
    title="Whole curves",
    about="`bo.curves` of a dict of columns (18 million rows) with its defaults: all 45 pairs at all 1000 budgets, "
    "9999 choices of signs.",
    cases=CASES,
)
