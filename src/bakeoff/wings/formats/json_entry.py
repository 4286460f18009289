"""Entries of a JSON file: what is not as its format says ends in an error with the place."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from bakeoff.errors import ReadingError, plain
from bakeoff.wings.formats.source_file import SourceFile

KINDS = {dict: "an object", list: "a list", type(None): "null"}
NOT_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


class JsonEntry:
    """A value and its place: ``run.json: benchmarks[3].stats``."""

    __slots__ = ("file", "path", "value")

    def __init__(self, value: Any, file: str, path: str = "") -> None:
        self.value, self.file, self.path = value, file, path

    @property
    def place(self) -> str:
        return f"{self.file}: {self.path}" if self.path else self.file

    def __contains__(self, key: str) -> bool:
        return isinstance(self.value, dict) and key in self.value

    def __getitem__(self, key: str) -> JsonEntry:
        """The entry of an object, which must have it."""
        value = self.record().get(key, self)
        if value is self:
            raise ReadingError(f"{self.place} has no {key!r}")
        return self._under(value, key)

    def get(self, key: str) -> JsonEntry:
        """The entry of an object, or one of null."""
        return self._under(self.record().get(key), key)

    def _under(self, value: Any, key: str) -> JsonEntry:
        return JsonEntry(value, self.file, f"{self.path}.{key}" if self.path else key)

    @property
    def null(self) -> bool:
        return self.value is None

    def record(self) -> dict[str, Any]:
        if not isinstance(self.value, dict):
            raise self.wrong("an object")
        return self.value

    def items(self) -> Iterator[tuple[str, JsonEntry]]:
        for key, value in self.record().items():
            yield str(key), self._under(value, str(key))

    def entries(self) -> list[JsonEntry]:
        """Those of a list."""
        if not isinstance(self.value, list | tuple):
            raise self.wrong("a list")
        return [JsonEntry(value, self.file, f"{self.path}[{i}]") for i, value in enumerate(self.value)]

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.wrong("text")
        return self.value

    def name(self) -> str:
        """Text, or a number or flag as JSON writes it; nothing for null."""
        if isinstance(self.value, dict | list):
            raise self.wrong("text or a number")
        if isinstance(self.value, bool):
            return str(self.value).lower()
        return "" if self.value is None else str(self.value)

    def number(self) -> float:
        """A number; JSON has no NaN, so that some tools write it as text."""
        if isinstance(self.value, str) and self.value in NOT_FINITE:
            return NOT_FINITE[self.value]
        if isinstance(self.value, bool) or not isinstance(self.value, int | float):
            raise self.wrong("a number")
        try:
            return float(self.value)
        except OverflowError:
            raise ReadingError(f"{self.place} is beyond the largest floating-point number") from None

    def numbers(self) -> list[float]:
        if isinstance(self.value, list) and set(map(type, self.value)) == {float}:
            return self.value
        return [entry.number() for entry in self.entries()]

    def wrong(self, expected: str) -> ReadingError:
        kind = KINDS.get(type(self.value)) or plain(repr(self.value))[:40]
        return ReadingError(f"{self.place} must be {expected}; got {kind}")


def json_entry(file: SourceFile) -> JsonEntry:
    """The whole of a JSON file."""
    return JsonEntry(file.json(), file.path or "source")
