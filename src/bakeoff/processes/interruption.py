"""Ctrl-C and SIGTERM: the first signal stops gracefully, the second at once."""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interruption:
    """``requested`` is set by the first signal; the runs under way then finish and are kept."""

    def __init__(self, stop_within: float | None = None) -> None:
        self.requested = False
        self._stop_within, self._asked_at = stop_within, 0.0
        self.at_once = False  # while no run is under way that could be waited for
        # called at the first signal, since the runs under way may take hours
        self.on_first: Callable[[], None] | None = None

    def __call__(self, number: int, frame: FrameType | None) -> None:
        if self.requested or self.at_once:
            raise KeyboardInterrupt("stopped at once")
        self.requested, self._asked_at = True, time.monotonic()
        if self.on_first is not None:
            self.on_first()

    def check_patience(self) -> None:
        """KeyboardInterrupt if the runs under way have taken too long since the first signal."""
        if self.requested and self._stop_within is not None and time.monotonic() - self._asked_at > self._stop_within:
            raise KeyboardInterrupt(f"stopped: the runs under way took longer than {self._stop_within:g} s")


@contextmanager
def catch_signals(stop_within: float | None = None) -> Iterator[Interruption]:
    """Handle both signals within the block, except outside the main thread, where Python allows no handlers."""
    interruption = Interruption(stop_within)
    if threading.current_thread() is not threading.main_thread():
        yield interruption
        return
    before: dict[signal.Signals, Any] = {number: signal.getsignal(number) for number in _SIGNALS}
    try:
        for number, handler in before.items():
            if handler is not signal.SIG_IGN:  # keep nohup and background jobs of a shell unaffected
                signal.signal(number, interruption)
        yield interruption
    finally:
        for number, handler in before.items():
            if handler is not None:
                signal.signal(number, handler)
