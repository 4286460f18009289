"""Long lists of records in JSON, written a block at a time: half a million pairs are never all in memory as text."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

R = TypeVar("R")
Keys = Mapping[type, tuple[str, ...]]
Encode = Callable[[Any], str]

BLOCK = 1000
_NUMBERS = {float, int, bool, type(None)}
_WORDS = {str, type(None)}
_ALONE = ({float}, {int}, {bool}, {str})


@dataclasses.dataclass(frozen=True, kw_only=True, eq=False)
class JsonRows(Generic[R]):
    """The records that one key of a report lists."""

    records: Sequence[R]
    keys: Keys  # attributes of each class, as ``plain_data`` takes them
    plain: Callable[[R], Any]  # one record as JSON knows it
    columns: Callable[[int, int], Mapping[str, Any]]  # of the records from one place to another, in the order of keys
    cleaned: Callable[[Any, int], Any] = lambda value, i: value  # without infinite numbers; which record it is

    def __iter__(self) -> Iterator[Any]:
        """Each as JSON knows it."""
        return (self.cleaned(self.plain(record), i) for i, record in enumerate(self.records))

    def written(self, encode: Encode, whole: Callable[[Any, str], str], line: str) -> Iterator[str]:
        """The list as text, after which all infinite numbers are known.

        ``encode`` writes a value, or a list of numbers; ``whole`` an indented one; ``line`` begins a line of the list.
        """
        inner = line + " "
        for start in range(0, len(self.records), BLOCK):
            end = min(start + BLOCK, len(self.records))
            try:
                text, columns = _layout(self.columns(start, end), self.keys, encode, inner)
                rows = [text % row for row in zip(*columns, strict=True)] if columns else [text % ()] * (end - start)
            except (ValueError, _UnlikeError):  # not finite; of different classes
                rows = [whole(self.cleaned(self.plain(self.records[i]), i), inner) for i in range(start, end)]
            yield f",{inner}".join(rows).join((f",{inner}" if start else f"[{inner}", ""))
        yield f"{line}]"


class _UnlikeError(Exception):
    """These records have no common layout."""


def _layout(
    values: Sequence[Any] | Mapping[str, Any], keys: Keys, encode: Encode, line: str
) -> tuple[str, list[list[str]]]:
    """The layout of all of them, with a ``%s`` for each number and word; and these, as columns."""
    if isinstance(values, Mapping):
        return _object(values, keys, encode, line)
    kinds, first = set(map(type, values)), values[0]
    if first and kinds in _ALONE and values.count(first) == len(values):  # ±0.0 are equal, but not the same text
        return (encode(first) if kinds == {str} else encode([first])[1:-1]).replace("%", "%%"), []
    if kinds <= _NUMBERS:
        return "%s", [_texts(values, kinds, encode)]
    if kinds <= _WORDS:
        words = {value: encode(value) for value in set(values)}
        return "%s", [[words[value] for value in values]]
    if len(kinds) > 1 or not dataclasses.is_dataclass(first):
        raise _UnlikeError
    names = keys.get(type(first)) or tuple(field.name for field in dataclasses.fields(first))
    return _object({name: [getattr(value, name) for value in values] for name in names}, keys, encode, line)


def _texts(values: Sequence[Any], kinds: set[type], encode: Encode) -> list[str]:
    """Numbers as text, each that recurs once."""
    distinct = list(set(values)) if kinds == {float} else []
    if not 0 < len(distinct) <= 0.9 * len(values) or 0.0 in distinct:  # 0.0 == −0.0
        return encode(values)[1:-1].split(", ")
    return [*map(dict(zip(distinct, encode(distinct)[1:-1].split(", "), strict=True)).__getitem__, values)]


def _object(parts: Mapping[str, Any], keys: Keys, encode: Encode, line: str) -> tuple[str, list[list[str]]]:
    inner, texts, columns = line + " ", [], []
    for name, part in parts.items():
        text, more = _layout(part, keys, encode, inner)
        texts.append(f"{encode(name).replace('%', '%%')}: {text}")
        columns += more
    return f"{{{inner}{f',{inner}'.join(texts)}{line}}}", columns


def all_listed(content: dict[str, Any]) -> dict[str, Any]:
    """The same with every row as a dictionary; a function is called for a value that is known after all rows."""
    made: dict[str, Any] = {}
    for key, value in content.items():
        made[key] = list(value) if isinstance(value, JsonRows) else value() if callable(value) else value
    return made


def text_pieces(content: dict[str, Any], encode: Encode, whole: Callable[[Any, str], str]) -> Iterator[str]:
    """A report as text, piece by piece."""
    line = "\n "
    for i, (key, value) in enumerate(content.items()):
        yield f"{',' if i else '{'}{line}{encode(key)}: "
        if isinstance(value, JsonRows):
            yield from value.written(encode, whole, line)
        else:
            yield whole(value() if callable(value) else value, line)
    yield "\n}\n"
