"""Functions of ``Scores`` also take what ``read_scores`` reads, if ``better=`` says which scores are good."""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import MissingScoreError, ParameterError, ReadingError, ScoreError, WrongTypeError

VALUES = np.random.default_rng(5).normal([0.0, 0.2, 0.8], size=(12, 3)) + 5
NAMES = ["new", "old", "older"]
WIDE = {"problem": [f"p{i}" for i in range(len(VALUES))], **dict(zip(NAMES, VALUES.T, strict=True))}
SCORES = bo.read_scores(WIDE, better="lower")
RUNS = {"problem": [], "algorithm": [], "run": [], "score": []}  # type: dict[str, list[Any]]
for i, row in enumerate(VALUES):
    for j, name in enumerate(NAMES):
        for run in range(3):
            RUNS["problem"].append(f"p{i}")
            RUNS["algorithm"].append(name)
            RUNS["run"].append(run)
            RUNS["score"].append(float(row[j]) + 0.01 * run * (i % 3))

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "compare": bo.compare,
    "rank": bo.rank,
    "friedman": bo.friedman,
    "kendall_w": bo.kendall_w,
    "evaluate": partial(bo.evaluate, n_resamples=99),
    "leaderboard": partial(bo.leaderboard, n_resamples=99),
    "profile": partial(bo.profile, n_resamples=99),
    "sensitivity": partial(bo.sensitivity, n_resamples=0),
    "ratings": partial(bo.ratings, n_resamples=100),
    "a12": partial(bo.a12, a="new", b="old"),
    "wilcoxon": partial(bo.wilcoxon, a="new", b="old"),
    "bayes.sign_test": partial(bo.bayes.sign_test, a="new", b="old"),
    "hodges_lehmann": partial(bo.hodges_lehmann, a="new", b="old"),
    "equivalence": partial(bo.equivalence, a="new", b="old", margin=0.5),
}


def csv(folder: Path) -> Path:
    lines = ["problem,new,old,older", *(f"p{i},{','.join(map(repr, row.tolist()))}" for i, row in enumerate(VALUES))]
    path = folder / "scores.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.slow_cases("sensitivity")
def test_a_table_gives_what_its_scores_give(name: str, tmp_path: Path) -> None:
    function, path = FUNCTIONS[name], csv(tmp_path)
    expected = function(scores=SCORES) if name not in ("profile", "ratings") else function(SCORES)
    for table in (path, str(path), WIDE):
        assert str(function(table, better="lower")) == str(expected)


def test_runs_and_arrays_are_read_too() -> None:
    assert bo.per_problem(RUNS, better="lower").scores.n_runs.max() == 3
    assert bo.wilcoxon(VALUES, 0, 1, better="lower").pvalue == bo.wilcoxon(SCORES, 0, 1).pvalue


def test_two_samples_stay_two_samples() -> None:
    assert bo.wilcoxon(VALUES[:, 0], VALUES[:, 1], better="lower").pvalue == bo.wilcoxon(SCORES, 0, 1).pvalue


@pytest.mark.parametrize("table", ["scores.csv", Path("scores.csv"), VALUES, {"new": [1.0], "old": [2.0]}])
def test_a_forgotten_direction_is_shown_mended(table: Any) -> None:
    for call, shown in (
        (lambda: bo.compare(table), 'bo.compare(…, better="lower" or "higher")'),
        (lambda: bo.bayes.overview(table), 'bo.bayes.overview(…, better="lower" or "higher")'),
        (lambda: bo.sign_test(table, "new", "old"), 'bo.sign_test(…, better="lower" or "higher")'),
    ):
        with pytest.raises(WrongTypeError) as error:
            call()
        assert shown in str(error.value)
        assert error.value.parameter == "better"


def test_scores_have_their_direction_already() -> None:
    with pytest.raises(ParameterError, match="better must be left out with Scores"):
        bo.compare(SCORES, better="lower")


def test_every_function_of_scores_says_so_in_its_help() -> None:
    spaces = (bo, bo.bayes, bo.plan, bo.study)
    functions = [f for space in spaces for name in space.__all__ if inspect.isfunction(f := getattr(space, name))]
    of_scores = [f for f in functions if next(iter(inspect.signature(f).parameters), "") in ("scores", "battles")]
    assert len(of_scores) > 50
    for function in of_scores:
        assert "better : " in (inspect.getdoc(function) or ""), function


HOLED = {"a": [1.0, 2.0, None], "b": [2.0, 1.0, 3.0]}


@pytest.mark.parametrize("options", [{}, {"missing": "drop"}], ids=["plain", "with the other missing="])
def test_missing_scores_say_where_their_policy_is_given(options: dict[str, Any]) -> None:
    with pytest.raises(MissingScoreError, match=re.escape("bo.compare(bo.read_scores(…, 'lower', missing=…), …)")):
        bo.compare(HOLED, better="lower", **options)


def test_a_result_is_no_table_to_read() -> None:
    for function in (bo.sensitivity, bo.compare):
        with pytest.raises(ParameterError, match="better must be left out with Comparison"):
            function(bo.compare(SCORES), better="lower")


@pytest.mark.parametrize("table", [3, None, []])
def test_what_cannot_be_read_is_named_as_the_function_names_it(table: Any) -> None:
    with pytest.raises((WrongTypeError, ScoreError)) as error:
        bo.compare(table, better="lower")
    assert error.value.parameter == "scores"


def test_a_table_given_twice_or_not_at_all_is_an_error_of_the_call() -> None:
    with pytest.raises(TypeError, match="multiple values for argument 'scores'"):
        bo.compare(VALUES, scores=SCORES, better="lower")
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'scores'"):
        bo.compare(better="lower")


def test_a_table_of_two_algorithms_may_be_given_by_name() -> None:
    expected = bo.wilcoxon(SCORES, 0, 1).pvalue
    assert bo.wilcoxon(scores=VALUES, a=0, b=1, better="lower").pvalue == expected
    assert bo.wilcoxon(VALUES, np.int64(0), np.int64(1), better="lower").pvalue == expected


def test_the_second_algorithm_of_a_table_is_asked_for() -> None:
    with pytest.raises(WrongTypeError, match="b must be the second algorithm's name or index; it is missing"):
        bo.wilcoxon(VALUES, 0, better="lower")


@pytest.mark.needs("polars")
def test_columns_of_a_lazy_frame_are_not_resolved_for_an_error() -> None:
    import polars

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(WrongTypeError, match="say which scores are good"):
            bo.compare(polars.LazyFrame({"a": [1.0], "b": [2.0]}))


def test_a_table_of_battles_is_known_from_its_winners() -> None:
    with pytest.raises(ReadingError, match=r"read by bo\.read_battles, and bakeoff ratings without --better"):
        bo.ratings({"model_a": ["x", "y"], "model_b": ["y", "x"], "winner": ["x", "tie"]}, better="higher")


def test_a_margin_as_text_without_a_unit_is_told_apart() -> None:
    with pytest.raises(ParameterError, match=re.escape("got '0.02': give it without quotes if it is in score units")):
        bo.compare(VALUES, better="lower", margin="0.02")
