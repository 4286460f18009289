"""The design of a table: kept by whatever makes another table of it, said by every result, respected or refused."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff import report
from bakeoff.errors import BakeoffError, ParameterError, ScoreError
from bakeoff.report.reading_back import rebuilt_scores

TASKS = ("x", "x", "x", "x", "y", "y")
LONG = "task,question,model,acc\n" + "".join(
    f"{task},{q},{model},{score}\n"
    for task, q, scores in [("x", q, (0.9, 0.5)) for q in range(6)]
    + [(t, q, (0.1, 0.6)) for t in "yz" for q in range(2)]
    for model, score in zip("AB", scores, strict=True)
)


def table(**design: object) -> bo.Scores:
    values = np.random.default_rng(3).normal(size=(6, 3))
    return bo.Scores(values, better="higher", tasks=TASKS, clusters=list("aabbcd"), **design)  # type: ignore[arg-type]


def test_the_usual_weights_are_tasks_where_there_are_several() -> None:
    assert table().design.weights == "tasks"
    assert not table().design.asked
    assert bo.Scores(np.eye(3), better="lower", tasks=["x"] * 3).design.weights == "problems"
    assert table(weights="clusters").design.weights == "clusters"


@pytest.mark.parametrize(
    ("design", "rule"),
    [
        ({"tasks": ["x"]}, "1 labels for 3 problems"),
        ({"tasks": ["x", None, "y"]}, "name a task for every problem"),
        ({"weights": "tasks"}, "needs a task for each problem"),
        ({"weights": "clusters"}, "needs a cluster for each problem"),
        ({"weights": "rows"}, "one of 'tasks', 'problems', 'clusters'"),
        ({"order": [1.0, 2.0]}, "a number for each of the 3 problems"),
        ({"order": [1.0, float("nan"), 2.0]}, "a number for each of the 3 problems"),
    ],
)
def test_a_design_is_checked(design: dict[str, object], rule: str) -> None:
    with pytest.raises(BakeoffError, match=rule):
        bo.Scores(np.eye(3), better="lower", **design)  # type: ignore[arg-type]


def test_selection_other_cells_json_and_frames_keep_it() -> None:
    scores = table(weights="problems", order=range(6))
    part = scores.select(problems=[5, 0])
    assert (part.tasks, part.clusters, part.order) == (("y", "x"), ("d", "a"), (5.0, 0.0))
    assert scores.summarised("median").design == scores.design
    stored = json.loads(report.render(bo.evaluate(scores), "json"))["scores"]
    assert rebuilt_scores(stored).design == scores.design
    assert list(scores.to_frame()["task"]) == [*TASKS]


def test_a_column_of_tasks_is_read_from_a_wide_and_a_long_table() -> None:
    wide = "dataset,suite,A,B\n" + "".join(f"d{i},{t},{i},{i % 3}\n" for i, t in enumerate(TASKS))
    assert bo.read_scores(io.StringIO(wide), "higher", task="suite").tasks == TASKS
    assert bo.read_scores(io.StringIO(LONG), "higher").tasks == ("x",) * 6 + ("y",) * 2 + ("z",) * 2
    named = "problem,A,B\n" + "".join(f"{t}/{i},{i},{i % 3}\n" for i, t in enumerate(TASKS))
    assert bo.read_scores(io.StringIO(named), "higher", task="prefix").tasks == TASKS


def test_question_7_of_another_task_is_another_problem_however_the_column_was_named() -> None:
    """`--problem question` made the two of them two runs of one problem."""
    scores = bo.read_scores(io.StringIO(LONG), "higher", problem="question")
    assert scores.n_problems == 10
    assert scores.tasks == ("x",) * 6 + ("y",) * 2 + ("z",) * 2


def test_clusters_change_no_weights() -> None:
    clustered = bo.read_scores(io.StringIO(LONG), "higher", cluster="task")
    assert clustered.design.weights == "tasks"
    assert bo.evaluate(clustered).pairs == bo.evaluate(bo.read_scores(io.StringIO(LONG), "higher")).pairs


def test_every_second_line_says_what_counts_equally() -> None:
    scores = bo.read_scores(io.StringIO(LONG), "higher")
    assert bo.evaluate(scores).estimand == "Mean acc over 3 tasks (6, 2 and 2 problems), each task counting the same"
    pooled = bo.evaluate(scores.with_design(weights="problems"))
    assert pooled.estimand == "Mean acc over 10 problems, each problem counting the same"
    assert bo.compare(scores).estimand == "Each problem counts the same"
    assert bo.compare(table()).estimand == "Each cluster counts the same"
    for result in (pooled, bo.compare(scores), bo.bayes.overview(scores)):
        assert result.estimand in " ".join(str(result).replace("question", "problem").split())
        assert result.estimand in result.methods.replace("question", "problem")
        assert json.loads(report.render(result, "json"))["estimand"]["weights"] == "problems"


def test_weights_that_turn_the_first_two_stop() -> None:
    scores = bo.read_scores(io.StringIO(LONG), "higher")
    for result, severity in (
        (bo.evaluate(scores), "stop"),
        (bo.leaderboard(scores), "stop"),
        (bo.compare(scores), "stop"),
        (bo.evaluate(scores.with_design(weights="tasks")), "warning"),
    ):
        found = [c for c in result.cautions if c.code == "weights-decide"]
        assert [c.severity for c in found] == [severity]
    assert not [c for c in bo.evaluate(scores.select(problems=range(6))).cautions if c.code == "weights-decide"]


def test_weights_that_an_analysis_cannot_have_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"weights cannot be 'tasks' in bo.compare, where problems count equally"):
        bo.compare(bo.read_scores(io.StringIO(LONG), "higher", weights="tasks"))
    assert bo.compare(bo.read_scores(io.StringIO(LONG), "higher", weights="problems")).pairs


@pytest.mark.parametrize(
    "names", [[f"week {i}" for i in range(60)], [f"2024-{1 + i // 28:02}-{1 + i % 28:02}" for i in range(60)]]
)
def test_autocorrelated_rows_in_time_are_refused_and_others_are_not(names: list[str]) -> None:
    rng = np.random.default_rng(0)
    noise = rng.normal(size=60)
    walk = np.cumsum(noise)
    for series, refused in ((walk, True), (noise, False)):
        text = "name,A,B\n" + "".join(
            f"{name},{x},{y}\n" for name, x, y in zip(names, series, rng.normal(size=60), strict=True)
        )
        scores = bo.read_scores(io.StringIO(text), "lower")
        assert scores.order == tuple(map(float, range(60)))
        if refused:
            with pytest.raises(BakeoffError, match="resemble those of the row before"):
                bo.compare(scores)
        else:
            assert bo.compare(scores).pairs


@pytest.mark.parametrize("order", [5, "abc", ["a", "b", "c"], [1.0, None, 2.0]])
def test_an_order_that_is_no_list_of_numbers_is_refused(order: object) -> None:
    with pytest.raises(ParameterError, match="order must be a number for each of the 3 problems"):
        bo.Scores(np.eye(3), better="lower", order=order)  # type: ignore[arg-type]


def days(n: int = 60) -> bo.Scores:
    """Differences that resemble those of the day before."""
    rng = np.random.default_rng(0)
    values = np.column_stack([np.cumsum(rng.normal(size=n)), rng.normal(size=n)])
    names = [f"2024-{1 + i // 28:02}-{1 + i % 28:02}" for i in range(n)]
    return bo.Scores(values, ["A", "B"], names, better="lower", order=range(n))


def test_a_tradeoff_and_a_check_refuse_days_too() -> None:
    scores = days()
    with pytest.raises(BakeoffError, match="resemble those of the row before"):
        bo.tradeoff({"x": scores, "y": scores}, {"x": 1.0, "y": 1.0})
    with pytest.raises(BakeoffError, match="resemble those of the row before"):
        bo.check(scores, scores, 0.5, label=("A", "B"), scale="difference", level="suite")


def test_a_check_refuses_what_the_baseline_lacks_and_folds_that_depend_on_each_other() -> None:
    """The mean of what both sides have is no mean of what new has; splits of one data set are no processes."""
    values = np.random.default_rng(1).normal(size=(30, 2))
    values[:9, 0] = np.nan
    holed = bo.Scores(values, ["A", "B"], better="lower", missing="keep")
    sides: dict[str, Any] = {"label": ("A", "B"), "scale": "difference"}
    with pytest.raises(ScoreError, match=r"lacks 'P1', .*which new has, .*allow_missing=True"):
        bo.check(holed, holed, 0.5, level="suite", **sides)
    assert len(bo.check(holed, holed, 0.5, level="problem", run_sd=1.0, **sides).rows) == 21
    found = bo.check(holed, holed, 0.5, level="suite", allow_missing=True, **sides)
    assert "P1" in next(c.text for c in found.cautions if c.name == "left-out (baseline)")
    folds = bo.Scores(np.random.default_rng(1).normal(size=(1, 2, 10)), ["A", "B"], better="lower", run_kind="split")
    with pytest.raises(ScoreError, match="runs that are folds"):
        bo.check(folds, folds, 0.5, **sides)
