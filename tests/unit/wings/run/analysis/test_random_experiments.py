"""Hundreds of random experiments, strange scores and settings among them: everything about them holds together."""

from __future__ import annotations

import json
import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.report import render, to_dict
from bakeoff.wings.run.verification import verify_store

pytestmark = pytest.mark.slow

SCORES = ("constant", "huge", "tiny", "few values", "negative", "failing", "lognormal", "normal")


def algorithm(j: int, kind: str) -> Any:
    def run(problem: float, rng: np.random.Generator) -> float:
        if kind == "failing" and rng.random() < 0.2:
            raise ValueError("no")
        return float(
            {
                "constant": lambda: 1.0,
                "huge": lambda: 1e307 * problem * rng.random(),
                "tiny": lambda: 1e-310 * (j + 1 + rng.integers(0, 3)),
                "few values": lambda: rng.integers(0, 3),
                "negative": lambda: problem - 5 + rng.normal(),
                "lognormal": lambda: math.exp(2 * rng.normal()),
            }.get(kind, lambda: problem + j + rng.normal())()
        )

    return run


def drawn(pick: random.Random, kind: str, k: int) -> dict[str, Any]:
    """Settings that fit each other."""
    sequential = pick.choice([None, "group", "anytime"])
    alpha = pick.choice([0.05, 0.001, 0.6])
    two_sided = sequential == "anytime" or (sequential == "group" and alpha == 0.6)
    found: dict[str, Any] = {
        "better": pick.choice(["lower", "higher"]),
        "test": pick.choice([None, "t", "wilcoxon", "sign"]),
        "alternative": "two-sided" if two_sided else pick.choice(["two-sided", "greater", "less"]),
        "alpha": alpha,
        "sequential": sequential,
        "on_failure": 99.0,
    }
    differences = pick.choice(["simple", "percent"])
    if pick.random() < 0.5:
        median = {"statistic": "median", "resamples": 99} if pick.random() < 0.3 else {}
        return found | {"repetitions": {"se": 0.5, "nmax": 10 * k, "n0": 2, "differences": differences, **median}}
    if kind == "failing" and pick.random() < 0.5:
        return found | {"runs": 2, "on_failure": "worst", "test": "sign"}
    control = {"control": "a1"} if pick.random() < 0.4 else {}
    return found | {"runs": pick.choice([1, 3]), "differences": differences, **control}


def check(seed: int, store: Path) -> None:
    pick = random.Random(seed)
    k, n, kind = pick.choice([2, 2, 3, 5]), pick.choice([1, 2, 3, 8, 20]), pick.choice(SCORES)
    solvers = {f"a{j}": algorithm(j, kind) for j in range(k)}
    e = bo.Experiment(solvers, {f"p{i}": i + 1.0 for i in range(n)}, seed=seed, **drawn(pick, kind, k))
    result = bo.run(e, store)
    verified = verify_store(store)
    assert verified.ok, verified.findings
    assert verified.digest == result.digest
    json.dumps(to_dict(result), allow_nan=False)
    for form in ("html", "md", "tex", "txt"):
        render(result, form)
    for pair in result.analysis.pairs:
        assert pair.pvalue is None or 0 <= pair.pvalue <= pair.adjusted <= 1
        assert not np.isnan(pair.differences).any()
        if pair.effect is not None:
            assert not any(map(math.isnan, (pair.effect.estimate, pair.effect.low, pair.effect.high)))


def test_an_experiment(tmp_path: Path) -> None:
    check(0, tmp_path / "0.sqlite")


@pytest.mark.exhaustive
def test_many_experiments(tmp_path: Path) -> None:
    for seed in range(1, 90):
        check(seed, tmp_path / f"{seed}.sqlite")
