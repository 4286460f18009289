"""Algorithms that do what algorithms do: raise, hang, crash, leave processes behind, eat memory.

Not a test: the workers import it. Where a run starts a process, it writes its number into the file that is its problem.
"""

from __future__ import annotations

import ctypes
import math
import os
import random
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np


def fine(problem: Any, rng: np.random.Generator) -> float:
    return float(rng.normal())


def named(problem: Any, rng: np.random.Generator) -> dict[str, float]:
    return {"cost": float(rng.normal()), "calls": 3.0}


def raises(problem: Any, rng: np.random.Generator) -> float:
    raise ZeroDivisionError("no\nscore today")


def nothing(problem: Any, rng: np.random.Generator) -> Any:
    return None


def not_a_number(problem: Any, rng: np.random.Generator) -> float:
    return math.nan


def segfaults(problem: Any, rng: np.random.Generator) -> float:
    ctypes.string_at(0)
    return 0.0


def leaves(problem: Any, rng: np.random.Generator) -> float:
    os._exit(3)


def kills_itself(problem: Any, rng: np.random.Generator) -> float:
    os.kill(os.getpid(), signal.SIGKILL)
    return 0.0


def kills_its_supervisor(problem: Any, rng: np.random.Generator) -> float:
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(60)
    return 0.0


def hangs(problem: Any, rng: np.random.Generator) -> float:
    while True:
        time.sleep(0.1)


def hangs_stubbornly(problem: Any, rng: np.random.Generator) -> float:
    """Ignores SIGTERM, and so does its child, which is in a session of its own."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    _note(problem, os.getpid())
    _note(problem, _sleeper(new_session=True))
    hangs(problem, rng)
    return 0.0


def leaves_children(problem: Any, rng: np.random.Generator) -> float:
    """One child in its group, one in another session, and a daemon that its parent no longer knows."""
    _note(problem, _sleeper(new_session=False))
    _note(problem, _sleeper(new_session=True))
    between = os.fork()
    if not between:
        os.setsid()
        _note(problem, _sleeper(new_session=False))
        os._exit(0)
    os.waitpid(between, 0)
    return float(rng.normal())


def forks_and_returns_twice(problem: Any, rng: np.random.Generator) -> float:
    """Both copies come back from here."""
    os.fork()
    return 5.0


def eats_memory(problem: Any, rng: np.random.Generator) -> float:
    held = [bytearray(1 << 24) for _ in range(1000)]  # 16 GB, if it were let
    return float(len(held))


def closes_everything(problem: Any, rng: np.random.Generator) -> float:
    """As programs do that make themselves daemons."""
    os.closerange(3, 256)
    return 1.0


def writes_everywhere(problem: Any, rng: np.random.Generator) -> float:
    for number in range(3, 64):
        try:
            os.write(number, b"\x00\x00\x00\x05hello" * 3)
        except OSError:
            continue
    return 1.0


def whispers_everywhere(problem: Any, rng: np.random.Generator) -> float:
    """Half a message, and never the other half."""
    for number in range(3, 64):
        try:
            os.write(number, b"\x00\x00")
        except OSError:
            continue
    return hangs(problem, rng)


def shouts_everywhere(problem: Any, rng: np.random.Generator) -> float:
    """The beginning of a message of two gigabytes."""
    for number in range(3, 64):
        try:
            os.write(number, b"\x7f\xff\xff\xff")
        except OSError:
            continue
    return hangs(problem, rng)


def talks(problem: Any, rng: np.random.Generator) -> float:
    for _ in range(2000):
        sys.stdout.write("x" * 1000 + "\n")
        os.write(2, b"y" * 100)
    return 1.0


def _sleeper(new_session: bool) -> int:
    pid = os.fork()
    if not pid:
        if new_session:
            os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(600)
        os._exit(0)
    return pid


def _note(problem: Any, pid: int) -> None:
    with Path(problem).open("a") as file:
        file.write(f"{pid}\n")


def sloppy(problem: Any, rng: np.random.Generator) -> float:
    """Draws from everything but what it was given."""
    return random.random() + float(np.random.random())  # noqa: NPY002


def openmp_threads(problem: Any, rng: np.random.Generator) -> float:
    return float(os.environ["OMP_NUM_THREADS"])


class Threaded:
    """Loading it starts a thread, as some libraries do."""

    def __setstate__(self, state: object) -> None:
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()

    def __getstate__(self) -> object:
        return "something"


def with_a_threaded_module(problem: Any, rng: np.random.Generator) -> float:
    """Its process is no copy of one that had threads: they would be missing in it."""
    return float(threading.active_count() == 2)


def leaves_children_and_hangs(problem: Any, rng: np.random.Generator) -> float:
    leaves_children(problem, rng)
    return hangs(problem, rng)


def dozes(problem: Any, rng: np.random.Generator) -> float:
    time.sleep(0.02)
    return float(rng.normal())


def kills_its_dask_worker(problem: Any, rng: np.random.Generator) -> float:
    """Worker, supervisor, dask worker: the grandparent."""
    pid = os.getpid()
    for _ in range(2):
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    os.kill(pid, signal.SIGKILL)
    time.sleep(60)
    return 0.0
