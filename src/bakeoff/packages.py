"""Optional third-party packages: the only place that imports a module by its name on a user's behalf."""

import importlib
import importlib.util
from typing import Any

from bakeoff.errors import MissingPackageError


def optional(name: str, advice: str = "") -> Any:
    """The module ``name``. Absent: a :class:`MissingPackageError` with ``advice``, or ImportError without any."""
    try:
        return importlib.import_module(name)
    except ImportError:
        if not advice:
            raise
        raise MissingPackageError(advice) from None


def installed(name: str) -> bool:
    """Whether a top-level package could be imported, without importing it."""
    return importlib.util.find_spec(name) is not None
