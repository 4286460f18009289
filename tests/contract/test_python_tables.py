"""What Python users have is read as it is: series, pivot tables, two samples, lists of columns, folders of logs."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bakeoff as bo
import lm_eval_folder
from bakeoff.errors import BakeoffError, ParameterError, ScoreError, WrongTypeError

DRAWS = np.random.default_rng(4)
LONG = pd.DataFrame(
    [(f"d{i}", name, seed, DRAWS.random()) for i in range(8) for name in ("LR", "RF", "XGB") for seed in range(3)],
    columns=["dataset", "model", "seed", "accuracy"],
)
SERIES = LONG.set_index(["dataset", "model", "seed"]).accuracy
X, Y = DRAWS.random(20), DRAWS.random(20) + 0.3


# --- series and pivot tables ------------------------------------------------------------------------------------


def test_a_series_is_read_by_the_levels_of_its_index() -> None:
    expected = bo.read_scores(LONG, "higher")
    found = bo.read_scores(SERIES, "higher")
    assert found.runs.tolist() == expected.runs.tolist()
    assert (found.metric, found.read_as.columns) == ("accuracy", expected.read_as.columns)
    means = bo.read_scores(LONG.groupby(["dataset", "model"]).accuracy.mean().rename(None), "higher")
    assert means.values.tolist() == [[pytest.approx(x) for x in row] for row in expected.values.tolist()]


@pytest.mark.parametrize(
    ("series", "advice"),
    [
        (SERIES.rename_axis([None, None, None]), "series.rename_axis(['problem', 'algorithm', 'run'])"),
        (pd.Series([0.1, 0.2], index=["a", "b"]), "give a data frame"),
    ],
)
def test_a_series_without_names_says_what_to_do(series: Any, advice: str) -> None:
    with pytest.raises(WrongTypeError, match=re.escape(advice)):
        bo.read_scores(series, "higher")


def frames() -> dict[str, pd.DataFrame]:
    by = ["dataset", "model"]
    return {
        "pivot_table": LONG.pivot_table(index="dataset", columns="model", values="accuracy", aggfunc=["mean", "std"]),
        "agg": LONG.groupby(by).agg({"accuracy": ["mean", "std", "count"]}),
        "reset": LONG.groupby(by)[["accuracy"]].agg(["std", "mean"]).reset_index(),
    }


@pytest.mark.parametrize("name", frames())
def test_of_several_statistics_the_mean_is_taken_and_the_others_are_named(name: str) -> None:
    frame = frames()[name]
    found = bo.read_scores(frame, "higher")
    assert found.algorithms == ("LR", "RF", "XGB")
    np.testing.assert_allclose(found.values, bo.read_scores(LONG, "higher").values)
    roles = found.read_as.roles
    assert {role.role for role in roles} == {"statistic"}
    assert len(roles) == {"pivot_table": 3, "agg": 2, "reset": 1}[name]
    assert all("std" in role.column or "count" in role.column for role in roles)
    assert all(re.fullmatch("the (std|count) beside the mean", role.why) for role in roles)


def test_two_centres_are_not_chosen_from() -> None:
    frame = LONG.pivot_table(index="dataset", columns="model", values="accuracy", aggfunc=["mean", "median"])
    with pytest.raises(BakeoffError, match="mean"):
        bo.read_scores(frame, "higher")


def test_truth_values_are_1_and_0() -> None:
    right = pd.DataFrame(DRAWS.random((12, 2)) < 0.5, columns=["A", "B"])
    assert bo.read_scores(right, "higher").values.tolist() == right.astype(float).to_numpy().tolist()


def test_lists_name_several_columns() -> None:
    twice = pd.concat([LONG.assign(episode=i, space="s") for i in range(2)])
    parts: dict[str, Any] = {"run": ["seed", "episode"], "problem": ["space", "dataset"], "algorithm": ["model"]}
    found = bo.read_scores(twice, "higher", **parts)
    joined = bo.read_scores(twice, "higher", **{role: ",".join(names) for role, names in parts.items()})
    assert found.read_as == joined.read_as
    assert found.values.tolist() == joined.values.tolist()


# --- two samples and a constant ---------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [bo.compare, bo.evaluate, bo.rank])
def test_two_samples_are_paired_by_position(function: Callable[..., Any]) -> None:
    expected = function(np.c_[X, Y], better="lower")
    assert str(function(X, list(Y), better="lower")) == str(expected)
    with pytest.raises(ScoreError, match="x has 20 values and y has 19"):
        function(X, Y[:-1], better="lower")


def test_two_samples_for_a12_may_be_pairs_or_runs() -> None:
    with pytest.raises(WrongTypeError) as error:
        bo.a12(X, Y, better="lower")
    calls = re.findall(r"bo\.a12\(.*?better='lower'\)", str(error.value))
    estimates = [eval(call, {"bo": bo, "np": np, "x": X, "y": Y}).estimate for call in calls]
    assert estimates == [np.mean(X < Y), np.mean(X[:, None] < Y)]


@pytest.mark.parametrize("number", [0.81, np.float64(0.81), 1])
def test_a_constant_is_a_published_number(number: Any) -> None:
    found = bo.wilcoxon(X, number, better="lower")
    assert found.pvalue == bo.wilcoxon(X, np.full(20, float(number)), better="lower").pvalue
    assert (found.a, found.b) == ("x", f"{number:g}")


# --- the direction ----------------------------------------------------------------------------------------------


def test_the_direction_is_asked_for_with_the_reason_that_the_name_gives() -> None:
    for table in (LONG, SERIES, LONG.to_dict("records")):
        with pytest.raises(WrongTypeError) as error:
            bo.compare(table)
        assert str(error.value).startswith("better is needed: higher is better, likely: the scores are called accuracy")
        assert 'bo.compare(…, better="higher")' in str(error.value)
    with pytest.raises(TypeError, match="better is needed: say which scores are good"):
        bo.compare(np.c_[X, Y])


@pytest.mark.parametrize(
    ("said", "meant"),
    [("max", "higher"), ("Maximize", "higher"), ("min", "lower"), ("minimise", "lower"), ("asc", "lower")],
)
def test_other_words_for_a_direction_are_understood_and_not_taken(said: Any, meant: str) -> None:
    calls: list[Callable[[], Any]] = [
        lambda: bo.compare(LONG, better=said),
        lambda: bo.read_scores(LONG, said),
        lambda: bo.wilcoxon(X, Y, better=said),
        lambda: bo.Scores(np.c_[X, Y], better=said),
    ]
    for call in calls:
        with pytest.raises(ParameterError, match=rf"^better must be .*; did you mean '{meant}'\?$"):
            call()


# --- files of other programs ------------------------------------------------------------------------------------


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Two models, two tasks of unequal size, each with its own metric."""
    draws = np.random.default_rng(7)
    for name, share in (("old", 0.5), ("new", 0.7)):
        right = [float(x) for x in draws.random(90) < share]
        tasks = {
            "gsm8k": [lm_eval_folder.line(i, exact_match=x) for i, x in enumerate(right[:30])],
            "arc": [lm_eval_folder.line(i, hashed=f"{i + 100:064x}", acc=x) for i, x in enumerate(right[30:])],
        }
        lm_eval_folder.model(tmp_path / "out", name, tasks, higher={"exact_match": True})
    return tmp_path / "out"


def test_logs_say_their_direction(logs: Path) -> None:
    scores = bo.read_results(logs)
    assert str(bo.evaluate(logs, n_resamples=99)) == str(bo.evaluate(scores, n_resamples=99))
    assert bo.compare(str(logs), better="higher").verdict == bo.compare(logs).verdict == bo.compare(scores).verdict
    assert bo.wilcoxon(logs, "old", "new").pvalue == bo.wilcoxon(scores, "old", "new").pvalue
    with pytest.raises(ParameterError, match="better must be 'higher', as the file says"):
        bo.compare(logs, better="lower")


def test_a_path_of_a_table_needs_a_direction(tmp_path: Path) -> None:
    LONG.to_csv(tmp_path / "t.csv", index=False)
    with pytest.raises(WrongTypeError, match="likely: the scores are called accuracy"):
        bo.compare(tmp_path / "t.csv")
