"""Runs on a dask cluster: workers that die, runs that kill them, and a cluster that goes away."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import bakeoff as bo
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.packages import installed
from bakeoff.wings.run.cell import Outcome, Task
from bakeoff.wings.run.design.work import Work
from bakeoff.wings.run.executors import ExecutorError, make_executor
from faults import misbehaviour
from faults.coordinator_kills import experiment, table_of
from faults.survival import is_alive, survivors
from waiting import PATIENCE, wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs("distributed"),
    pytest.mark.skipif(sys.platform != "linux", reason="what is promised here is promised for Linux"),
    pytest.mark.filterwarnings("default"),  # a cluster that is torn down complains; none of it is ours
]

NAMES = ("fine", "segfaults", "leaves_children", "hangs", "kills_its_dask_worker", "only_here", "dozes")


def only_here(problem: Any, rng: Any) -> float:
    return 1.5


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    import dask
    import distributed  # not while tests are collected: it takes a second

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
            timeout=5.0,
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
    while ended := executor.wait(PATIENCE):
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
    assert survivors(note) == []


def test_a_dask_worker_is_killed(executor: Any) -> None:
    names = ["dozes"] * 60
    for repetition in range(60):
        executor.submit(Task(problem=0, algorithm=NAMES.index("dozes"), repetition=repetition, seed=repetition))
    found = executor.wait(PATIENCE)
    pids = executor._client.run(os.getpid)
    victim = next(iter(pids.values()))
    os.kill(victim, signal.SIGKILL)
    while ended := executor.wait(PATIENCE):
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
    wait, seen, killed = executor.wait, [0], list[int]()

    def waits(timeout: float | None = None) -> list[Outcome]:
        ended = wait(timeout)
        seen[0] += len(ended)
        if not killed and seen[0] > 50:
            killed.append(next(iter(executor._client.run(os.getpid).values())))  # type: ignore[attr-defined]
            os.kill(killed[0], signal.SIGKILL)
        return ended

    executor.wait = waits  # type: ignore[method-assign]
    bo.run(experiment(1), store=store, executor=executor)
    assert killed
    assert table_of(store) == table_of(calm)


def test_a_cluster_that_goes_away_is_no_runs_fault(note: Path) -> None:
    executor = make_executor("dask", workers=1, patience=30)
    executor.open(
        Work(algorithms=(misbehaviour.dozes,), problems=(str(note),), algorithm_names=("a",), problem_names=("p",))
    )
    for repetition in range(500):
        executor.submit(Task(problem=0, algorithm=0, repetition=repetition, seed=repetition))
    assert executor.wait(PATIENCE)
    executor._cluster.close(timeout=5)  # type: ignore[attr-defined]
    with pytest.raises(ExecutorError, match="they run again on resume"):
        drain(executor)
    executor.close()


LEFT_ALONE = """
import json, os, signal, sys
from bakeoff.wings.run.cell import Task
from bakeoff.wings.run.design.work import Work
from bakeoff.wings.run.executors import ExecutorError, make_executor
address, scheduler = json.load(open(sys.argv[1]))["address"], int(sys.argv[2])
executor = make_executor("dask", address=address, patience=36000)
executor.open(Work(algorithms=(abs,), problems=(1,), algorithm_names=("a",), problem_names=("p",)))
executor.submit(Task(problem=0, algorithm=0, repetition=0, seed=1))
executor.wait()
for repetition in range(50):
    executor.submit(Task(problem=0, algorithm=0, repetition=repetition, seed=1))
os.kill(scheduler, signal.SIGKILL)
try:
    while executor.wait():
        pass
except ExecutorError as error:
    print(error)
executor.close(now=True)
"""


@pytest.mark.needs("distributed")
def test_a_scheduler_that_is_killed_is_not_waited_for(tmp_path: Path) -> None:
    """Its clean-up was asked for, and the answer awaited, for as long as the client may connect: a minute."""
    file = tmp_path / "scheduler.json"
    command = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard"]
    scheduler = subprocess.Popen([*command, "--scheduler-file", str(file)], stderr=subprocess.DEVNULL)
    worker = None
    try:
        wait_until(file.exists)
        command = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(file), "--no-dashboard"]
        worker = subprocess.Popen([*command, "--nthreads", "1"], stderr=subprocess.DEVNULL, cwd=tmp_path)
        code = [sys.executable, "-c", LEFT_ALONE, str(file), str(scheduler.pid)]
        told = subprocess.run(code, capture_output=True, text=True, timeout=PATIENCE)
        assert told.stdout.startswith("the dask scheduler is lost"), told
    finally:
        for process in (scheduler, worker):
            if process is not None:
                process.kill()
                process.wait()


INTRUDER = """
import sys
from distributed import Client
try:
    client = Client(sys.argv[1], timeout=3)
    print("in:", client.submit(lambda: 6 * 7).result(timeout=5))
except Exception as error:
    print("out:", type(error).__name__)
