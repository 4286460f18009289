"""read_battles(): a table of who met whom and who won -> Battles."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NoReturn

import numpy as np

from bakeoff.checks import did_you_mean
from bakeoff.errors import ParameterError, ReadingError, listing
from bakeoff.reading.columns import dict_table, frame_table, records_table
from bakeoff.reading.files import file_table
from bakeoff.reading.number_parsing import NotANumber, number_from
from bakeoff.reading.table import SourceTable, place
from bakeoff.scores import Array
from bakeoff.wings.boards.ratings.statistics.battles import Battles, merged_battles

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


def _bare(name: str) -> str:
    return "".join(c for c in name.lower() if c not in " _-.")


def _columns(table: SourceTable, name: str, sides: tuple[str, str]) -> list[int]:
    """One column, or one for each side."""
    if name in table.names:
        return [table.names.index(name)]
    plain, stem = [_bare(column) for column in table.names], _bare(name)
    for two in (*SIDES, (_bare(sides[0]), _bare(sides[1]))):
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


FIRST = ("a", "modela", "playera", "model1", "player1", "first", "left", "white", "home", "player")
SECOND = ("b", "modelb", "playerb", "model2", "player2", "second", "right", "black", "away", "opponent")
WINNER = ("winner", "result", "outcome", "preference", "preferred", "score")
TIES = ("tie", "draw", "both", "bothbad", "tie (bothbad)", "same", "=", "0.5", "1/2-1/2", "½-½", "a=b", "[[c]]")
WON, LOST = ("1-0", "win", "won", "a>b", "a>>b", "[[a]]"), ("0-1", "loss", "lost", "lose", "b>a", "b>>a", "[[b]]")
POINTS = {"1": 0, "1.0": 0, "0": 1, "0.0": 1}
"""What the first got; in a column of the winner, 0 and 1 may as well count the sides."""
SEVERAL = "Battles are of two; rankings and winners of several are a table of ranks, for plackett-luce"


def read_battles(
    source: object,
    *,
    a: str | None = None,
    b: str | None = None,
    winner: str | None = None,
    cluster: str | None = None,
    covariates: Sequence[str] = (),
    category: str | None = None,
) -> Battles:
    """Read battles, one a row: two algorithms, and who won.

    Use it for matches and comparisons by judges or users; a table of scores needs none of it (``bo.ratings`` takes
    ``Scores``).

    Parameters
    ----------
    source : path, "-", open file, data frame, list of records, or dict of columns
        As ``bo.read_scores`` reads them.
    a : str, optional
        Column of the first algorithm; a, model_a, player_1, white are recognised.
    b : str, optional
        Column of the second algorithm; b, model_b, player_2, black are recognised.
    winner : str, optional
        Column of who won: its name, ``a`` or ``b`` (or the name of its column), 1-0 or 0-1, A>B, [[A]], win or loss (of
        the first), or ``tie``; winner, result, preferred and score are recognised.
    cluster : str, optional
        Column of what battles share: the prompt, the user, the problem. ``cluster`` is recognised.
    covariates : sequence of str, optional
        How the two sides differed, for ``bo.ratings`` to allow for: ``length`` is two columns of numbers or words,
        ``length_a`` and ``length_b``, or one of the differences a − b.
    category : str, optional
        Column of the kind of battle: topic, language. ``bo.ratings`` then makes a board for each, beside that of all.

    Returns
    -------
    Battles
        ``.algorithms`` in order of name, ``.n_battles``, ``.n_ties``, ``.tables()``.

    Raises
    ------
    ReadingError, ScoreError
        A column that is not there, an empty field, a winner that did not take part, an algorithm that meets itself.

    Examples
    --------
    >>> import bakeoff as bo
    >>> rows = [{"a": "x", "b": "y", "winner": "x"}, {"a": "y", "b": "x", "winner": "tie"}]
    >>> bo.read_battles(rows)
    Battles(2 algorithms, 2 battles, 1 tied)
    """
    table, sha256 = _table(source)
    columns = [_column(table, "a", a, FIRST), _column(table, "b", b, SECOND), _column(table, "winner", winner, WINNER)]
    grouped, sort = _cluster_column(table, cluster), None if category is None else _named(table, "category", category)
    more = [at for at in (grouped, sort) if at is not None]
    if len({*columns, *more}) < len(columns) + len(more):
        raise ParameterError("a, b, winner, cluster and category must be different columns")
    taken, _ = table.take([*columns, *more], [])
    if not taken[0]:
        raise ReadingError(f"{table.origin} holds no battle", parameter="source")
    for at, cells in zip([*columns, *more], taken, strict=True):
        if "" in cells:
            row = cells.index("")
            raise ReadingError(f"{table.origin}, {table.row(row)}: there is nothing in column {table.names[at]!r}")
    names = sorted({*taken[0], *taken[1]})
    place = {name: i for i, name in enumerate(names)}
    first, second = (np.array([place[name] for name in side], dtype=np.int64) for side in taken[:2])
    words = POINTS if _plain(table.names[columns[2]]) in ("score", "result") else {}
    for side, usual in enumerate((("a", *WON), ("b", *LOST), TIES)):
        words = words | dict.fromkeys(usual, side)
    words |= {table.names[columns[side]].lower(): side for side in (0, 1)}
    outcomes = np.array(
        [_outcome(table, row, x, y, won, words) for row, (x, y, won) in enumerate(zip(*taken[:3], strict=True))]
    )
    clusters = taken[3] if grouped is not None else None
    sides = (table.names[columns[0]], table.names[columns[1]])
    added, differences = read_covariates(table, covariates, sides) if covariates else ((), None)
    kinds = None if sort is None else taken[-1]
    return merged_battles(names, first, second, np.eye(3)[outcomes], clusters, sha256, added, differences, kinds)


def _table(source: object) -> tuple[SourceTable, str]:
    if isinstance(source, str | os.PathLike) or callable(getattr(source, "read", None)):
        table, digest = file_table(source)
        return table, digest()
    if isinstance(source, Mapping):
        return dict_table("the dict", source), ""
    if isinstance(source, list | tuple) and source and all(isinstance(entry, Mapping) for entry in source):
        return records_table("the records", source), ""
    return frame_table(source), ""


def _plain(name: str) -> str:
    return "".join(c for c in name.lower() if c not in " _-")


def _column(table: SourceTable, role: str, chosen: str | None, usual: tuple[str, ...]) -> int:
    if chosen is not None:
        return _named(table, role, chosen)
    plain = [_plain(name) for name in table.names]
    for name in usual:
        if plain.count(name) == 1:
            return plain.index(name)
    listed = listing([name or "(no name)" for name in table.names], 20)
    rule = f"is missing: {table.origin} has the columns {listed}, none of them called as usual; name the one. {SEVERAL}"
    raise ReadingError(rule, parameter=role)


def _named(table: SourceTable, role: str, name: str) -> int:
    if name not in table.names:
        rule = f": {table.origin} has no column {name!r}{did_you_mean(name, table.names)}"
        raise ReadingError(rule, parameter=role)
    return table.names.index(name)


def _cluster_column(table: SourceTable, chosen: str | None) -> int | None:
    if chosen is not None:
        return _named(table, "cluster", chosen)
    plain = [_plain(name) for name in table.names]
    return plain.index("cluster") if "cluster" in plain else None


def _outcome(table: SourceTable, row: int, a: str, b: str, won: str, words: Mapping[str, int]) -> int:
    """0: the first won; 1: the second; 2: a tie. A name of one that took part comes before a word."""
    if won in (a, b):
        return 0 if won == a else 1
    if won.lower() in words:
        return words[won.lower()]
    rule = f"{table.origin}, {table.row(row)}: the winner must be {a!r}, {b!r}, 'a', 'b' or 'tie'; it is {won!r}"
    raise ReadingError(f"{rule}. {SEVERAL}")
