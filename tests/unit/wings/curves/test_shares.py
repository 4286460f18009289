"""What profiles and runtimes say that their shares are, on tables with tasks, runs and clusters."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import BakeoffError


def scores(runs: int = 1, **more: Any) -> bo.Scores:
    times = np.random.default_rng(0).lognormal(size=(12, 2, runs))
    tasks = ["t0"] * 8 + ["t1"] * 4
    return bo.Scores(times, ["a", "b"], better="lower", **({"tasks": tasks} | more))


def sentence(found: Any) -> str:
    estimand = found.to_dict()["estimand"]
    return f"{estimand['what']} over {estimand['over']}, each {estimand['weights']}; {estimand['runs']}"


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (lambda s: bo.profile(s), "share of problems within τ over 12 problems of 2 tasks, each problems; "),
        (lambda s: bo.runtimes(s), "times and share of problems solved over 12 problems of 2 tasks, each problems; "),
    ],
)
def test_tasks_are_named_and_each_problem_counts_the_same(found: Any, said: str) -> None:
    assert sentence(found(scores())) == said
    assert sentence(found(scores(weights="problems"))) == said
    with pytest.raises(BakeoffError, match="tasks"):
        found(scores(weights="tasks"))


def test_runs_are_named() -> None:
    assert sentence(bo.runtimes(scores(3), over="runs")).endswith("; 3 runs of each, for other runs of these problems")
    assert sentence(bo.profile(scores(3), cell="median")).endswith("; 3 runs of each")


def test_the_command_takes_tasks_weights_and_runs_inside_runs(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    rows = [
        {"suite": f"t{i % 2}", "problem": f"p{i}", "algorithm": a, "seed": r, "episode": e, "step": b,
         "reward": rng.normal() + b * (a == "B")}
        for i in range(12) for a in "AB" for r in range(2) for e in range(3) for b in (1, 2, 4)
    ]  # fmt: skip
    with (path := tmp_path / "curves.csv").open("w", encoding="utf8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    command = [
        "curves",
        str(path),
        "--better",
        "higher",
        "--task",
        "suite",
        "--run",
        "seed,episode",
        "--score",
        "reward",
    ]
    shown = " ".join(CliRunner().invoke(main, command).output.split())
    assert (
        "over 2 tasks (6 and 6 problems), each task counting the same; each score is the mean of 2 runs, each the "
        in shown
    )
    shown = " ".join(CliRunner().invoke(main, [*command, "--weights", "problems"]).output.split())
    assert "over 12 problems, each problem counting the same" in shown
