"""``bo.race``, ``bo.race.replay`` and ``bo.study``: what their doors promise, for every rule there is."""

from __future__ import annotations

import copy
import dataclasses
import doctest
import inspect
import math
import pickle
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import InfiniteScoreError
from bakeoff.wings.run.racing.rules import RULES
from racers import experiment
from strategies import check_result, numbers_in

DOORS: dict[str, Callable[..., Any]] = {
    "race": bo.race,
    "race.replay": bo.race.replay,
    **{f"study.{name}": f for name in bo.study.__all__ if inspect.isfunction(f := getattr(bo.study, name))},
}
# The contract: parameters in order with the defaults that scripts rely on
SIGNATURES = {
    "race": "experiment, method='e-sign', alpha=0.05, budget=None",
    "race.replay": "scores, method='e-sign', alpha=0.05",
    "study.power": "scores, a, b, tests=None, size=10, bias=(0, 5, 10, 15, 20), draws=1000, rng=None, scale=None",
    "study.known_truth": "scores, a, b, tests=None, size=10",
}
OPTIONS: dict[str, dict[str, Any]] = {"bayes": {"n_draws": 200}}
DIFFERENCES = {"bayes"}  # refuse infinite scores
VALUES = np.random.default_rng(3).normal(size=(40, 5)).round(1) + np.arange(5) / 2
NAMES = [f"<b>{name}</b> & co" for name in "abcde"]
S = bo.Scores(VALUES, NAMES, better="lower")


def raced(method: str, scores: bo.Scores = S, **options: Any) -> Any:
    return bo.race.replay(scores, method, **OPTIONS.get(method, {}), **options)


def decisions(result: Any) -> list[Any]:
    return [result.survivors, *((e.algorithm, e.n_problems, e.by, e.reason) for e in result.eliminated)]


@pytest.mark.parametrize("name", SIGNATURES)
def test_signatures_keep_the_contract(name: str) -> None:
    parameters = list(inspect.signature(DOORS[name]).parameters.values())
    for parameter, wanted in zip(parameters, re.split(r", (?![^(]*\))", SIGNATURES[name]), strict=False):
        said = parameter.name + ("" if parameter.default is parameter.empty else f"={parameter.default!r}")
        assert said == wanted
        assert parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    assert not {"better", "direction"} & {p.name for p in parameters}


def test_no_door_is_left_out() -> None:
    assert set(DOORS) == set(SIGNATURES)


@pytest.mark.parametrize("name", DOORS)
def test_docstrings_have_the_sections_of_the_house(name: str) -> None:
    doc = inspect.getdoc(DOORS[name])
    assert doc
    sections = re.findall(r"^([A-Z]\w+)\n-{3,}$", doc, flags=re.M)
    order = ["Parameters", "Returns", "Raises", "Notes", "References", "Examples"]
    assert [s for s in order if s in sections] == sections
    assert {"Parameters", "Returns", "Raises", "Examples"} <= set(sections)
    described = doc.split("Parameters\n")[1].split("Returns\n---")[0]
    for parameter in inspect.signature(DOORS[name]).parameters:
        assert re.search(rf"^[\w, *]*\b{parameter}\b", described, flags=re.M), parameter
    assert "Not " in doc.split("Parameters\n")[0], "when not to use it"


@pytest.mark.few(3)
@pytest.mark.parametrize("name", DOORS)
def test_examples_are_true(name: str) -> None:
    finder, runner = doctest.DocTestFinder(recurse=False), doctest.DocTestRunner()
    (example,) = finder.find(DOORS[name], name, globs={})
    assert example.examples
    assert runner.run(example).failed == 0


def results() -> dict[str, Callable[[], Any]]:
    found: dict[str, Callable[[], Any]] = {method: lambda method=method: raced(method) for method in RULES}  # type: ignore[misc]
    found["e-dominance"] = lambda: bo.race.replay({"error": S, "time": S})
    return found


