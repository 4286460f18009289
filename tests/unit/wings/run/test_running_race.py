"""``bo.race``: the same race as a replay of the finished table, whatever the workers, stops and order of completion."""

from __future__ import annotations

import dataclasses
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError, RunFailedError, StoreError
from bakeoff.wings.run._race import stored_race
from bakeoff.wings.run._run import RunResult
from bakeoff.wings.run.progress import Progress
from bakeoff.wings.run.verification import verify_store
from racers import Scrambled, experiment, told

METHODS = ("e-sign", "e-choose", "f-race-sign", "f-race-mean-ranks", "bayes")


# --- the oracle: every run made, and the table raced over ---------------------------------------------------------


TABLES: dict[str, dict[str, Any]] = {
    "single runs": {"runs": 1},
    "three runs": {"runs": 3, "better": "higher", "seed": 5, "n": 30},
    "infinitely bad": {"runs": 2, "fails": 0.1, "on_failure": "worst"},
    "penalty": {"fails": 0.1, "on_failure": 60.0, "n_problems": 31},
}


@cache
def finished(name: str) -> RunResult:
    return bo.run(experiment(**TABLES[name]))


@pytest.mark.few(14)
@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", TABLES)
def test_a_race_is_the_replay_of_the_finished_table(method: str, name: str) -> None:
    asked = experiment(**TABLES[name])
    if asked.on_failure == "worst" and method == "bayes":
        with pytest.raises(ParameterError, match="takes differences"):
            bo.race(asked, method=method)
        return
    options = {"n_draws": 200} if method == "bayes" else {}
    raced = bo.race(asked, method=method, block=4, **options)
    full = finished(name)
    table = full.scores.select(problems=full.drawn)
    replayed = bo.race.replay(table, method=method, order="given", block=4, **options)
    ours, theirs = raced.to_dict(), replayed.to_dict()
    for key in set(theirs) - {"order", "cautions", "n_dropped"}:
        assert ours[key] == theirs[key], key
    assert raced.eliminated
    assert raced.n_runs == raced.evaluations * (asked.runs or 1) < full.n_runs


@pytest.mark.slow
def test_equal_means_over_runs_tie() -> None:
    """0.1 + 0.2 + 0.3 in another order is not the same number, and yet the same mean."""
    runs = iter(range(10_000))

    def one(problem: float, rng: np.random.Generator) -> float:
        return (0.1, 0.2, 0.3)[next(runs) % 3]

    def other(problem: float, rng: np.random.Generator) -> float:
        return (0.3, 0.2, 0.1)[next(runs) % 3]

    result = bo.race(bo.Experiment([one, other], list(range(30)), better="lower", seed=1, runs=3))
    assert result.n_ties == 30
    assert result.survivors == ("one", "other")


# --- workers, stops, starts ---------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2, 8])
def test_the_order_of_completion_is_never_seen(workers: int) -> None:
    asked = experiment(fails=0.1, on_failure="worst", retries=1)
    calm = bo.race(asked, block=3)
    for seed in range(2):
        assert told(bo.race(asked, block=3, executor=Scrambled(workers, seed))) == told(calm)


@pytest.mark.slow
def test_two_processes_race_the_same_race() -> None:
    asked = experiment(n=25)
    assert told(bo.race(asked, executor="processes", workers=2)) == told(bo.race(asked))


@pytest.mark.slow
@pytest.mark.needs("distributed")
def test_a_cluster_races_the_same_race() -> None:
    asked = experiment(n=25)
    found = bo.race(asked, executor="dask", workers=2)
    own = [c for c in found.cautions if c.code != "open-cluster"]  # of the executor, where encryption is not installed
    assert told(dataclasses.replace(found, cautions=tuple(own))) == told(bo.race(asked))


@pytest.mark.slow
def test_eight_processes_race_the_same_race() -> None:
    asked = experiment(q=10, n=100, runs=2)
    assert told(bo.race(asked, executor="processes", workers=8)) == told(bo.race(asked))


@pytest.mark.slow
@pytest.mark.parametrize("method", ["e-sign", "e-choose", "bayes"])
def test_a_stopped_race_goes_on_with_the_same_decisions(method: str, tmp_path: Path) -> None:
    asked = experiment(n=30)
    options: dict[str, Any] = {"bayes": {"n_draws": 200}, "e-choose": {"tolerance": 0.9}}.get(method, {})
    calm = bo.race(asked, method=method, block=3, **options)
    for stop_after in (12, 45) if method == "e-sign" else (45,):
        store = tmp_path / f"{stop_after}.sqlite"
        for start in range(200):
            place = Scrambled(1 + start % 4, start, stop_after)
            try:
                result = bo.race(asked, method, block=3, store=store, executor=place, **options)
                break
            except KeyboardInterrupt:
                half = stored_race(store)
                assert half.stopped == "interrupted" or half.evaluations == calm.evaluations
                assert half.eliminated == calm.eliminated[: len(half.eliminated)]
                if half.stopped == "interrupted":
                    assert verify_store(store).ok
        assert told(result) == told(calm)
        assert verify_store(store).findings == ()
        assert verify_store(store, asked).ok
        assert told(stored_race(store)) == told(calm)


