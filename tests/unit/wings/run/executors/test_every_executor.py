"""Every executor: the same outcomes, each task once, and clear words about what cannot be sent."""

from __future__ import annotations

import importlib
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bakeoff.errors import MissingPackageError, ParameterError, WrongTypeError
from bakeoff.processes import os_processes
from bakeoff.processes.command_line import CommandLine
from bakeoff.wings.run.cell import Outcome, Task
from bakeoff.wings.run.design.work import Work
from bakeoff.wings.run.executors import EXECUTORS, Executor, ExecutorError, make_executor
from bakeoff.wings.run.executors.processes import TaskQueue
from bakeoff.wings.run.executors.serial import SerialExecutor
from faults import misbehaviour
from waiting import PATIENCE

PLACES: dict[str, dict[str, Any]] = {
    "serial": {},
    "processes": {"workers": 2},
    "isolated": {"executor": "processes", "workers": 2, "isolated": True},
    "spawn": {"executor": "processes", "workers": 2, "start": "spawn"},
}


def work(*algorithms: Any, problems: tuple[Any, ...] = (1, 2), **more: Any) -> Work:
    return Work(
        algorithms=algorithms,
        problems=problems,
        algorithm_names=tuple(f"alg {i}" for i in range(len(algorithms))),
        problem_names=tuple(f"prob {i}" for i in range(len(problems))),
        **more,
    )


def opened(place: str, given: Work) -> Executor:
    options = {"executor": place, **PLACES[place]}
    executor = make_executor(**options)
    executor.open(given)
    return executor


def all_kinds() -> Work:
    programs = CommandLine(["echo", "{seed}"])
    return work(misbehaviour.fine, misbehaviour.raises, misbehaviour.sloppy, misbehaviour.named, programs, score="cost")


def slow(place: str) -> Any:
    return pytest.param(place, marks=pytest.mark.slow)


@pytest.fixture(scope="module", params=["serial", "processes", slow("isolated"), slow("spawn")])
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    made = opened(request.param, all_kinds())
    yield made
    made.close()
    made.close(now=True)


def collected(executor: Executor, tasks: list[Task]) -> list[Outcome]:
    for task in tasks:
        executor.submit(task)
    outcomes: list[Outcome] = []
    while found := executor.wait():
        outcomes += found
    return outcomes


TASKS = [
    Task(problem=p, algorithm=a, repetition=r, seed=2**90 + 1000 * p + 100 * a + r)
    for p in range(2)
    for a in range(5)
    for r in range(4)
]


@pytest.mark.few(2)
@pytest.mark.slow
def test_all_give_the_same_and_each_task_once(executor: Executor) -> None:
    assert isinstance(executor, Executor)
    here = SerialExecutor()
    here.open(all_kinds())
    expected = {o.task: (o.status, o.value, dict(o.metrics), o.error) for o in collected(here, TASKS)}
    found = collected(executor, TASKS)
    assert len(found) == len(TASKS)
    assert {o.task: (o.status, o.value, dict(o.metrics), o.error) for o in found} == expected
    assert {o.status for o in found} == {"ok", "failed"}
    assert executor.wait(0.0) == []


@pytest.mark.slow
def test_a_spawned_worker_performs_a_run() -> None:
    """Its entry point is named in a command line, which no type checker reads; the slow tests do the rest."""
    executor = opened("spawn", work(misbehaviour.fine))
    try:
        assert [o.status for o in collected(executor, TASKS[:1])] == ["ok"]
    finally:
        executor.close(now=True)


@pytest.mark.slow
def test_closing_gives_up_and_opening_again_begins_anew() -> None:
    executor = opened("processes", work(misbehaviour.hangs))
    for task in TASKS[:4]:
        executor.submit(task)
    assert executor.wait(0.05) == []
    executor.close(now=True)
    with pytest.raises(RuntimeError, match=r"open\(\) comes before"):
        executor.submit(TASKS[0])
    executor.open(work(misbehaviour.fine))
    assert [o.status for o in collected(executor, TASKS[:1])] == ["ok"]
    executor.close()


@pytest.mark.slow_cases("processes")
def test_hundreds_of_tasks_before_the_first_wait(executor: Executor) -> None:
    tasks = [Task(problem=0, algorithm=0, repetition=r, seed=r) for r in range(100)]
    assert sorted(o.task.repetition for o in collected(executor, tasks)) == list(range(100))


@pytest.fixture
def alarm() -> Iterator[None]:
    """A test that waits for ever fails in the end."""

    def late(*_: object) -> None:
        raise AssertionError(f"still waiting after {PATIENCE:g} seconds")

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(int(PATIENCE))
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.slow
def test_tasks_are_sent_while_outcomes_wait(alarm: None) -> None:
    """As with 300 workers: outcomes fill one buffer of the connection, then tasks the other (about 280 messages)."""
    executor = make_executor("processes", workers=1)
    executor.open(work(misbehaviour.fine))
    executor._tasks = TaskQueue(window=5000)  # type: ignore[attr-defined]
    tasks = [Task(problem=0, algorithm=0, repetition=r, seed=r) for r in range(1600)]
    for task in tasks[:600]:
        executor.submit(task)
    time.sleep(0.7)  # nothing is read meanwhile
    assert len(collected(executor, tasks[600:])) == len(tasks)
    executor.close()


def test_more_workers_than_open_files_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os_processes, "open_files_allowed", lambda: 1024)
    with pytest.raises(ParameterError, match=r"workers need 2064 open files.*allows 1024.*use at most 480"):
        make_executor("processes", workers=1000)
    make_executor("processes", workers=480)


