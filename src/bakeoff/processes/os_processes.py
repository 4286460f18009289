"""Operating-system calls that bound child processes. Complete on Linux; elsewhere as far as the system allows."""

import contextlib
import ctypes
import glob
import os
import shutil
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Set as AbstractSet
from contextlib import contextmanager
from functools import cache
from types import FrameType
from typing import Any

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36  # prctl(2)
_OWNER = "owner"
_KILL_ROUNDS, _KILL_PAUSE = 200, 0.001  # at most, and seconds between them: a killed process takes a moment to end


# --- prctl


def has_prctl() -> bool:
    """Whether ``die_with_parent`` has an effect here. Called before a fork, it also loads the C library for it."""
    return sys.platform == "linux" and _libc() is not None


def die_with_parent(parent: int) -> None:
    """Have this process killed when its parent ends; exit now if the parent has already ended."""
    if _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL) and os.getppid() != parent:
        os._exit(1)


def become_subreaper() -> None:
    """Orphaned descendants become children of this process, whatever their session."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _prctl(option: int, value: int) -> bool:
    return has_prctl() and _libc().prctl(option, value, 0, 0, 0) == 0


@cache
def _libc() -> Any:
    """The C library, if it has prctl."""
    try:
        libc = ctypes.CDLL(None, use_errno=True)
    except OSError:
        return None
    return libc if hasattr(libc, "prctl") else None


# --- memory


def raise_oom_score() -> None:
    """When the machine runs out of memory, this process is killed before the coordinator."""
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("500")


def limit_memory(pid: int, memory: int) -> None:
    """Limit private writable memory (RLIMIT_DATA: heap, thread stacks, anonymous maps); pid 0 is this process."""
    import resource

    if sys.platform == "linux":
        with contextlib.suppress(ProcessLookupError, PermissionError):  # it has already ended, or is setuid
            resource.prlimit(pid, resource.RLIMIT_DATA, (memory, memory))


def limit_own_memory(extra: int | None) -> None:
    """Allow at most ``extra`` bytes of private writable memory beyond what is held now; None: no limit."""
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    soft = resource.RLIM_INFINITY if extra is None else _private_memory() + extra
    if hard != resource.RLIM_INFINITY:
        soft = hard if soft == resource.RLIM_INFINITY else min(soft, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _private_memory() -> int:
    """The memory that RLIMIT_DATA counts: pages of data and stack (the sixth number of statm)."""
    with open("/proc/self/statm", "rb") as file:
        return int(file.read().split()[5]) * os.sysconf("SC_PAGE_SIZE")


# --- open files


def open_files_allowed() -> int | None:
    """The number of files that a process may be allowed to have open; None: any number."""
    import resource

    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return None if hard == resource.RLIM_INFINITY else hard


def allow_open_files(needed: int) -> int:
    """Raise this process's soft limit to what it needs, and return the limit before."""
    import resource

    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if soft != resource.RLIM_INFINITY and soft < needed:
        limit_open_files(needed)
    return soft


def limit_open_files(soft: int) -> None:
    """Set this process's soft limit, as a fork does that undoes ``allow_open_files``."""
    import resource

    with contextlib.suppress(OSError, ValueError):  # more than the hard limit
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))


# --- other processes


def mark_owner(folder: str) -> None:
    """Write into a private folder which process it is of."""
    with open(os.path.join(folder, _OWNER), "w", encoding="ascii") as file:
        file.write(f"{os.getpid()} {process_start(os.getpid())}")


def remove_stale_folders(prefix: str) -> None:
    """Folders of this user whose process was killed and could not remove them."""
    for folder in glob.glob(f"{glob.escape(prefix)}*"):
        with contextlib.suppress(OSError, ValueError):
            if os.path.islink(folder) or (hasattr(os, "getuid") and os.stat(folder).st_uid != os.getuid()):
                continue
            with open(os.path.join(folder, _OWNER), encoding="ascii") as file:
                number, _, started = file.read().partition(" ")
            if process_start(int(number)) != started:
                shutil.rmtree(folder, ignore_errors=True)


def process_start(pid: int) -> str:
    """When a living process started, which tells it from a later one with its number; empty if there is none.

    Where there is no /proc: "alive" for every living process.
    """
    if sys.platform != "linux":
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return ""
        except PermissionError:
            pass
        return "alive"
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = _fields(file.read())
    except OSError:
        return ""
    return "" if fields[0] in b"ZX" else fields[19].decode()


def machine() -> str:
    """The host, boot and PID namespace: where they are the same, a process number means the same process."""
    parts = [socket.gethostname()]
    with contextlib.suppress(OSError), open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
        parts.append(file.read().strip())
    with contextlib.suppress(OSError):
        parts.append(os.readlink("/proc/self/ns/pid"))
    return " ".join(parts)


