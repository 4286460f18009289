"""Ways in from other tools: their functions, with their arguments and the shape of their answers.

Numbers come from the procedures of bakeoff. Where one differs from what the other tool returns, a
:class:`MigrationWarning` says by how much and why; docs/how-to/migrate.md has all names.
"""

import lazy_loader

from bakeoff import checks

TOOLS = ("aeon", "baycomp", "orange", "scikit_posthocs")

_load, _, __all__ = lazy_loader.attach_stub(__name__, __file__)
_suggested = checks.names_suggested(_load, __name__, __all__)


def __getattr__(name: str) -> object:
    """A function; of a name of another tool that is not served, one that says what to use instead."""
    if name not in __all__ and not name.startswith("_"):
        from bakeoff.migrate.refused import REFUSED, refusing

        if name in REFUSED:
            return refusing(name)
    return _suggested(name)


def __dir__() -> list[str]:
    """The functions; classes, and the modules named like the tools, are found beside them."""
    return [name for name in __all__ if name[0].islower() and name not in TOOLS]
