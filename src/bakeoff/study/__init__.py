"""How good are the procedures themselves? Simulations with known truth: ``bo.study``."""

import lazy_loader

__getattr__, _, __all__ = lazy_loader.attach_stub(__name__, __file__)


def __dir__() -> list[str]:
    """The functions; the classes of their results are found beside them."""
    return [name for name in __all__ if name.islower()]
