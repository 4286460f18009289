"""Columns that stand for others: several names joined, rows that repeat, and words where scores stand."""

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TypeVar

import numpy as np

from bakeoff.errors import ParameterError, ReadingError
from bakeoff.reading.missing import Cells
from bakeoff.reading.number_parsing import NotANumber, parsed_number
from bakeoff.reading.recognition.orientation import counts_steps
from bakeoff.reading.table import Labels, SourceTable, Wrapped, matching
from bakeoff.scores import Array
from bakeoff.scores.runs import is_known_end, status_array
from bakeoff.words import is_called, is_fold, is_one_of, is_run

# Names of several columns: ``problem="space,dataset"``.

ROLES = ("problem", "algorithm", "run", "cluster")
Key = TypeVar("Key", int, str)
BETWEEN = "/"


class WithColumns(Wrapped):
    """Some columns of a table; one of several parts joins their names."""

    def __init__(self, table: SourceTable, columns: Mapping[str, Sequence[int]]) -> None:
        super().__init__(table)
        self._parts = list(columns.values())
        self.names = tuple(columns)
        self.combined = [j for j, parts in enumerate(self._parts) if len(parts) > 1]

    def is_text(self, column: int) -> bool:
        return len(self._parts[column]) > 1 or self._table.is_text(self._parts[column][0])

    def holds_names(self, column: int) -> bool:
        return len(self._parts[column]) > 1 or self._table.holds_names(self._parts[column][0])

    def texts(self, column: int) -> Labels:
        parts = [self._table.texts(j) for j in self._parts[column]]
        return parts[0] if len(parts) == 1 else names_together(parts)

    def take(self, labels: Sequence[int], scores: Sequence[int]) -> tuple[list[Labels], Array]:
        taken = [self._parts[j] for j in labels]
        places = list(dict.fromkeys(j for parts in taken for j in parts))
        named, numbers = self._table.take(places, [self._parts[j][0] for j in scores])
        own = dict(zip(places, named, strict=True))
        joined = [own[parts[0]] if len(parts) == 1 else names_together([own[j] for j in parts]) for parts in taken]
        return joined, numbers


def run_levels(table: SourceTable, run: int | None) -> list[str]:
    """The columns that a column of runs joins, the outer one first; nothing where it is a column of the source."""
    joined = run is not None and run in getattr(table, "combined", ())
    return [part.strip() for part in table.names[run].split(",")] if joined and run is not None else []


def names_together(columns: Sequence[Labels]) -> Labels:
    """The parts of each row's name; a blank one is left out (``tree`` has no k)."""
    return [BETWEEN.join(filter(None, parts)) for parts in zip(*columns, strict=True)]


def combined_names(names: Sequence[str], named: Mapping[str, str | None]) -> dict[str, list[int]]:
    """What ``named`` has that is no column, but columns separated by commas -> their places."""
    combined: dict[str, list[int]] = {}
    for role in ROLES:
        name = named.get(role)
        if not isinstance(name, str) or name.strip() in names or "," not in name:
            continue
        parts = [part.strip() for part in name.split(",")]
        if all(part in names for part in parts):
            combined[name.strip()] = [names.index(part) for part in parts]
    return combined


def outer_runs(combined: Mapping[str, Sequence[Key]], named: Mapping[str, str | None]) -> list[Key]:
    """The first part of ``run="seed,episode"``."""
    return [parts[0] for name, parts in combined.items() if name == (named.get("run") or "").strip()]


def with_combined(table: SourceTable, named: Mapping[str, str | None]) -> SourceTable:
    """The table with a column for each name in ``named`` that is several columns.

    These go unless they have a role, or are the outer ones of runs inside runs.
    """
    combined = combined_names(table.names, named)
    if not combined:
        return table
    inside = {j for parts in combined.values() for j in parts} - {*outer_runs(combined, named)}
    others = {x: [j] for j, x in enumerate(table.names) if x and (j not in inside or x in named.values())}
    return WithColumns(table, combined | others)


def without_rivals(table: SourceTable, left_out: Sequence[str]) -> SourceTable:
    """The table without columns in ``left_out`` that could be those of the scores, if another one could be it, too."""
    rivals = [table.names[j] for j in matching(table.names, "score")]
    if len(rivals) < 2 or not any(name in left_out for name in rivals):
        return table
    return WithColumns(table, {x: [j] for j, x in enumerate(table.names) if x and not (x in rivals and x in left_out)})


# Rows of one problem and algorithm: which other column tells them apart, and what that column may be.

MOST_COLUMNS = 30
_FRACTION = re.compile(r"-?\d*\.\d+(e-?\d+)?", re.IGNORECASE)
MOST_SHARE = 0.5
"""Different values of a column for each row; with more, it is a measurement or the row's number."""