"""


def test_a_cluster_of_its_own_is_encrypted_or_a_caution_says_it_is_not(note: Path) -> None:
    """Any user of the machine could have code executed by it."""
    executor = make_executor("dask", workers=1, patience=30)
    executor.open(Work(algorithms=(misbehaviour.fine,), problems=(1,), algorithm_names=("a",), problem_names=("p",)))
    executor.submit(Task(problem=0, algorithm=0, repetition=0, seed=1))
    assert [o.status for o in executor.wait(PATIENCE)] == ["ok"]
    address = executor._cluster.scheduler_address.replace("tls://", "tcp://")  # type: ignore[attr-defined]
    code = [sys.executable, "-c", INTRUDER, address]
    intruder = subprocess.run(code, capture_output=True, text=True, timeout=PATIENCE)
    executor.close()
    if installed("cryptography"):
        assert executor.cautions == ()
        assert intruder.stdout.startswith("out:"), intruder
    else:
        assert [c.code for c in executor.cautions] == ["open-cluster"]
        assert intruder.stdout == "in: 42\n"


def drain(executor: Any) -> None:
    while executor.wait(PATIENCE):
        pass


@pytest.mark.slow
def test_a_cluster_object_is_taken_and_stays_open(cluster: Any, note: Path) -> None:
    """As dask-jobqueue makes them, for Slurm and others."""
    work = Work(algorithms=(misbehaviour.fine,), problems=(str(note),), algorithm_names=("a",), problem_names=("p",))
    for _ in range(2):
        executor = make_executor("dask", address=cluster)
        executor.open(work)
        executor.submit(Task(problem=0, algorithm=0, repetition=0, seed=0))
        (outcome,) = executor.wait(PATIENCE)
        executor.close()
        assert outcome.status == "ok", outcome
    assert cluster.status.name == "running"


def test_what_a_cluster_cannot_do() -> None:
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


COORDINATOR = """
import subprocess
import sys
import time
sys.path[:0] = [{tests!r}]
import bakeoff as bo
def sleeps(problem, rng):
    import os, time
    with open(problem, "a") as file:
        file.write(f"{{os.getpid()}}\\n")
    time.sleep(600)
if __name__ == "__main__":
    e = bo.Experiment({{"a": sleeps, "b": sleeps}}, {{"p": {note!r}}}, better="lower", seed=1)
    bo.run(e, {store!r}, executor="dask", address={address!r}, patience=8)
"""


def supervisors() -> set[int]:
    """Processes that wait for runs, of whatever executor."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                if b"run_supervisor" in (entry / "cmdline").read_bytes():
                    found.add(int(entry.name))
            except OSError:
                continue
    return found


def test_no_run_of_a_killed_coordinator_goes_on(cluster: Any, note: Path, tmp_path: Path) -> None:
    """They went on for ever, held the cluster's threads, and the next start waited behind them."""
    before = supervisors()
    script = tmp_path / "coordinator.py"
    tests = str(Path(__file__).parents[1])
    address, store = cluster.scheduler_address, str(tmp_path / "runs.sqlite")
    script.write_text(COORDINATOR.format(tests=tests, note=str(note), address=address, store=store))
    process = subprocess.Popen([sys.executable, str(script)])
    wait_until(note.read_text)
    assert supervisors() - before
    process.kill()
    process.wait()
    wait_until(lambda: not survivors(note))
    wait_until(lambda: not supervisors() - before)
    executor = make_executor("dask", address=address)
    bo.run(experiment(1), executor=executor)  # the cluster is free again


LOSER = """
import sys
import bakeoff as bo
from bakeoff.wings.run.executors import ExecutorError
def sleeps(problem, rng):
    import time
    with open(problem, "a") as file:
        file.write("begun\\n")
    time.sleep(0.2)
    return 1.0
if __name__ == "__main__":
    e = bo.Experiment({{"a": sleeps, "b": sleeps}}, {{"p": {note!r}}}, better="lower", seed=1, runs=5000)
    try:
        bo.run(e, {store!r}, executor="dask", address={address!r}, patience=8)
    except ExecutorError as error:
        print(error)
"""


def test_a_lost_scheduler_is_one_sentence(note: Path, tmp_path: Path) -> None:
    """R-A, unclear: it stood below what dask logged about its own connection."""
    environment = {**os.environ, "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "3s"}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
    host = ["--host", "127.0.0.1", "--port", address.rpartition(":")[2], "--no-dashboard"]
    quiet: Any = {"env": environment, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    scheduler = subprocess.Popen([sys.executable, "-m", "distributed.cli.dask_scheduler", *host], **quiet)
    asked = ["--nthreads", "1", "--no-dashboard", "--death-timeout", "20"]
    worker = subprocess.Popen([sys.executable, "-m", "distributed.cli.dask_worker", address, *asked], **quiet)
    script = tmp_path / "coordinator.py"
    script.write_text(LOSER.format(note=str(note), store=str(tmp_path / "runs.sqlite"), address=address))
    try:
        pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": environment}
        coordinator = subprocess.Popen([sys.executable, str(script)], **pipes)
        wait_until(note.read_text)
        scheduler.kill()
        said, complained = coordinator.communicate(timeout=PATIENCE)
    finally:
        scheduler.kill()
        worker.kill()
    assert said.startswith(
        "the dask scheduler is lost, or has cancelled the runs; nothing of the runs under way is kept"
    )
    assert complained == ""
