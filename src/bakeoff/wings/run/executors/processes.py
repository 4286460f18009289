"""Runs in worker processes on this machine, under a supervisor process that ends with this one; their queue."""

from __future__ import annotations

import contextlib
import os
import pickle
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import weakref
from abc import ABC, abstractmethod
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import IO, Any

from bakeoff.checks import choice, flag, integer, number
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.processes import os_processes
from bakeoff.processes.command_line import CommandLine
from bakeoff.processes.process import GRACE
from bakeoff.processes.score_output import excerpt
from bakeoff.wings.run.cell import Outcome, Task
from bakeoff.wings.run.design.work import Work
from bakeoff.wings.run.executors import supervisor, worker_main
from bakeoff.wings.run.executors.perform import failure_message
from bakeoff.wings.run.executors.protocol import ExecutorError
from bakeoff.wings.run.executors.serialization import (
    CLOSE,
    CLOSE_NOW,
    MARK,
    RUN_PREFIX,
    SerializedWork,
    SupervisorOptions,
    files_needed,
    run_folders,
    serialize,
    worker_environment,
)
from bakeoff.wings.run.executors.worker_handle import interpreter

# Tasks waiting and in flight, and which of them is to blame when several are lost together.


class TaskQueue:
    """Tasks by ticket; each leaves exactly once, by :meth:`done` or as a culprit of :meth:`lost`.

    At most ``window`` are in flight. When the process that runs them dies, all those in flight are queued again and
    tried one at a time: a task that is alone at ``chances`` deaths is their cause; the others are simply repeated.
    """

    def __init__(self, window: int, chances: int = 1) -> None:
        self._window, self._chances = window, chances
        self._deaths: Counter[int] = Counter()  # of the process while this task was alone, by ticket
        self._tickets = 0
        self._waiting: deque[tuple[int, Task]] = deque()
        self._suspects: deque[tuple[int, Task]] = deque()
        self._sent: dict[int, Task] = {}
        self._alone: int | None = None

    def __bool__(self) -> bool:
        return bool(self._waiting or self._suspects or self._sent)

    def add(self, task: Task) -> None:
        self._waiting.append((self._tickets, task))
        self._tickets += 1

    def due(self) -> list[tuple[int, Task]]:
        """The tasks to send now; they are in flight from here on."""
        due = []
        if self._suspects:
            if not self._sent:
                due.append(self._suspects.popleft())
                self._alone = due[0][0]
        elif self._alone not in self._sent:
            while self._waiting and len(self._sent) + len(due) < self._window:
                due.append(self._waiting.popleft())
        self._sent.update(due)
        return due

    def done(self, ticket: int) -> Task | None:
        """The task of a returned ticket; None if it had already returned."""
        return self._sent.pop(ticket, None)

    def lost(self, tickets: list[int] | None = None) -> list[Task]:
        """Record that these tickets (None: all in flight) were lost; return the culprits, which are not tried again."""
        culprits = []
        for ticket in [*self._sent] if tickets is None else tickets:
            task = self._sent.pop(ticket, None)
            if task is None:
                continue
            self._deaths[ticket] += ticket == self._alone
            if self._deaths[ticket] >= self._chances:
                culprits.append(task)
            elif ticket == self._alone:
                self._suspects.appendleft((ticket, task))
            else:
                self._suspects.append((ticket, task))
        return culprits

    def clear(self) -> None:
        self._waiting.clear()
        self._suspects.clear()
        self._sent.clear()


class QueuedExecutor(ABC):
    """The part of an executor that is the same wherever else runs happen: tasks wait here until there is room there."""

    _labels: Work
    _tasks: TaskQueue

    def submit(self, task: Task) -> None:
        self._opened()
        self._tasks.add(task)
        self._send()

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        until = None if timeout is None else time.monotonic() + timeout
        outcomes: list[Outcome] = []
        self._opened()
        while not outcomes and self._tasks:
            self._send()
            if (arrived := self._arrived(until)) is None:
                break
            outcomes += arrived
            self._send()
        return outcomes

    def _send(self) -> None:
        """Send tasks up to the limit in flight."""
        for ticket, task in self._tasks.due():
            self._send_one(ticket, worker_main.task_bytes(ticket, task))

    def _failed_outcome(self, task: Task, what: str, host: str = "") -> Outcome:
        return Outcome(task=task, status="failed", error=failure_message(self._labels, task, what), host=host)

    @abstractmethod
    def _opened(self) -> Any:
        """The connection that runs are sent through; RuntimeError before ``open``."""

    @abstractmethod
    def _send_one(self, ticket: int, data: bytes) -> None:
        """Send one task."""

    @abstractmethod
    def _arrived(self, until: float | None) -> list[Outcome] | None:
        """Outcomes that have arrived, perhaps none; None when the time is up."""


