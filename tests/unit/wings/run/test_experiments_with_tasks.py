"""Experiments whose problems belong to tasks: the store keeps these, and export writes them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import bakeoff as bo
from bakeoff.cli import main
from bakeoff.errors import ParameterError, StoreError
from bakeoff.wings.run._race import stored_race
from bakeoff.wings.run.store.contents import read_store, scores_of

PROBLEMS = {f"{task}_{i}": (task == "small", i) for task, n in (("big", 8), ("small", 3)) for i in range(n)}
PATTERN = "(.*)_"
TASKS = tuple(name.split("_")[0] for name in PROBLEMS)


def first(problem: tuple[bool, int], rng: np.random.Generator) -> float:
    """Ahead on six of the eight problems of the big task."""
    return float(rng.normal(scale=0.01)) - (not problem[0] and problem[1] < 6)


def second(problem: tuple[bool, int], rng: np.random.Generator) -> float:
    """Ahead on the others."""
    return float(rng.normal(scale=0.01)) - (problem[0] or problem[1] >= 6)


def experiment(tasks: object = PATTERN) -> bo.Experiment:
    return bo.Experiment([first, second], PROBLEMS, better="lower", seed=1, runs=2, tasks=tasks)  # type: ignore[arg-type]


@pytest.mark.parametrize("given", [PATTERN, TASKS, dict(zip(PROBLEMS, TASKS, strict=True))])
def test_tasks_are_given_as_clusters_are(given: object) -> None:
    assert experiment(given).tasks == TASKS
    assert experiment(given).spec_hash == experiment().spec_hash != experiment(None).spec_hash
    assert '"tasks":' not in experiment(None).spec_json


@pytest.mark.parametrize("wrong", ["(", "(no)_", {"big_0": "big"}, TASKS[1:], {"other": "x"}])
def test_tasks_that_fit_no_problem_are_refused_by_name(wrong: object) -> None:
    with pytest.raises(bo.BakeoffError) as caught:
        experiment(wrong)
    assert caught.value.parameter == "tasks"


def test_a_store_keeps_tasks_and_exports_them(tmp_path: Path) -> None:
    store, table = tmp_path / "runs.sqlite", tmp_path / "runs.csv"
    result = bo.run(experiment(), store=store)
    design = result.scores.design
    assert (set(design.task_names), design.weights) == ({"big", "small"}, "tasks")
    assert scores_of(read_store(store)).design == design
    exported = CliRunner().invoke(main, ["export", str(store), "-o", str(table)])
    assert exported.exit_code == 0
    assert table.read_text().splitlines()[0].startswith("task,problem,algorithm,run,score")
    again = bo.read_scores(table, better="lower", task="task")
    names = [name.removeprefix("big/").removeprefix("small/") for name in again.problems]
    assert dict(zip(names, again.design.tasks or (), strict=True)) == dict(zip(PROBLEMS, TASKS, strict=True))
    with pytest.raises(StoreError, match="tasks is"):
        bo.run(experiment(None), store=store)


def test_results_say_what_counts_and_where_weights_decide(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    result = bo.run(experiment(), store=store)
    assert result.cautions[0].code == "weights-decide"
    assert "Each problem counts the same; each score is the mean of 2 runs." in " ".join(str(result).split())
    replayed = bo.race.replay(result.scores, block=1)
    assert replayed.cautions[0].code == "weights-decide"
    assert "Each problem counts the same." in str(replayed)
    with pytest.raises(ParameterError, match="weights cannot be 'tasks'"):
        bo.race.replay(result.scores.with_design(weights="tasks"))


def third(problem: tuple[bool, int], rng: np.random.Generator) -> float:
    """The worst on every problem."""
    return 5.0 + float(rng.normal(scale=0.01))


@pytest.mark.parametrize("others", [[], [third]])
def test_a_race_that_runs_says_where_weights_decide(tmp_path: Path, others: list[Any]) -> None:
    """Whether all survive, or a third one stopped early; read from its store, too."""
    store, names = tmp_path / "race.sqlite", [first, second, *others]
    result = bo.race(
        bo.Experiment(names, PROBLEMS, better="lower", seed=1, tasks=PATTERN), alpha=0.2, block=1, store=store
    )
    assert len(result.survivors) == 2
    assert result.cautions[0].name == "weights-decide"
    assert "weights-decide" in str(result)
    assert stored_race(store).cautions[0] == result.cautions[0]
    plain = bo.race(bo.Experiment(names, PROBLEMS, better="lower", seed=1), alpha=0.2, block=1)
    assert "weights-decide" not in [caution.code for caution in plain.cautions]


def test_a_toml_file_has_tasks_as_a_pattern_or_a_table(tmp_path: Path) -> None:
    head = 'better = "lower"\nseed = 1\n'
    tables = '[algorithms]\na = "printf 1"\nb = "printf 2"\n[problems.values]\nbig_0 = 1\nsmall_0 = 2\n'
    for name, text in (
        ("pattern", f'{head}tasks = "(.*)_"\n{tables}'),
        ("table", f'{head}{tables}[tasks]\nbig_0 = "big"\nsmall_0 = "small"\n'),
    ):
        path = tmp_path / f"{name}.toml"
        path.write_text(text)
        assert bo.Experiment.from_toml(path).tasks == ("big", "small")
