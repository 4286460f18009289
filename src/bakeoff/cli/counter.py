"""One line on stderr while long work goes on, for a person at a terminal and nobody else."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

PATIENCE = 1.0  # seconds before anything is shown
STEP = 0.2  # between two updates


def counter(what: str, patience: float = PATIENCE) -> Callable[[int, int], None] | None:
    """Draws ``done of total`` over itself and wipes it at the end; None in pipes, files and CI.

    ``patience=0`` where the first part may be the long one.
    """
    stream = sys.stderr
    if not stream.isatty():
        return None
    shown = time.monotonic() + patience - STEP
    drawn = False

    def show(done: int, total: int) -> None:
        nonlocal shown, drawn
        now = time.monotonic()
        if done >= total:
            if drawn:
                stream.write("\r\x1b[K")
                stream.flush()
        elif now - shown >= STEP:
            shown, drawn = now, True
            stream.write(f"\r{what}: {done} of {total}\x1b[K")
            stream.flush()

    return show
