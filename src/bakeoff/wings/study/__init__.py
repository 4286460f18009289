"""Simulations on draws of problems and with known truth: how good the procedures themselves are (``bo.study``)."""

import lazy_loader

from bakeoff import checks

_load, _, __all__ = lazy_loader.attach_stub(__name__, __file__)
__getattr__ = checks.names_suggested(_load, __name__, __all__)


def __dir__() -> list[str]:
    """The functions; the classes of their results are found beside them."""
    return [name for name in __all__ if name.islower()]
