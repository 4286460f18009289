"""bakeoff: which algorithm is better, by how much, how sure are we, and was the experiment large enough?

The public names are listed in ``__init__.pyi``, for type checkers and for this module alike. Each is loaded when first
used, so that ``import bakeoff`` costs little more than starting Python.
"""

from __future__ import annotations

import lazy_loader

from bakeoff import reportable

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def _report() -> reportable.Writer:
    """What writes results down: the one module above all of them."""
    from bakeoff import report

    return report


reportable.install(_report)
