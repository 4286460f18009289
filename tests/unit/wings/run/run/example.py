"""Of ``run``: what the tests of every analysis take."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import bakeoff as bo
from analysis_examples import Example, Ordinary
from bakeoff.wings.run.run.reporting.document import RunPage
from ordinary_tables import noisy


def ran() -> bo.RunResult:
    problems = {f"p{i}": float(i) for i in range(6)}
    return bo.run(bo.Experiment({"new": noisy, "old": noisy}, problems, better="lower", seed=1, runs=2))


def first(problem: float, rng: np.random.Generator) -> float:
    return problem + 0.1 * float(rng.normal())


def second(problem: float, rng: np.random.Generator) -> float:
    return problem + 0.5 + 0.2 * float(rng.normal())


def experiment(**options: Any) -> bo.RunResult:
    problems = {f"p{i}": 10.0 + i for i in range(20)}
    return bo.run(bo.Experiment({"first": first, "second": second}, problems, better="lower", seed=1, **options))


EXAMPLE = Example(
    results={"run": lambda: RunPage(ran(), Path("store.sqlite")), "experiment": ran},
    decisions={"run": "none", "experiment": "none"},
    ordinary={
        "experiment": Ordinary(
            lambda: experiment(runs=4),
            lacks=(
                "budget-stops changed.code changed.problems counted-as-worst.failed-runs low-power "
                "network-file-system left-out.undefined-differences not-computed.difference "
                "not-computed.test not-reproducible open-cluster not-reproducible.sets single-runs "
                "skew stopped-early averaged.clusters near-zero.means"
            ),
        )
    },
)
