"""JSON of any size, value by value: in memory is never more than one of them and a block of text."""

from collections.abc import Iterator
from typing import IO, Any

from bakeoff.errors import plain
from bakeoff.files import NotStrictError, strict_decoder

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
    text = _Text(file)
    text.expect("{")
    first, seen = True, set[str]()
    while (mark := text.next_mark()) != "}":
        if not first:
            text.expect(",")
            mark = text.next_mark()
        first = False
        if mark != '"':
            raise ValueError(f"a key is expected; got {mark!r}")
        key = text.value()
        if key in seen:
            raise NotStrictError(f"the key {plain(key)[:60]!r} occurs twice in one object")
        seen.add(key)
        text.expect(":")
        if key in long and text.next_mark() == "[":
            yield from ((key, value) for value in text.elements())
        else:
            yield key, text.value()


class _Text:
    """What is left of the text, read on as needed."""

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

    def elements(self) -> Iterator[Any]:
        self.expect("[")
        if self.next_mark() == "]":
            self.at += 1
            return
        while True:
            yield self.value()
            if self.next_mark() == "]":
                self.at += 1
                return
            self.expect(",")
