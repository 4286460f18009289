"""One worker as its supervisor sees it: how it is started, what it is doing, how it ended."""

from __future__ import annotations

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
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import Pipe
from multiprocessing.connection import Connection

from bakeoff.running.cell import Outcome, Status, Task
from bakeoff.running.commands.command_run import exit_words
from bakeoff.running.commands.process import Tail
from bakeoff.running.commands.score_output import shown
from bakeoff.running.executors import worker_main
from bakeoff.running.executors.perform import Work, sentence, too_long
from bakeoff.running.executors.serialization import Parcel

WORDS_KEPT = 1 << 13
_LAST_READS = 32
_LENGTH = struct.Struct("!i")  # before every message of multiprocessing's connections
_FRAME = re.compile(r'  File "(.*)", line (\d+)')


@dataclass(slots=True, eq=False)
class Worker:
    """A worker process. Times are those of time.monotonic."""

    pid: int
    link: Connection
    output: int  # what it prints, stderr too
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
    final: bytes | None = None  # an outcome that waits until nothing of the run is alive
    received: bytearray = field(default_factory=bytearray)  # not yet a whole message
    words: Tail = field(default_factory=lambda: Tail(WORDS_KEPT))

    def read_words(self) -> bool:
        """One look at what it prints; False at the end."""
        try:
            data = os.read(self.output, 1 << 16)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self.words.add(data)
        return bool(data)

    def listen(self) -> bool:
        """One look at what it sends; False at the end. Never waits: a run may have written half a message."""
        try:
            data = os.read(self.link.fileno(), 1 << 16)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self.received += data
        return bool(data)

    def frame(self) -> tuple[int, int, bytes] | None:
        """The next whole message: ticket, mark and outcome. Nonsense marks the worker as broken."""
        if len(self.received) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack_from(self.received)
        if not worker_main.HEAD.size <= length <= worker_main.LONGEST:
            self.broken = True
            return None
        end = _LENGTH.size + length
        if len(self.received) < end:
            return None
        data = bytes(self.received[_LENGTH.size : end])
        del self.received[:end]
        return (*worker_main.HEAD.unpack_from(data), data)

    def last_frame(self) -> bytes | None:
        """The outcome that it had sent before it ended."""
        before = -1
        while len(self.received) != before:  # all that is there; its end may be open in another process
            before = len(self.received)
            self.listen()
        while (found := self.frame()) is not None:
            if found[0] == self.ticket:
                return found[2]
        return None

    def close(self) -> None:
        self.link.close()
        os.close(self.output)

    def end_words(self, status: int) -> str:
        """How it ended and what it said last, after the wait status of its process."""
        for _ in range(_LAST_READS):
            before = self.words.seen
            if not self.read_words() or self.words.seen == before:
                break
        code = os.waitstatus_to_exitcode(status)
        if self.broken or code == worker_main.LOST:
            return "closed, or wrote to, a file that it had not opened: the connection of its worker"
        if code >= 0:
            how = f"ended its process with exit code {code} instead of returning a score"
        else:
            memory = " twice; perhaps the machine ran out of memory" if code == -signal.SIGKILL else ""
            how = f"its process {exit_words(code)}{memory}"
        lines = [line for line in self.words.value.decode(errors="replace").splitlines() if line.strip()]
        return how + (f"; its last words: {shown(_telling(lines))!r}" if lines else "")


def _telling(lines: list[str]) -> str:
    """The line that says most: the interpreter's last cry and where it came from, else the last line."""
    for number, line in enumerate(lines):
        if line.startswith("Fatal Python error"):
            places = [found for one in lines[number:] if (found := _FRAME.match(one))]
            own = next((i for i, found in enumerate(places) if found[1].endswith("performing.py")), 1)
            # innermost first: the one before ours is the algorithm itself
            place = places[max(own - 1, 0)] if places else None
            return f"{line} (line {place[2]} of {os.path.basename(place[1])})" if place else line
    return lines[-1]


def post_mortem(work: Work, worker: Worker, status: int | None) -> bytes:
    """The outcome of a run that has taken its worker with it; status None: it cannot be ended."""
    assert worker.ticket is not None
    assert worker.task is not None
    kind: Status = "timeout" if worker.timed_out else "failed"
    if worker.timed_out:
        what = too_long(work)
    else:
        what = worker.end_words(status) if status is not None else "its process cannot be ended"
    outcome = Outcome(
        task=worker.task,
        status=kind,
        seconds=time.monotonic() - worker.since,
        error=sentence(work, worker.task, what),
        host=socket.gethostname(),
        pid=worker.pid,
        started=worker.started,
    )
    return worker_main.HEAD.pack(worker.ticket, worker_main.STAYS) + worker_main.outcome_bytes(outcome)


def fork_worker(work: Work, once: bool, forget: Callable[[], None]) -> Worker:
    """A copy of this process, which has the work in memory already and a single thread."""
    ours, theirs = Pipe()
    reading, writing = os.pipe()
    parent = os.getpid()
    pid = os.fork()
    if not pid:
        ours_too = (forget, ours.close, partial(os.close, reading))
        worker_main.forked(theirs, work, once, parent, writing, ours_too)
    theirs.close()
    os.close(writing)
    for end in (reading, ours.fileno()):
        os.set_blocking(end, False)
    return Worker(pid=pid, link=ours, output=reading)


def spawn_worker(parcel: Parcel, once: bool) -> Worker:
    """A fresh interpreter; it says HELLO when it has loaded the work."""
    ours, theirs = Pipe()
    reading, writing = os.pipe()
    process = subprocess.Popen(
        interpreter(parcel.path, f"labour import main; main({theirs.fileno()}, {os.getpid()})"),
        stdin=subprocess.DEVNULL,
        stdout=writing,
        stderr=writing,
        pass_fds=[theirs.fileno()],
        start_new_session=True,
        cwd=parcel.directory,
    )
    process.returncode = 0  # it is reaped by the supervisor, with all others
    theirs.close()
    os.close(writing)
    with contextlib.suppress(OSError):  # it has ended already: found when it is reaped
        ours.send_bytes(pickle.dumps((parcel, once)))
    for end in (reading, ours.fileno()):
        os.set_blocking(end, False)
    return Worker(pid=process.pid, link=ours, output=reading, ready=False)


def interpreter(path: tuple[str, ...], what: str) -> list[str]:
    """The command of a fresh interpreter with the same search path; ``what`` is "module import name; name(…)"."""
    return [sys.executable, "-c", f"import sys; sys.path[:] = {list(path)!r}; from {__package__}.{what}"]
