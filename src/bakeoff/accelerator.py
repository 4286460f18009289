"""The optional compiler (numba, extra ``fast``): the same bits, sooner.

A compiled module is imported only when it pays: loading numba costs about a second, so small work never does.
Everything works without it, and a twin test compares both ways bit for bit.
"""

from __future__ import annotations

import importlib
import os
import sys
from types import ModuleType


def compiled(module: str, worth_loading: bool) -> ModuleType | None:
    """The compiled twin of a routine, or None if numba is absent, switched off, or not worth loading.

    ``BAKEOFF_ACCELERATOR=off`` in the environment switches it off.
    """
    if os.environ.get("BAKEOFF_ACCELERATOR") == "off" or not (worth_loading or "numba" in sys.modules):
        return None
    try:
        return importlib.import_module(module)
    except ImportError:
        return None
