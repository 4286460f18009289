"""Which analyses the page offers for a table, and what it asks before it computes one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import bakeoff as bo
from bakeoff.analyses import all_analyses
from bakeoff.inputs import scores_from
from bakeoff.wings.page.table_summary import facts_of
from bakeoff.wings.page.views import VIEWS

LONG = "problem,algorithm,run,accuracy,seconds,family\n" + "".join(
    f"p{i},{name},{run},{i + run},{9 + i},f{i % 2}\n" for i in range(3) for name in "AB" for run in range(2)
)
WIDE = "problem,A,B\np1,1,2\np2,3,1\n"
TRADEOFF = VIEWS["tradeoff"]
BOTH = {"metric_1": ("accuracy",), "better_1": ("higher",), "margin_1": ("1",), "metric_2": ("seconds",)}


def facts(folder: Path, text: str, **reading: Any) -> dict[str, Any]:
    file = folder / "t.csv"
    file.write_text(text)

    def read(better: str | None, options: dict[str, Any]) -> Any:
        return bo.read_scores(file, better, **options)  # type: ignore[arg-type]

    return facts_of(str(file), read, reading)


def test_every_analysis_of_a_table_has_a_tab() -> None:
    of_files = {"check", "time", "run", "race", "study"}  # not of one table that is uploaded
    assert set(VIEWS) == {record.command for record in all_analyses() if record.command} - of_files


def test_metrics_are_the_columns_of_numbers(tmp_path: Path) -> None:
    found = facts(tmp_path, LONG)
    assert found["metrics"] == ["accuracy", "seconds"]
    assert TRADEOFF.refused(found) == ""


def test_a_table_with_one_metric_has_no_trade_off(tmp_path: Path) -> None:
    assert facts(tmp_path, WIDE)["metrics"] == []
    assert "a column of numbers for each metric" in TRADEOFF.refused(facts(tmp_path, WIDE))


@pytest.mark.parametrize("run", ["seed", "fold", "episode"])
def test_runs_problems_algorithms_and_descriptions_are_no_metrics(tmp_path: Path, run: str) -> None:
    rows = [
        f"{p},{m},{i},{10 * p},0.{p}{i},0.01,{i + 1}\n" for p in range(1, 9) for m in ("LR", "RF") for i in range(3)
    ]
    text = f"dataset_id,classifier,{run},n_features,accuracy,accuracy_std,time\n" + "".join(rows)
    found = facts(tmp_path, text, run=run, score="accuracy")
    assert found["metrics"] == ["accuracy", "time"]
    assert "a column of numbers for each metric" in TRADEOFF.refused({**found, "metrics": found["metrics"][:1]})


def test_a_store_of_runs_has_its_facts(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"

    def ran(problem: float, rng: object) -> float:
        return problem

    bo.run(bo.Experiment({"A": ran, "B": ran}, {"p": 1.0, "q": 2.0}, better="lower", seed=1, runs=1), store=store)
    found = facts_of(str(store), lambda better, options: scores_from(str(store), better, options), {})
    assert found["metrics"] == []


def test_a_trade_off_begins_with_the_metrics_whose_names_say_which_direction_is_good() -> None:
    chosen = TRADEOFF.chosen([], {"metrics": ["depth", "accuracy", "seconds"]})
    assert chosen["metric_1"] == ("accuracy",)
    assert chosen["better_1"] == ("higher",)
    assert chosen["metric_2"] == ("seconds",)
    assert chosen["better_2"] == ("lower",)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"metric_2": ("",)}, "Choose two metrics"),
        ({}, "the direction in which seconds is good"),
        ({"better_2": ("lower",)}, "the smallest difference in seconds that matters"),
        ({"better_2": ("lower",), "margin_2": ("5%",)}, ""),
    ],
)
def test_a_trade_off_asks_for_what_is_not_said(more: dict[str, tuple[str, ...]], said: str) -> None:
    found = TRADEOFF.lacking({**BOTH, **more})
    assert said in found
    assert bool(said) == bool(found)


def test_columns_that_the_trade_off_does_not_read_are_not_passed_on() -> None:
    query = [("score", "accuracy"), ("metric", "accuracy"), ("better", "higher"), ("alpha", "0.1"), ("drop", "A")]
    command = TRADEOFF.arguments("t.csv", TRADEOFF.chosen(query, {}), {})
    assert command == ["tradeoff", "t.csv", "--drop", "A", "--alpha", "0.1"]


CURVES = "problem,algorithm,run,budget,score\n" + "".join(
    f"p{i},{name},{run},{budget},{i + 9 / budget}\n"
    for i in range(3)
    for name in "AB"
    for run in range(2)
    for budget in (1, 2, 4)
)


def test_a_row_per_budget_is_a_table_of_curves(tmp_path: Path) -> None:
    found = facts(tmp_path, CURVES)
    assert (found["n_problems"], found["algorithms"], found["runs"]) == (3, ["A", "B"], 2)
    assert VIEWS["curves"].why_not(found) == ""
    offered = {view.name for view in VIEWS.values() if not view.why_not(found)}
    assert offered == {"curves", "plan"}


def test_a_table_of_curves_may_have_semicolons(tmp_path: Path) -> None:
    assert VIEWS["curves"].why_not(facts(tmp_path, CURVES.replace(",", ";"))) == ""


def test_curves_need_a_column_of_budgets(tmp_path: Path) -> None:
    assert VIEWS["curves"].why_not(facts(tmp_path, LONG)) == "needs a column of budgets"


def test_repeated_scores_beside_times_are_no_curves(tmp_path: Path) -> None:
    repeated = "problem,algorithm,score,seconds\n" + "p1,A,1,2\np1,A,2,3\np1,B,1,2\np1,B,2,3\n"
    with pytest.raises(bo.BakeoffError, match="must occur once"):
        facts(tmp_path, repeated)


def test_curves_are_not_larger_than_tables_may_be(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text(CURVES)
    with pytest.raises(bo.BakeoffError, match="has 36 scores, and at most 35 are computed here"):
        facts_of(str(file), lambda better, options: bo.read_scores(file, "lower"), {}, 35)


def test_a_history_needs_columns_that_are_versions() -> None:
    assert VIEWS["history"].why_not({"asks_direction": False}) == "needs a table with a column per version"
    for names, said in (
        (("LR", "RF", "C4.5"), "needs versions in the order of time, and LR is called like none"),
        (("v1", "v2", "v3"), ""),
        (("2024-01-03", "3f9a21c", "HEAD"), ""),
    ):
        assert VIEWS["history"].why_not({"algorithms": names}) == said


def test_nothing_is_pasted_while_something_is_lacking() -> None:
    assert TRADEOFF.shell("t.csv", BOTH, {}) == TRADEOFF.python("t.csv", BOTH, {}) == ""
