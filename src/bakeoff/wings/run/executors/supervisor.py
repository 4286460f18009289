"""The process between the coordinator and the workers: it starts, monitors, ends and replaces workers.

It has one thread and executes no user code except to load the work, so it can fork a worker in a few milliseconds,
and no run can harm it. It is the parent of all workers and adopts the processes they leave behind. When the
coordinator ends, however suddenly, the supervisor and all workers end too.
"""

import contextlib
import gc
import os
import pickle
import selectors
import shutil
import signal
import socket
import time
from collections import deque
from collections.abc import Callable
from multiprocessing.connection import Connection

from bakeoff.errors import BakeoffError
from bakeoff.processes import os_processes
from bakeoff.processes.command_line import CommandLine
from bakeoff.processes.command_run import RUN_FOLDERS
from bakeoff.wings.run.cell import Task
from bakeoff.wings.run.design.work import Work
from bakeoff.wings.run.executors import worker_main
from bakeoff.wings.run.executors.serialization import (
    CLOSE,
    CLOSE_NOW,
    MARK,
    SerializedWork,
    SupervisorOptions,
    deserialize,
    files_needed,
    run_folders,
)
from bakeoff.wings.run.executors.worker_handle import LENGTH, Worker, crash_outcome, fork_worker, spawn_worker

# Messages to another process that wait here while it does not read, so that sending never blocks.


class Outbox:
    """The sending side of a connection over a socket.

    Two processes that both block in sending while neither reads would wait for each other for ever, as soon as
    the messages under way fill both buffers (a few hundred tasks). One of the two must therefore never block.
    """

    def __init__(self, link: Connection) -> None:
        self._socket = socket.socket(fileno=os.dup(link.fileno()))
        self._waiting = bytearray()

    def __bool__(self) -> bool:
        """Whether anything is still to be sent."""
        return bool(self._waiting)

    def fileno(self) -> int:
        return self._socket.fileno()

    def add(self, message: bytes) -> None:
        self._waiting += LENGTH.pack(len(message)) + message

    def flush(self) -> None:
        """Send what the other side's buffer takes now; OSError if it has ended."""
        while self._waiting:
            try:
                sent = self._socket.send(self._waiting, socket.MSG_DONTWAIT)
            except BlockingIOError:
                return
            del self._waiting[:sent]

    def close(self) -> None:
        self._socket.close()


_CHECK_INTERVAL = 1.0  # seconds between checks that the coordinator is alive
_ABANDON = 5.0  # seconds after SIGKILL; a process still alive is stuck in the kernel and is abandoned
_PROGRAM_MARGIN = 5.0  # seconds; the worker enforces a program's timeout, this catches a worker that hangs itself


