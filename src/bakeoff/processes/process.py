"""Running a foreign program in its own session, with bounded output; its whole process group ends with it."""

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import IO

from bakeoff.dataclass import dataclass
from bakeoff.processes import os_processes

STDOUT_KEPT = 1 << 20
STDERR_KEPT = 1 << 16
GRACE = 1.0  # seconds between SIGTERM and SIGKILL

_TICK = 0.005  # seconds between checks that the program has ended, where the system has no pidfd
_LAST_READS = 64  # more than a pipe holds; bounded because a process that left the group may keep writing


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramResult:
    """The end of a program, and the last it wrote."""

    exit_code: int  # negative: the signal that killed it
    stdout: bytes  # the last STDOUT_KEPT bytes
    stderr: bytes
    timed_out: bool
    seconds: float  # wall-clock time from before it was made to its end


class OutputTail:
    """The last bytes of a stream."""

    __slots__ = ("_bytes", "limit", "seen")

    def __init__(self, limit: int) -> None:
        self.limit, self.seen, self._bytes = limit, 0, bytearray()

    def add(self, data: bytes) -> None:
        self.seen += len(data)
        self._bytes += data
        if len(self._bytes) > 2 * self.limit:
            del self._bytes[: -self.limit]

    def forget(self) -> None:
        self.seen = 0
        self._bytes.clear()

    @property
    def value(self) -> bytes:
        return bytes(self._bytes[-self.limit :])


def run_program(
    words: Sequence[str],
    *,
    environment: Mapping[str, str] | None = None,
    folder: str | None = None,
    timeout: float | None = None,
    memory: int | None = None,
) -> ProgramResult:
    """Start ``words`` without a shell, wait for it, and kill what is left of its process group."""
    start = time.perf_counter()
    with _quietly():
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=folder,
            env=None if not environment else {**os.environ, **environment},
            start_new_session=True,
            preexec_fn=_bound_to(os.getpid(), memory),
        )
    try:
        if memory is not None:
            os_processes.limit_memory(process.pid, memory)
        out, err, timed_out, end = _attend(process, timeout)
    finally:
        end_group(process)
    return ProgramResult(
        exit_code=process.returncode, stdout=out.value, stderr=err.value, timed_out=timed_out, seconds=end - start
    )


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    """Suppress the warning against forking with threads: the only ones here are those of C libraries."""
    if threading.active_count() > 1:  # then there is no fork, see _bound_to
        yield
        return
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*fork", DeprecationWarning)
        yield


def _attend(process: subprocess.Popen[bytes], timeout: float | None) -> tuple[OutputTail, OutputTail, bool, float]:
    """Read until the program itself has ended, even if one of its children holds the pipes open; when that was."""
    assert process.stdout is not None
    assert process.stderr is not None
    tails = {process.stdout: OutputTail(STDOUT_KEPT), process.stderr: OutputTail(STDERR_KEPT)}
    deadline = None if timeout is None else time.monotonic() + timeout
    kill_at: float | None = None
    with _selector(process, tails) as (selector, ended):
        while True:
            now = time.monotonic()
            if deadline is not None and kill_at is None and now >= deadline:
                kill_at = now + GRACE
                os_processes.signal_group(process.pid, signal.SIGTERM)
            elif kill_at is not None and now >= kill_at:
                os_processes.signal_group(process.pid, signal.SIGKILL)
                kill_at = now + 1.0  # again, for a process that was just being forked
            wake = kill_at if kill_at is not None else deadline
            patience = None if wake is None else max(0.0, wake - now)
            ready = selector.select(patience if ended else min(_TICK, patience or _TICK))
            for key, _ in ready:
                if key.data is not None and not _read(key.data, tails[key.data]):
                    selector.unregister(key.data)
            if _has_ended(process):
                end = time.perf_counter()
                break
    os_processes.signal_group(process.pid, signal.SIGKILL)  # the rest of the group stops writing to the pipes
    for stream, tail in tails.items():
        for _ in range(_LAST_READS):
            if not _read(stream, tail):
                break
    return tails[process.stdout], tails[process.stderr], kill_at is not None, end


@contextlib.contextmanager
def _selector(
    process: subprocess.Popen[bytes], tails: Mapping[IO[bytes], OutputTail]
) -> Iterator[tuple[selectors.BaseSelector, bool]]:
    """A selector ready on output and, where the second value is True, when the program has ended."""
    with selectors.DefaultSelector() as selector:
        for stream in tails:
            os.set_blocking(stream.fileno(), False)
            selector.register(stream, selectors.EVENT_READ, stream)
        handle = None
        if sys.platform == "linux":
            with contextlib.suppress(OSError):
                handle = os.pidfd_open(process.pid)
                selector.register(handle, selectors.EVENT_READ, None)
        try:
            yield selector, handle is not None
        finally:
            if handle is not None:
                os.close(handle)


def _read(stream: IO[bytes], tail: OutputTail) -> bool | None:
    """True: data was read; None: none available now; False: end of file."""
    try:
        data = os.read(stream.fileno(), 1 << 16)
    except BlockingIOError:
        return None
    except OSError:
        return False
    tail.add(data)
    return bool(data)


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether the program has ended. It is not reaped, so that its process and group numbers stay taken."""
    if hasattr(os, "waitid"):
        try:
            return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:  # this process ignores SIGCHLD: the system has reaped the child
            return True
    return process.poll() is not None


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Kill the rest of the group before its leader is reaped: no other process can have its number yet."""
    if process.returncode is None:
        os_processes.signal_group(process.pid, signal.SIGKILL)
        process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()


def _bound_to(parent: int, memory: int | None) -> Callable[[], None] | None:
    """The work of the child between fork and exec: ask to die with its parent, and limit its memory.

    Only with a single thread is it safe to run Python there. With several threads the program is not bound to this
    process, and its memory is limited a moment after its start.
    """
    if threading.active_count() > 1 or not os_processes.has_prctl():
        return None
    return partial(_before_exec, parent, memory)


def _before_exec(parent: int, memory: int | None) -> None:
    os_processes.die_with_parent(parent)
    if memory is not None:
        os_processes.limit_memory(0, memory)
