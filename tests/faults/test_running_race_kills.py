"""kill -9 of a race's coordinator at random moments, and two coordinators at once: the same race all the same."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from pathlib import Path

import pytest

import bakeoff as bo
from bakeoff.wings.run._race import stored_race
from bakeoff.wings.run.store.contents import read_store
from bakeoff.wings.run.verification import verify_store
from faults.coordinator_kills import in_a_fork, rows_of, table_of
from racers import experiment

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def raced(seed: int) -> bo.Experiment:
    return experiment(q=8, n=60, seed=seed, fails=0.05, on_failure="worst")


def killed_until_done(seed: int, folder: Path, executor: str, wanted: int) -> int:
    """A race that is killed until it was ``wanted`` times, or is done; how often it was."""
    workers = None if executor == "serial" else 2
    calm_store, store = folder / f"{seed}-calm.sqlite", folder / f"{seed}-killed.sqlite"
    begun = time.monotonic()
    calm = bo.race(raced(seed), store=calm_store, block=4)
    patience = time.monotonic() - begun if executor == "serial" else 1.5
    chance, killed, before = random.Random(seed), 0, {}
    while True:
        pid = in_a_fork(lambda: bo.race(raced(seed), store=store, executor=executor, workers=workers, block=4))
        until = time.monotonic() + (chance.uniform(0, patience) if killed < wanted else 600.0)
        status: int | None = None
        while status is None and time.monotonic() < until:
            done, found = os.waitpid(pid, os.WNOHANG)
            status = found if done else None
            time.sleep(0.001)
        if status is None:
            os.kill(pid, signal.SIGKILL)
            status = os.waitpid(pid, 0)[1]
        now = rows_of(store)
        assert not [key for key, row in before.items() if now.get(key) != row], "lost or changed"
        if status == 0:
            break
        assert os.WIFSIGNALED(status), "the coordinator failed by itself"
        killed += 1
        if now:
            half = stored_race(store)
            assert half.eliminated == calm.eliminated[: len(half.eliminated)]
        patience *= 0.9 if len(now) > len(before) else 1.3
        before = now
    assert table_of(store) == table_of(calm_store)
    assert json.dumps(stored_race(store).to_dict()) == json.dumps(calm.to_dict())
    assert verify_store(store).findings == ()
    return killed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("executor", "wanted"), [("serial", 15), ("processes", 3), pytest.param("serial", 50, marks=pytest.mark.exhaustive)]
)
def test_a_race_killed_many_times(executor: str, wanted: int, tmp_path: Path) -> None:
    killed = 0
    for seed in range(100):
        killed += killed_until_done(seed, tmp_path, executor, wanted - killed)
        if killed >= wanted:
            return
    pytest.fail(f"only {killed} kills")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_kills_while_candidates_join(seed: int, tmp_path: Path) -> None:
    """Killed at random moments; every other start brings one candidate more, until eight, or too late."""
    store, chance, before = tmp_path / "race.sqlite", random.Random(seed), {}
    q, killed, patience, refused = 4, 0, 0.15, False
    while True:
        asked = experiment(q=q, n=60, seed=seed, step=-0.2)
        pid = in_a_fork(lambda asked=asked: bo.race(asked, store=store, block=7))  # type: ignore[misc]
        until = time.monotonic() + (chance.uniform(0, patience) if q < 8 and not refused else 600.0)
        done = status = 0
        while not done and time.monotonic() < until:
            done, status = os.waitpid(pid, os.WNOHANG)
            time.sleep(0.001)
        if not done:
            os.kill(pid, signal.SIGKILL)
            status = os.waitpid(pid, 0)[1]
            killed += 1
        now = rows_of(store)
        assert not [key for key, row in before.items() if now.get(key) != row], "lost or changed"
        before, grown = now, len(now) > len(before)
        if done and status:
            assert max(now)[0] == 59, "refused only where no problem is left"
            q, refused = q - 1, True  # without the candidate that came too late the race is finished
            continue
        if done and (q == 8 or refused):
            break
        patience *= 0.9 if grown else 1.3  # a busy machine begins later
        if now and (done or killed % 2):
            q += 1
    raced = stored_race(store)
    late = read_store(store).spec["race"].get("late", {})
    assert verify_store(store).findings == ()
    full = bo.run(experiment(q=len(raced.algorithms), n=60, seed=seed, step=-0.2))
    table = full.scores.select(problems=full.drawn)
    told = bo.race.replay(table, order="given", block=7, late=late).to_dict()
    for key in set(told) - {"order", "cautions"}:
        assert raced.to_dict()[key] == told[key], key


@pytest.mark.slow
def test_two_coordinators_of_one_race(tmp_path: Path) -> None:
    calm, store = bo.race(raced(1), block=4), tmp_path / "both.sqlite"
    pids = [in_a_fork(lambda: bo.race(raced(1), store=store, block=4)) for _ in range(2)]
    assert 0 in [os.waitpid(pid, 0)[1] for pid in pids]  # the other one is refused while the first is at work
    assert stored_race(store).digest == calm.digest
    assert stored_race(store).eliminated == calm.eliminated
    assert verify_store(store).findings == ()
