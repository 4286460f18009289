"""The wings, each a folder with its header ``wing.py``. The core imports none of them (``bakeoff.wing``)."""

from types import ModuleType

from bakeoff.places import load


def __getattr__(name: str) -> ModuleType:
    """A wing that is a namespace of the package (``bo.bayes``, ``bo.study``), loaded when it is used."""
    if name.startswith("_"):
        raise AttributeError(name)
    try:
        wing: ModuleType = load(f"wings.{name}")
        return wing
    except ModuleNotFoundError as error:
        raise AttributeError(f"bakeoff is installed without the wing {name!r}") from error
