"""The optional compiler (numba, extra ``fast``): the same bits, sooner.

Loading numba costs about a second, so a compiled module is imported only for work large enough to repay that.
Everything works without it, and a twin test compares both ways bit for bit.
"""

import os
import sys
from collections.abc import Callable
from types import ModuleType


def compiled(load: Callable[[], ModuleType], worth_loading: bool) -> ModuleType | None:
    """The compiled twin of a routine, or None if numba is absent, switched off, or not worth loading.

    ``load`` imports the twin. ``BAKEOFF_ACCELERATOR=off`` in the environment switches all of them off.
    """
    if os.environ.get("BAKEOFF_ACCELERATOR") == "off" or not (worth_loading or "numba" in sys.modules):
        return None
    try:
        return load()
    except ImportError:
        return None
