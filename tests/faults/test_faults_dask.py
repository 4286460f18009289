"""Runs on a dask cluster: workers that die, runs that kill them, and a cluster that goes away."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.running.cell import Outcome, Task
from bakeoff.running.design.work import Work
from bakeoff.running.executors import ExecutorError, make_executor
from faults import misbehaviour
from faults.coordinator_kills import experiment, table_of
from faults.survival import is_alive, survivors

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="what is promised here is promised for Linux"),
    pytest.mark.filterwarnings("default"),  # a cluster that is torn down complains; none of it is ours
]

NAMES = ("fine", "segfaults", "leaves_children", "hangs", "kills_its_dask_worker", "only_here", "dozes")


def only_here(problem: Any, rng: Any) -> float:
    return 1.5


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    dask = pytest.importorskip("dask")
    distributed = pytest.importorskip("distributed")  # not while tests are collected: it takes a second
    with warnings.catch_warnings(), dask.config.set({"distributed.scheduler.allowed-failures": 0}):
        warnings.simplefilter("ignore")
        local = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
        )
        yield local
        local.close()


@pytest.fixture
def executor(cluster: Any, note: Path) -> Iterator[Any]:
    made = make_executor("dask", address=cluster.scheduler_address, grace=0.3)
    algorithms = [getattr(misbehaviour, name, None) for name in NAMES]
    algorithms[NAMES.index("only_here")] = lambda problem, rng: 1.5  # as in a notebook
    made.open(
        Work(
            algorithms=tuple(algorithms),
            problems=(str(note),),
            algorithm_names=NAMES,
            problem_names=("p",),
            timeout=1.0,
        )
    )
    yield made
    made.close()


@pytest.fixture
def note(tmp_path: Path) -> Path:
    file = tmp_path / "pids"
    file.touch()
    return file


def collected(executor: Any, *names: str) -> list[Outcome]:
    for repetition, name in enumerate(names):
        executor.submit(Task(problem=0, algorithm=NAMES.index(name), repetition=repetition, seed=repetition))
    found: list[Outcome] = []
    while ended := executor.wait(60.0):
        found += ended
    assert sorted(o.task.repetition for o in found) == list(range(len(names)))
    return sorted(found, key=lambda o: o.task.repetition)


def test_the_protection_of_processes_holds_on_a_cluster(executor: Any, note: Path) -> None:
    assert executor.workers == 2
    found = collected(executor, *NAMES[:4], "only_here", "fine")
    assert [o.status for o in found] == ["ok", "failed", "ok", "timeout", "ok", "ok"]
    assert "SIGSEGV" in found[1].error
    assert found[4].value == 1.5
    assert len(note.read_text().split()) == 3
    assert survivors(note, patience=0.0) == []


def test_a_dask_worker_is_killed(executor: Any) -> None:
    names = ["dozes"] * 60
    for repetition in range(60):
        executor.submit(Task(problem=0, algorithm=NAMES.index("dozes"), repetition=repetition, seed=repetition))
    found = executor.wait(60.0)
    pids = executor._client.run(os.getpid)
    victim = next(iter(pids.values()))
    os.kill(victim, signal.SIGKILL)
    while ended := executor.wait(60.0):
        found += ended
    assert sorted(o.task.repetition for o in found) == list(range(len(names)))
    assert {o.status for o in found} == {"ok"}
    assert not is_alive(victim)


def test_a_run_that_kills_its_dask_worker_costs_itself_alone(executor: Any) -> None:
    found = collected(executor, "fine", "kills_its_dask_worker", *["fine"] * 6)
    assert [o.status for o in found] == ["ok", "failed", *["ok"] * 6]
    assert "workers that ran it died repeatedly" in found[1].error


def test_a_dask_worker_is_killed_while_the_experiment_runs(cluster: Any, tmp_path: Path) -> None:
    calm, store = tmp_path / "calm.sqlite", tmp_path / "runs.sqlite"
    bo.run(experiment(1), store=calm)
    executor = make_executor("dask", address=cluster.scheduler_address)
    killed: list[int] = []

    def kill_one(progress: Any) -> None:
        if not killed and progress.runs_done > 50:
            killed.append(next(iter(executor._client.run(os.getpid).values())))  # type: ignore[attr-defined]
            os.kill(killed[0], signal.SIGKILL)

    bo.run(experiment(1), store=store, executor=executor, progress=kill_one)
    assert killed
    assert table_of(store) == table_of(calm)


def test_a_cluster_that_goes_away_is_no_runs_fault(note: Path) -> None:
    pytest.importorskip("distributed")
    executor = make_executor("dask", workers=1, patience=30)
    executor.open(
        Work(algorithms=(misbehaviour.dozes,), problems=(str(note),), algorithm_names=("a",), problem_names=("p",))
    )
    for repetition in range(500):
        executor.submit(Task(problem=0, algorithm=0, repetition=repetition, seed=repetition))
    assert executor.wait(60.0)
    executor._cluster.close(timeout=5)  # type: ignore[attr-defined]
    with pytest.raises(ExecutorError, match="they run again on resume"):
        drain(executor)
    executor.close()


def drain(executor: Any) -> None:
    while executor.wait(60.0):
        pass


def test_what_a_cluster_cannot_do() -> None:
    pytest.importorskip("distributed")
    with pytest.raises(WrongTypeError, match="address must be text"):
        make_executor("dask", address=3)
    with pytest.raises(ParameterError, match="patience"):
        make_executor("dask", patience=0)
    with pytest.raises(ParameterError, match="no such option"):
        make_executor("dask", nonsense=1)
    executor = make_executor("dask", address="tcp://127.0.0.1:9", patience=0.5)
    with pytest.raises(ExecutorError, match=r"no dask scheduler at 'tcp://127\.0\.0\.1:9'"):
        executor.open(
            Work(algorithms=(misbehaviour.fine,), problems=(1,), algorithm_names=("a",), problem_names=("p",))
        )
    with pytest.raises(RuntimeError, match=r"open\(\) comes before"):
        executor.wait()