def test_the_rule_sees_whole_blocks_only() -> None:
    seen: list[Progress] = []
    bo.race(experiment(n=23), block=5, executor=Scrambled(8, 0), progress=seen.append)
    assert seen
    for picture in seen:
        assert picture.race is not None
        assert picture.race.n_problems % 5 == 0 or picture.race.n_problems == 23
        assert picture.runs_done <= picture.runs_expected
        assert picture.race.full_evaluations == 6 * 23
    last = seen[-1].race
    assert last is not None
    assert last.evaluations == seen[-1].runs_done
    assert seen[-1].finished


# --- the end ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_nothing_runs_once_one_is_chosen(tmp_path: Path) -> None:
    asked, store = experiment(q=5, step=0.3, n=200), tmp_path / "race.sqlite"
    result = bo.race(asked, "e-choose", tolerance=0.7, store=store, executor=Scrambled(4, 1))
    assert result.stopped == "chosen"
    assert len(result.survivors) > 1
    assert result.best == result.survivors[0] == result.standings[0].algorithm
    assert "with probability 0.7 or more where they differ" in result.claim
    assert result.evaluations == result.n_runs < 0.5 * result.full_evaluations
    assert not {"not-decided", "cycle"} & {c.code for c in result.cautions}
    assert verify_store(store, asked).findings == ()
    assert told(stored_race(store)) == told(result) == told(bo.race(asked, "e-choose", tolerance=0.7, store=store))
    with pytest.raises(StoreError, match=r"race\.options\.tolerance is 0\.7 in the store and 0\.6 now"):
        bo.race(asked, "e-choose", tolerance=0.6, store=store)
    with pytest.raises(ParameterError, match="method 'e-sign' has no option 'tolerance'; 'e-choose' has"):
        bo.race(asked, tolerance=0.7)


def test_nothing_runs_once_one_is_left() -> None:
    result = bo.race(experiment(q=3, step=9.0, n=200), block=5)
    assert result.stopped == "one left"
    assert result.survivors == ("c0",)
    assert result.evaluations == result.n_runs < 100
    assert result.cautions == ()


@pytest.mark.slow
def test_a_budget_is_never_exceeded() -> None:
    for budget in (30, 31, 100, 175.5):
        result = bo.race(experiment(step=0.01), budget=budget)
        assert result.stopped == "budget"
        assert budget - 6 * 5 < result.evaluations <= budget
    with pytest.raises(ParameterError, match="must pay for the first block"):
        bo.race(experiment(), budget=29)
    dear = {f"p{i}": 10.0 for i in range(40)}
    result = bo.race(experiment(step=0.01), budget=700, problem_costs=dear)
    assert result.cost == 600
    assert result.full_cost == 2400


@pytest.mark.slow
def test_a_larger_budget_goes_on(tmp_path: Path) -> None:
    asked, store = experiment(step=0.3), tmp_path / "race.sqlite"
    whole = bo.race(asked)
    for budget in (40, 80, 81, 150):
        result = bo.race(asked, budget=budget, store=store)
        assert told(result) == told(bo.race(asked, budget=budget))
        assert verify_store(store, asked).findings == ()
        assert stored_race(store).stopped == "interrupted"
    with pytest.raises(ParameterError, match="spent already"):
        bo.race(asked, budget=40, store=store)
    place = Scrambled(4, 0, stop_after=2)
    with pytest.raises(KeyboardInterrupt):
        bo.race(asked, store=store, executor=place)
    assert bo.race(asked, budget=150, store=store).evaluations == result.evaluations  # what is begun is left alone
    assert told(bo.race(asked, store=store)) == told(whole)


def test_a_failed_run_stops_the_race_and_is_tried_again(tmp_path: Path) -> None:
    broken = [True]

    def good(problem: float, rng: np.random.Generator) -> float:
        if problem == 7 and broken[0]:
            raise OSError("no licence")
        return problem

    def bad(problem: float, rng: np.random.Generator) -> float:
        return problem + 1

    asked = bo.Experiment([good, bad], {f"p{i}": float(i) for i in range(20)}, better="lower", seed=1)
    with pytest.raises(RunFailedError, match="no licence"):
        bo.race(asked, block=20, store=tmp_path / "race.sqlite")
    broken[0] = False
    with pytest.raises(StoreError, match="closure variable 'broken'"):
        bo.race(asked, block=20, store=tmp_path / "race.sqlite")
    result = bo.race(asked, block=20, store=tmp_path / "race.sqlite", accept_changed=True)
    assert result.n_problems == 20
    assert result.n_retried == 1
    assert result.survivors == ("good",)


@pytest.mark.slow
def test_failed_runs_are_counted_and_cautioned() -> None:
    result = bo.race(experiment(fails=0.2, on_failure=99.0, n=10))
    assert result.n_failed_runs > 0
    assert result.n_failed == 0  # none is infinite
    assert "counted-as-worst (failed-runs)" in {c.name for c in result.cautions}
    worst = bo.race(experiment(fails=0.2, on_failure="worst", n=10))
    assert worst.n_failed == worst.n_failed_runs > 0
