"""The terminal: its width, colour and encoding, and what is shown while long work goes on."""

import os
import shutil
import sys
import time
from collections.abc import Callable

PATIENCE = 1.0  # seconds before a counter is shown
STEP = 0.2  # seconds between two updates


def page_width() -> int:
    """What COLUMNS says, else the columns of the terminal; 80 in a pipe."""
    columns = os.environ.get("COLUMNS", "")
    if not sys.stdout.isatty() and not columns.isdecimal():
        return 80
    return max(40, shutil.get_terminal_size((80, 24)).columns)


def has_colour() -> bool:
    """Whether stdout is a terminal that shows colour, and NO_COLOR is not set."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def can_write(text: str) -> bool:
    """Whether the encoding of stdout has every character."""
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def can_redraw() -> bool:
    """Whether stderr is an interactive terminal with a cursor that moves: no pipe, file or CI job."""
    return sys.stderr.isatty() and not os.environ.get("CI") and os.environ.get("TERM") != "dumb"


def counter(what: str, patience: float = PATIENCE) -> Callable[[int, int], None] | None:
    """A ``progress=`` that redraws ``done of total`` on one line of stderr, and erases it at the end.

    None where stderr is no terminal. With ``patience=0`` the first update is shown at once.
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


def bar(share: float, columns: int) -> str:
    """A bar of ``columns`` characters, filled up to ``share``."""
    filled = int(columns * min(1.0, max(0.0, share)))
    return "━" * filled + "┄" * (columns - filled)
