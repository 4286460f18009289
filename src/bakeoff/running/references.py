"""``module:name`` in a TOML file: the experiment's own Python code, found beside that file, in any process."""

from __future__ import annotations

import importlib
import sys
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from bakeoff.errors import ParameterError


@dataclass(frozen=True, slots=True)
class Reference:
    """A function by name. What crosses to a worker is the name, and the folder to look in."""

    folder: str
    name: str

    def __call__(self, problem: Any, rng: Any) -> Any:
        return resolved(self)(problem, rng)

    def __reduce__(self) -> tuple[Any, ...]:
        return _received, (self.folder, self.name)

    @property
    def function(self) -> Any:
        """Whose source is the fingerprint."""
        return resolved(self)


def _received(folder: str, name: str) -> Reference:
    """In a worker: problems that come with it may be of classes in that folder."""
    _look_in(folder)
    return Reference(folder, name)


def _look_in(folder: str) -> None:
    if folder not in sys.path:
        sys.path.append(folder)


@lru_cache(maxsize=256)
def resolved(reference: Reference) -> Any:
    """The object itself."""
    module, _, name = reference.name.partition(":")
    if not module or not name or not all(part.isidentifier() for part in [*module.split("."), *name.split(".")]):
        raise ParameterError(f"Python code is named 'module:function'; got {reference.name!r}")
    _look_in(reference.folder)
    try:
        found: Any = importlib.import_module(module)
    except ImportError as error:
        raise ParameterError(f"cannot import {module!r} from {reference.folder!r}: {error}") from None
    _check_place(found, module, reference.folder)
    for part in name.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            raise ParameterError(f"module {module!r} has no {part!r} (asked for {reference.name!r})") from None
    return found


def _check_place(module: Any, name: str, folder: str) -> None:
    """A module of the same name elsewhere (installed, or another experiment's) must not be run by mistake."""
    first = name.partition(".")[0]
    beside = [Path(folder, f"{first}.py"), Path(folder, first)]
    place = getattr(module, "__file__", None)
    if place and any(path.exists() for path in beside) and Path(folder) not in Path(place).resolve().parents:
        raise ParameterError(
            f"Python knows another module {first!r} already ({place}); rename {first}.py in {folder!r}"
        )
