"""Starting a foreign program: its own session, its output bounded, its whole process group ended with it."""

from __future__ import annotations

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
from dataclasses import dataclass
from functools import partial
from typing import IO

STDOUT_KEPT = 1 << 20
STDERR_KEPT = 1 << 16
GRACE = 1.0
"""Seconds between the request to end (SIGTERM) and the end (SIGKILL)."""

_TICK = 0.005  # how often to look whether the program has ended, where the system does not tell
_LAST_READS = 64  # more than a pipe holds; bounded, as a process that left the group may write for ever
_PDEATHSIG = 1  # prctl(PR_SET_PDEATHSIG, …)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a program ended."""

    exit_code: int  # negative: the signal that killed it
    stdout: bytes  # the last STDOUT_KEPT bytes
    stderr: bytes
    truncated: bool  # there was more on stdout
    timed_out: bool


class Tail:
    """The last bytes of a stream, however long it is."""

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
    grace: float = GRACE,
) -> Ended:
    """Start ``words`` without a shell, wait, and leave no process of its group behind.

    Raises
    ------
    OSError, ValueError
        The program cannot be started.
    """
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
            limit_memory(process.pid, memory)
        out, err, timed_out = _attend(process, timeout, grace)
    finally:
        end_group(process)
    return Ended(
        exit_code=process.returncode,
        stdout=out.value,
        stderr=err.value,
        truncated=out.seen > STDOUT_KEPT,
        timed_out=timed_out,
    )


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    """Without the warning against forking with threads: those of C libraries, the only ones here, do not mind."""
    if threading.active_count() > 1:  # then nothing is forked, see below
        yield
        return
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*fork", DeprecationWarning)
        yield


def _attend(process: subprocess.Popen[bytes], timeout: float | None, grace: float) -> tuple[Tail, Tail, bool]:
    """Read until the program itself has ended: a child of it that holds the pipes does not keep us waiting."""
    assert process.stdout is not None
    assert process.stderr is not None
    tails = {process.stdout: Tail(STDOUT_KEPT), process.stderr: Tail(STDERR_KEPT)}
    deadline = None if timeout is None else time.monotonic() + timeout
    kill_at: float | None = None
    with _selector(process, tails) as (selector, told):
        while True:
            now = time.monotonic()
            if deadline is not None and kill_at is None and now >= deadline:
                kill_at = now + grace
                signal_group(process.pid, signal.SIGTERM)
            elif kill_at is not None and now >= kill_at:
                signal_group(process.pid, signal.SIGKILL)
                kill_at = now + 1.0  # once more, for a member that was being born
            wake = kill_at if kill_at is not None else deadline
            patience = None if wake is None else max(0.0, wake - now)
            ready = selector.select(patience if told else min(_TICK, patience or _TICK))
            for key, _ in ready:
                if key.data is not None and not _read(key.data, tails[key.data]):
                    selector.unregister(key.data)
            if _has_ended(process):
                break
    signal_group(process.pid, signal.SIGKILL)  # who else writes to the pipes does so no longer
    for stream, tail in tails.items():
        for _ in range(_LAST_READS):
            if not _read(stream, tail):
                break
    return tails[process.stdout], tails[process.stderr], kill_at is not None


@contextlib.contextmanager
def _selector(
    process: subprocess.Popen[bytes], tails: Mapping[IO[bytes], Tail]
) -> Iterator[tuple[selectors.BaseSelector, bool]]:
    """Ready when there is output, and (second value: if the system can tell) when the program has ended."""
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


def _read(stream: IO[bytes], tail: Tail) -> bool | None:
    """True: there was something; None: not now; False: never again."""
    try:
        data = os.read(stream.fileno(), 1 << 16)
    except BlockingIOError:
        return None
    except OSError:
        return False
    tail.add(data)
    return bool(data)


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether it has; it is not reaped, so that its number, the group's too, stays taken."""
    if hasattr(os, "waitid"):
        try:
            return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:  # this process ignores SIGCHLD: the system buries its children
            return True
    return process.poll() is not None


def end_group(process: subprocess.Popen[bytes]) -> None:
    """Whatever is left of the group dies before its leader is reaped: no other process can have its number yet."""
    if process.returncode is None:
        signal_group(process.pid, signal.SIGKILL)
        process.wait()
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()


def signal_group(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)


def limit_memory(pid: int, memory: int) -> None:
    """Private writable memory (RLIMIT_DATA: heap, stacks of threads, anonymous maps) of one process, 0: this one."""
    import resource

    if sys.platform == "linux":
        with contextlib.suppress(ProcessLookupError, PermissionError):  # it has ended already, or is setuid
            resource.prlimit(pid, resource.RLIMIT_DATA, (memory, memory))


def _bound_to(parent: int, memory: int | None) -> Callable[[], None] | None:
    """What the child does before it becomes the program: ask to die with its parent, and take its limit.

    Only Python code in a single thread can safely run between fork and exec, so with threads the program is not
    bound to this process, and its limit is set a moment after its start.
    """
    if sys.platform != "linux" or threading.active_count() > 1:
        return None
    libc = _libc()
    return None if libc is None else partial(_before_exec, libc, parent, memory)


def _before_exec(libc: object, parent: int, memory: int | None) -> None:
    libc.prctl(_PDEATHSIG, signal.SIGKILL, 0, 0, 0)  # type: ignore[attr-defined]
    if os.getppid() != parent:
        os._exit(1)
    if memory is not None:
        limit_memory(0, memory)


def _libc() -> object | None:
    import ctypes

    try:
        libc = ctypes.CDLL(None, use_errno=True)
        return libc if hasattr(libc, "prctl") else None
    except OSError:
        return None
