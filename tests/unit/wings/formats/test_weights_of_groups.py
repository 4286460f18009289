"""A group's own value in lm-eval's results file tells what counts equally in it: its questions, or its tasks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from lm_eval_folder import line, model

RIGHT = {"big": {"A": (300, 400), "B": (240, 400)}, "small": {"A": (3, 12), "B": (11, 12)}}
BY_SIZE = {name: sum(RIGHT[task][name][0] for task in RIGHT) / 412 for name in "AB"}
EQUAL = {name: (RIGHT["big"][name][0] / 400 + RIGHT["small"][name][0] / 12) / 2 for name in "AB"}
NESTED = {"mmlu": ["mmlu_stem", "small"], "mmlu_stem": ["big"]}


def logs(folder: Path, values: dict[str, float], inside: dict[str, list[str]] | None = None, **more: Any) -> Path:
    for name, value in values.items():
        tasks = {
            task: [
                line(i, acc=float(i < right[name][0]), hashed=f"{task == 'small'}{i}") for i in range(right[name][1])
            ]
            for task, right in RIGHT.items()
        }
        group = {"mmlu": {"alias": "mmlu", "acc,none": value, "acc_stderr,none": 0.01}}
        known: dict[str, Any] = {"groups": group, "group_subtasks": inside or {"mmlu": ["big", "small"]}} | more
        model(folder, f"org__{name}", tasks, model_name=f"org/{name}", **known)
    return folder


@pytest.mark.parametrize(
    ("values", "digits", "weights", "said"),
    [
        (BY_SIZE, 17, "problems", "Mean acc over 412 problems, weighted as mmlu in the results files, each problem"),
        (BY_SIZE, 3, "problems", "Mean acc over 412 problems, weighted as mmlu in the results files, each problem"),
        (EQUAL, 17, "tasks", "(400 and 12 problems), weighted as mmlu in the results files, each task counting"),
        ({"A": 0.61, "B": 0.7}, 17, "tasks", "over 2 tasks (400 and 12 problems), each task counting"),
        ({"A": BY_SIZE["A"], "B": EQUAL["B"]}, 17, "tasks", "over 2 tasks (400 and 12 problems), each task counting"),
        ({"A": 1, "B": 1}, 17, "tasks", "over 2 tasks (400 and 12 problems), each task counting"),
    ],
)
def test_the_mean_that_the_value_is(
    tmp_path: Path, values: dict[str, float], digits: int, weights: str, said: str
) -> None:
    """Where exactly one agrees, of all models; else tasks count equally, and no group is named."""
    folder = logs(tmp_path, {name: round(value, digits) for name, value in values.items()})
    scores = bo.read_results(folder)
    assert scores.design.weights == weights
    assert said in str(bo.evaluate(scores, n_resamples=99).estimand)
    checked = bo.check(folder / "org__A", folder / "org__B", 0.05)
    assert said in checked.estimand


def test_groups_of_groups_and_other_sets_of_tasks(tmp_path: Path) -> None:
    assert bo.read_results(logs(tmp_path / "nested", BY_SIZE, NESTED)).design.weights == "problems"
    assert bo.read_results(logs(tmp_path / "part", BY_SIZE, {"mmlu": ["big", "other"]})).design.weights == "tasks"
    assert bo.read_results(logs(tmp_path / "none", BY_SIZE, groups=None)).design.weights == "tasks"


def test_whoever_asks_for_weights_has_them(tmp_path: Path) -> None:
    found = bo.evaluate(bo.read_results(logs(tmp_path, BY_SIZE), weights="tasks"), n_resamples=99)
    assert found.estimand == "Mean acc over 2 tasks (400 and 12 problems), each task counting the same"


def test_reports_and_tables_keep_them(tmp_path: Path) -> None:
    """A report says where its weights are from; an imported table has none, and its command names them."""
    folder, report = logs(tmp_path / "logs", BY_SIZE), tmp_path / "report.json"
    found = bo.evaluate(bo.read_results(folder), n_resamples=99)
    found.save(report)
    assert bo.verify(report).ok
    done = CliRunner().invoke(main, ["import", "lm-eval", str(folder), "-o", str(tmp_path / "answers.csv")])
    assert done.exit_code == 0
    assert "--weights problems (as mmlu has it)" in done.output
    again = bo.evaluate(bo.read_scores(tmp_path / "answers.csv", "higher", weights="problems"), n_resamples=99)
    assert [row.mean for row in again.estimates] == [row.mean for row in found.estimates]
