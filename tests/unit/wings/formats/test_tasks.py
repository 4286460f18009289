"""Tasks with metrics of their own: compared together, each by its own, or counted by name where they are left out."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import BakeoffError, ParameterError
from bakeoff.wings.formats.measurements import split_choice
from lm_eval_folder import line, model

GSM8K = [line(i, filter=f, exact_match=float(i > 0)) for i in range(3) for f in ("strict-match", "flexible-extract")]
ARC = [line(i, acc=float(i > 1), acc_norm=1.0) for i in range(4)]


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    for name in "ab":
        model(tmp_path, name, {"arc": ARC, "gsm8k": GSM8K}, higher={"acc_norm": True, "exact_match": True})
    return tmp_path


def left_out(result: object) -> str:
    return next(c.text for c in result.cautions if c.name == "left-out (tasks)")  # type: ignore[attr-defined]


def test_each_task_by_its_own_main_metric(suite: Path) -> None:
    scores = bo.read_results(suite)
    assert scores.metric == "acc (arc), exact_match,strict-match (gsm8k)"
    assert scores.values[:, 0].tolist() == [0, 0, 1, 1, 0, 1, 1]
    assert not any(c.name == "left-out (tasks)" for c in bo.evaluate(scores).cautions)


def test_a_task_without_the_metric_is_counted_by_name(suite: Path) -> None:
    said = left_out(bo.evaluate(bo.read_results(suite, metric="acc")))
    assert said.startswith(
        "Not compared, because they lack acc: gsm8k (3 problems). The verdict covers 4 of 7 problems."
    )


@pytest.mark.parametrize("choice", ["acc_norm,gsm8k=exact_match,flexible-extract", "arc=acc_norm"])
def test_the_user_names_the_metric_of_a_task(suite: Path, choice: str) -> None:
    scores = bo.read_results(suite, metric=choice)
    assert scores.problems[4:] == ("gsm8k/0", "gsm8k/1", "gsm8k/2")
    assert scores.values[:4, 0].tolist() == [1, 1, 1, 1]


def test_a_task_or_a_metric_that_is_not_there(suite: Path) -> None:
    with pytest.raises(ParameterError, match="metric names a task, 'gsm8'; there are arc, gsm8k; did you mean 'gsm8k'"):
        bo.read_results(suite, metric="acc,gsm8=exact_match")
    with pytest.raises(ParameterError, match="metric of gsm8k must be one of exact_match,strict-match, exact_match,fl"):
        bo.read_results(suite, metric="acc,gsm8k=acc")


def test_several_metrics_that_all_tasks_have_are_still_asked_for(tmp_path: Path) -> None:
    for name in "ab":
        model(tmp_path, name, {"arc": ARC, "swag": ARC}, higher={"acc_norm": True})
    with pytest.raises(ParameterError, match="metric must be one of acc, acc_norm"):
        bo.read_results(tmp_path)


def test_a_task_whose_metric_no_question_has_is_counted(tmp_path: Path) -> None:
    for name in "ab":
        model(tmp_path, name, {"arc": questions(), "wiki": [line(i, word_perplexity=-3.0) for i in range(5)]})
    assert "wiki (5 problems)" in left_out(bo.compare(bo.read_results(tmp_path)))


def questions() -> list[dict[str, object]]:
    return [line(i, acc=float(i % 2)) for i in range(4)]


def test_the_report_can_be_computed_again(suite: Path) -> None:
    result = bo.evaluate(bo.read_results(suite, metric="acc"))
    result.save(suite / "r.json")
    assert bo.verify(suite / "r.json").ok


@pytest.mark.parametrize("command", ["compare", "leaderboard", "bayes", "profile", "ratings"])
def test_every_command_says_what_is_left_out(suite: Path, command: str) -> None:
    outcome = CliRunner().invoke(main, [command, str(suite), "--metric", "acc", "--json"])
    assert outcome.exit_code == 0, outcome.output
    found = {c["code"]: c["severity"] for c in json.loads(outcome.stdout)["cautions"]}
    assert found["left-out"] == "stop"


def test_check_says_what_is_left_out(suite: Path) -> None:
    sides = [str(suite / name) for name in "ab"]
    outcome = CliRunner().invoke(main, ["check", *sides, "--metric", "acc", "--margin", "0.5", "--json"])
    assert "left-out" in {c["code"] for c in json.loads(outcome.stdout)["cautions"]}


def test_import_says_what_is_left_out(suite: Path) -> None:
    out = suite / "long.csv"
    outcome = CliRunner().invoke(main, ["import", "lm-eval", str(suite), "--metric", "acc", "-o", str(out)])
    assert "left out, without this metric: gsm8k (3)" in outcome.stdout


def test_tasks_of_a_table_with_another_metric_are_counted(tmp_path: Path) -> None:
    rows = [
        f"{task},{task},{framework},1h,{fold},{fold + len(framework)},{metric},"
        for task, metric in (("iris", "auc"), ("wine", "neg_logloss"))
        for framework in ("x", "yy")
        for fold in range(2)
    ]
    file = tmp_path / "results.csv"
    file.write_text("\n".join(["id,task,framework,constraint,fold,result,metric,info", *rows]))
    said = left_out(bo.compare(bo.read_results(file, metric="auc")))
    assert "lack auc: wine. The verdict covers 1 of 2 problems" in said


def test_a_choice_by_task() -> None:
    assert split_choice("acc,gsm8k=exact_match,strict-match,b=f1") == (
        "acc",
        {"gsm8k": "exact_match,strict-match", "b": "f1"},
    )
    assert split_choice("a=x") == (None, {"a": "x"})
    assert split_choice("exact_match,strict-match") == ("exact_match,strict-match", {})


def test_tasks_of_opposite_directions_are_refused(tmp_path: Path) -> None:
    for name in "ab":
        tasks = {"arc": questions(), "other": [line(i, cost=1.0) for i in range(3)]}
        model(tmp_path, name, tasks, higher={"cost": False})
    with pytest.raises(BakeoffError, match="of some lower is better"):
        bo.read_results(tmp_path)
