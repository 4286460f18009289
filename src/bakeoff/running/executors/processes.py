"""Runs in processes beside this one, under a supervisor that outlives none of them."""

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
from collections.abc import Sequence
from multiprocessing.connection import Connection
from typing import IO

from bakeoff.checks import choice
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.running.cell import Outcome, Status, Task
from bakeoff.running.commands.command_line import CommandLine
from bakeoff.running.commands.process import GRACE
from bakeoff.running.commands.score_output import shown
from bakeoff.running.executors import os_processes, worker_main
from bakeoff.running.executors.perform import Work, sentence
from bakeoff.running.executors.protocol import ExecutorError
from bakeoff.running.executors.serialization import (
    CLOSE,
    CLOSE_NOW,
    MARK,
    Orders,
    Parcel,
    packed,
    run_folders,
    worker_environment,
)
from bakeoff.running.executors.task_queue import Backlog
from bakeoff.running.executors.worker_handle import interpreter

_MOST_DEATHS = 8
"""So many supervisors lost one after the other, and no outcome between: something else is wrong."""


class ProcessExecutor:
    """Runs in worker processes on this machine.

    Workers start from a fresh interpreter (nothing of this process is inherited, as with multiprocessing's "spawn"),
    which loads the algorithms once and is then copied (fork) for each worker; where loading them starts threads,
    every worker gets an interpreter of its own instead. What runs print is thrown away, except for the last words of
    one that died. Processes that a run leaves behind are ended with it, and its worker is replaced: a pool of
    processes that an algorithm keeps for its next run is started again each time. POSIX only; tested on Linux.

    Parameters
    ----------
    workers : int, optional
        Runs at once; None: as many as this process may use processors.
    isolated : bool
        A fresh process for every run, some milliseconds each. For algorithms that leave traces in their process.
    blas_threads : int, optional
        Threads of numerical libraries in each worker (OMP_NUM_THREADS and its like). 1 unless told otherwise, since
        the workers share the processors; None leaves the variables as they are. Also PYTHONHASHSEED is 0 unless set,
        so that sets have the same order in all workers.
    start : {"auto", "fork", "spawn"}
        How workers come to life. spawn: an interpreter each, for libraries that cannot be copied.
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
        if not isinstance(isolated, bool):
            raise WrongTypeError(f"isolated must be True or False; got {isolated!r}")
        if blas_threads is not None and (not isinstance(blas_threads, int) or blas_threads < 1):
            raise ParameterError(f"blas_threads must be a whole number from 1 on, or None; got {blas_threads!r}")
        if not isinstance(grace, int | float) or not 0 <= grace < 3600:
            raise ParameterError(f"grace must be seconds from 0 to 3600; got {grace!r}")
        self._workers = usable_processors() if workers is None else workers
        self._isolated, self._blas_threads, self._grace = isolated, blas_threads, float(grace)
        self._start = choice("start", start, ("auto", "fork", "spawn"))
        self._parcel: Parcel | None = None
        self._supervisor: _Process | None = None
        self._backlog = Backlog(window=1)
        self._deaths = 0

    @property
    def workers(self) -> int:
        return self._workers

    def open(self, work: Work) -> None:
        """Raises ParameterError where an algorithm or problem cannot be sent to or loaded in another process."""
        self.open_parcel(work.labels(), packed(work))

    def open_parcel(self, labels: Work, parcel: Parcel) -> None:
        """The same, with the work packed already, and what is needed to name its runs."""
        self.close(now=True)
        self._labels, self._parcel = labels, parcel
        self._backlog = Backlog(window=4 * self._workers + 4, chances=2)
        self._deaths = 0
        self._supervisor = self._started()

    def submit(self, task: Task) -> None:
        self._opened()
        self._backlog.add(task)
        self._send()

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        until = None if timeout is None else time.monotonic() + timeout
        outcomes: list[Outcome] = []
        self._opened()
        while not outcomes and self._backlog:
            self._send()
            supervisor = self._opened()
            try:
                if not supervisor.link.poll(None if until is None else max(0.0, until - time.monotonic())):
                    break
                while supervisor.link.poll():
                    data = supervisor.link.recv_bytes()
                    ticket, _ = worker_main.HEAD.unpack_from(data)
                    if (task := self._backlog.done(ticket)) is not None:
                        outcomes.append(worker_main.outcome_from(data[worker_main.HEAD.size :], task))
                        self._deaths = 0
            except (EOFError, OSError):
                outcomes += self._mourn()
            self._send()
        return outcomes

    def close(self, now: bool = False) -> None:
        if self._supervisor is not None:
            self._supervisor.end(now, self._grace)
            self._supervisor = None
            self._backlog.clear()

    def _opened(self) -> _Process:
        if self._supervisor is None:
            raise RuntimeError("open() comes before submit() and wait()")
        return self._supervisor

    def _send(self) -> None:
        """As many tasks as may be under way; should the supervisor be dead, the next wait() finds out."""
        for ticket, task in self._backlog.due():
            with contextlib.suppress(OSError):
                self._opened().link.send_bytes(worker_main.task_bytes(ticket, task))

    def _started(self) -> _Process:
        assert self._parcel is not None
        orders = Orders(
            workers=self._workers,
            isolated=self._isolated,
            start=self._start,
            grace=self._grace,
            coordinator=os.getpid(),
        )
        return _Process(self._parcel, orders, worker_environment(self._blas_threads))

    def _mourn(self) -> list[Outcome]:
        """The supervisor has died: a new one does what was under way; a run that was alone has killed it."""
        supervisor = self._opened()
        supervisor.end(True, self._grace)
        supervisor.end_orphans()
        self._deaths += 1
        if self._deaths > _MOST_DEATHS:
            self._supervisor = None
            raise ExecutorError(
                f"the supervisor of the workers has died {self._deaths} times in a row{supervisor.last_words()}; "
                "nothing of the runs under way is kept, they run again on resume"
            )
        culprits = self._backlog.lost()
        self._supervisor = self._started()
        return [self._killer(task) for task in culprits]

    def _killer(self, task: Task) -> Outcome:
        status: Status = "failed"
        what = "the process that supervises its worker was killed, and twice again while nothing else was under way"
        return Outcome(task=task, status=status, error=sentence(self._labels, task, what), host=socket.gethostname())


class CommandExecutor(ProcessExecutor):
    """Foreign programs only: several at once, each under a small worker of its own that watches over it."""

    def open(self, work: Work) -> None:
        for name, algorithm in zip(work.algorithm_names, work.algorithms, strict=True):
            if not isinstance(algorithm, CommandLine):
                raise WrongTypeError(
                    f'executor="command" runs programs (CommandLine); algorithm {name!r} is {shown(repr(algorithm))}; '
                    'use executor="processes"'
                )
        super().open(work)


class _Process:
    """The supervisor as this process sees it."""

    def __init__(self, parcel: Parcel, orders: Orders, environment: dict[str, str]) -> None:
        if not sys.executable:
            raise ExecutorError("this Python does not say where its interpreter is (sys.executable); no worker starts")
        ours, theirs = socket.socketpair()
        token = secrets.token_hex(16)
        self._mark, self._folder = f"{MARK}={token}", run_folders(token)
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115
        what = f"supervisor import main; main({theirs.fileno()})"
        with theirs:
            try:
                self._process = subprocess.Popen(
                    interpreter(parcel.path, what),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=self._complaints,
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,  # Ctrl-C is for the coordinator alone
                    cwd=parcel.directory,
                    env=environment | {MARK: token},
                )
            except OSError as error:
                ours.close()
                self._complaints.close()
                raise ExecutorError(f"the supervisor of the workers cannot be started: {error}") from None
        self.link = Connection(ours.detach())
        self._finish = weakref.finalize(self, _end, self._process, self.link, self._complaints, self._folder)
        self._hand_over(parcel, orders)

    def _hand_over(self, parcel: Parcel, orders: Orders) -> None:
        """The work, and the answer whether it could be loaded."""
        try:
            self.link.send_bytes(pickle.dumps((parcel, orders)))
            refusal = self.link.recv_bytes().decode()
        except (EOFError, OSError):
            self._process.wait()
            words = self.last_words()
            self.end(True, 0.0)
            raise ExecutorError(f"the supervisor of the workers cannot be started{words}") from None
        except BaseException:
            self.end(True, 0.0)
            raise
        if refusal:
            self.end(True, 0.0)
            raise ParameterError(f"the algorithms and problems cannot be used in another process: {refusal}")

    def last_words(self) -> str:
        if self._complaints.closed:
            return ""
        self._complaints.seek(max(0, self._complaints.seek(0, os.SEEK_END) - 4096))
        lines: Sequence[str] = self._complaints.read().decode(errors="replace").strip().splitlines()
        return f": {shown(lines[-1])}" if lines else ""

    def end_orphans(self) -> None:
        """Whatever it has left behind: it was killed, and could not see to that itself."""
        os_processes.end_marked(self._mark)
        shutil.rmtree(self._folder, ignore_errors=True)  # they may have written there until now

    def end(self, now: bool, grace: float) -> None:
        """Ask it to end everything, and see to it that it does."""
        with contextlib.suppress(OSError):
            self.link.send_bytes(CLOSE_NOW if now else CLOSE)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(grace + 5.0)
        self._finish()


def _end(process: subprocess.Popen[bytes], link: Connection, complaints: IO[bytes], folder: str) -> None:
    """Hanging up is enough for the supervisor to end all workers and itself."""
    link.close()
    try:
        process.wait(5.0)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    complaints.close()
    shutil.rmtree(folder, ignore_errors=True)  # it does so itself, unless it was killed


def usable_processors() -> int:
    """How many this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
