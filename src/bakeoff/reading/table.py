"""What every source looks like to the code that arranges scores: named columns, and the places of cells."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass
from bakeoff.errors import ReadingError, listing
from bakeoff.reading.number_parsing import is_label
from bakeoff.scores import Array
from bakeoff.words import bare, roles, tiers

Labels = list[str]
MOST_LOOKED_AT = 5000
"""Rows that are looked at to see what columns hold."""
NO_HEADER = "the header is missing"
EMPTY = "is empty: a header and at least one line of scores are needed"


class SourceTable(Protocol):
    """Named columns of text, or of typed values."""

    origin: str  # how messages call the source
    names: tuple[str, ...]  # stripped; "" for a column without a name

    def is_text(self, column: int) -> bool:
        """Whether a column holds names; in delimited files and spreadsheets the first one always does."""

    def holds_names(self, column: int) -> bool:
        """Whether the first cell of a column can only be a name."""

    def texts(self, column: int) -> Labels:
        """What a column holds, as text; of a long source near its beginning."""

    def take(self, labels: Sequence[int], scores: Sequence[int]) -> tuple[list[Labels], Array]:
        """Some columns as names, and others as numbers, shape (n_rows, len(scores)), NaN where missing."""

    def row(self, index: int) -> str:
        """Where a row stands in the source: "line 7"."""


class Wrapped:
    """A table that is read through another one: what it does not say itself, the inner one says."""

    def __init__(self, table: SourceTable) -> None:
        self._table = table

    def __getattr__(self, name: str) -> Any:
        return getattr(self._table, name)


class CellError(ReadingError):
    """A cell that is not a number where scores are read: its word may be a status, so another reading is tried."""


@dataclass(frozen=True, slots=True)
class Coded:
    """A column of names: the different ones in order of first appearance, and which of them each row has."""

    names: Labels
    codes: npt.NDArray[np.int64]

    @classmethod
    def of(cls, labels: Labels) -> Self:
        names = list(dict.fromkeys(labels))
        places = dict(zip(names, range(len(names)), strict=True))
        return cls(names, np.fromiter(map(places.__getitem__, labels), np.int64, len(labels)))

    def texts(self) -> Labels:
        """The name of each row."""
        return [self.names[code] for code in self.codes.tolist()]

    def of_rows(self, rows: npt.NDArray[np.int64]) -> Self:
        """The codes of some rows."""
        different, first, codes = np.unique(self.codes[rows], return_index=True, return_inverse=True)
        order = np.argsort(first)  # of first appearance
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        return type(self)([self.names[code] for code in different[order].tolist()], place[codes])


def place(table: SourceTable, row: int, column: int) -> str:
    """Where a cell stands: ``results.csv, line 7, column 3 ('SaDE')``."""
    return f"{table.origin}, {table.row(row)}, {column_place(table.names, column)}"


def column_place(names: Sequence[str], column: int) -> str:
    return f"column {column + 1} ({names[column]!r})" if names[column] else f"column {column + 1}"


def clean_names(origin: str, names: Sequence[object]) -> tuple[str, ...]:
    """Column names as stripped text, "" for None; refuses two equal ones."""
    cleaned = tuple("" if name is None else str(name).strip() for name in names)
    places: dict[str, list[int]] = {}
    for i, name in enumerate(cleaned):
        places.setdefault(name, []).append(i + 1)
    repeated = [f"{name!r} (columns {listing(map(str, at))})" for name, at in places.items() if name and len(at) > 1]
    if repeated:
        raise ReadingError(
            f"{origin}: column names must be unique; repeated: {listing(repeated)}. Rename or remove the copies."
        )
    return cleaned


def matching(names: Sequence[str], role: str) -> list[int]:
    """Columns called like ``role``: those with its own name, else those with the most usual synonym."""
    plain = _without_spaces(tuple(names))
    places = ([j for j, name in enumerate(plain) if name in synonyms] for synonyms in tiers(role))
    return next(filter(None, places), [])


@lru_cache(maxsize=8)
def _without_spaces(names: tuple[str, ...]) -> tuple[str, ...]:
    """In lower case, without what trackers put before a setting; all at once, as there may be thousands."""
    together = re.sub(r"[\s_-]+", "", bare("\0".join(names).lower())).split("\0")
    return tuple(together if len(together) == len(names) else (re.sub(r"[\s_-]+", "", x.lower()) for x in names))


def lacks_header(names: Sequence[str]) -> bool:
    """Are the fields of a first line scores, beside what is not called like the names of rows?"""
    from bakeoff.reading.recognition.orientation import side_of

    recognised = any(matching([re.sub(r"(?i)[\s_-]*(names?|ids?)$", "", names[0])], role) for role in roles())
    rest = [name for name in names[1:] if name]
    return bool(names[0] and rest) and not (recognised or any(map(is_label, rest)) or side_of(names[0]))


def refuse_headerless(origin: str, line: str, names: Sequence[str]) -> None:
    """A first line of numbers is data that would be lost as names."""
    if not lacks_header(names):
        return
    first = listing((name[:8] for name in names), 2)
    raise ReadingError(
        f"{origin}, {line}: {NO_HEADER}, this looks like scores ({first}). Write the column names into a "
        "first line (# begins comments), or say no_header=True; if the names are numbers, call the first column "
        "'problem'. Matrices of runs × tasks, one per algorithm, have format='rliable'."
    )