@pytest.mark.slow
def test_opening_from_a_thread_that_ends() -> None:
    """A supervisor lives as long as the process that wanted it, not the thread (as PR_SET_PDEATHSIG would have it)."""
    executor = make_executor("processes", workers=1)
    thread = threading.Thread(target=executor.open, args=(work(misbehaviour.fine),))
    thread.start()
    thread.join()
    assert [o.status for o in collected(executor, TASKS[:2])] == ["ok", "ok"]
    executor.close()


# --- what is refused


def test_executors_by_name() -> None:
    with pytest.raises(ParameterError, match="executor must be one of 'serial', 'processes'"):
        make_executor("proceses")
    with pytest.raises(WrongTypeError, match="executor must be one of"):
        make_executor(3)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="workers must be a whole number"):
        make_executor("processes", workers=0)
    with pytest.raises(ParameterError, match="the serial executor is one worker"):
        make_executor("serial", workers=2)
    with pytest.raises(ParameterError, match="executor='processes' has no such option"):
        make_executor("processes", tiemout=3)
    for wrong in ({"isolated": 1}, {"blas_threads": 0}, {"grace": -1}, {"start": "forkserver"}):
        with pytest.raises((ParameterError, WrongTypeError)):
            make_executor("processes", **wrong)
    made = SerialExecutor()
    assert make_executor(made) is made
    with pytest.raises(ParameterError, match="this one is made already"):
        make_executor(made, workers=1)
    assert set(EXECUTORS) == {"serial", "processes", "command", "dask"}


@pytest.mark.slow
def test_limits_that_cannot_be_kept_are_refused() -> None:
    for limit in ({"timeout": 3.0}, {"memory": 10**9}):
        with pytest.raises(ParameterError, match=r'cannot be enforced on the Python function.*executor="processes"'):
            opened("serial", work(misbehaviour.fine, **limit))
        opened("serial", work(CommandLine("true"), **limit))


@pytest.mark.slow
def test_commands_only_for_the_command_executor() -> None:
    executor = make_executor("command", workers=2)
    with pytest.raises(WrongTypeError, match="runs programs"):
        executor.open(work(misbehaviour.fine))
    executor.open(work(CommandLine("echo {instance}")))
    found = collected(executor, [Task(problem=p, algorithm=0, repetition=r, seed=1) for p in (0, 1) for r in (0, 1)])
    assert sorted((o.task.problem, o.value) for o in found) == [(0, 1.0), (0, 1.0), (1, 2.0), (1, 2.0)]
    executor.close()


@pytest.mark.slow
def test_what_cannot_be_sent_is_named() -> None:
    executor = make_executor("processes", workers=1)
    with pytest.raises(ParameterError, match=r"algorithm 'alg 1' cannot be sent.*top level of a module.*serial"):
        executor.open(work(misbehaviour.fine, lambda problem, rng: 1.0))
    with pytest.raises(ParameterError, match=r"problem 'prob 0' cannot be sent.*use plain data"):
        executor.open(work(misbehaviour.fine, problems=(threading.Lock(),)))
    with pytest.raises(ParameterError, match=r"cannot be used in another process.*No module named"):
        executor.open(work(only_here()))
    executor.close()


def only_here() -> Any:
    """A function of a module that no other process can import."""
    import types

    module = types.ModuleType("nowhere_else")
    sys.modules["nowhere_else"] = module
    exec("def alone(problem, rng): return 1.0", module.__dict__)
    return module.alone


def python(*arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, **more)


SCRIPT = """
from bakeoff.wings.run.design.work import Work
from bakeoff.wings.run.cell import Task
from bakeoff.wings.run.executors import make_executor

def mine(problem, rng):
    return 4.0

def go():
    executor = make_executor("processes", workers=1)
    executor.open(Work(algorithms=(mine,), problems=(1,), algorithm_names=("mine",), problem_names=("p",)))
    executor.submit(Task(problem=0, algorithm=0, repetition=0, seed=1))
    print(executor.wait()[0].value)
    executor.close()

"""


@pytest.mark.slow
def test_functions_of_the_users_own_script(tmp_path: Path) -> None:
    script = tmp_path / "experiment.py"
    script.write_text(SCRIPT + 'if __name__ == "__main__":\n    go()\n')
    done = python("experiment.py", cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("4.0\n", "")
    done = python("-m", "experiment", cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("4.0\n", "")
    script.write_text(SCRIPT + "go()\n")
    refused = python("experiment.py", cwd=tmp_path)
    assert 'put what starts it below `if __name__ == "__main__":`' in refused.stderr
    session = python("-c", SCRIPT + "go()\n")
    assert "algorithm 'mine' is defined in this interactive session" in session.stderr


@pytest.mark.slow
def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingPackageError, match=r"needs the package distributed: pip install distributed$"):
        make_executor("dask")
    assert importlib.import_module("bakeoff.wings.run.executors.dask")


@pytest.mark.slow
def test_an_interpreter_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "")
    with pytest.raises(ExecutorError, match="does not say where its interpreter is"):
        opened("processes", work(misbehaviour.fine))


@pytest.mark.slow
def test_threads_of_numerical_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    for asked, got in ((1, 1.0), (3, 3.0), (None, 7.0)):
        executor = make_executor("processes", workers=1, blas_threads=asked)
        executor.open(work(misbehaviour.openmp_threads))
        assert collected(executor, TASKS[:1])[0].value == got
        executor.close()


@pytest.mark.slow
def test_a_module_that_starts_threads_is_not_forked() -> None:
    executor = make_executor("processes", workers=1)
    executor.open(work(misbehaviour.with_a_threaded_module, problems=(misbehaviour.Threaded(),)))
    assert [o.value for o in collected(executor, TASKS[:1])] == [1.0]
    executor.close()
