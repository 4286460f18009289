"""One coordinator at a time; a dead one is succeeded at once; the file itself is always nearly up to date."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import StoreError
from bakeoff.processes import os_processes
from bakeoff.wings.run.store import lease, open_store
from bakeoff.wings.run.store.contents import read_store
from bakeoff.wings.run.store.lease import Coordinator, Lease, coordinator_of
from faults.coordinator_kills import in_a_fork
from waiting import wait_until


def steady(problem: float, rng: np.random.Generator) -> float:
    return float(problem + rng.normal())


def experiment(**more: Any) -> bo.Experiment:
    algorithms = more.pop("algorithms", {"a": steady, "b": steady})
    return bo.Experiment(algorithms, {"p": 1.0, "q": 2.0}, better="lower", seed=1, runs=10, **more)


def row_of(path: Path) -> Coordinator:
    connection = sqlite3.connect(path)
    found = coordinator_of(connection)
    connection.close()
    assert found is not None
    return found


def set_row(path: Path, **values: object) -> None:
    connection = sqlite3.connect(path)
    for name, value in values.items():
        connection.execute(f"UPDATE coordinator SET {name} = ?", (value,))
    connection.commit()
    connection.close()


def nesting(problem: float, rng: np.random.Generator) -> float:
    """Starts the experiment that it belongs to once more."""
    if nested:
        with pytest.raises(StoreError) as refused:
            bo.run(*nested.pop())
        refusals.append(str(refused.value))
    return steady(problem, rng)


nested: list[tuple[bo.Experiment, Path]] = []
refusals: list[str] = []


def test_a_second_coordinator_is_told(tmp_path: Path) -> None:
    """It was let in and made the same runs again."""
    both = (experiment(algorithms={"a": nesting, "b": steady}), tmp_path / "runs.sqlite")
    nested.append(both)
    bo.run(*both)
    assert f"another coordinator (process {os.getpid()}, since " in refusals[0]
    assert "bakeoff status" in refusals[0]
    assert row_of(both[1]).ended
    bo.run(*both)  # the first has stopped


@pytest.mark.slow
def test_a_killed_coordinator_is_succeeded_at_once(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"

    me = os.getpid()

    def dies(problem: float, rng: np.random.Generator) -> float:
        if os.getpid() != me:
            os._exit(9)
        return 1.0

    def until_it_dies() -> None:
        bo.run(experiment(algorithms={"a": steady, "b": dies}), path)

    os.waitpid(in_a_fork(until_it_dies), 0)
    found = row_of(path)
    assert not found.ended
    assert not found.is_alive(path)
    assert found.pid != me
    assert bo.run(experiment(algorithms={"a": steady, "b": dies}), path).n_runs == 40


def test_of_another_machine_only_the_last_sign_of_life_is_known(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    bo.run(experiment(), path)
    set_row(path, ended=0, machine="elsewhere 1 2", host="elsewhere", seen=time.time() - 20)
    with pytest.raises(StoreError, match=r"on 'elsewhere', process \d+.*start again 60 s after its last sign of life"):
        bo.run(experiment(), path)
    set_row(path, seen=time.time() - 61)
    bo.run(experiment(), path)
    set_row(path, ended=0, machine="elsewhere 1 2", seen=time.time() + 1e7)  # its clock was wrong
    bo.run(experiment(), path)


def test_of_this_machine_the_process_counts_and_not_the_last_sign_of_life(tmp_path: Path) -> None:
    path, parent = tmp_path / "runs.sqlite", os.getppid()
    bo.run(experiment(), path)
    assert row_of(path).host == os_processes.machine().split()[0] == row_of(path).machine.split()[0]
    set_row(path, ended=0, pid=parent, process=os_processes.process_start(parent), seen=0.0)
    assert row_of(path).is_alive(path)
    set_row(path, process="another", seen=time.time())
    assert not row_of(path).is_alive(path)
    set_row(path, pid=os.getpid())
    assert not row_of(path).is_alive(path), "this process holds no lease any more"


def test_the_refusal_says_how_old_the_last_sign_of_life_is(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    bo.run(experiment(), path)
    set_row(path, machine="elsewhere 1 2", seen=time.time() - 20)
    assert lease.at_work(row_of(path), path).endswith(("which was 20 s ago.", "which was 21 s ago."))
    set_row(path, seen=time.time() + 1e7)
    assert lease.at_work(row_of(path), path).endswith("which was 0 s ago.")


def test_a_sign_of_life_is_given_every_few_seconds_only(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    store = open_store(path, experiment())
    held = Lease(store)
    assert not row_of(path).ended
    for waited, renewed in ((0.0, False), (lease.RENEWED_EVERY, True), (0.0, False)):
        set_row(path, seen=0.0)
        held._renewed -= waited
        held.renew()
        assert (row_of(path).seen > 0.0) == renewed
    held.release()
    assert row_of(path).ended
    store.close()


def test_a_copy_belongs_to_nobody(tmp_path: Path) -> None:
    path, copy = tmp_path / "runs.sqlite", tmp_path / "copy.sqlite"
    bo.run(experiment(), path)
    parent = os.getppid()
    set_row(path, ended=0, machine=os_processes.machine(), pid=parent, process=os_processes.process_start(parent))
    shutil.copy(path, copy)
    with pytest.raises(StoreError, match="another coordinator"):
        bo.run(experiment(), path)
    bo.run(experiment(), copy)


def test_one_that_was_taken_for_dead_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "runs.sqlite"
    monkeypatch.setattr(lease, "RENEWED_EVERY", 0.0)
    taken: list[int] = []

    def nested(problem: float, rng: np.random.Generator) -> float:
        if not taken:
            taken.append(1)
            set_row(path, pid=1)
        return steady(problem, rng)

    with pytest.raises(StoreError, match="another coordinator has taken over"):
        bo.run(experiment(algorithms={"a": nested, "b": steady}), path)


def test_a_strange_row_is_damage(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    bo.run(experiment(), path)
    set_row(path, seen="yesterday")
    with pytest.raises(StoreError, match=r"coordinator\.seen cannot be 'yesterday'"):
        bo.run(experiment(), path)


@pytest.mark.slow
def test_the_file_alone_is_a_copy_worth_taking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until there were 4 MB of WAL it was an empty shell, and ``bakeoff run`` on a copy began anew."""
    path, copy = tmp_path / "runs.sqlite", tmp_path / "copy.sqlite"
    counts: list[int] = []

    def copied(problem: float, rng: np.random.Generator) -> float:
        shutil.copy(path, copy)
        counts.append(len(read_store(copy).rows))
        return steady(problem, rng)

    bo.run(experiment(algorithms={"a": copied, "b": steady}), path)
    assert counts[0] == 0  # but an experiment
    monkeypatch.setattr(lease, "RENEWED_EVERY", 0.0)
    path.unlink()
    counts.clear()
    bo.run(experiment(algorithms={"a": copied, "b": steady}), path)
    assert max(counts) >= 38


