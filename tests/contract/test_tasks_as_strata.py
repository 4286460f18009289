"""Logs of several tasks: tasks are strata, counted equally or by their questions; groups of tasks are clusters."""

import io
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ParameterError
from bakeoff.report.sections import read_line
from bakeoff.scores.design import Weights
from bakeoff.wings.boards.leaderboard.statistics import By
from lm_eval_folder import line, model

SIZES = {"arc": 40, "swag": 400}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """On arc b is better, on swag a, which has ten times as many questions."""
    rng = np.random.default_rng(4)
    right = {"a": {"arc": 0.3, "swag": 0.8}, "b": {"arc": 0.9, "swag": 0.6}}
    for name, shares in right.items():
        made = {t: [line(i, acc=float(rng.random() < p)) for i in range(SIZES[t])] for t, p in shares.items()}
        model(tmp_path, name, made)
    return tmp_path


def expected(scores: bo.Scores, equal: bool) -> tuple[float, float]:
    """Mean difference and its standard error with tasks as strata, from their definitions."""
    differences = scores.values[:, 0] - scores.values[:, 1]
    parts = [differences[[p.startswith(f"{t}/") for p in scores.problems]] for t in SIZES]
    weights = [1 / len(parts) if equal else len(part) / len(differences) for part in parts]
    mean = sum(w * part.mean() for w, part in zip(weights, parts, strict=True))
    variance = sum(w**2 * part.var(ddof=1) / len(part) for w, part in zip(weights, parts, strict=True))
    return float(mean), float(variance) ** 0.5


@pytest.mark.parametrize(("weights", "equal"), [(None, True), ("tasks", True), ("problems", False)])
@pytest.mark.slow_cases("None-True", "tasks-True")
def test_tasks_are_strata(log: Path, weights: str | None, equal: bool) -> None:
    """N24: the task of 400 questions decided, pooled with the one of 40, without a word."""
    found = bo.evaluate(bo.read_results(log), weights=weights)  # type: ignore[arg-type]
    mean, error = expected(found.scores, equal)
    assert found.pairs[0].difference == pytest.approx(mean, rel=1e-12)
    assert found.pairs[0].standard_error == pytest.approx(error, rel=1e-12)
    assert found.weights == (weights or "tasks")
    assert found.pairs[0].verdict == ("b better" if equal else "a better")
    assert not any(c.code == "one-stem" for c in found.cautions)
    assert bo.verify(found).ok


def test_questions_of_one_task_that_resemble_each_other_are_told_by_the_column_of_tasks() -> None:
    """The stems of names were cut anywhere, as at each underscore of a task's name."""
    rng = np.random.default_rng(1)
    rows = ["question,task,model,score"]
    for t, name in enumerate(("x_y_1", "x_y_2", "w_y_1", "w_z_1")):
        for q in range(20):
            rows += [f"{name}/{q},{name},{m},{rng.normal() + 5 * (t % 2 - 0.5) * (m == 'a')}" for m in "ab"]
    found = bo.compare(bo.read_scores(io.StringIO("\n".join(rows)), "higher"))
    [said] = [c.text for c in found.cautions if c.code == "dependence"]
    assert "The names of the 80 problems have 4 stems" in said
    assert "cluster='task'" in said


@pytest.mark.slow
def test_the_second_line_names_them_and_the_basis_how_they_count(log: Path) -> None:
    page = " ".join(CliRunner().invoke(main, ["evaluate", str(log)]).stdout.split())
    assert "440 questions of 2 tasks × 2 models, read from 6 files (lm-eval)." in page
    assert "each task counting the same" in page
    page = " ".join(CliRunner().invoke(main, ["evaluate", str(log), "--weights", "problems"]).stdout.split())
    assert "each question counting the same" in page


def test_a_table_with_a_column_of_tasks_is_such_a_log() -> None:
    rng = np.random.default_rng(1)
    text = "task,question,model,score\n" + "".join(
        f"{t},{q},{m},{rng.integers(2)}\n" for t in ("arc", "boolq") for q in range(30) for m in "AB"
    )
    scores = bo.read_scores(io.StringIO(text), "higher")
    assert "60 problems (“question”) of 2 tasks (“task”)" in read_line(scores)
    assert bo.evaluate(scores).suites == tuple(["arc"] * 30 + ["boolq"] * 30)


def test_weights_are_of_tasks(log: Path) -> None:
    plain = bo.Scores(np.random.default_rng(1).normal(size=(9, 2)), better="higher")
    assert bo.evaluate(plain).weights == "problems"
    with pytest.raises(ParameterError, match=r'weights "tasks" needs a task for each problem; .*task='):
        bo.evaluate(plain, weights="tasks")
    with pytest.raises(ParameterError, match="weights must be one of 'tasks', 'problems', 'clusters'"):
        bo.evaluate(plain, weights="words")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="tasks 'new' counts each task once"):
        bo.evaluate(bo.read_results(log), weights="problems", tasks="new")


def test_clusters_of_the_user_are_kept(log: Path) -> None:
    """cluster="task" changes no weights: the tasks stay strata, which hold what their questions share."""
    with pytest.raises(bo.errors.ScoreError, match="one cluster only"):
        bo.evaluate(bo.read_results(log, cluster="task").select(problems=[0, 1, 2]))
    assert bo.evaluate(bo.read_results(log, cluster="task")).pairs == bo.evaluate(bo.read_results(log)).pairs


