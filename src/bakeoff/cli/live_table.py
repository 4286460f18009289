"""A live table on stderr, for a person at a terminal; nothing in pipes, files and CI."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from bakeoff.cli.terminal import can_redraw

if TYPE_CHECKING:
    from rich.console import RenderableType

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
