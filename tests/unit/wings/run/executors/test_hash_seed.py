"""The coordinator's hash seed is in force wherever a run is computed."""

from __future__ import annotations

import importlib
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bakeoff.processes.os_processes import Interruption
from bakeoff.wings.run.cell import Task
from bakeoff.wings.run.design.work import Work
from bakeoff.wings.run.executors import dask, make_executor, worker_main
from bakeoff.wings.run.executors.protocol import Executor, ExecutorError
from waiting import PATIENCE

MODULE = """
def folded(problem, rng):
    total = 0.0
    for word in set(["alpha", "beta", "gamma", "delta", "epsilon"]):
        total = total * 1.1 + ord(word[0])
    return total + problem
"""
TASK = Task(problem=0, algorithm=0, repetition=0, seed=1)


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Work]:
    """Its score depends on the order of a set of strings."""
    folder = tmp_path_factory.mktemp("module")
    (Path(folder) / "hash_seed_for_tests.py").write_text(MODULE)
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.syspath_prepend(folder)
        folded = importlib.import_module("hash_seed_for_tests").folded
        yield Work(algorithms=(folded,), problems=(1.0,), algorithm_names=("folded",), problem_names=("p",))
        del sys.modules["hash_seed_for_tests"]


def by(executor: Executor, work: Work) -> float | None:
    executor.open(work)
    try:
        executor.submit(TASK)
        (outcome,) = executor.wait(60)
    finally:
        executor.close(now=True)
    return outcome.value


@pytest.fixture(scope="module")
def of_processes(work: Work) -> float | None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.delenv("PYTHONHASHSEED", raising=False)
        return by(make_executor("processes", workers=1), work)


@pytest.fixture
def shipped(work: Work) -> Iterator[str]:
    dask.install_work("token", pickle.dumps(work), work, {}, "0")
    yield "token"
    dask.discard_work("token")


@pytest.mark.slow
def test_a_dask_worker_uses_the_coordinators_seed(
    shipped: str, of_processes: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """dask's nanny sets PYTHONHASHSEED=6640 in its workers."""
    monkeypatch.setenv("PYTHONHASHSEED", "6640")
    data = dask.perform_here(shipped, worker_main.task_bytes(0, TASK))
    assert worker_main.outcome_from(data, TASK).value == of_processes


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.needs("distributed")
def test_a_cluster_gives_the_bits_of_processes(
    workers: int, work: Work, of_processes: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    assert by(make_executor("dask", workers=workers), work) == of_processes
    assert "PYTHONHASHSEED" not in os.environ, "dask leaves its own behind"


@pytest.mark.needs("distributed")
@pytest.mark.slow
def test_while_there_is_no_worker_it_is_said_and_a_signal_ends_the_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a minute nothing was printed, and neither Ctrl-C nor SIGTERM ended the wait."""
    executor = make_executor("dask", address="tcp://host:1", patience=0.05)

    class Client:
        status = "running"

        def scheduler_info(self, n_workers: int = 5) -> dict[str, object]:
            return {"workers": {}, "address": "tcp://host:1"}

        def wait_for_workers(self, n_workers: int, timeout: float) -> None:
            assert timeout <= 1.0
            raise TimeoutError

    said: list[str] = []
    monkeypatch.setattr(dask, "_SILENT", 0.0)
    executor._client, executor._waiting = Client(), said.append  # type: ignore[attr-defined]
    with pytest.raises(ExecutorError, match=r"has no worker after 0\.05 seconds"):
        executor._wait_for_a_worker()  # type: ignore[attr-defined]
    assert said == ["waiting for workers of tcp://host:1 (0 so far; at most 0.05 s)"]


@pytest.mark.slow
@pytest.mark.needs("distributed")
def test_a_signal_ends_the_wait_for_a_scheduler() -> None:
    """What was interrupted was waited for at the end of the process: two minutes, and a traceback."""
    code = (
        "from bakeoff.wings.run.executors import dask\n"
        "dask._SILENT = 0.2\n"
        "executor = dask.DaskExecutor(address='tcp://127.0.0.1:9', waiting=lambda text: print(text, flush=True))\n"
        "executor._connect()\n"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "waiting for the dask scheduler at tcp://127.0.0.1:9 (at most 60 s)\n"
    process.send_signal(signal.SIGINT)
    _, printed = process.communicate(timeout=PATIENCE)
    assert printed.splitlines()[-1] == "KeyboardInterrupt"
    assert "TimeoutError" not in printed


def test_before_any_run_the_first_signal_stops_at_once() -> None:
    interruption = Interruption()
    interruption.at_once = True
    with pytest.raises(KeyboardInterrupt):
        interruption(2, None)
    interruption.at_once = False
    interruption(2, None)
    assert interruption.requested