_MOST_DEATHS = 8  # supervisors lost in a row, without an outcome in between, before the executor gives up


class ProcessExecutor(QueuedExecutor):
    """Runs in worker processes on this machine.

    A fresh interpreter (which inherits nothing from this process, as with multiprocessing's "spawn") loads the
    algorithms once and is then forked for each worker; if loading them starts threads, every worker gets an
    interpreter of its own instead. Output of runs is discarded, except for the last line of a run whose process died.
    Processes that a run leaves behind are killed and its worker is replaced: a pool of processes that an algorithm
    keeps for its next run is started again each time. POSIX only; tested on Linux.

    Parameters
    ----------
    workers : int, optional
        Concurrent runs; None: one per processor available to this process.
    isolated : bool
        A fresh process for every run, at a few milliseconds each, for algorithms that keep state in their process.
    blas_threads : int, optional
        Threads of numerical libraries in each worker (OMP_NUM_THREADS and the like); 1 by default, since workers share
        the processors; None leaves the variables unchanged. PYTHONHASHSEED is set to 0 unless already set, so that
        sets have the same order in all workers.
    start : {"auto", "fork", "spawn"}
        How workers start. spawn: an interpreter each, for libraries that do not survive a fork.
    grace : float
        Seconds between SIGTERM and SIGKILL.
    """

    def __init__(
        self,
        workers: int | None = None,
        *,
        isolated: bool = False,
        blas_threads: int | None = 1,
        start: str = "auto",
        grace: float = GRACE,
    ) -> None:
        if not hasattr(os, "fork"):
            raise ParameterError('executor="processes" needs a POSIX system; use executor="serial"')
        isolated = flag("isolated", isolated)
        self._workers = usable_processors() if workers is None else workers
        self._check_open_files()
        self._blas_threads = None if blas_threads is None else integer("blas_threads", blas_threads, 1)
        self._grace = number("grace", grace, least=0.0, below=3600.0, what="a number of seconds from 0 to 3600")
        start = choice("start", start, ("auto", "fork", "spawn"))
        self._options = SupervisorOptions(self._workers, isolated, start, self._grace)
        self._parcel: SerializedWork | None = None
        self._supervisor: _SupervisorProcess | None = None
        self._tasks = TaskQueue(window=1)
        self._deaths = 0

    @property
    def workers(self) -> int:
        return self._workers

    def _check_open_files(self) -> None:
        allowed = os_processes.open_files_allowed()
        if allowed is not None and files_needed(self._workers) > allowed:
            raise ParameterError(
                f"need {files_needed(self._workers)} open files, and this system allows {allowed} (ulimit -Hn); got "
                f"{self._workers}; use at most {max(1, (allowed - files_needed(0)) // 2)}, or raise the limit",
                parameter="workers",
            )

    def open(self, work: Work) -> None:
        """Raise ParameterError if an algorithm or problem cannot be sent to another process or loaded there."""
        self.open_serialized(work.labels(), serialize(work))

    def open_serialized(self, labels: Work, serialized: SerializedWork) -> None:
        """The same with serialized work; ``labels`` supplies the names for error messages."""
        self.close(now=True)
        self._labels, self._parcel = labels, serialized
        self._tasks = TaskQueue(window=4 * self._workers + 4, chances=2)
        self._deaths = 0
        self._supervisor = self._started()

    def _arrived(self, until: float | None) -> list[Outcome] | None:
        link, outcomes = self._opened().link, []
        try:
            if not link.poll(None if until is None else max(0.0, until - time.monotonic())):
                return None
            while link.poll():
                data = link.recv_bytes()
                ticket, _ = worker_main.HEAD.unpack_from(data)
                if (task := self._tasks.done(ticket)) is not None:
                    outcomes.append(worker_main.outcome_from(data[worker_main.HEAD.size :], task))
                    self._deaths = 0
        except (EOFError, OSError):
            outcomes += self._replace_supervisor()
        return outcomes

    def close(self, now: bool = False) -> None:
        if self._supervisor is not None:
            self._supervisor.end(now, self._grace)
            self._supervisor = None
            self._tasks.clear()

    def _opened(self) -> _SupervisorProcess:
        if self._supervisor is None:
            raise RuntimeError("open() comes before submit() and wait()")
        return self._supervisor

    def _send_one(self, ticket: int, data: bytes) -> None:
        with contextlib.suppress(OSError):  # the supervisor is dead: the next wait() notices
            self._opened().link.send_bytes(data)

    def _started(self) -> _SupervisorProcess:
        assert self._parcel is not None
        options = replace(self._options, coordinator=os.getpid())
        return _SupervisorProcess(self._parcel, options, worker_environment(self._blas_threads, self._parcel.hash_seed))

    def _replace_supervisor(self) -> list[Outcome]:
        """Start a new supervisor, which repeats the runs in flight; a run that was alone has killed the old one."""
        lost = self._opened()
        lost.end(True, self._grace)
        lost.end_orphans()
        self._deaths += 1
        if self._deaths > _MOST_DEATHS:
            self._supervisor = None
            raise ExecutorError(
                f"the supervisor of the workers has died {self._deaths} times in a row{lost.last_error_line()}; "
                "nothing of the runs under way is kept, they run again on resume"
            )
        culprits = self._tasks.lost()
        self._supervisor = self._started()
        what = "the process that supervises its worker was killed, and twice again while nothing else was under way"
        return [self._failed_outcome(task, what, socket.gethostname()) for task in culprits]