def told_apart(table: SourceTable, keys: Sequence[Labels]) -> str:
    """A sentence on the column, or the two, by which no combination occurs twice; nothing if there are none.

    The first rows decide; ``keys``: of all rows.
    """
    every = [table.texts(j) for j in range(len(table.names))]
    keys = [key[: len(every[0])] for key in keys]
    rows = list(zip(*keys, strict=True))
    if any(len(column) != len(rows) for column in every) or len(set(rows)) == len(rows):
        return ""
    if len(keys) > 1 and sum(column not in keys for column in every) < 2:
        return ""  # the only other column holds the scores, which differ between repeats, too
    columns = {
        name: column
        for name, column in zip(table.names, every, strict=True)
        if name
        and column not in keys
        and 1 < len(set(column)) <= max(2, MOST_SHARE * len(rows))
        and (is_one_of(name, "part") or not any(map(_FRACTION.fullmatch, column[:100])))
    }
    names = sorted(columns, key=lambda name: len(set(columns[name])))[:MOST_COLUMNS]
    for size in (1, 2):
        for chosen in combinations(names, size):
            if len(set(zip(rows, *(columns[name] for name in chosen), strict=True))) == len(rows):
                return _advice(table, keys, chosen)
    return ""


def _advice(table: SourceTable, keys: Sequence[Labels], chosen: Sequence[str]) -> str:
    """What the columns by which the repeats differ are: runs, a part of the algorithm, or of the problem."""
    shown = " and ".join(map(repr, chosen))
    if len(chosen) == 1 and counts_steps(chosen[0]) and not is_one_of(chosen[0], "run"):
        as_run = f", or say run={chosen[0]!r} for runs" if len(keys) == 2 else ""
        return f" They differ in {shown}: use bakeoff curves{as_run}."
    problem, algorithm, run = (_called(table, key) for key in (*keys, [], [])[:3])
    runs = [name for name in chosen if is_run(name)]
    parts = [name for name in chosen if name not in runs and _is_of_algorithm(table, name, keys)]
    others = [name for name in chosen if name not in (*runs, *parts)]
    options = [f"run={','.join([*([run] if run else []), *runs])!r}"] if runs else []
    folds = [name for name in (run, *runs) if name and is_fold(name.split(", ")[-1])]
    if folds:  # of a cross-validation that is repeated
        repeats = [name for name in (run, *runs) if name and name not in folds]
        options = [f"folds={folds[0]!r}", *(f"repeat={name!r}" for name in repeats[:1])]
    options += [f"algorithm={','.join([algorithm, *parts])!r}"] if parts and algorithm else []
    if others:
        of_problem = f"problem={','.join([problem or 'PROBLEM', *others])!r}"
        doubtful = algorithm and not any(is_called(name, "description") for name in others)
        more = f" if it is part of the problem, or algorithm={','.join([algorithm, *others])!r}" if doubtful else ""
        options.append(f"{of_problem}{more if doubtful else ' if it is part of the problem'}")
    return f" The repeats differ in {shown}: say {', '.join(options)}."


def _called(table: SourceTable, key: Labels) -> str:
    """The name of a column that holds the key."""
    return next((name for j, name in enumerate(table.names) if key and name and table.texts(j) == key), "")


def _is_of_algorithm(table: SourceTable, name: str, keys: Sequence[Labels]) -> bool:
    """Is it called like a setting, or has each algorithm values of its own?"""
    if is_one_of(name, "part"):
        return True
    if len(keys) < 2:
        return False
    values: dict[str, set[str]] = {}
    for algorithm, value in zip(keys[1], table.texts(table.names.index(name)), strict=True):
        values.setdefault(algorithm, set()).add(value)
    return len(set(map(frozenset, values.values()))) > 1


# Words where scores stand (TIMEOUT, memout, > 3600), and words of a status that mean ok.

STATUS = "status of the scores"
"""The column that is made of words."""
_MOST_SHOWN = 12


class WithWords(Wrapped):
    """A table whose numbers have words among them: no scores, but statuses; ``long``: its last column has these."""

    def __init__(
        self, table: SourceTable, numbers: Mapping[int, Array], words: Mapping[int, Labels], long: bool = True
    ) -> None:
        super().__init__(table)
        self._numbers = numbers
        self._last = len(table.names) if long else -1
        self.words = words
        self.names = (*table.names, *([STATUS] if long else []))

    def is_text(self, column: int) -> bool:
        return column == self._last or self._table.is_text(column)

    def holds_names(self, column: int) -> bool:
        return column == self._last or (column not in self._numbers and self._table.holds_names(column))

    def texts(self, column: int) -> Labels:
        """Give the numbers alone of columns with words, in as many rows as of the others."""
        if column != self._last and column not in self._numbers:
            return self._table.texts(column)
        rows = len(self._table.texts(0))
        if column == self._last:
            return self.take([column], [])[0][0][:rows]
        return [str(x) if x == x else "" for x in self._numbers[column][:rows].tolist()]

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


class WithFine(Wrapped):
    """A table with a column of statuses, some words of which its user calls ok."""

    def __init__(self, table: SourceTable, column: int, fine: Collection[str]) -> None:
        super().__init__(table)
        self._column = column
        self._fine = {word.strip().casefold() for word in fine}

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


def has_words(table: SourceTable) -> bool:
    """Do the first rows of a column have numbers, and words for how runs ended?"""
    columns = (set(table.texts(j)) for j in range(len(table.names)))
    return any(any(map(is_known_end, texts)) for texts in columns)


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