class Supervisor:
    """The state of all workers, and the loop."""

    def __init__(self, link: Connection, serialized: SerializedWork, work: Work, options: SupervisorOptions) -> None:
        self.link, self.parcel, self.work, self.options = link, serialized, work, options
        self.forks = options.start != "spawn" and (options.start == "fork" or os_processes.thread_count() == 1)
        self.queue: deque[tuple[int, Task, bytes]] = deque()
        self.workers: dict[int, Worker] = {}
        self.open_files_before = os_processes.allow_open_files(files_needed(options.workers))
        self.kept = os_processes.children()  # processes started by the user's modules while loading
        self.selector = selectors.DefaultSelector()
        self.selector.register(link, selectors.EVENT_READ, self._receive)
        self.outbox = Outbox(link)
        self.sigchld_socket = os_processes.sigchld_socket()
        self.selector.register(self.sigchld_socket, selectors.EVENT_READ, lambda: self.sigchld_socket.recv(4096))
        self.closing = False
        self.killed_once: set[int] = set()  # tickets

    def run(self) -> None:
        try:
            while not self.closing:
                self._assign()
                for key, _ in self.selector.select(self._select_timeout()):
                    act: Callable[[], object] = key.data
                    act()
                self._reap()
                self._enforce_deadlines()
                if os.getppid() != self.options.coordinator:
                    break
        finally:
            self._end_all()

    # --- the coordinator

    def _receive(self) -> None:
        """Read tasks or an order to close; end of file means that the coordinator has died."""
        try:
            while self.link.poll():
                data = self.link.recv_bytes()
                if data in (CLOSE, CLOSE_NOW):
                    self.closing = True
                    if data == CLOSE:
                        self._ask_all_to_end()
                    return
                ticket, task = worker_main.task_from(data)
                self.queue.append((ticket, task, data))
        except (EOFError, OSError):
            self.closing = True

    def _deliver(self, data: bytes) -> None:
        """Send without blocking: the coordinator may itself be blocked in sending tasks."""
        if not self.outbox:
            self.selector.register(self.outbox, selectors.EVENT_WRITE, self._flush)
        self.outbox.add(data)
        self._flush()

    def _flush(self) -> None:
        try:
            self.outbox.flush()
        except OSError:
            self.closing = True
        if not self.outbox:
            self.selector.unregister(self.outbox)

    # --- tasks to workers

    def _assign(self) -> None:
        while self.queue and (worker := self._free_worker()) is not None:
            ticket, task, data = self.queue.popleft()
            worker.ticket, worker.task = ticket, task
            worker.since, worker.started = time.monotonic(), time.time()
            worker.words.forget()
            if self.work.timeout is not None:
                worker.deadline = worker.since + self.work.timeout
                if isinstance(self.work.algorithms[task.algorithm], CommandLine):
                    worker.deadline += self.options.grace + _PROGRAM_MARGIN
            with contextlib.suppress(OSError):  # it has just died: handled when it is reaped
                worker.link.send_bytes(data)
        self._keep_a_spare()

    def _free_worker(self) -> Worker | None:
        """An idle worker, or a new one; None if all are busy or starting."""
        present = [worker for worker in self.workers.values() if not worker.leaving]
        if sum(worker.ticket is not None for worker in present) >= self.options.workers:
            return None
        for worker in present:
            if worker.ready and worker.ticket is None:
                return worker
        if len(present) >= self.options.workers:
            return None  # the others are still starting
        worker = self._start()
        return worker if worker.ready else None

    def _keep_a_spare(self) -> None:
        """If every run gets a fresh process, start the next one while this one works."""
        waits = any(worker.ticket is None and not worker.leaving for worker in self.workers.values())
        if self.options.isolated and self.forks and self.workers and not waits:
            self._start()

    def _start(self) -> Worker:
        once = self.options.isolated
        worker = fork_worker(self.work, once, self._forget) if self.forks else spawn_worker(self.parcel, once)
        self.workers[worker.pid] = worker
        self.selector.register(worker.link, selectors.EVENT_READ, lambda: self._read_messages(worker))
        self.selector.register(worker.output, selectors.EVENT_READ, lambda: self._read_output(worker))
        return worker

    def _forget(self) -> None:
        """Close, in a forked worker, the connections to the coordinator and to the other workers."""
        signal.set_wakeup_fd(-1)
        self.selector.close()
        self.sigchld_socket.close()
        self.outbox.close()
        self.link.close()
        for other in self.workers.values():
            other.close()
        os_processes.limit_open_files(self.open_files_before)

    # --- workers to the coordinator

    def _read_output(self, worker: Worker) -> None:
        if not worker.read_output():
            self.selector.unregister(worker.output)

    def _read_messages(self, worker: Worker) -> None:
        """Read a worker's messages, or notice that it has closed its end."""
        goes_on = worker.receive()
        while (frame := worker.frame()) is not None:
            ticket, mark, data = frame
            if ticket == worker_main.HELLO:
                worker.ready = True
            elif ticket == worker.ticket:
                self._finished(worker, data, mark)
        if worker.broken or not goes_on:
            self.selector.unregister(worker.link)
            worker.leaving = True
            # closed: it has ended and is about to be reaped; if not, the run has closed the connection
            worker.kill_at = time.monotonic() + (0.0 if worker.broken else self.options.grace)

    def _finished(self, worker: Worker, data: bytes, mark: int) -> None:
        """Deliver an outcome, at once unless processes of the run may still be alive."""
        if mark == worker_main.LEAVES_CHILDREN or worker.timed_out:
            worker.final = data
            self._end(worker)
            return
        worker.ticket = worker.task = worker.deadline = None
        self._deliver(data)
        if mark == worker_main.MUST_GO:
            if self.options.isolated:
                worker.leaving = True  # it ends by itself
            else:
                self._end(worker)

    def _end(self, worker: Worker) -> None:
        worker.leaving = True
        os_processes.signal_session(worker.pid, signal.SIGKILL)
        worker.kill_at, worker.abandon_at = None, time.monotonic() + _ABANDON

    # --- deadlines

    def _select_timeout(self) -> float:
        """Seconds until the next deadline or check."""
        times = [
            moment
            for worker in self.workers.values()
            for moment in (None if worker.timed_out else worker.deadline, worker.kill_at, worker.abandon_at)
            if moment is not None
        ]
        return max(0.0, min([time.monotonic() + _CHECK_INTERVAL, *times]) - time.monotonic())

    def _enforce_deadlines(self) -> None:
        now = time.monotonic()
        for worker in [*self.workers.values()]:
            if worker.deadline is not None and not worker.timed_out and now >= worker.deadline:
                worker.timed_out = worker.leaving = True
                worker.kill_at = now + self.options.grace
                os_processes.signal_session(worker.pid, signal.SIGTERM)
            elif worker.kill_at is not None and now >= worker.kill_at:
                worker.broken = not worker.timed_out
                self._end(worker)
            elif worker.abandon_at is not None and now >= worker.abandon_at:
                self._worker_exited(worker, None)

    # --- ended workers

    def _reap(self) -> None:
        """Reap ended workers. Each one's group is killed first, while the leader's process number is still taken."""
        while (dead := os_processes.ended_child()) is not None:
            worker = self.workers.get(dead)
            if worker is not None:
                os_processes.signal_session(dead, signal.SIGKILL)
            status = os_processes.reap(dead)
            if worker is not None:
                self._worker_exited(worker, status)

    def _worker_exited(self, worker: Worker, status: int | None) -> None:
        """A worker has ended, or cannot be killed (status None): deliver its run's one outcome."""
        del self.workers[worker.pid]
        for source in (worker.link, worker.output):
            with contextlib.suppress(KeyError):
                self.selector.unregister(source)
        final = worker.final or (worker.last_frame() if worker.ticket is not None else None)
        if status != 0 or worker.ticket is not None:
            os_processes.kill_leftovers(self.workers.keys() | self.kept)
        if not worker.ready and self.queue:  # died while starting: fail the next task to avoid an endless loop
            worker.ticket, worker.task, _ = self.queue.popleft()
            worker.started = time.time()
            worker.since = time.monotonic()
        if worker.ticket is not None and not (final is None and self._retry_if_killed(worker, status)):
            self._deliver(final if final is not None else crash_outcome(self.work, worker, status))
        worker.close()

    def _retry_if_killed(self, worker: Worker, status: int | None) -> bool:
        """Repeat a run whose worker was killed from outside (by a system out of memory, or a user), once.

        The score is the same as without the interruption. A run killed twice is recorded as failed.
        """
        ticket, task = worker.ticket, worker.task
        assert ticket is not None
        assert task is not None
        by_us = worker.timed_out or worker.broken or worker.abandon_at is not None
        if status != signal.SIGKILL or by_us or ticket in self.killed_once:
            return False
        self.killed_once.add(ticket)
        self.queue.appendleft((ticket, task, worker_main.task_bytes(ticket, task)))
        return True

    def _ask_all_to_end(self) -> None:
        """Send SIGTERM to all workers and wait for the grace period."""
        for worker in self.workers.values():
            os_processes.signal_session(worker.pid, signal.SIGTERM)
        until = time.monotonic() + self.options.grace
        while self.workers and time.monotonic() < until:
            self._reap()
            time.sleep(0.005)

    def _end_all(self) -> None:
        for pid in self.workers:
            os_processes.signal_session(pid, signal.SIGKILL)
        self.workers.clear()
        os_processes.kill_leftovers(set())


def run_supervisor(descriptor: int) -> None:
    """Entry point: load the work, report success (empty bytes) or why it failed, then serve."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # only the coordinator decides when to stop
    signal.signal(signal.SIGTERM, _stop)
    link = Connection(descriptor)
    os_processes.become_subreaper()
    serialized, options = pickle.loads(link.recv_bytes())
    try:
        work = deserialize(serialized)
    except BakeoffError as error:
        link.send_bytes(str(error).encode())
        os._exit(1)
    except BaseException as error:
        link.send_bytes(f"they cannot be loaded in a fresh process: {type(error).__name__}: {error}".encode())
        os._exit(1)
    folder = os.environ[RUN_FOLDERS] = run_folders(os.environ[MARK])
    os.mkdir(folder, 0o700)
    os_processes.mark_owner(folder)
    link.send_bytes(b"")
    supervisor = Supervisor(link, serialized, work, options)
    worker_main.warm_up()  # what the first run imports and caches is then shared by all forks
    gc.collect()
    gc.freeze()  # garbage collection in forked workers does not copy shared pages
    try:
        supervisor.run()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)  # without waiting for threads and exit handlers of the user's modules


def _stop(*_: object) -> None:
    raise SystemExit(143)
