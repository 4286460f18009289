"""The supervisor's handle to a worker: starting it, its state, its messages, how it ended."""

import contextlib
import os
import pickle
import re
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from multiprocessing import Pipe
from multiprocessing.connection import Connection

from bakeoff.dataclass import dataclass, field
from bakeoff.processes.command_run import exit_status_text
from bakeoff.processes.process import OutputTail
from bakeoff.processes.score_output import excerpt
from bakeoff.wings.run.cell import Outcome, Status, Task
from bakeoff.wings.run.design.work import Work
from bakeoff.wings.run.executors import worker_main
from bakeoff.wings.run.executors.perform import failure_message, perform, timeout_message
from bakeoff.wings.run.executors.serialization import SerializedWork

WORDS_KEPT = 1 << 13
_LAST_READS = 32  # more than a pipe holds
_PERFORM_FILE = perform.__code__.co_filename
LENGTH = struct.Struct("!i")  # before every message of multiprocessing's connections
_FRAME = re.compile(r'  File "(.*)", line (\d+)')


@dataclass(slots=True, eq=False)
class Worker:
    """A worker process. Times are those of time.monotonic."""

    pid: int
    link: Connection
    output: int  # its stdout and stderr
    ready: bool = True  # False: its interpreter is still loading the work
    ticket: int | None = None
    task: Task | None = None
    since: float = 0.0
    started: float = 0.0  # Unix time
    deadline: float | None = None
    kill_at: float | None = None
    abandon_at: float | None = None
    timed_out: bool = False
    leaving: bool = False  # gets no more tasks
    broken: bool = False  # the run has closed or written to the connection
    final: bytes | None = None  # an outcome held back until no process of the run is alive
    received: bytearray = field(default_factory=bytearray)  # an incomplete message
    words: OutputTail = field(default_factory=lambda: OutputTail(WORDS_KEPT))

    def read_output(self) -> bool:
        """Read available output; False at end of file."""
        data = _available(self.output)
        self.words.add(data or b"")
        return data != b""

    def receive(self) -> bool:
        """Read available bytes; False at end of file. Never blocks: a run may have written half a message."""
        data = _available(self.link.fileno())
        self.received += data or b""
        return data != b""

    def frame(self) -> tuple[int, int, bytes] | None:
        """The next complete message: ticket, mark and outcome. An invalid one marks the worker as broken."""
        if len(self.received) < LENGTH.size:
            return None
        (length,) = LENGTH.unpack_from(self.received)
        if not worker_main.HEAD.size <= length <= worker_main.LONGEST_OUTCOME:
            self.broken = True
            return None
        end = LENGTH.size + length
        if len(self.received) < end:
            return None
        data = bytes(self.received[LENGTH.size : end])
        del self.received[:end]
        return (*worker_main.HEAD.unpack_from(data), data)

    def last_frame(self) -> bytes | None:
        """The outcome sent before the process ended, if any."""
        before = -1
        while len(self.received) != before:  # only what is available: another process may hold the other end open
            before = len(self.received)
            self.receive()
        while (frame := self.frame()) is not None:
            if frame[0] == self.ticket:
                return frame[2]
        return None

    def close(self) -> None:
        self.link.close()
        os.close(self.output)

    def exit_description(self, status: int) -> str:
        """Describe how its process ended, from the wait status, and the last line of its output."""
        for _ in range(_LAST_READS):
            before = self.words.seen
            if not self.read_output() or self.words.seen == before:
                break
        code = os.waitstatus_to_exitcode(status)
        if self.broken or code == worker_main.LOST:
            return "closed, or wrote to, a file it had not opened: the connection of its worker"
        if code >= 0:
            how = f"ended its process with exit code {code} instead of returning a score"
        else:
            memory = " twice; perhaps the machine ran out of memory" if code == -signal.SIGKILL else ""
            how = f"its process {exit_status_text(code)}{memory}"
        lines = [line for line in self.words.value.decode(errors="replace").splitlines() if line.strip()]
        return how + (f"; its last words: {excerpt(_most_informative(lines))!r}" if lines else "")


def _available(descriptor: int) -> bytes | None:
    """Read without blocking: None if nothing now, empty at end of file."""
    try:
        return os.read(descriptor, 1 << 16)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def _most_informative(lines: list[str]) -> str:
    """The most informative line: the interpreter's fatal error with its location, else the last line."""
    for number, line in enumerate(lines):
        if line.startswith("Fatal Python error"):
            places = [frame for one in lines[number:] if (frame := _FRAME.match(one))]
            own = next((i for i, frame in enumerate(places) if frame[1] == _PERFORM_FILE), 1)
            # innermost first: the frame before ``perform`` is the algorithm itself
            place = places[max(own - 1, 0)] if places else None
            return f"{line} (line {place[2]} of {os.path.basename(place[1])})" if place else line
    return lines[-1]


def crash_outcome(work: Work, worker: Worker, status: int | None) -> bytes:
    """The outcome of a run whose worker ended; status None: the worker cannot be killed."""
    assert worker.ticket is not None
    assert worker.task is not None
    kind: Status = "timeout" if worker.timed_out else "failed"
    if worker.timed_out:
        what = timeout_message(work)
    else:
        what = worker.exit_description(status) if status is not None else "its process cannot be ended"
    outcome = Outcome(
        task=worker.task,
        status=kind,
        seconds=time.monotonic() - worker.since,
        error=failure_message(work, worker.task, what),
        host=socket.gethostname(),
        pid=worker.pid,
        started=worker.started,
    )
    return worker_main.HEAD.pack(worker.ticket, worker_main.STAYS) + worker_main.outcome_bytes(outcome)


def fork_worker(work: Work, once: bool, forget: Callable[[], None]) -> Worker:
    """Fork this process, which has already loaded the work and has a single thread."""
    ours, theirs = Pipe()
    reading, writing = os.pipe()
    parent = os.getpid()
    pid = os.fork()
    if not pid:
        ours_too = (forget, ours.close, partial(os.close, reading))
        worker_main.run_forked(theirs, work, once, parent, writing, ours_too)
    theirs.close()
    os.close(writing)
    return _without_blocking(Worker(pid=pid, link=ours, output=reading))


def spawn_worker(serialized: SerializedWork, once: bool) -> Worker:
    """Start a fresh interpreter, which sends HELLO when it has loaded the work."""
    ours, theirs = Pipe()
    reading, writing = os.pipe()
    process = subprocess.Popen(
        interpreter(serialized.path, worker_main.run_spawned, theirs.fileno(), os.getpid()),
        stdin=subprocess.DEVNULL,
        stdout=writing,
        stderr=writing,
        pass_fds=[theirs.fileno()],
        start_new_session=True,
        cwd=serialized.directory,
    )
    process.returncode = 0  # the supervisor reaps it like every other worker
    theirs.close()
    os.close(writing)
    with contextlib.suppress(OSError):  # it has already ended: handled when it is reaped
        ours.send_bytes(pickle.dumps((serialized, once)))
    return _without_blocking(Worker(pid=process.pid, link=ours, output=reading, ready=False))


def _without_blocking(worker: Worker) -> Worker:
    for end in (worker.output, worker.link.fileno()):
        os.set_blocking(end, False)
    return worker


def interpreter(path: tuple[str, ...], function: Callable[..., object], *arguments: int) -> list[str]:
    """The command of a fresh interpreter with the same search path that calls ``function``."""
    module, name = function.__module__, function.__name__
    call = f"{name}({', '.join(map(str, arguments))})"
    return [sys.executable, "-c", f"import sys; sys.path[:] = {list(path)!r}; from {module} import {name}; {call}"]
