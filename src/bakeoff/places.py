"""Things named by where they are, and loaded when they are needed."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from functools import reduce
from typing import Any, TypeVar

T = TypeVar("T")


def load(place: str) -> Any:
    """Import what "module:name", below ``bakeoff``, names; without a name, the module."""
    module, _, name = place.partition(":")
    loaded = importlib.import_module(f"bakeoff.{module}")
    return reduce(getattr, name.split("."), loaded) if name else loaded


class Registry(Mapping[str, T]):
    """Things of one kind by name, each loaded when it is looked up: to list the names loads nothing.

    A place that holds a mapping holds several of them, by their names.
    """

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = dict(places)

    def __getitem__(self, name: str) -> T:
        thing: Any = load(self._places[name])
        return thing[name] if isinstance(thing, Mapping) else thing  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
