"""What a program draws on a terminal: it gets a real one, and is interrupted once it has drawn what is awaited."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import time
from collections.abc import Callable


def drawn_until(awaited: bytes, start: Callable[[int], subprocess.Popen[bytes]]) -> bytes:
    """All that was drawn; ``start`` gets the terminal's file descriptor for the program's stderr. Exit code 130."""
    ours, theirs = pty.openpty()
    process = start(theirs)
    os.close(theirs)
    seen, until = b"", time.monotonic() + 20
    while awaited not in seen and time.monotonic() < until:
        if select.select([ours], [], [], 0.1)[0]:
            seen += os.read(ours, 65536)
    process.send_signal(signal.SIGINT)
    while process.poll() is None:
        if select.select([ours], [], [], 0.1)[0]:
            try:
                seen += os.read(ours, 65536)
            except OSError:
                break
    assert process.wait(20) == 130
    os.close(ours)
    return seen
