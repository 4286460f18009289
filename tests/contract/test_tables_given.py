"""Functions of ``Scores`` also take what ``read_scores`` reads, if ``better=`` says which scores are good."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError, WrongTypeError

VALUES = np.random.default_rng(5).normal([0.0, 0.2, 0.8], size=(12, 3)) + 5
NAMES = ["new", "old", "older"]
SCORES = bo.Scores(VALUES, NAMES, better="lower")
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
    "sensitivity": partial(bo.sensitivity, resamples=0),
    "ratings": partial(bo.ratings, resamples=100),
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
def test_a_table_gives_what_its_scores_give(name: str, tmp_path: Path) -> None:
    function, path = FUNCTIONS[name], csv(tmp_path)
    expected = function(scores=SCORES) if name not in ("profile", "ratings") else function(SCORES)
    wide = {"problem": [f"p{i}" for i in range(len(VALUES))], **dict(zip(NAMES, VALUES.T, strict=True))}
    for table in (path, str(path), wide):
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
        assert error.value.parameter == "scores"


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