class CommandExecutor(ProcessExecutor):
    """Foreign programs only, each under a small worker process that monitors it."""

    def open(self, work: Work) -> None:
        for name, algorithm in zip(work.algorithm_names, work.algorithms, strict=True):
            if not isinstance(algorithm, CommandLine):
                raise WrongTypeError(
                    'executor="command" runs programs (CommandLine); use executor="processes" for algorithm '
                    f"{name!r}, which is {excerpt(repr(algorithm))}"
                )
        super().open(work)


class _SupervisorProcess:
    """Handle to the supervisor process."""

    def __init__(self, serialized: SerializedWork, options: SupervisorOptions, environment: dict[str, str]) -> None:
        if not sys.executable:
            raise ExecutorError("this Python does not say where its interpreter is (sys.executable); no worker starts")
        os_processes.remove_stale_folders(os.path.join(tempfile.gettempdir(), RUN_PREFIX))
        ours, theirs = socket.socketpair()
        token = secrets.token_hex(16)
        self._mark, self._folder = f"{MARK}={token}", run_folders(token)
        self._stderr_file = tempfile.TemporaryFile()  # noqa: SIM115
        with theirs:
            try:
                self._process = subprocess.Popen(
                    interpreter(serialized.path, supervisor.run_supervisor, theirs.fileno()),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=self._stderr_file,
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,  # Ctrl-C reaches the coordinator only
                    cwd=serialized.directory,
                    env=environment | {MARK: token},
                )
            except OSError as error:
                ours.close()
                self._stderr_file.close()
                raise ExecutorError(f"the supervisor of the workers cannot be started: {error}") from None
        self.link = Connection(ours.detach())
        self._finish = weakref.finalize(self, _end, self._process, self.link, self._stderr_file, self._folder)
        self._send_work(serialized, options)

    def _send_work(self, serialized: SerializedWork, options: SupervisorOptions) -> None:
        """Send the work, and receive whether it could be loaded."""
        try:
            self.link.send_bytes(pickle.dumps((serialized, options)))
            refusal = self.link.recv_bytes().decode()
        except (EOFError, OSError):
            self._process.wait()
            words = self.last_error_line()
            self.end(True, 0.0)
            raise ExecutorError(f"the supervisor of the workers cannot be started{words}") from None
        except BaseException:
            self.end(True, 0.0)
            raise
        if refusal:
            self.end(True, 0.0)
            raise ParameterError(f"the algorithms and problems cannot be used in another process: {refusal}")

    def last_error_line(self) -> str:
        if self._stderr_file.closed:
            return ""
        self._stderr_file.seek(max(0, self._stderr_file.seek(0, os.SEEK_END) - 4096))
        lines: Sequence[str] = self._stderr_file.read().decode(errors="replace").strip().splitlines()
        return f": {excerpt(lines[-1])}" if lines else ""

    def end_orphans(self) -> None:
        """Kill the processes and remove the files left by a supervisor that was itself killed."""
        os_processes.kill_marked(self._mark)
        shutil.rmtree(self._folder, ignore_errors=True)  # its processes may have written there until now

    def end(self, now: bool, grace: float) -> None:
        """Ask it to end all workers and itself, and make sure that it does."""
        with contextlib.suppress(OSError):
            self.link.send_bytes(CLOSE_NOW if now else CLOSE)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(grace + 5.0)
        self._finish()


def _end(process: subprocess.Popen[bytes], link: Connection, stderr_file: IO[bytes], folder: str) -> None:
    """Close the connection, on which the supervisor ends all workers and itself."""
    link.close()
    try:
        process.wait(5.0)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    stderr_file.close()
    shutil.rmtree(folder, ignore_errors=True)  # it does so itself unless killed


def usable_processors() -> int:
    """Count the processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
