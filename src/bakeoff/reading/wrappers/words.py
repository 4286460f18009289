"""Words where scores stand (TIMEOUT, memout, > 3600), and words of a status that mean ok."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bakeoff.errors import ParameterError, ReadingError
from bakeoff.reading.missing import Cells
from bakeoff.reading.number_parsing import NotANumber, parsed_number
from bakeoff.reading.table import Labels, SourceTable, matching
from bakeoff.scores import Array
from bakeoff.scores.runs import is_known_end, status_array

STATUS = "status of the scores"
"""The column that is made of words."""
_MOST_SHOWN = 12


class WithWords:
    """A table whose numbers have words among them: no scores, but statuses; ``long``: its last column has these."""

    def __init__(
        self, table: SourceTable, numbers: Mapping[int, Array], words: Mapping[int, Labels], long: bool = True
    ) -> None:
        self._table = table
        self._numbers = numbers
        self._last = len(table.names) if long else -1
        self.words = words
        self.origin = table.origin
        self.names = (*table.names, *([STATUS] if long else []))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def is_text(self, column: int) -> bool:
        return column == self._last or self._table.is_text(column)

    def holds_names(self, column: int) -> bool:
        return column == self._last or (column not in self._numbers and self._table.holds_names(column))

    def texts(self, column: int) -> Labels:
        """Of columns with words the numbers alone, in as many rows as of the others."""
        if column != self._last and column not in self._numbers:
            return self._table.texts(column)
        rows = len(self._table.texts(0))
        if column == self._last:
            return self.take([column], [])[0][0][:rows]
        return [str(x) if x == x else "" for x in self._numbers[column][:rows].tolist()]

    def row(self, index: int) -> str:
        return self._table.row(index)

    def take(self, labels: Sequence[int], scores: Sequence[int]) -> tuple[list[Labels], Array]:
        own = [j for j in labels if j != self._last]
        plain = [j for j in scores if j not in self._numbers]
        named, numbers = self._table.take(own, plain)
        by_place = dict(zip(own, named, strict=True))
        columns = {j: numbers[:, i] for i, j in enumerate(plain)} | dict(self._numbers)
        by_place[self._last] = [next(filter(None, row), "") for row in zip(*self.words.values(), strict=True)]
        return [by_place[j] for j in labels], np.column_stack([columns[j] for j in scores]) if scores else numbers

    def wide(self) -> "WithWords":
        """Without the column of statuses."""
        return WithWords(self._table, self._numbers, self.words, long=False)


class WithFine:
    """A table with a column of statuses, some words of which its user calls ok."""

    def __init__(self, table: SourceTable, column: int, fine: Collection[str]) -> None:
        self._table = table
        self._column = column
        self._fine = {word.strip().casefold() for word in fine}
        self.origin = table.origin
        self.names = table.names

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)

    def take(self, labels: Sequence[int], scores: Sequence[int]) -> tuple[list[Labels], Array]:
        named, numbers = self._table.take(labels, scores)
        at = [i for i, j in enumerate(labels) if j == self._column]
        for i in at:
            named[i] = ["ok" if word.strip().casefold() in self._fine else word for word in named[i]]
        return named, numbers


def with_fine(table: SourceTable, named: Mapping[str, str | None], ok: Sequence[str] | str | None) -> SourceTable:
    """``ok``: words of the column of statuses that say that a run is fine."""
    if not ok:
        return table
    words = [ok] if isinstance(ok, str) else list(ok)
    words = [each.strip() for word in words for each in word.split(",")]
    status = named.get("status") or next((table.names[j] for j in matching(table.names, "status")), None)
    if status is None:
        raise ParameterError(
            f"says which words of a column of statuses mean ok, and {table.origin} has none that is recognised; name "
            "it with status=",
            parameter="ok",
        )
    return WithFine(table, table.names.index(status), words) if status in table.names else table


def with_words(table: SourceTable, named: Mapping[str, str | None]) -> tuple[WithWords | None, dict[str, str | None]]:
    """The table with its words as statuses, None if it has none, and which columns of a long one hold what.

    Words that nobody knows are refused, all at once, unless ``named`` says that the column holds statuses.
    """
    try:
        texts = table.take(list(range(len(table.names))), [])[0]
    except ReadingError:
        return None, dict(named)
    status = named.get("status")
    comma = getattr(table, "decimal", ".") == ","
    numbers: dict[int, Array] = {}
    words: dict[int, Labels] = {}
    for j, column in enumerate(texts):
        of = {text: _parsed(text, comma) for text in set(column)}
        known = [is_known_end(word) for _, word in of.values() if word]
        among = known and (all(known) or any(number == number for number, _ in of.values()))
        if among and (any(known) or table.names[j] == status):
            numbers[j] = np.array([of[text][0] for text in column])
            words[j] = [of[text][1] for text in column]
            if table.names[j] != status:
                _refuse_unknown(table, j, words[j])
    if not numbers:
        return None, dict(named)
    roles = dict(named)
    for j in numbers:
        if table.names[j] == status:
            roles["score"] = named.get("score") or status
    return WithWords(table, numbers, words), roles | {"status": STATUS}


def _parsed(text: str, comma: bool) -> tuple[float, str]:
    """A number, or a word."""
    try:
        return parsed_number(text.replace(",", ".") if comma and "." not in text else text), ""
    except NotANumber:
        return float("nan"), text.strip()


def _refuse_unknown(table: SourceTable, column: int, words: Labels) -> None:
    unknown = Counter(word for word in words if word and not is_known_end(word))
    if unknown:
        shown = ", ".join(f"{word!r} ({count})" for word, count in unknown.most_common(_MOST_SHOWN))
        more = f" and {len(unknown) - _MOST_SHOWN} more" if len(unknown) > _MOST_SHOWN else ""
        name = table.names[column]
        raise ReadingError(
            f"{table.origin}: column {name!r} holds words among its numbers. Not known as the end of a run: "
            f"{shown}{more}. If all words there say how a run ended, say so: status={name!r}"
        )


def with_ends(cells: Cells, table: WithWords) -> Cells:
    """The cells of a wide table as they come, with the words of each."""
    turned = cells.read_as.rows == "algorithms"
    columns = list(cells.problems if turned else cells.algorithms)
    ends = np.full(cells.scores.shape, "", dtype=object)
    for j, words in table.words.items():
        if table.names[j] in columns:
            at = columns.index(table.names[j])
            ends[(at, slice(None), 0) if turned else (slice(None), at, 0)] = words
    return replace(cells, status=status_array(ends, cells.scores))
