"""The terminal: its width, colour and encoding, and what is shown while long work goes on."""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO, TypeVar

import click

from bakeoff.errors import plain

if TYPE_CHECKING:
    from rich.console import RenderableType

PATIENCE = 1.0  # seconds before a counter is shown
STEP = 0.2  # seconds between two updates
SILENCE = 2.0  # seconds before a command says what it does
TICK = 1.0  # seconds between two such updates


def page_width() -> int:
    """The value of COLUMNS, else the columns of the terminal; 80 in a pipe."""
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
    if not sys.stderr.isatty():
        return None
    line = _of_command or StatusLine()
    shown = time.monotonic() + patience - STEP

    def show(done: int, total: int) -> None:
        nonlocal shown
        now = time.monotonic()
        if done >= total:
            line.doing("computing")
            line.erase()
        elif now - shown >= STEP:
            shown = now
            line.doing(f"{what}: {done} of {total}")
            line.draw()

    return show


class StatusLine:
    """One line on stderr that says what is done, erased before anything else is printed."""

    def __init__(self) -> None:
        self._what, self._drawn = "working", False
        self._begun: float | None = None
        self._streams, self._write = (sys.stdout, sys.stderr), sys.stderr.write
        self._over, self._lock = threading.Event(), threading.RLock()
        self._thread = threading.Thread(target=self._redraw, daemon=True)

    def doing(self, what: str) -> None:
        """From the next update on."""
        self._what = what

    def draw(self) -> None:
        """Now; with the seconds of the command where it is drawn again and again."""
        seconds = "" if self._begun is None else f", {time.monotonic() - self._begun:.0f} s"
        columns = shutil.get_terminal_size((80, 24)).columns - 1  # a line that is wrapped could not be erased
        with self._lock:
            if not self._over.is_set():
                self._drawn = True
                self._write(f"\r{plain(self._what)[: max(0, columns - len(seconds))]}{seconds}\x1b[K")
                self._streams[1].flush()

    def erase(self) -> None:
        with self._lock:
            if self._drawn:
                self._drawn = False
                self._write("\r\x1b[K")
                self._streams[1].flush()

    def _redraw(self) -> None:
        wait = SILENCE
        with contextlib.suppress(OSError, ValueError):  # the terminal is gone
            while not self._over.wait(wait):
                wait = TICK
                self.draw()

    def begin(self) -> None:
        """Redraw each second, until somebody prints on the terminal."""

        def ending(write: Callable[[str], int]) -> Callable[[str], int]:
            def printing(text: str) -> int:
                self.end()
                return write(text)

            return printing

        self._begun = time.monotonic()
        for stream in self._streams:
            if stream.isatty():  # what goes into a file or a pipe disturbs no line
                vars(stream)["write"] = ending(stream.write)
        self._thread.start()

    def end(self) -> None:
        """Erase, and draw nothing more."""
        for stream in self._streams:
            vars(stream).pop("write", None)
        self._over.set()
        with contextlib.suppress(OSError, ValueError):
            self.erase()
        self._thread.join()


_of_command: StatusLine | None = None


@contextlib.contextmanager
def sign_of_life(reads_typing: bool = False) -> Iterator[None]:
    """While it takes over two seconds a command says so, on a terminal; not where a person is typing the table."""
    global _of_command
    if not can_redraw() or (reads_typing and sys.stdin.isatty()):
        yield
        return
    _of_command = line = StatusLine()
    line.begin()
    try:
        yield
    finally:
        _of_command = None
        line.end()


def doing(what: str) -> None:
    """Set what the line of a command that takes long says from now on."""
    if _of_command is not None:
        _of_command.doing(what)


def answer(text: str, nl: bool = True) -> None:
    """Print on stdout what an exit code says as well: that stands, also if the reader has closed the pipe."""
    if sys.stdout.isatty():  # click may write past what ends the line of the command
        hush()
    try:
        click.echo(text, nl=nl)
    except BrokenPipeError:
        silence(sys.stdout)


def note(text: str) -> None:
    """Print a line on stderr; if that is full or closed, the exit code is the same."""
    try:
        click.echo(text, err=True)
    except OSError:
        silence(sys.stderr)


def silence(stream: TextIO) -> None:
    """Redirect it to devnull: flushing at exit what cannot be written would change the exit code."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def hush() -> None:
    """No line of this command any more: another program has the terminal."""
    if _of_command is not None:
        _of_command.end()


def bar(share: float, columns: int) -> str:
    """A bar of ``columns`` characters, filled up to ``share``."""
    filled = int(columns * min(1.0, max(0.0, share)))
    return "━" * filled + "┄" * (columns - filled)


# A live table on stderr, for a person at a terminal; nothing in pipes, files and CI.

P = TypeVar("P")

BAR = 50  # columns


@contextmanager
def live_table(draw: Callable[[P], RenderableType]) -> Iterator[Callable[[P], object] | None]:
    """The ``progress=`` of what runs: redraws the table. None where stderr cannot be redrawn."""
    if not can_redraw():
        yield None
        return
    try:
        from rich.console import Console
        from rich.live import Live
    except ImportError:  # a broken installation must not prevent the work
        yield None
        return
    with Live(console=Console(stderr=True), auto_refresh=False, transient=True) as live:
        yield lambda progress: live.update(draw(progress), refresh=True)
