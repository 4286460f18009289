"""Waiting for what another process or thread does: as long as a loaded machine needs, and never for ever."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 300.0
"""Seconds after which a wait ends a test. It protects the tests from hanging and measures nothing."""


def wait_until(happened: Callable[[], object], patience: float = PATIENCE) -> None:
    """Return as soon as it has happened."""
    until = time.monotonic() + patience
    while not happened():
        assert time.monotonic() < until, "it never happened"
        time.sleep(0.01)
