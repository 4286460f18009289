"""A race's store: to which race it belongs, what was changed in it, and what is refused before it is made."""

from __future__ import annotations

import inspect
import math
import re
import sqlite3
from pathlib import Path

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError, ScoreError, StoreError, UnknownNameError, WrongTypeError
from bakeoff.wings.run._race import RunRaceResult, stored_race
from bakeoff.wings.run.racing.pair_evidence import horizon_grid
from bakeoff.wings.run.store.contents import read_store, scores_of
from bakeoff.wings.run.verification import verify_store
from racers import experiment


@pytest.mark.slow
def test_a_store_belongs_to_one_race(tmp_path: Path) -> None:
    store, asked = tmp_path / "race.sqlite", experiment(n=10)
    bo.race(asked, store=store)
    for other in ({"alpha": 0.1}, {"method": "e-choose"}, {"block": 4}, {"strict": True}):
        with pytest.raises(StoreError, match=r"belongs to another experiment: race\."):
            bo.race(asked, store=store, **other)
    with pytest.raises(StoreError, match="belongs to another experiment: race is"):
        bo.run(asked, store=store)
    bo.run(asked, store=tmp_path / "run.sqlite")
    with pytest.raises(StoreError, match="belongs to another experiment: race is absent in the store"):
        bo.race(asked, store=tmp_path / "run.sqlite")
    with pytest.raises(StoreError, match="not of a race"):
        stored_race(tmp_path / "run.sqlite")
    with pytest.raises(ScoreError, match="holds a race"):
        scores_of(read_store(store))


@pytest.mark.slow
def test_what_was_changed_in_a_store_is_found(tmp_path: Path) -> None:
    asked, whole = experiment(step=1.0), tmp_path / "whole.sqlite"
    bo.race(asked, store=whole)
    assert verify_store(whole).ok
    for change, said in (
        ("UPDATE run SET value = value - 50 WHERE alg = 5", "others have run|is kept as"),
        ("UPDATE look SET verdict = replace(verdict, 'go on', 'one left') WHERE k = 1", "block 1 is kept as"),
        ("DELETE FROM look", "0 decisions of the race are kept"),
        ("DELETE FROM look WHERE k = 2", "block 3 is kept as"),
    ):
        store = tmp_path / f"{abs(hash(change))}.sqlite"
        store.write_bytes(whole.read_bytes())
        connection = sqlite3.connect(store)
        connection.execute(change)
        connection.commit()
        connection.close()
        found = verify_store(store)
        assert not found.ok
        assert any(re.search(said, line) for line in found.findings), found.findings
    with pytest.raises(StoreError, match=r"is kept as|others have run"):
        bo.race(asked, store=store)


def test_infinite_scores_are_ordered() -> None:
    def fails(problem: float, rng: np.random.Generator) -> float:
        return math.inf

    def works(problem: float, rng: np.random.Generator) -> float:
        return problem

    asked = bo.Experiment([works, fails], list(map(float, range(30))), better="lower", seed=1, on_failure="worst")
    result = bo.race(asked, block=1)
    assert result.survivors == ("works",)
    assert result.eliminated[0].n_problems == 7  # as seven straight wins of 30


# --- what is refused ----------------------------------------------------------------------------------------------


def test_what_cannot_be_raced_is_refused_before_any_run(tmp_path: Path) -> None:
    adaptive = {"se": 0.1, "nmax": 1000}
    for error, said, asked, settings in (
        (ParameterError, "say runs=", experiment(repetitions=adaptive), {}),
        (ParameterError, "must pay for the first block", experiment(), {"budget": 29}),
        (ParameterError, "leave sequential out", experiment(sequential="group"), {}),
        (ParameterError, "did you mean 'e-sign'", experiment(), {"method": "esign"}),
        (ParameterError, "method must be one of", experiment(), {"method": "e-dominance"}),
        (ParameterError, "alpha must be", experiment(), {"alpha": 1.0}),
        (ParameterError, "block must be", experiment(), {"block": 0}),
        (WrongTypeError, "budget must be", experiment(), {"budget": "much"}),
        (UnknownNameError, "no problem is called 'p99'", experiment(), {"problem_costs": {"p99": 1.0}}),
        (ParameterError, "did you mean 'strict'", experiment(), {"strickt": True}),
        (ParameterError, "no such option", experiment(), {"address": "x"}),
        (WrongTypeError, "a whole number", experiment(), {"method": "bayes", "rng": np.random.default_rng(1)}),
        (WrongTypeError, r"must be a bo\.Experiment", 3, {}),
    ):
        store = tmp_path / "none.sqlite"
        with pytest.raises(error, match=said):
            bo.race(asked, store=store, **settings)  # type: ignore[arg-type]
        assert not store.exists()


def test_the_contract() -> None:
    parameters = inspect.signature(bo.race).parameters
    assert list(parameters)[:4] == ["experiment", "method", "alpha", "budget"]
    assert [parameters[name].default for name in ("method", "alpha", "budget")] == ["e-sign", 0.05, None]
    assert {"block", "store", "executor", "workers", "progress"} <= set(parameters)


def test_replay_is_on_race() -> None:
    table = bo.Scores([[1, 2]] * 10, better="lower")
    assert bo.race.replay(table, block=1).survivors == ("A1",)
    assert isinstance(bo.race(experiment(n=5)), RunRaceResult)


def test_a_store_keeps_the_grid_that_follows_from_the_number_of_problems(tmp_path: Path) -> None:
    asked = experiment(n=30)
    bo.race(asked, budget=60, store=tmp_path / "new.sqlite")
    assert read_store(tmp_path / "new.sqlite").spec["race"]["options"] == {"grid": list(horizon_grid(30))}
    with pytest.raises(ParameterError, match="grid follows from the number of problems"):
        bo.race(asked, grid=[0.5])
