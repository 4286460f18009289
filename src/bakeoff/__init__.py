"""bakeoff: which algorithm is better, by how much, how sure are we, and was the experiment large enough?

The public names are listed in ``__init__.pyi``, for type checkers and for this module alike. Each is loaded when first
used, so that ``import bakeoff`` costs little more than starting Python.
"""

from __future__ import annotations

import os

import lazy_loader

from bakeoff import reportable

_load, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __getattr__(name: str) -> object:
    """A public name, loaded; for another one the error says which is nearest."""
    try:
        return _load(name)
    except AttributeError:
        if any(os.path.exists(os.path.join(__path__[0], f"{name}{end}")) for end in ("", ".py")):
            raise  # ``from bakeoff import files`` asks here first, then loads the module
        from bakeoff.checks import names_suggested

        return names_suggested(_load, __name__, __all__)(name)


def _report() -> reportable.Writer:
    """The module that writes results down, the one above all of them."""
    from bakeoff import report

    return report


reportable.install(_report)