# --- children


def children() -> set[int]:
    """Processes whose parent is this one, zombies included; empty where there is no /proc."""
    me = str(os.getpid()).encode()
    return {pid for pid, stat in _of_processes("stat") if _fields(stat)[1] == me}


def _of_processes(file: str) -> Iterator[tuple[int, bytes]]:
    """The number of every process, and the content of this file of /proc."""
    for name in os.listdir("/proc") if sys.platform == "linux" else ():
        if name.isdigit():
            with contextlib.suppress(OSError), open(f"/proc/{name}/{file}", "rb") as opened:
                yield int(name), opened.read()


def _fields(stat: bytes) -> list[bytes]:
    """``pid (command) state ppid …`` from the state on; the command may contain anything, parentheses too."""
    return stat.rpartition(b")")[2].split()


def has_living_children() -> bool:
    """Whether any child is alive; those that have ended are reaped."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


_statuses: dict[int, int] = {}  # of children reaped by ``ended_child``, where it cannot do without


def ended_child() -> int | None:
    """A child that has ended, not yet reaped (so that its number stays taken) except on macOS, which has no waitid."""
    try:
        if not hasattr(os, "waitid"):
            pid, _statuses[pid] = os.waitpid(-1, os.WNOHANG)
            return pid or None
        ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return None
    return ended.si_pid if ended is not None else None


def reap(pid: int) -> int:
    """The wait status of an ended child, which is reaped."""
    return _statuses.pop(pid) if pid in _statuses else os.waitpid(pid, 0)[1]


def sigchld_socket() -> socket.socket:
    """A socket that becomes readable whenever a child ends."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    theirs.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(theirs.detach(), warn_on_full_buffer=False)
    return ours


def thread_count() -> int:
    """Threads of this process, those of C libraries included."""
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return threading.active_count()


# --- ending processes


def signal_group(pid: int, number: int) -> None:
    """Signal a whole process group."""
    _signal(os.killpg, pid, number)


def signal_session(pid: int, number: int) -> None:
    """Signal a session leader and its group; a child that has not yet made its session is signalled alone."""
    signal_group(pid, number)
    _signal(os.kill, pid, number)


def _signal(send: Callable[[int, int], None], pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        send(pid, number)


def kill_marked(mark: str) -> None:
    """Kill every other process of this user whose environment contained this text when it started."""
    for pid, environment in _of_processes("environ"):
        if pid != os.getpid() and mark.encode() in environment:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)


def kill_leftovers(keep: AbstractSet[int]) -> None:
    """Kill every child except ``keep``, then the orphans that this process adopts from them, until none is left."""
    for _ in range(_KILL_ROUNDS):
        leftovers = children() - keep
        if not leftovers:
            return
        for pid in leftovers:
            _signal(os.kill, pid, signal.SIGKILL)
        time.sleep(_KILL_PAUSE)
        for pid in leftovers:
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


# Ctrl-C and SIGTERM: the first signal stops gracefully, the second at once.

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interruption:
    """``requested`` is set by the first signal; the runs under way then finish and are kept."""

    def __init__(self, stop_within: float | None = None) -> None:
        self.requested = False
        self._stop_within, self._asked_at = stop_within, 0.0
        self.at_once = False  # while no run is under way that could be waited for
        # called at the first signal, since the runs under way may take hours
        self.on_first: Callable[[], None] | None = None

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if self.requested or self.at_once:
            raise KeyboardInterrupt("stopped at once")
        self.requested, self._asked_at = True, time.monotonic()
        if self.on_first is not None:
            self.on_first()

    def check_patience(self) -> None:
        """KeyboardInterrupt if the runs under way have taken too long since the first signal."""
        if self.requested and self._stop_within is not None and time.monotonic() - self._asked_at > self._stop_within:
            raise KeyboardInterrupt(f"stopped: the runs under way took longer than {self._stop_within:g} s")


@contextmanager
def catch_signals(stop_within: float | None = None) -> Iterator[Interruption]:
    """Handle both signals within the block, except outside the main thread, where Python allows no handlers."""
    interruption = Interruption(stop_within)
    if threading.current_thread() is not threading.main_thread():
        yield interruption
        return
    before: dict[signal.Signals, Any] = {number: signal.getsignal(number) for number in _SIGNALS}
    try:
        for number, handler in before.items():
            if handler is not signal.SIG_IGN:  # keep nohup and background jobs of a shell unaffected
                signal.signal(number, interruption)
        yield interruption
    finally:
        for number, handler in before.items():
            if handler is not None:
                signal.signal(number, handler)