@pytest.mark.parametrize("name", results())
def test_results_are_values(name: str) -> None:
    """Frozen, slotted, keyword-only dataclasses, copied and pickled whole, arrays locked; the same every time."""
    result = results()[name]()
    check_result(result)
    kind = type(result)
    assert dataclasses.is_dataclass(kind)
    assert not hasattr(result, "__dict__")
    assert not hasattr(kind, "__iter__")
    assert all(f.kw_only for f in dataclasses.fields(kind))
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.method = "another"
    for other in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result), results()[name]()):
        assert list(numbers_in(other)) == list(numbers_in(result))
        assert isinstance(result == other, bool)
    assert isinstance(repr(result), str)
    assert isinstance(result.cautions, tuple)


@pytest.mark.parametrize("method", RULES)
def test_a_race_keeps_its_book(method: str) -> None:
    r = raced(method)
    assert (r.method, r.alpha) == (method, 0.05)
    assert sorted([*r.survivors, *(e.algorithm for e in r.eliminated)]) == sorted(NAMES)
    assert r.best == r.survivors[0]
    spent = {p.algorithm: p.n_problems[-1] for p in r.paths}
    assert r.evaluations == r.cost == sum(spent.values()) <= r.full_evaluations == 200
    assert all(spent[e.algorithm] == e.n_problems for e in r.eliminated)
    assert r.anytime == (method in ("e-sign", "e-choose"))
    assert r.guarantee.startswith("none") != r.anytime
    if not r.anytime:
        assert "error-under-peeking" in {c.code for c in r.cautions}


@pytest.mark.parametrize("method", RULES)
def test_rows_direction_and_columns_may_be_turned_round(method: str) -> None:
    wanted = decisions(raced(method, order=7))
    rows = bo.Scores(VALUES[::-1], NAMES, S.problems[::-1], better="lower")
    assert decisions(raced(method, rows, order=7)) == wanted
    assert decisions(raced(method, bo.Scores(-VALUES, NAMES, better="higher"), order=7)) == wanted
    loose = np.random.default_rng(5).normal(size=(40, 5)) + np.arange(5) / 2  # no ties: nothing depends on columns
    plain, turned = (
        bo.Scores(loose[:, c], [NAMES[i] for i in c], better="lower") for c in ([0, 1, 2, 3, 4], [3, 0, 4, 2, 1])
    )
    kept, other = (raced(method, s, order=7) for s in (plain, turned))
    assert set(kept.survivors) == set(other.survivors)
    assert {e.algorithm: e.n_problems for e in kept.eliminated} == {e.algorithm: e.n_problems for e in other.eliminated}


@pytest.mark.few(12)
@pytest.mark.parametrize("method", RULES)
@pytest.mark.parametrize("block", [1, 7, 50])
def test_candidates_that_are_level_are_never_called_worse(method: str, block: int) -> None:
    r = raced(method, bo.Scores(np.ones((40, 4)), better="lower"), block=block)
    assert "worse" not in {e.reason for e in r.eliminated}
    assert len(r.survivors) >= 1


@pytest.mark.parametrize("method", RULES)
def test_failed_runs_lose_or_are_refused(method: str) -> None:
    failing = bo.Scores(np.where(np.arange(2) == 1, math.inf, VALUES[:, :2]), better="lower")
    if method in DIFFERENCES:
        with pytest.raises(InfiniteScoreError, match=f"'{method}'"):
            raced(method, failing)
        return
    r = raced(method, failing)
    assert r.survivors == ("A1",)
    assert r.n_failed == r.n_problems
    assert all(math.isfinite(x) for _, x in numbers_in(r))


@pytest.mark.slow
def test_a_race_of_its_own_runs_meets_the_same_contract() -> None:
    result = bo.race(experiment())
    check_result(result)
    again = pickle.loads(pickle.dumps(result))
    assert list(numbers_in(again)) == list(numbers_in(result))
    with pytest.raises(dataclasses.FrozenInstanceError):
        result.alpha = 0.1  # type: ignore[misc]
