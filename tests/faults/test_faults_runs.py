"""Runs that crash, hang, leave processes behind or eat memory: each costs itself, and nothing else.

All of it is real: the segmentation faults, the signals, the orphans.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from bakeoff.processes.command_line import CommandLine
from bakeoff.processes.os_processes import mark_owner, remove_stale_folders
from bakeoff.wings.run.cell import Outcome, Task
from bakeoff.wings.run.design.work import Work
from bakeoff.wings.run.executors import Executor, ExecutorError, make_executor
from bakeoff.wings.run.executors.processes import ProcessExecutor
from faults import misbehaviour
from faults.survival import is_alive, survivors
from waiting import PATIENCE, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="what is promised here is promised for Linux")

NAMES = (
    "fine",
    "raises",
    "nothing",
    "not_a_number",
    "segfaults",
    "leaves",
    "kills_itself",
    "kills_its_supervisor",
    "hangs",
    "hangs_stubbornly",
    "leaves_children",
    "forks_and_returns_twice",
    "eats_memory",
    "closes_everything",
    "writes_everywhere",
    "whispers_everywhere",
    "shouts_everywhere",
    "talks",
)
TIMEOUT = 1.5
MEMORY = 64 * 2**20


def open_executor(note: Path, isolated: bool = False, timeout: float | None = TIMEOUT) -> ProcessExecutor:
    executor = ProcessExecutor(2, isolated=isolated, grace=0.3)
    executor.open(
        Work(
            algorithms=tuple(getattr(misbehaviour, name) for name in NAMES),
            problems=(str(note),),
            algorithm_names=NAMES,
            problem_names=("p",),
            timeout=timeout,
            memory=MEMORY,
        )
    )
    return executor


@pytest.fixture(scope="module")
def note(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("faults") / "pids"
    file.touch()
    return file


@pytest.fixture(scope="module", params=["reused", pytest.param("isolated", marks=pytest.mark.slow)])
def executor(request: pytest.FixtureRequest, note: Path) -> Iterator[ProcessExecutor]:
    made = open_executor(note, isolated=request.param == "isolated")
    yield made
    made.close()


def task(name: str, repetition: int = 0) -> Task:
    return Task(problem=0, algorithm=NAMES.index(name), repetition=repetition, seed=repetition)


def outcomes_of(executor: Executor, *names: str) -> dict[tuple[str, int], Outcome]:
    """Every task's one outcome."""
    for repetition, name in enumerate(names):
        executor.submit(task(name, repetition))
    found: dict[tuple[str, int], Outcome] = {}
    while ended := executor.wait():
        for outcome in ended:
            key = (NAMES[outcome.task.algorithm], outcome.task.repetition)
            assert key not in found, "reported twice"
            found[key] = outcome
    assert len(found) == len(names)
    return found


@pytest.mark.parametrize(
    ("name", "status", "says"),
    [
        ("raises", "failed", "raised ZeroDivisionError: no score today (line"),
        ("nothing", "failed", "returned nothing (None)"),
        ("not_a_number", "failed", "returned nan"),
        ("segfaults", "failed", "killed by SIGSEGV (segmentation fault); its last words: 'Fatal Python error: Segm"),
        ("leaves", "failed", "ended its process with exit code 3 instead of returning a score"),
        ("kills_itself", "failed", "killed by SIGKILL (killed) twice; perhaps the machine ran out of memory"),
        ("hangs", "timeout", "longer than the timeout of 1.5 seconds"),
        ("eats_memory", "failed", "MemoryError"),
        ("closes_everything", "failed", "the connection of its worker"),
        ("writes_everywhere", "failed", "the connection of its worker"),
        ("whispers_everywhere", "timeout", "longer than the timeout"),
        ("shouts_everywhere", "failed", "the connection of its worker"),
        ("forks_and_returns_twice", "ok", ""),
        ("talks", "ok", ""),
    ],
)
@pytest.mark.few(4, 3)
@pytest.mark.slow_cases("reused-raises-failed-raised ZeroDivisionError: no score today (line")
def test_a_run_costs_itself_alone(executor: ProcessExecutor, name: str, status: str, says: str) -> None:
    found = outcomes_of(executor, "fine", name, "fine", "fine")
    assert [o.status for (n, _), o in found.items() if n == "fine"] == ["ok"] * 3
    (outcome,) = (o for (n, _), o in found.items() if n == name)
    assert outcome.status == status
    assert says in outcome.error
    assert (outcome.error == "") == (status == "ok")
    assert outcome.error == "" or outcome.error.startswith(f"run 2 of '{name}' on 'p': ")
    assert outcome.pid > 0
    assert outcome.host


