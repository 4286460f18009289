"""The gate on tables with a design: tasks, weights, clusters, runs inside runs; the mean is that of ``bo.evaluate``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from lm_eval_folder import line, model

RIGHT = {
    "A": {"big": [1.0] * 300 + [0.0] * 100, "small": [1.0] * 3 + [0.0] * 9},
    "B": {"big": [1.0] * 240 + [0.0] * 160, "small": [1.0] * 11 + [0.0]},
}
"""Of questions, A has more right, of tasks B."""
BOTH: dict[str, Any] = {"label": ("A", "B"), "better": "higher"}


@pytest.fixture
def contra(tmp_path: Path) -> Path:
    rows = [
        f"{task},{i},{name},{score}" for name, of in RIGHT.items() for task in of for i, score in enumerate(of[task])
    ]
    (tmp_path / "contra.csv").write_text("\n".join(["task,question,model,acc", *rows, ""]))
    return tmp_path / "contra.csv"


def mean_difference(scores: bo.Scores) -> float:
    """Of B and A, by ``bo.evaluate``."""
    means = {row.algorithm: row.mean for row in bo.evaluate(scores).ranked}
    return means["B"] - means["A"]


@pytest.mark.parametrize("weights", [None, "tasks", "problems"])
def test_the_mean_of_a_table_is_that_of_evaluate(weights: Any, contra: Path) -> None:
    """Question 7 of one task and question 7 of another were two runs of one problem, and the verdicts opposite."""
    found = bo.check(contra, contra, 0.05, weights=weights, **BOTH)
    scores = bo.read_scores(contra, "higher", weights=weights)
    [row] = found.rows
    assert row.effect == pytest.approx(-mean_difference(scores), abs=1e-12)
    assert row.runs == (412, 412)
    assert found.decision == ("regressed" if weights == "problems" else "ok")
    assert found.cautions[0].code == "weights-decide"
    assert found.to_dict()["estimand"]["weights"] == (weights or "tasks")
    assert bo.verify(found.to_dict()).ok


def test_folders_and_scores_give_what_the_table_gives(contra: Path, tmp_path: Path) -> None:
    sides = []
    for name, tasks in RIGHT.items():
        lines = {task: [line(i, acc=score) for i, score in enumerate(scores)] for task, scores in tasks.items()}
        sides.append(model(tmp_path / "out", name, lines))
    table = bo.check(contra, contra, 0.05, **BOTH)
    scores = bo.read_scores(contra, "higher")
    for other in (bo.check(sides[0], sides[1], 0.05), bo.check(scores, scores, 0.05, label=("A", "B"))):
        assert other.rows[0].effect == table.rows[0].effect
        assert other.rows[0].interval == table.rows[0].interval
        assert other.decision == table.decision
    call = ["check", str(contra), "--label", "A", "--label", "B", "--better", "higher", "--margin", "0.05", "--json"]
    typed = json.loads(CliRunner().invoke(main, [*call, "--task", "task", "--weights", "problems"]).stdout)
    assert typed["decision"] == "regressed"
    assert typed["estimand"]["over"] == "412 problems"


def test_a_baseline_of_tasks_is_kept(contra: Path, tmp_path: Path) -> None:
    store = tmp_path / "store.json"
    base = tmp_path / "a.csv"
    base.write_text("".join(x for x in contra.read_text().splitlines(keepends=True) if ",B," not in x))
    call = ["baseline", "update", str(base), "--store", str(store), "--better", "higher"]
    assert CliRunner().invoke(main, call).exit_code == 0
    found = bo.check(store, contra, 0.05, label="B", better="higher")
    assert found.rows[0].effect == bo.check(contra, contra, 0.05, **BOTH).rows[0].effect


def test_a_task_of_one_question_keeps_its_weight_and_decides_nothing() -> None:
    values = np.concatenate([np.random.default_rng(1).normal([1.0, 2.0], 0.1, (50, 2)), [[0.0, 3.0]]])
    scores = bo.Scores(values, ["A", "B"], better="lower", tasks=["big"] * 50 + ["tiny"])
    options: dict[str, Any] = {"label": ("A", "B"), "scale": "difference"}
    [row] = bo.check(scores, scores, 0.1, **options).rows
    assert row.effect == pytest.approx((values[:50, 1].mean() - values[:50, 0].mean() + 3.0) / 2)
    assert (row.verdict, row.pvalue) == ("inconclusive", None)
    assert row.reason.startswith("tiny has one problem")
    pooled = bo.check(scores, scores, 0.1, weights="problems", **options)
    assert pooled.decision == "regressed"


def test_clusters_within_tasks_and_clusters_that_count_equally() -> None:
    rng = np.random.default_rng(2)
    clusters = [f"{task}{i // 4}" for task, n in (("x", 80), ("y", 24)) for i in range(n)]
    tasks = ["x"] * 80 + ["y"] * 24
    values = rng.normal(0.5, 0.1, (104, 2)) + [[0.0, 0.05 * (t == "y")] for t in tasks]
    made: dict[str, Any] = {"better": "higher", "tasks": tasks, "clusters": clusters}
    for weights in ("tasks", "problems", "clusters"):
        scores = bo.Scores(values, ["A", "B"], weights=weights, **made)
        [row] = bo.check(scores, scores, 0.02, label=("A", "B")).rows
        judged = bo.evaluate(scores)
        [pair] = judged.pairs
        assert row.interval is not None
        assert row.effect is not None
        assert row.effect == pytest.approx(-mean_difference(scores), abs=1e-12)
        assert row.interval[0] < row.effect < row.interval[1]
        assert abs(pair.difference) == pytest.approx(abs(row.effect), abs=1e-12)


def test_runs_inside_runs_are_averaged_first(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    rows = [
        f"p{p},{name},{seed},{episode},{(1 + p) * (1.3 if name == 'new' else 1.0) * rng.lognormal(0, 0.01)}"
        for p in range(3)
        for name in ("old", "new")
        for seed in range(6)
        for episode in range(5)
    ]
    path = tmp_path / "runs.csv"
    path.write_text("\n".join(["problem,algorithm,seed,episode,score", *rows, ""]))
    found = bo.check(path, path, "5%", better="lower", label=("old", "new"), run=["seed", "episode"])
    assert {row.runs for row in found.rows} == {(6, 6)}
    assert found.decision == "regressed"


@pytest.mark.parametrize("sizes", [(120, 12), (90, 10), (400, 3)])
def test_clusters_worth_fewer_than_two_come_back_at_once(sizes: tuple[int, int]) -> None:
    """The quantile of a noncentral t with 0.3 degrees of freedom was searched for ever."""
    values = np.random.default_rng(3).random((sum(sizes), 2))
    clusters = ["a"] * sizes[0] + ["b"] * sizes[1]
    scores = bo.Scores(values, ["A", "B"], better="higher", clusters=clusters)
    found = bo.check(scores, scores, 0.05, label=("A", "B"))
    assert found.decision == "inconclusive"
    assert found.rows[0].reason.startswith("clusters worth fewer than three")
