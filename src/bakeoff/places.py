"""Things named by where they are, and loaded when they are needed."""

from __future__ import annotations

import importlib
from functools import reduce
from typing import Any


def load(place: str) -> Any:
    """What "module:name", below ``bakeoff``, names; of a module alone, the module."""
    module, _, name = place.partition(":")
    loaded = importlib.import_module(f"bakeoff.{module}")
    return reduce(getattr, name.split("."), loaded) if name else loaded
