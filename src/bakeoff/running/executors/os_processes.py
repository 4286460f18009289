"""What the system is asked for so that no process outlives its purpose. Linux has all of it; others do without."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import socket
import sys
import time
from collections.abc import Set as AbstractSet
from functools import cache
from typing import Any

_PDEATHSIG, _CHILD_SUBREAPER = 1, 36  # prctl(2)
_SWEEPS, _SWEEP = 200, 0.001  # so often at most, and seconds between: a killed process needs a moment


def die_with(parent: int) -> None:
    """This process is killed when its parent ends; at once if that has happened already."""
    if _prctl(_PDEATHSIG, signal.SIGKILL) and os.getppid() != parent:
        os._exit(1)


def adopt_orphans() -> None:
    """Descendants whose parents die become children of this process, whatever session they are in."""
    _prctl(_CHILD_SUBREAPER, 1)


def _prctl(option: int, value: int) -> bool:
    if sys.platform != "linux":
        return False
    libc = _libc()
    return libc is not None and libc.prctl(option, value, 0, 0, 0) == 0


@cache
def _libc() -> Any:
    """The C library, if it has prctl."""
    try:
        libc = ctypes.CDLL(None, use_errno=True)
    except OSError:
        return None
    return libc if hasattr(libc, "prctl") else None


def preferred_victim() -> None:
    """When the machine runs out of memory, this process is killed before the coordinator."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("500")


def children() -> set[int]:
    """Processes whose parent is this one, the dead but not reaped included; empty where there is no /proc."""
    me, found = str(os.getpid()).encode(), set()
    for name in os.listdir("/proc") if sys.platform == "linux" else ():
        if name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                # pid (command) state ppid …; the command may hold anything, parentheses too
                if file.read().rpartition(b")")[2].split()[1] == me:
                    found.add(int(name))
    return found


def end_marked(mark: str) -> None:
    """Kill every process of ours whose environment, when it started, held this text."""
    me, sought = os.getpid(), mark.encode()
    for name in os.listdir("/proc") if sys.platform == "linux" else ():
        if name.isdigit() and int(name) != me:
            with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as file:
                if sought in file.read():
                    os.kill(int(name), signal.SIGKILL)


def has_living_children() -> bool:
    """Whether there are any; those that have ended are reaped on the way."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def thread_count() -> int:
    """Threads of this process, those of C libraries included."""
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        import threading

        return threading.active_count()


def limit_own_memory(extra: int | None) -> None:
    """From now on at most ``extra`` bytes more of private writable memory than are held now; None: no limit."""
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    soft = resource.RLIM_INFINITY if extra is None else _held() + extra
    if hard != resource.RLIM_INFINITY:
        soft = hard if soft == resource.RLIM_INFINITY else min(soft, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _held() -> int:
    """What RLIMIT_DATA counts: pages of data and stack (the sixth number of statm)."""
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[5]) * os.sysconf("SC_PAGE_SIZE")


def kill_group(pid: int, number: int) -> None:
    """Signal a session's leader and its whole group; a child that has not yet made its session gets it alone."""
    for send in (os.killpg, os.kill):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            send(pid, number)


_buried: dict[int, int] = {}


def a_dead_child() -> int | None:
    """One that has ended; it is not reaped, where the system can say so without (macOS cannot)."""
    try:
        if not hasattr(os, "waitid"):
            pid, _buried[pid] = os.waitpid(-1, os.WNOHANG)
            return pid or None
        found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return None
    return found.si_pid if found is not None else None


def bury(pid: int) -> int:
    """Reap it; its wait status."""
    return _buried.pop(pid) if pid in _buried else os.waitpid(pid, 0)[1]


def bell() -> socket.socket:
    """Readable whenever a child ends."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(theirs.detach(), warn_on_full_buffer=False)
    return ours


def sweep(keep: AbstractSet[int]) -> None:
    """End every child but these, and the children that it leaves to us, and theirs."""
    for _ in range(_SWEEPS):
        strays = children() - keep
        if not strays:
            return
        for pid in strays:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(_SWEEP)
        for pid in strays:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)