def test_a_task_with_one_question_keeps_its_weight(tmp_path: Path) -> None:
    """One question more changed the weights of all tasks; its own error is unknown, and so is that of the mean."""
    for name, right in (("a", 1.0), ("b", 0.0)):
        model(tmp_path, name, {"arc": [line(0, acc=right)], "swag": [line(i, acc=float(i > 1)) for i in range(4)]})
    found = bo.evaluate(bo.read_results(tmp_path))
    assert [e.mean for e in found.estimates] == [0.75, 0.25]
    assert {p.verdict for p in found.pairs} == {"cannot tell"}
    assert "'arc'" in next(c.text for c in found.cautions if c.code == "out-of-reach")
    pooled = bo.evaluate(bo.read_results(tmp_path, weights="problems"))
    assert [e.mean for e in pooled.estimates] == [0.6, 0.4]
    assert all(0 < e.standard_error < 1 for e in pooled.estimates)


def test_groups_of_tasks_are_clusters_where_tasks_are_the_problems(tmp_path: Path) -> None:
    """T4: 57 subjects of one benchmark counted as independent."""
    members = {
        "mmlu": ["mmlu_stem", "mmlu_law"],
        "mmlu_stem": ["mmlu_algebra", "mmlu_physics"],
        "mmlu_law": ["mmlu_tort"],
    }
    tasks = ("mmlu_algebra", "mmlu_physics", "mmlu_tort", "arc", "swag")
    for name, shift in (("a", 0.0), ("b", 0.1)):
        results = {task: {"alias": task, "acc,none": 0.5 + shift + i / 100} for i, task in enumerate(tasks)}
        higher = {task: {"acc": True} for task in tasks}
        model(tmp_path, name, {}, results=results, group_subtasks=members, higher_is_better=higher)
    scores = bo.read_results(tmp_path, problem="task")
    assert scores.problems == tasks
    assert scores.clusters == ("mmlu", "mmlu", "mmlu", "arc", "swag")


def test_too_few_effective_clusters_name_the_ways_out() -> None:
    rng = np.random.default_rng(0)
    clusters = ["big"] * 40 + [f"c{i}" for i in range(6)]
    scores = bo.Scores(rng.normal(size=(46, 2)), better="higher", clusters=clusters)
    found = bo.evaluate(scores)
    said = next(c.text for c in found.cautions if c.code == "unequal")
    assert "suites='clusters', tasks='new'" in said
    assert "unit='problem'" in said
    assert bo.evaluate(scores, suites="clusters", tasks="new").n_clusters == 7


def two_tasks_of_runs(weights: Weights | None = None) -> bo.Scores:
    """Of 30 and 5 problems, 2 to 4 runs each; a leads on the first task and b on the second."""
    rng = np.random.default_rng(7)
    cells = rng.normal(size=(35, 2, 4)) * 0.1
    cells[:30, 0] += 1.0
    cells[30:, 1] += 3.0
    cells[::3, 0, 2:] = np.nan
    names = [f"p{i}" for i in range(35)]
    about = {"better": "higher", "tasks": ["many"] * 30 + ["few"] * 5, "weights": weights}
    return bo.Scores.from_cells(cells, ["a", "b"], names, **about)


@pytest.mark.parametrize("weights", [None, "problems"])
@pytest.mark.parametrize("by", ["mean", "mean-rank"])
def test_a_leaderboard_has_the_weights_of_its_table(weights: Weights | None, by: By) -> None:
    """By mean ranks and over runs, problems counted equally, and "may be the best" was said of another algorithm."""
    scores = two_tasks_of_runs(weights)
    first = "b" if weights is None else "a"
    board = bo.leaderboard(scores, by=by)
    ranks = np.where(scores.values == scores.values.max(axis=1, keepdims=True), 1.0, 2.0)
    table = scores.values if by == "mean" else ranks
    share = np.repeat([1 / 60, 1 / 10], [30, 5]) if weights is None else np.full(35, 1 / 35)
    means = dict(zip("ab", share @ table, strict=True))
    if by == "mean":
        assert board.candidates == (first,)
    assert board.winner.value == pytest.approx(means[board.winner.algorithm], rel=1e-12)
    assert {row.algorithm: row.value for row in board.standings} == pytest.approx(means, rel=1e-12)
    what = "Mean score" if by == "mean" else "Mean rank"
    over = "2 tasks (30 and 5 problems), each task" if weights is None else "35 problems, each problem"
    assert f"{what} over {over} counting the same" in " ".join(str(board).split())


@pytest.mark.parametrize("weights", [None, "problems"])
def test_over_runs_the_weights_are_those_of_the_table_too(weights: Weights | None) -> None:
    scores = two_tasks_of_runs(weights)
    board = bo.leaderboard(scores, over="runs")
    of_problems = bo.evaluate(scores)
    assert [e.mean for e in board.evaluation.estimates] == pytest.approx([e.mean for e in of_problems.estimates])
    assert board.candidates == (("b",) if weights is None else ("a",))
    share = np.repeat([1 / 60, 1 / 10], [30, 5]) if weights is None else np.full(35, 1 / 35)
    squares = np.nanvar(scores.runs, axis=2, ddof=1) / scores.n_runs  # type: ignore[arg-type]
    errors = np.sqrt((share[:, None] ** 2 * squares).sum(axis=0))
    assert [e.standard_error for e in board.evaluation.estimates] == pytest.approx(errors, rel=1e-12)
    assert "for other runs of these problems" in " ".join(str(board).split())
    assert bo.verify(board).ok