@pytest.mark.few(1)
@pytest.mark.slow
def test_a_run_that_ignores_sigterm_is_killed_with_its_child(executor: ProcessExecutor, note: Path) -> None:
    note.write_text("")
    (outcome,) = outcomes_of(executor, "hangs_stubbornly").values()
    assert outcome.status == "timeout"
    assert len(note.read_text().split()) == 2
    assert survivors(note) == [], "they are dead when the outcome arrives"


@pytest.mark.slow
def test_what_a_run_leaves_behind_is_dead_when_its_outcome_arrives(executor: ProcessExecutor, note: Path) -> None:
    note.write_text("")
    found = outcomes_of(executor, "leaves_children", "fine")
    assert {o.status for o in found.values()} == {"ok"}
    assert len(note.read_text().split()) == 3
    assert survivors(note) == []


@pytest.mark.slow
def test_a_worker_killed_from_outside_costs_nothing(note: Path) -> None:
    executor = open_executor(note)
    for repetition in range(200):
        executor.submit(task("fine", repetition))
    (first, *found) = executor.wait()
    found.insert(0, first)
    os.kill(first.pid, signal.SIGKILL)
    while ended := executor.wait():
        found += ended
    assert sorted(o.task.repetition for o in found) == list(range(200))
    assert {o.status for o in found} == {"ok"}
    executor.close()


@pytest.mark.slow
def test_a_run_that_kills_its_supervisor_costs_itself_alone(note: Path) -> None:
    executor = open_executor(note)
    note.write_text("")
    found = outcomes_of(executor, *["fine"] * 5, "kills_its_supervisor", "leaves_children", *["fine"] * 20)
    assert {name for (name, _), o in found.items() if o.status != "ok"} == {"kills_its_supervisor"}
    wait_until(lambda: not survivors(note))
    executor.close()


@pytest.mark.slow
def test_a_supervisor_that_dies_again_and_again_is_no_runs_fault(note: Path) -> None:
    executor = open_executor(note, timeout=None)
    for repetition in range(50):
        executor.submit(task("hangs", repetition))
    blamed: list[Outcome] = []
    for _ in range(8):
        kill_supervisor(executor)
        blamed += executor.wait(0.5)
    assert len(blamed) == 3
    assert all("was killed, and twice again while nothing else was under way" in o.error for o in blamed)
    kill_supervisor(executor)
    with pytest.raises(ExecutorError, match="has died 9 times in a row; nothing of the runs under way is kept"):
        executor.wait()
    executor.close()


