"""Candidates added to a race that has begun: the same race as a replay with ``late=``, and nothing else may change."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import bakeoff as bo
from bakeoff.errors import StoreError
from bakeoff.wings.run._race import stored_race
from bakeoff.wings.run.store.contents import read_store
from bakeoff.wings.run.verification import verify_store
from racers import Scrambled, experiment, told


def late_in(store: Path) -> dict[str, int]:
    found: dict[str, int] = read_store(store).spec["race"].get("late", {})
    return found


def raced_in_parts(store: Path, fields: list[int], stops: list[int | None], **more: Any) -> bo.Experiment:
    """Races with ever more of ten candidates, each start but the last stopped; the experiment with all of them."""
    how = {name: more.pop(name) for name in ("method", "block", "budget") if name in more}
    for start, (q, stop) in enumerate(zip(fields, stops, strict=True)):
        asked = experiment(q, **more)
        place = Scrambled(1 + start % 3, start, stop)
        try:
            bo.race(asked, store=store, executor=place, **how)
        except KeyboardInterrupt:
            assert stop is not None
    return asked


def replayed(asked: bo.Experiment, late: dict[str, int], **how: Any) -> bo.race.replay:  # type: ignore[valid-type]
    full = bo.run(asked)
    return bo.race.replay(full.scores.select(problems=full.drawn), order="given", late=late, **how)


@pytest.mark.few(3)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("fields", "stops"), [([3, 4, 4], [14, 40, None]), ([2, 5, 6, 6], [20, 30, 7, None]), ([4, 6], [None, None])]
)
def test_a_race_with_late_candidates_is_the_replay_with_late(
    fields: list[int], stops: list[int | None], tmp_path: Path
) -> None:
    store, method = tmp_path / "race.sqlite", "e-sign"
    budget = {"budget": 90} if stops[0] is None else {}
    more = {"n": 60, "step": -0.3, "runs": 1, "block": 4}  # the later, the better
    if budget:
        bo.race(experiment(4, n=60, step=-0.3), method, block=4, budget=90, store=store)
        fields, stops = fields[1:], stops[1:]
    asked = raced_in_parts(store, fields, stops, method=method, **more)
    late = late_in(store)
    assert set(late) == {f"c{i}" for i in range(2 if fields[0] == 2 else 3 if fields[0] == 3 else 4, fields[-1])}
    ours, theirs = stored_race(store).to_dict(), replayed(asked, late, method=method, block=4).to_dict()
    for key in set(theirs) - {"order", "cautions", "n_dropped"}:
        assert ours[key] == theirs[key], key
    codes = {c["code"] for c in theirs["cautions"]} - {"given-order"}
    assert codes <= {c["code"] for c in ours["cautions"]}
    assert "late-candidates" in codes
    assert ours["eliminated"]
    assert verify_store(store).findings == ()
    assert verify_store(store, asked).ok


@pytest.mark.slow
def test_a_new_candidate_continues_a_race_that_had_ended(tmp_path: Path) -> None:
    """One survivor after some problems; a better one is added and takes over. The first start is not decided anew."""
    store = tmp_path / "race.sqlite"
    first = bo.race(experiment(2, step=-3.0, n=60), store=store)
    assert (first.stopped, first.survivors) == ("one left", ("c1",))
    with sqlite3.connect(store) as connection:
        looks = connection.execute("SELECT * FROM look").fetchall()
        runs = connection.execute("SELECT inst, alg, rep, value FROM run ORDER BY 1, 2, 3").fetchall()
    asked = experiment(3, step=-3.0, n=60)
    result = bo.race(asked, store=store)
    assert late_in(store) == {"c2": first.n_problems}
    assert result.survivors == ("c2",)
    assert [e.algorithm for e in result.eliminated] == ["c0", "c1"]
    assert result.paths[2].n_problems[0] > first.n_problems
    assert result.discoveries is None
    with sqlite3.connect(store) as connection:
        assert connection.execute("SELECT * FROM look").fetchall()[: len(looks)] == looks
        assert set(runs) <= set(connection.execute("SELECT inst, alg, rep, value FROM run").fetchall())
    assert verify_store(store, asked).findings == ()
    assert told(bo.race(asked, store=store)) == told(result)


@pytest.mark.slow
def test_the_block_under_way_ends_at_the_problems_begun(tmp_path: Path) -> None:
    store = tmp_path / "race.sqlite"
    with pytest.raises(KeyboardInterrupt):
        bo.race(experiment(3, n=40, step=0.01), block=10, store=store, executor=Scrambled(2, 0, 20))
    begun = sum(i.status != "pending" for i in read_store(store).instances)
    assert begun % 10 > 0
    result = bo.race(experiment(4, n=40, step=0.01), block=10, store=store)
    assert late_in(store) == {"c3": begun}
    assert begun in result.paths[0].n_problems.tolist()
    assert result.full_evaluations == 4 * 40 - begun
    assert verify_store(store).ok


@pytest.mark.slow
def test_before_the_first_run_every_candidate_is_there_from_the_start(tmp_path: Path) -> None:
    store = tmp_path / "race.sqlite"
    with pytest.raises(KeyboardInterrupt):
        bo.race(experiment(3), store=store, executor=Scrambled(1, 0, 0))
    with sqlite3.connect(store) as connection:
        connection.execute("DELETE FROM decision")
        connection.execute("UPDATE instance SET status = 'pending', n_json = NULL")
    assert bo.race(experiment(4), store=store).discoveries is not None
    assert late_in(store) == {}


@pytest.mark.slow
def test_nothing_else_may_change(tmp_path: Path) -> None:
    store = tmp_path / "race.sqlite"
    bo.race(experiment(3, n=30, step=0.1), budget=30, store=store)
    before = store.read_bytes()
    for more, said in (
        ({"seed": 2}, "seed is 1 in the store and 2 now"),
        ({"runs": 2}, "runs is 1 in the store and 2 now"),
        ({"n": 31}, r"problems\[31\] is absent in the store"),
        ({"better": "higher"}, "better is"),
    ):
        with pytest.raises(StoreError, match=said):
            bo.race(experiment(4, **{"n": 30, "step": 0.1} | more), store=store)
    for how, said in (
        ({"alpha": 0.1}, r"race\.alpha"),
        ({"block": 4}, r"race\.block"),
        ({"method": "f-race-sign"}, "race"),
    ):
        with pytest.raises(StoreError, match=said):
            bo.race(experiment(4, n=30, step=0.1), store=store, **how)
    three = experiment(3, n=30, step=0.1)
    names = dict(zip(three.algorithm_names, three.algorithms, strict=True))
    problems = dict(zip(three.problem_names, three.problems, strict=True))
    for algorithms, said in (
        ({"new": names["c0"], **names}, r"algorithms\[1\].name .* and \"new\" now; a race takes .* at the end"),
        ({"c0": names["c0"], "c2": names["c2"]}, r"algorithms\[2\].name is \"c1\" in the store and \"c2\" now"),
        ({"c0": names["c0"], "c1": names["c1"]}, r"algorithms\[3\] is .* in the store and absent now"),
    ):
        with pytest.raises(StoreError, match=said):
            bo.race(bo.Experiment(algorithms, problems, better="lower", seed=1), store=store)
    with pytest.raises(StoreError, match=r"race is .* in the store and absent now"):
        bo.run(experiment(3, n=30, step=0.1), store=store)
    assert store.read_bytes() == before


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"method": "bayes"}, "'c3' is new in the experiment: .* 'bayes' takes no candidates once the race has begun"),
        ({"method": "f-race-sign"}, "'e-sign' does"),
        ({"method": "e-choose"}, "divides alpha among a fixed number"),
        ({"strict": True}, "divides alpha among a fixed number"),
        ({"equivalence": 0.05}, "divides alpha among a fixed number"),
    ],
)
def test_rules_with_a_fixed_field_refuse(how: dict[str, Any], said: str, tmp_path: Path) -> None:
    store = tmp_path / "race.sqlite"
    bo.race(experiment(3, n=20, step=0.1), store=store, **how)
    before = store.read_bytes()
    with pytest.raises(StoreError, match=said):
        bo.race(experiment(4, n=20, step=0.1), store=store, **how)
    assert store.read_bytes() == before


def test_no_candidate_joins_where_all_problems_are_used(tmp_path: Path) -> None:
    store = tmp_path / "race.sqlite"
    bo.race(experiment(3, n=10, step=0.1), store=store)
    with pytest.raises(StoreError, match=r"all 10 problems have been begun, and 'c3', 'c4' are new .* none left"):
        bo.race(experiment(5, n=10, step=0.1), store=store)
    assert bo.race(experiment(3, n=10, step=0.1), store=store).n_problems == 10


@pytest.mark.slow
def test_no_candidate_joins_while_another_coordinator_is_at_work(tmp_path: Path) -> None:
    """The first coordinator is under way when the second starts with one candidate more; it may join afterwards."""
    store, refused = tmp_path / "race.sqlite", []

    class Joins(Scrambled):
        def wait(self, timeout: float | None = None) -> list[Any]:
            if not refused and self.tasks and read_store(store).rows:
                with pytest.raises(StoreError, match="another coordinator"):
                    bo.race(experiment(4, n=30, step=0.1), store=store)
                refused.append(late_in(store))
            return super().wait(timeout)

    first = bo.race(experiment(3, n=30, step=0.1), store=store, budget=60, executor=Joins(2, 0))
    assert refused == [{}]
    assert first.algorithms == ("c0", "c1", "c2")
    assert bo.race(experiment(4, n=30, step=0.1), store=store).algorithms == ("c0", "c1", "c2", "c3")
    assert verify_store(store).findings == ()


def test_the_spec_of_a_race_without_late_candidates_is_that_of_0_1_0(tmp_path: Path) -> None:
    store = tmp_path / "race.sqlite"
    bo.race(experiment(3, n=10), store=store)
    with sqlite3.connect(store) as connection:
        (text,) = connection.execute("SELECT spec_json FROM experiment").fetchone()
    assert set(json.loads(text)["race"]) == {"method", "alpha", "block", "budget", "problem_costs", "options"}
