"""Ctrl-C and SIGTERM: the first stops gracefully, the second at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interruption:
    """``asked`` is set by the first signal; what is running then ends and is kept."""

    def __init__(self) -> None:
        self.asked = False
        self.tell: Callable[[], None] | None = None  # called at the first: what is running may run for hours

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt("stopped at once")
        self.asked = True
        if self.tell is not None:
            self.tell()


@contextmanager
def listening() -> Iterator[Interruption]:
    """Within the block; outside the main thread, where Python allows no handlers, signals go where they went before."""
    interruption = Interruption()
    if threading.current_thread() is not threading.main_thread():
        yield interruption
        return
    before: dict[signal.Signals, Any] = {number: signal.getsignal(number) for number in _SIGNALS}
    try:
        for number, handler in before.items():
            if handler is not signal.SIG_IGN:  # nohup and shells' background jobs stay as they were
                signal.signal(number, interruption)
        yield interruption
    finally:
        for number, handler in before.items():
            if handler is not None:
                signal.signal(number, handler)
