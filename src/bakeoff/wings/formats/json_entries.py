"""JSON of any size, value by value, and the entries of a file: one that is not as its format says ends in an error.

In memory is never more than one value and a block of text.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import IO, Any

from bakeoff.errors import ReadingError, plain
from bakeoff.files import NotStrictError, strict_decoder
from bakeoff.wings.formats.source_file import SourceFile

BLOCK = 1 << 20
_SPACE = " \t\r\n"
_AFTER = frozenset(",:]}" + _SPACE)


def json_members(file: IO[str], *long: str) -> Iterator[tuple[str, Any]]:
    """(key, value) of the object that the file is; of each list under a key in ``long``, one pair per element.

    Raises
    ------
    ValueError
        The text is no JSON object.
    """
    text, seen = _Text(file), set[str]()
    for _ in text.parts("{", "}"):
        if (mark := text.next_mark()) != '"':
            raise ValueError(f"a key is expected; got {mark!r}")
        key = text.value()
        if key in seen:
            raise NotStrictError(f"the key {plain(key)[:60]!r} occurs twice in one object")
        seen.add(key)
        text.expect(":")
        if key in long and text.next_mark() == "[":
            yield from ((key, text.value()) for _ in text.parts("[", "]"))
        else:
            yield key, text.value()


class _Text:
    """The rest of the text, read on as needed."""

    def __init__(self, file: IO[str]) -> None:
        self.file = file
        self.decoder = strict_decoder()
        self.left = ""
        self.at = 0
        self.ended = False

    def more(self) -> bool:
        """As much again as is left, so that a long value is parsed a few times only."""
        block = self.file.read(max(BLOCK, len(self.left) - self.at))
        self.left = self.left[self.at :] + block
        self.at = 0
        self.ended = not block
        return bool(block)

    def next_mark(self) -> str:
        """The next character that is no space; it stays."""
        while True:
            while self.at < len(self.left):
                if self.left[self.at] not in _SPACE:
                    return self.left[self.at]
                self.at += 1
            if not self.more():
                raise ValueError("the text ends before its last bracket")

    def expect(self, mark: str) -> None:
        if (next_one := self.next_mark()) != mark:
            raise ValueError(f"{mark!r} is expected; got {next_one!r}")
        self.at += 1

    def value(self) -> Any:
        self.next_mark()
        while True:
            try:
                decoded, end = self.decoder.raw_decode(self.left, self.at)
            except NotStrictError:
                raise
            except ValueError:
                if not self.more():
                    raise
                continue
            if self.left[end : end + 1] in _AFTER or not self.more():  # else a number may go on in the next block
                self.at = end
                return decoded

    def parts(self, opening: str, closing: str) -> Iterator[None]:
        """Stop before each part of an object or a list, for the caller to read it."""
        self.expect(opening)
        if self.next_mark() != closing:
            yield
            while self.next_mark() != closing:
                self.expect(",")
                yield
        self.at += 1


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

    def get(self, key: str, *inner: str) -> JsonEntry:
        """The entry of an object, or of one within it; one of null where there is none."""
        entry = self._under(self.record().get(key), key)
        return entry.get(*inner) if inner and not entry.null else entry

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

    def names(self) -> dict[str, str]:
        """The entries of an object as text; of null, none."""
        return {} if self.null else {key: entry.name() for key, entry in self.items()}

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
