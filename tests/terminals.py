"""What a program draws on a terminal: it gets a real one, and is interrupted once it has drawn what is awaited."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
from collections.abc import Callable

from waiting import PATIENCE, wait_until


def interrupt(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGINT)


def drawn_until(
    awaited: bytes,
    start: Callable[[int], subprocess.Popen[bytes]],
    then: Callable[[subprocess.Popen[bytes]], None] = interrupt,
    code: int = 130,
) -> bytes:
    """All that was drawn; ``start`` gets the terminal's file descriptor for the program's stderr."""
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
    then(process)
    while True:
        ended = process.poll() is not None
        if select.select([ours], [], [], 0.1)[0]:
            try:
                seen += os.read(ours, 65536)
            except OSError:
                break
        elif ended:
            break
    assert process.wait(PATIENCE) == code
    os.close(ours)
    return seen
