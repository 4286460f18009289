"""Which of the processes that runs have noted are still alive."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def survivors(note: Path) -> list[int]:
    """Of the processes noted in a file, those that are alive now; one that waits to be reaped is dead.

    A killed process takes a moment to go, and its burial is another's affair (init's, once its parent is gone).
    """
    return [pid for pid in map(int, note.read_text().split()) if is_alive(pid)]


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (ProcessLookupError, FileNotFoundError):
        return False


def children_of(parent: int) -> list[int]:
    """Processes whose parent is this one."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                # pid (command) state ppid …; the command may hold anything
                if int((entry / "stat").read_text().rpartition(")")[2].split()[1]) == parent:
                    found.append(int(entry.name))
    return found
