"""Inside a worker process: receive a task, perform it within its memory limit, return the outcome."""

import contextlib
import faulthandler
import os
import pickle
import signal
import struct
import sys
import traceback
from collections.abc import Callable, Iterable
from multiprocessing.connection import Connection
from typing import Any

from bakeoff.processes import os_processes
from bakeoff.processes.command_line import CommandLine
from bakeoff.wings.run.cell import Outcome, Task
from bakeoff.wings.run.design.work import Work
from bakeoff.wings.run.executors.perform import perform
from bakeoff.wings.run.executors.serialization import deserialize

HEAD = struct.Struct("<qB")  # precedes every outcome: its ticket, and whether the worker must be replaced

STAYS, MUST_GO, LEAVES_CHILDREN = 0, 1, 2
LONGEST_OUTCOME = 1 << 24  # bytes of an outcome; a longer message is invalid

LOST = 70  # exit code of a worker that cannot return its outcome

HELLO = -1  # the ticket by which a worker reports that it has loaded the work


def task_bytes(ticket: int, task: Task) -> bytes:
    return pickle.dumps((ticket, task))


def task_from(data: bytes) -> tuple[int, Task]:
    ticket, task = pickle.loads(data)
    return ticket, task


def outcome_bytes(outcome: Outcome) -> bytes:
    """Everything but the task, which the coordinator has."""
    return pickle.dumps({name: getattr(outcome, name) for name in Outcome.__dataclass_fields__ if name != "task"})


def outcome_from(data: bytes, task: Task) -> Outcome:
    return Outcome(task=task, **pickle.loads(data))


def set_up_worker(parent: int, output: int) -> None:
    """Set up a new worker process: its own session, default signal handlers, its output into a pipe."""
    with contextlib.suppress(PermissionError):
        os.setsid()
    os_processes.die_with_parent(parent)
    os_processes.become_subreaper()  # processes that a run leaves behind are found here, apart from those of other runs
    os_processes.raise_oom_score()
    for number in (signal.SIGTERM, signal.SIGCHLD, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.dup2(output, 1)
    os.dup2(output, 2)
    if output > 2:
        os.close(output)
    sys.stdout = os.fdopen(1, "w", errors="backslashreplace", closefd=False)
    sys.stderr = os.fdopen(2, "w", errors="backslashreplace", closefd=False, buffering=1)
    faulthandler.enable(2)


def serve(link: Connection, work: Work, once: bool) -> None:
    """Perform tasks until the supervisor closes the connection; with ``once``, a single one."""
    me = os.getpid()
    while True:
        try:
            ticket, task = task_from(link.recv_bytes())
        except (EOFError, OSError):
            return
        outcome = _limited(work, task)
        if os.getpid() != me:  # the run has forked, and this is the copy
            os._exit(0)
        mark = STAYS
        if os_processes.has_living_children():
            mark = LEAVES_CHILDREN
        elif once or "MemoryError" in outcome.error:  # the process may be in an inconsistent state
            mark = MUST_GO
        with contextlib.suppress(ValueError, OSError):
            sys.stdout.flush()
        try:
            link.send_bytes(HEAD.pack(ticket, mark) + outcome_bytes(outcome))
        except OSError:
            os._exit(LOST)
        if once:
            return


def warm_up() -> None:
    """Perform an empty run, which imports and caches what every run needs."""
    nothing = Work(algorithms=(_nothing,), problems=(0,), algorithm_names=("",), problem_names=("",))
    outcome_bytes(perform(nothing, Task(problem=0, algorithm=0, repetition=0, seed=0)))


def _nothing(problem: object, rng: object) -> float:
    return 0.0


def _limited(work: Work, task: Task) -> Outcome:
    if work.memory is None or isinstance(work.algorithms[task.algorithm], CommandLine):
        return perform(work, task, dedicated=True)  # the limit is set on the program itself
    os_processes.limit_own_memory(int(work.memory))
    try:
        return perform(work, task, dedicated=True)
    finally:
        os_processes.limit_own_memory(None)


def run_forked(
    link: Connection, work: Work, once: bool, parent: int, output: int, first: Iterable[Callable[[], object]]
) -> None:
    """Entry point of a worker forked from the supervisor; never returns."""
    code = LOST
    try:
        for step in first:
            step()
        set_up_worker(parent, output)
        serve(link, work, once)
        code = 0
    except BaseException:
        with contextlib.suppress(BaseException):
            traceback.print_exc()
    finally:
        os._exit(code)


def run_spawned(descriptor: int, parent: int) -> Any:
    """Entry point of a worker with its own interpreter."""
    set_up_worker(parent, os.dup(1))
    link = Connection(descriptor)
    serialized, once = pickle.loads(link.recv_bytes())
    work = deserialize(serialized)
    link.send_bytes(HEAD.pack(HELLO, STAYS))
    serve(link, work, once)
