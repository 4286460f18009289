"""The process between the coordinator and the workers: it starts, watches, ends and replaces them.

It has one thread, and runs nothing of the user's but the loading of the work; so it can fork a worker in a few
milliseconds, and nothing that a run does can harm it. It is the parent of all workers and adopts what they leave
behind. When the coordinator goes away, however suddenly, so does everything else.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import selectors
import shutil
import signal
import time
from collections import deque
from collections.abc import Callable
from multiprocessing.connection import Connection

from bakeoff.errors import BakeoffError
from bakeoff.running.cell import Task
from bakeoff.running.commands.command_line import CommandLine
from bakeoff.running.commands.command_run import RUN_FOLDERS
from bakeoff.running.executors import os_processes, worker_main
from bakeoff.running.executors.perform import Work
from bakeoff.running.executors.serialization import CLOSE, CLOSE_NOW, MARK, Orders, Parcel, opened, run_folders
from bakeoff.running.executors.worker_handle import Worker, fork_worker, post_mortem, spawn_worker

_GLANCE = 1.0  # seconds between looks whether the coordinator is still there
_ABANDON = 5.0  # seconds after SIGKILL: then the system itself holds the process, and the others go on without it
_PROGRAM_MARGIN = 5.0  # a program's timeout is its worker's affair; this is for a worker that hangs itself


class Supervisor:
    """The state of all workers, and the loop."""

    def __init__(self, link: Connection, parcel: Parcel, work: Work, orders: Orders) -> None:
        self.link, self.parcel, self.work, self.orders = link, parcel, work, orders
        self.forks = orders.start != "spawn" and (orders.start == "fork" or os_processes.thread_count() == 1)
        self.queue: deque[tuple[int, Task, bytes]] = deque()
        self.workers: dict[int, Worker] = {}
        self.kept = os_processes.children()  # started by the user's modules while they were loaded
        self.selector = selectors.DefaultSelector()
        self.selector.register(link, selectors.EVENT_READ, self._hear)
        self.bell = os_processes.bell()
        self.selector.register(self.bell, selectors.EVENT_READ, lambda: self.bell.recv(4096))
        self.closing = False
        self.killed_once: set[int] = set()  # tickets

    def run(self) -> None:
        try:
            while not self.closing:
                self._assign()
                for key, _ in self.selector.select(self._patience()):
                    act: Callable[[], object] = key.data
                    act()
                self._reap()
                self._enforce()
                if os.getppid() != self.orders.coordinator:
                    break
        finally:
            self._end_all()

    # --- the coordinator

    def _hear(self) -> None:
        """Tasks, an order to close, or silence: the coordinator has died."""
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
        try:
            self.link.send_bytes(data)
        except OSError:
            self.closing = True

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
                    worker.deadline += self.orders.grace + _PROGRAM_MARGIN
            with contextlib.suppress(OSError):  # it has just died: seen when it is reaped
                worker.link.send_bytes(data)
        self._keep_a_spare()

    def _free_worker(self) -> Worker | None:
        """One that waits, or a new one; None if all are busy or starting."""
        present = [worker for worker in self.workers.values() if not worker.leaving]
        if sum(worker.ticket is not None for worker in present) >= self.orders.workers:
            return None
        for worker in present:
            if worker.ready and worker.ticket is None:
                return worker
        if len(present) >= self.orders.workers:
            return None  # those missing are still starting
        worker = self._start()
        return worker if worker.ready else None

    def _keep_a_spare(self) -> None:
        """Where every run gets a fresh process, the next one is made while this one works."""
        waits = any(worker.ticket is None and not worker.leaving for worker in self.workers.values())
        if self.orders.isolated and self.forks and self.workers and not waits:
            self._start()

    def _start(self) -> Worker:
        once = self.orders.isolated
        worker = fork_worker(self.work, once, self._forget) if self.forks else spawn_worker(self.parcel, once)
        self.workers[worker.pid] = worker
        self.selector.register(worker.link, selectors.EVENT_READ, lambda: self._frame(worker))
        self.selector.register(worker.output, selectors.EVENT_READ, lambda: self._words(worker))
        return worker

    def _forget(self) -> None:
        """In a forked worker: nothing of the coordinator or the other workers."""
        signal.set_wakeup_fd(-1)
        self.selector.close()
        self.bell.close()
        self.link.close()
        for other in self.workers.values():
            other.close()

    # --- workers to the coordinator

    def _words(self, worker: Worker) -> None:
        if not worker.read_words():
            self.selector.unregister(worker.output)

    def _frame(self, worker: Worker) -> None:
        """A worker has something to say, or has closed its end."""
        goes_on = worker.listen()
        while (frame := worker.frame()) is not None:
            ticket, mark, data = frame
            if ticket == worker_main.HELLO:
                worker.ready = True
            elif ticket == worker.ticket:
                self._finished(worker, data, mark)
        if worker.broken or not goes_on:
            self.selector.unregister(worker.link)
            worker.leaving = True
            # silence: it has ended, and is soon reaped; if not, the run has closed the connection
            worker.kill_at = time.monotonic() + (0.0 if worker.broken else self.orders.grace)

    def _finished(self, worker: Worker, data: bytes, mark: int) -> None:
        """An outcome; it is handed on at once, unless something of the run may still be alive."""
        if mark == worker_main.LEAVES_CHILDREN or worker.timed_out:
            worker.final = data
            self._end(worker)
            return
        worker.ticket = worker.task = worker.deadline = None
        self._deliver(data)
        if mark == worker_main.MUST_GO:
            if self.orders.isolated:
                worker.leaving = True  # it goes by itself
            else:
                self._end(worker)

    def _end(self, worker: Worker) -> None:
        worker.leaving = True
        os_processes.kill_group(worker.pid, signal.SIGKILL)
        worker.kill_at, worker.abandon_at = None, time.monotonic() + _ABANDON

    # --- time

    def _patience(self) -> float:
        """Seconds until something must be looked at without being called."""
        times = [
            moment
            for worker in self.workers.values()
            for moment in (None if worker.timed_out else worker.deadline, worker.kill_at, worker.abandon_at)
            if moment is not None
        ]
        return max(0.0, min([time.monotonic() + _GLANCE, *times]) - time.monotonic())

    def _enforce(self) -> None:
        now = time.monotonic()
        for worker in [*self.workers.values()]:
            if worker.deadline is not None and not worker.timed_out and now >= worker.deadline:
                worker.timed_out = worker.leaving = True
                worker.kill_at = now + self.orders.grace
                os_processes.kill_group(worker.pid, signal.SIGTERM)
            elif worker.kill_at is not None and now >= worker.kill_at:
                worker.broken = not worker.timed_out
                self._end(worker)
            elif worker.abandon_at is not None and now >= worker.abandon_at:
                self._gone(worker, None)

    # --- the dead

    def _reap(self) -> None:
        """Bury who has ended; the group is killed first, while the leader's number is still taken."""
        while (dead := os_processes.a_dead_child()) is not None:
            worker = self.workers.get(dead)
            if worker is not None:
                os_processes.kill_group(dead, signal.SIGKILL)
            status = os_processes.bury(dead)
            if worker is not None:
                self._gone(worker, status)

    def _gone(self, worker: Worker, status: int | None) -> None:
        """A worker has ended, or (status None) cannot be ended; its run gets its one outcome."""
        del self.workers[worker.pid]
        for source in (worker.link, worker.output):
            with contextlib.suppress(KeyError):
                self.selector.unregister(source)
        final = worker.final or (worker.last_frame() if worker.ticket is not None else None)
        if status != 0 or worker.ticket is not None:
            os_processes.sweep(self.workers.keys() | self.kept)
        if not worker.ready and self.queue:  # it has never come to life; the next task pays, or this would not end
            worker.ticket, worker.task, _ = self.queue.popleft()
            worker.started = time.time()
            worker.since = time.monotonic()
        if worker.ticket is not None and not (final is None and self._second_chance(worker, status)):
            self._deliver(final if final is not None else post_mortem(self.work, worker, status))
        worker.close()

    def _second_chance(self, worker: Worker, status: int | None) -> bool:
        """Who was killed by somebody else (the system without memory, a user) is tried once more.

        The same score comes out then as if nothing had happened. Whoever is killed again has brought it upon himself.
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
        """SIGTERM, and time to comply."""
        for worker in self.workers.values():
            os_processes.kill_group(worker.pid, signal.SIGTERM)
        until = time.monotonic() + self.orders.grace
        while self.workers and time.monotonic() < until:
            self._reap()
            time.sleep(0.005)

    def _end_all(self) -> None:
        for pid in self.workers:
            os_processes.kill_group(pid, signal.SIGKILL)
        self.workers.clear()
        os_processes.sweep(set())  # whoever is still a child is a stray now


def main(descriptor: int) -> None:
    """The life of a supervisor: load the work, say so (empty bytes) or why not, then serve."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the coordinator decides when to stop
    signal.signal(signal.SIGTERM, _stop)
    link = Connection(descriptor)
    os_processes.adopt_orphans()
    parcel, orders = pickle.loads(link.recv_bytes())
    try:
        work = opened(parcel)
    except BakeoffError as error:
        link.send_bytes(str(error).encode())
        os._exit(1)
    except BaseException as error:
        link.send_bytes(f"they cannot be loaded in a fresh process: {type(error).__name__}: {error}".encode())
        os._exit(1)
    folder = os.environ[RUN_FOLDERS] = run_folders(os.environ[MARK])
    os.mkdir(folder, 0o700)
    link.send_bytes(b"")
    supervisor = Supervisor(link, parcel, work, orders)
    worker_main.rehearse()  # what the first run loads and remembers need not be loaded again in every fork
    gc.collect()
    gc.freeze()  # collections in forked workers leave the shared pages alone
    try:
        supervisor.run()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)  # threads and exit handlers of the user's modules do not keep it


def _stop(*_: object) -> None:
    raise SystemExit(143)
