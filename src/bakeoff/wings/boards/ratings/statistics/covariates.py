"""Columns of battles that say how the two sides differed: length, style, who was shown first."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NoReturn

import numpy as np

from bakeoff.checks import did_you_mean
from bakeoff.errors import ParameterError, ReadingError, listing
from bakeoff.reading.number_parsing import NotANumber, number_from
from bakeoff.reading.table import SourceTable, place
from bakeoff.scores import Array

MOST = 50  # columns of the model
LARGEST = 1e100  # whose square is a number, too
SIDES = (("a", "b"), ("1", "2"), ("first", "second"), ("left", "right"))


def read_covariates(
    table: SourceTable, covariates: Sequence[str], sides: tuple[str, str]
) -> tuple[tuple[str, ...], Array]:
    """Names, and differences (m, p) of the first side less the second; ``sides``: the columns of the algorithms.

    ``length`` is a column of differences, or two columns such as length_a and length_b. Two columns of words become an
    indicator of each word but the commonest.
    """
    if isinstance(covariates, str):
        covariates = (covariates,)
    names: list[str] = []
    columns: list[Array] = []
    for name in dict.fromkeys(covariates):
        for label, difference in _differences(table, name, _columns(table, name, sides)):
            if not difference.any():
                raise ParameterError(f"{label!r} is the same on both sides of every battle", parameter="covariates")
            names.append(label)
            columns.append(difference)
    if len(names) > MOST:
        _refuse_many(len(names))
    return tuple(names), np.column_stack(columns)


def _plain(name: str) -> str:
    return "".join(c for c in name.lower() if c not in " _-.")


def _columns(table: SourceTable, name: str, sides: tuple[str, str]) -> list[int]:
    """One column, or one for each side."""
    if name in table.names:
        return [table.names.index(name)]
    plain, stem = [_plain(column) for column in table.names], _plain(name)
    for two in (*SIDES, (_plain(sides[0]), _plain(sides[1]))):
        for made in ([stem + side for side in two], [side + stem for side in two]):
            if all(plain.count(column) == 1 for column in made):
                return [plain.index(column) for column in made]
    raise ReadingError(
        f": {table.origin} has no column {name!r}{did_you_mean(name, table.names)}, and no two for the sides, such as "
        f"{name + '_a'!r} and {name + '_b'!r}. It has {listing(list(table.names), 20)}",
        parameter="covariates",
    )


def _differences(table: SourceTable, name: str, columns: list[int]) -> list[tuple[str, Array]]:
    cells, _ = table.take(columns, [])
    for column, values in zip(columns, cells, strict=True):
        if "" in values:
            where = table.row(values.index(""))
            raise ReadingError(f"{table.origin}, {where}: there is nothing in column {table.names[column]!r}")
    numbers = np.array([[_number(value) for value in values] for values in cells])
    known = np.isfinite(numbers)
    if known.all():
        if np.abs(numbers).max() > LARGEST:
            raise ParameterError(f"{name!r} has numbers beyond {LARGEST:g}; rescale them", parameter="covariates")
        return [(name, numbers[0] if len(columns) == 1 else numbers[0] - numbers[1])]
    if 2 * np.count_nonzero(known) >= known.size:  # numbers, with a word among them
        side, row = np.argwhere(~known)[0].tolist()
        raise ReadingError(f"{place(table, row, columns[side])}: {cells[side][row]!r} is not a number")
    if len(columns) == 1:
        raise ReadingError(
            f"{table.origin}: column {name!r} is no number, the difference of a and b. Words need a column for each "
            f"side, such as {name + '_a'!r} and {name + '_b'!r}",
            parameter="covariates",
        )
    counts = Counter(cells[0]) + Counter(cells[1])
    if len(counts) > MOST:
        _refuse_many(len(counts) - 1)
    usual = min(counts, key=lambda word: (-counts[word], word))
    one, two = (np.array(values) for values in cells)
    return [
        (f"{name}={word} vs {usual}", 1.0 * (one == word) - (two == word)) for word in sorted(counts) if word != usual
    ]


def _refuse_many(columns: int) -> NoReturn:
    rule = f"give {columns} columns to the model, of which it takes {MOST}; join rare words"
    raise ParameterError(rule, parameter="covariates")


def _number(value: str) -> float:
    """NaN where it is a word."""
    try:
        return number_from(value)
    except NotANumber:
        return math.nan
