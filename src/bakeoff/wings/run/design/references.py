"""``module:name`` in a TOML file: Python code beside that file, importable in any process."""

import importlib
import sys
from functools import lru_cache
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

from bakeoff.dataclass import dataclass
from bakeoff.errors import ParameterError, plain


@dataclass(frozen=True, slots=True)
class CodeReference:
    """A function by name; a worker receives its name and folder."""

    folder: str
    name: str

    def __call__(self, problem: Any, rng: Any, /, **parameters: Any) -> Any:
        return resolved(self)(problem, rng, **parameters)

    def __reduce__(self) -> tuple[Any, ...]:
        return _received, (self.folder, self.name)

    @property
    def function(self) -> Any:
        """The function whose source is fingerprinted."""
        return resolved(self)


def _received(folder: str, name: str) -> CodeReference:
    """Unpickle in a worker, where problems may be of classes defined in that folder."""
    _look_in(folder)
    return CodeReference(folder, name)


def _look_in(folder: str) -> None:
    if folder not in sys.path:
        sys.path.append(folder)


@lru_cache(maxsize=256)
def resolved(reference: CodeReference) -> Any:
    """Import the object."""
    module, _, name = reference.name.partition(":")
    if not module or not name or not all(part.isidentifier() for part in [*module.split("."), *name.split(".")]):
        raise ParameterError(f"Python code is named 'module:function'; got {reference.name!r}")
    _look_in(reference.folder)
    try:
        thing: Any = importlib.import_module(module)
    except ImportError as error:
        raise ParameterError(f"cannot import {module!r} from {reference.folder!r}: {error}") from None
    except (Exception, SystemExit) as error:
        raise ParameterError(f"importing {module!r} from {reference.folder!r} failed: {raised(error)}") from None
    _check_place(thing, module, reference.folder)
    for part in name.split("."):
        try:
            thing = getattr(thing, part)
        except AttributeError:
            raise ParameterError(f"module {module!r} has no {part!r} (requested: {reference.name!r})") from None
    return thing


def reference_beside(folder: Path, name: str) -> CodeReference:
    """A reference to code beside the experiment's file, and to nothing else that Python could import.

    Checked before anything is imported: a file could otherwise have any installed function called.
    """
    first = name.partition(":")[0].partition(".")[0]
    importlib.invalidate_caches()  # the module may be new
    if first.isidentifier() and PathFinder.find_spec(first, [str(folder)]) is None:
        raise ParameterError(
            f"{name!r} names Python code beside the experiment's file, and there is no {first}.py in {str(folder)!r}; "
            "to use an installed package, write one that imports what you need"
        )
    return CodeReference(str(folder), name)


def made_by(reference: CodeReference) -> Any:
    """Import the object; if it is a function, its result."""
    maker = resolved(reference)
    if not callable(maker):
        return maker
    try:
        return maker()
    except Exception as error:
        raise ParameterError(f"{reference.name!r} failed: {raised(error)}") from error


def raised(error: BaseException) -> str:
    """The exception's type and message on one line."""
    return plain(f"{type(error).__name__}: {error}").strip(": ")


def _check_place(module: Any, name: str, folder: str) -> None:
    """Refuse a module of the same name from elsewhere (installed, or another experiment's)."""
    first = name.partition(".")[0]
    near = [Path(folder, f"{first}.py"), Path(folder, first)]
    place = getattr(module, "__file__", None) or "built in"
    inside = Path(folder) in {*Path(place).parents, *Path(place).resolve().parents}  # it may be a link
    if not inside and any(path.exists() for path in near):
        raise ParameterError(
            f"Python knows another module {first!r} already ({place}); rename {first}.py in {folder!r}"
        )