@pytest.mark.slow
def test_a_killed_supervisor_leaves_no_folder(note: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs have private folders in the supervisor's; the coordinator knows which, and removes it."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    executor = open_executor(note)
    assert list(tmp_path.glob("bakeoff-*"))
    kill_supervisor(executor)
    executor.submit(task("fine", 0))
    assert executor.wait(PATIENCE)[0].status == "ok"
    kill_supervisor(executor)
    executor.close()
    assert not list(tmp_path.glob("bakeoff-*"))


def kill_supervisor(executor: ProcessExecutor) -> None:
    assert executor._supervisor is not None
    executor._supervisor._process.kill()


@pytest.mark.slow
def test_a_program_that_is_given_up_leaves_no_files(tmp_path: Path) -> None:
    note = tmp_path / "folder"
    script = f"dirname $1 > {note}.new; mv {note}.new {note}; sleep 600"
    executor = make_executor("command", workers=1)
    program = CommandLine(["sh", "-c", script, "x", "{output}"])
    executor.open(Work(algorithms=(program,), problems=(1,), algorithm_names=("a",), problem_names=("p",)))
    executor.submit(Task(problem=0, algorithm=0, repetition=0, seed=0))
    wait_until(lambda: executor.wait(0.01) or note.exists())
    folder = Path(note.read_text().strip())
    assert folder.stat().st_mode & 0o777 == 0o700
    executor.close(now=True)
    assert not folder.exists()
    assert not folder.parent.exists()


COORDINATOR = """
import sys, time
from pathlib import Path
from faults import misbehaviour
from bakeoff.wings.run.cell import Task
from bakeoff.wings.run.executors import make_executor
from bakeoff.wings.run.design.work import Work

executor = make_executor("processes", workers=2)
names = ("hangs_stubbornly", "leaves_children_and_hangs")
algorithms = tuple(getattr(misbehaviour, name) for name in names)
executor.open(Work(algorithms=algorithms, problems=(sys.argv[1],), algorithm_names=names, problem_names=("p",)))
for algorithm in (0, 1):
    executor.submit(Task(problem=0, algorithm=algorithm, repetition=0, seed=0))
with Path(sys.argv[1]).open("a") as file:
    file.write(f"{executor._supervisor._process.pid}\\n")
executor.wait()
"""


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_a_dead_coordinator_leaves_no_orphans(tmp_path: Path, number: int) -> None:
    """Neither the supervisor nor workers that ignore SIGTERM nor their children in other sessions."""
    note = tmp_path / "pids"
    note.touch()
    folder = str(Path(__file__).parents[1])
    coordinator = subprocess.Popen(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {folder!r})\n{COORDINATOR}", str(note)]
    )
    wait_until(lambda: len(note.read_text().split()) == 6)
    pids = [int(pid) for pid in note.read_text().split()]
    assert all(map(is_alive, pids))
    coordinator.send_signal(number)
    coordinator.wait()
    wait_until(lambda: not survivors(note))


@pytest.mark.few(1)
@pytest.mark.slow
@pytest.mark.parametrize("place", ["serial", "command"])
def test_reading_the_score_is_within_the_timeout(place: str) -> None:
    """A pattern may take longer than the age of the universe; serial waited for it, deaf to SIGTERM."""
    program = CommandLine(["echo", "a" * 60 + "!"], score="regex:(a+)+$")
    executor = make_executor(place)
    executor.open(Work(algorithms=(program,), problems=(1,), algorithm_names=("a",), problem_names=("p",), timeout=0.3))
    executor.submit(Task(problem=0, algorithm=0, repetition=0, seed=1))
    (found,) = executor.wait(PATIENCE)
    executor.close()
    assert found.status == "timeout"


@pytest.mark.slow
def test_programs_leave_no_daemons_with_one_worker(tmp_path: Path) -> None:
    note = tmp_path / "pids"
    note.touch()
    daemon = f"setsid sh -c 'echo $$ >> {note}; exec sleep 600' &"
    program = CommandLine(f"{daemon} until test -s {note}; do sleep 0.01; done; echo 1", shell=True)
    executor = make_executor("serial")
    executor.open(Work(algorithms=(program,), problems=(1,), algorithm_names=("a",), problem_names=("p",)))
    executor.submit(Task(problem=0, algorithm=0, repetition=0, seed=1))
    assert [o.value for o in executor.wait(PATIENCE)] == [1.0]
    executor.close()
    assert len(note.read_text().split()) == 1
    wait_until(lambda: not survivors(note))


def test_folders_of_killed_runs_are_removed_by_the_next_one(tmp_path: Path) -> None:
    """About 270 kills left 37 of them."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    left, own, strange = (tmp_path / f"bakeoff-run-{name}" for name in ("left", "own", "strange"))
    for folder in (left, own, strange):
        folder.mkdir()
    mark_owner(str(own))
    (left / "owner").write_text(f"{ended.pid} 12345")
    remove_stale_folders(str(tmp_path / "bakeoff-run-"))
    assert [folder.exists() for folder in (left, own, strange)] == [False, True, True]
