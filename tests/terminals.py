"""What a program draws on a terminal: it gets a real one, and is interrupted once it has drawn what is awaited."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
from collections.abc import Callable

from waiting import PATIENCE, wait_until


def drawn_until(awaited: bytes, start: Callable[[int], subprocess.Popen[bytes]]) -> bytes:
    """All that was drawn; ``start`` gets the terminal's file descriptor for the program's stderr. Exit code 130."""
    ours, theirs = pty.openpty()
    process = start(theirs)
    os.close(theirs)
    seen = b""

    def drawn() -> bool:
        nonlocal seen
        if select.select([ours], [], [], 0.1)[0]:
            seen += os.read(ours, 65536)
        return awaited in seen

    wait_until(drawn)
    process.send_signal(signal.SIGINT)
    while process.poll() is None:
        if select.select([ours], [], [], 0.1)[0]:
            try:
                seen += os.read(ours, 65536)
            except OSError:
                break
    assert process.wait(PATIENCE) == 130
    os.close(ours)
    return seen