def test_the_file_is_complete_at_the_end_although_a_viewer_has_it_open(tmp_path: Path) -> None:
    path, copy = tmp_path / "runs.sqlite", tmp_path / "copy.sqlite"
    viewers: list[sqlite3.Connection] = []

    def viewed(problem: float, rng: np.random.Generator) -> float:
        if not viewers:
            viewers.append(sqlite3.connect(path))
            viewers[0].execute("SELECT count(*) FROM run").fetchone()
        return steady(problem, rng)

    bo.run(experiment(algorithms={"a": viewed, "b": steady}), path)
    shutil.copy(path, copy)
    viewers[0].close()
    assert len(read_store(copy).rows) == 40


def test_processes_are_told_apart_by_when_they_started() -> None:
    assert os_processes.process_start(os.getpid())
    child = subprocess.Popen([sys.executable, "-c", "pass"])
    wait_until(lambda: not os_processes.process_start(child.pid))  # a zombie is dead
    child.wait()
    assert not os_processes.process_start(child.pid)


def test_in_memory_there_is_no_lease() -> None:
    class Nowhere:
        path = None

    held = Lease(Nowhere())  # type: ignore[arg-type]
    held.renew()
    held.release()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["/usr/bin/bakeoff", "run", "my work"], "bakeoff run 'my work'"),
        (["/lib/bakeoff/__main__.py", "run"], "bakeoff run"),
        (["script.py"], "script.py"),
        ([""], "python"),
    ],
)
def test_a_coordinator_is_named_by_its_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.setattr(sys, "argv", arguments)
    bo.run(experiment(), tmp_path / "e.sqlite")
    assert row_of(tmp_path / "e.sqlite").command == said
