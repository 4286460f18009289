"""Folds of data sets: a table with a row per fold, or a column per fold, as rows of (data set, model, fold, score)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from bakeoff.checks import number
from bakeoff.errors import ParameterError, ReadingError, listing
from bakeoff.reading.missing import Cells
from bakeoff.reading.recognition.column_roles import sorted_out
from bakeoff.reading.recognition.fold_names import call_of_folds, groups_of_folds, number_of
from bakeoff.reading.recognition.orientation import side_of
from bakeoff.reading.recognition.roles import column_list
from bakeoff.reading.table import MOST_LOOKED_AT, Labels, SourceTable, Wrapped, matching
from bakeoff.reading.wrapped_columns import BETWEEN, names_together
from bakeoff.scores import Array
from bakeoff.scores.read_as import ColumnRole
from bakeoff.words import is_fold

COLUMNS = "columns"
"""In place of a column: the folds are columns (``fold_0``, ``fold_1``, …)."""
ONE, MODEL, SCORE = "data set", "model", "score"
"""Columns of a table that lacks them."""
MOST_FOLDS = 20
"""Folds up to which those of one repeat are believed to be those of a cross-validation."""
Named = dict[str, str | None]
_FOLD = re.compile(r"(?i)fold\W*0*(\d+)")


class LongTable(Wrapped):
    """Rows that were made of those of another table: names in all columns but the last, and scores."""

    def __init__(self, table: SourceTable, columns: Mapping[str, Labels], scores: Array, per_row: int) -> None:
        super().__init__(table)
        self.names = (*columns, SCORE)
        self.left_out: tuple[ColumnRole, ...] = ()  # columns that are neither named nor scores
        self._labels, self._scores, self._per_row = list(columns.values()), scores, per_row

    def is_text(self, column: int) -> bool:
        return column < len(self._labels)

    def holds_names(self, column: int) -> bool:
        return self.is_text(column)

    def texts(self, column: int) -> Labels:
        of = self._labels[column] if self.is_text(column) else [f"{x!r}" for x in self._scores.tolist()]
        return of[:MOST_LOOKED_AT]

    def take(self, labels: Sequence[int], scores: Sequence[int]) -> tuple[list[Labels], Array]:
        return [[*self._labels[j]] for j in labels], np.column_stack([self._scores] * len(scores) or [self._scores])

    def row(self, index: int) -> str:
        where: str = self._table.row(index // self._per_row)
        return where


class WithOneColumn(Wrapped):
    """A table with one more column of names, made of others; none of them: the same name in all rows."""

    def __init__(self, table: SourceTable, name: str, parts: Sequence[int]) -> None:
        super().__init__(table)
        others = ("" if j in parts else each for j, each in enumerate(table.names))  # the parts say no more
        self.names, self._parts, self._at = (*others, name), list(parts), len(table.names)

    def is_text(self, column: int) -> bool:
        return column == self._at or self._table.is_text(column)

    def holds_names(self, column: int) -> bool:
        return column == self._at or self._table.holds_names(column)

    def texts(self, column: int) -> Labels:
        if column != self._at:
            return self._table.texts(column)
        return self._joined([self._table.texts(j) for j in self._parts], len(self._table.texts(0)))

    def take(self, labels: Sequence[int], scores: Sequence[int]) -> tuple[list[Labels], Array]:
        own = [j for j in labels if j != self._at]
        named, numbers = self._table.take([*own, *self._parts], scores)
        by_place = dict(zip(own, named, strict=False))
        by_place[self._at] = self._joined(named[len(own) :], len(numbers))
        return [by_place[j] for j in labels], numbers

    def _joined(self, parts: Sequence[Labels], n: int) -> Labels:
        return names_together(parts) if parts else [ONE] * n


def refuse_folds_as_problems(table: SourceTable, named: Mapping[str, str | None]) -> None:
    """``problem="dataset,fold"``: folds share training data, and are no problems."""
    problem = named.get("problem")
    parts = [part.strip() for part in problem.split(",")] if isinstance(problem, str) else []
    folds = [name for name in parts if name in table.names and is_fold(name) and _are_numbered(table, name)]
    if len(parts) < 2 or not folds:
        return
    others = [name for name in parts if name not in folds]
    call = call_of_folds(table, folds[0])
    problems = [name for name in others if f"={name!r}" not in call]
    call = ", ".join([*([f"problem={','.join(problems)!r}"] if problems else []), call])
    raise ReadingError(
        f"holds folds, {folds[0]!r}, which share training data: they depend on each other and are no problems. Say "
        f"{call}",
        parameter="problem",
    )


def _are_numbered(table: SourceTable, name: str) -> bool:
    """Are they called 0, 1, 2, fold 3, Fold04, Repeat1.Fold2? A split may be called train and test."""
    return all(re.search(r"\d", text) for text in table.texts(table.names.index(name)))


def with_folds(
    table: SourceTable, named: Mapping[str, str | None], folds: str, repeat: str | None, drop: Collection[str]
) -> tuple[SourceTable, Named]:
    """The table as a long one, and its columns by role; ``folds``, ``repeat``: their columns."""
    if named.get("run") is not None:
        raise ParameterError("and run= name the same thing, what repeats a cell; give folds= alone", parameter="folds")
    if folds == COLUMNS and COLUMNS not in table.names:
        return _of_columns(table, named, drop)
    at = [_column(table, role, name) for role, name in (("repeat", repeat), ("folds", folds)) if name is not None]
    own = {table.names[j] for j in at}
    for role, name in named.items():
        if name in own:
            raise ParameterError(f"is {name!r}, which folds= or repeat= names, too", parameter=role)
    joined = ", ".join(table.names[j] for j in at)
    if not _is_long(table, named, own):
        return _of_rows(table, named, at, joined, drop)
    if len(at) > 1:
        table = WithOneColumn(table, joined, at)
    roles: Named = {**named, "run": joined}
    if named.get("problem") is None and not _problems(table, own):
        roles["problem"] = one = _free_name(table, ONE)
        table = WithOneColumn(table, one, ())
    return table, roles


def _is_long(table: SourceTable, named: Mapping[str, str | None], own: Collection[str]) -> bool:
    """Is there a column of algorithms, and one row for each of them?"""
    if any(named.get(role) for role in ("algorithm", "score", "status")):
        return True
    free = ["" if name in own else name for name in table.names]
    called = [*matching(free, "algorithm"), *(j for j, name in enumerate(free) if side_of(name) == "algorithms")]
    return any(map(table.holds_names, called))


def _problems(table: SourceTable, own: Collection[str]) -> list[int]:
    """Columns that are called like problems, or hold names that nothing else says what they are of."""
    free = ["" if name in own else name for name in table.names]
    return matching(free, "problem") or [j for j, name in enumerate(free) if name and side_of(name) == "problems"]


def _of_rows(
    table: SourceTable, named: Mapping[str, str | None], at: Sequence[int], joined: str, drop: Collection[str]
) -> tuple[SourceTable, Named]:
    """A row per fold, perhaps of several data sets, and a column per model."""
    own = {table.names[j] for j in at}
    problem = named.get("problem")
    sets = [_column(table, "problem", problem)] if problem is not None else _problems(table, own)
    sets = sets or [j for j, name in enumerate(table.names) if name and name not in own and table.holds_names(j)][:1]
    _refuse_unnamed_repeats(table, [*sets[:1], *at], at, drop)
    counted = [0] if table.names[0] in ("", "Unnamed: 0") and 0 not in (*at, *sets) else []
    columns = [j for j, name in enumerate(table.names) if name and j not in (*at, *sets, *counted) and name not in drop]
    columns, left = sorted_out(table, columns, ())
    if len(columns) < 2:
        raise ReadingError(
            f"{table.origin}: a comparison needs two models, and these are its columns: {column_list(table)}"
        )
    labels, scores = table.take([*sets[:1], *at], columns)
    n, k = scores.shape
    of_fold = names_together(labels[len(sets[:1]) :])
    name = table.names[sets[0]] if sets else ONE
    long = LongTable(
        table,
        {
            name: np.repeat(labels[0] if sets else [ONE] * n, k).tolist(),
            MODEL: [table.names[j] for j in columns] * n,
            joined: np.repeat(of_fold, k).tolist(),
        },
        scores.ravel(),
        k,
    )
    long.left_out = tuple(left)
    return long, {"problem": name, "algorithm": MODEL, "run": joined, "score": SCORE}


def _refuse_unnamed_repeats(table: SourceTable, key: Sequence[int], at: Sequence[int], drop: Collection[str]) -> None:
    """Folds that occur more than once, beside a column that is called like what repeats them."""
    rows = list(zip(*(table.texts(j) for j in key), strict=True))
    call = call_of_folds(table, table.names[at[-1]], drop)
    if len(at) == 1 and len(set(rows)) < len(rows) and "repeat=" in call:
        raise ReadingError(f"{table.origin}: folds occur more than once, so they were repeated. Say {call}")


def _of_columns(
    table: SourceTable, named: Mapping[str, str | None], drop: Collection[str]
) -> tuple[SourceTable, Named]:
    """A row per model, perhaps on several data sets, and a column per fold."""
    groups = groups_of_folds(["" if name in drop else name for name in table.names])
    if len(groups) != 1:
        shown = listing(table.names[places[0]] for places in groups.values()) or column_list(table)
        rule = f": {table.origin} has {len(groups)} groups of columns such as fold_0, fold_1; there are {shown}"
        raise ReadingError(f"{rule}. Leave others out with drop=", parameter="folds")
    (columns,) = groups.values()
    free = [j for j, name in enumerate(table.names) if name and j not in columns]
    algorithm = named.get("algorithm")
    models = [_column(table, "algorithm", algorithm)] if algorithm is not None else matching(table.names, "algorithm")
    sides = {j: side_of(re.sub(r"(?i)[\s_.]*(id|name)$", "", table.names[j])) for j in free}
    models = models or [j for j in free if sides[j] == "algorithms"]
    models = models or [j for j in free if table.holds_names(j)]
    if not models:
        raise ReadingError(f"{table.origin}: no column is called like models; name it with algorithm=")
    problem = named.get("problem")
    sets = [_column(table, "problem", problem)] if problem is not None else matching(table.names, "problem")
    sets = [j for j in sets if j != models[0]][:1]
    if not sets and len(set(table.texts(models[0]))) < len(table.texts(models[0])):
        sets = [j for j in free if j != models[0] and table.holds_names(j)][:1]
    labels, scores = table.take([models[0], *sets], columns)
    n, r = scores.shape
    name = table.names[sets[0]] if sets else ONE
    long = LongTable(
        table,
        {
            name: np.repeat(labels[1] if sets else [ONE] * n, r).tolist(),
            table.names[models[0]]: np.repeat(labels[0], r).tolist(),
            COLUMNS: [number_of(table.names[j]) for j in columns] * n,
        },
        scores.ravel(),
        r,
    )
    others = [table.names[j] for j in free if j not in (models[0], *sets)]
    long.left_out = tuple(ColumnRole(each, "other", "no fold") for each in others)
    return long, {"problem": name, "algorithm": table.names[models[0]], "run": COLUMNS, "score": SCORE}


def _free_name(table: SourceTable, name: str) -> str:
    return name if name not in table.names else _free_name(table, f"{name}_")


def _column(table: SourceTable, role: str, name: str) -> int:
    if name not in table.names:
        offered = [each for each in table.names if is_fold(each)]
        hint = f"; is it {offered[0]!r}?" if offered else ""
        raise ReadingError(
            f": {table.origin} has no column {name!r}; there are {column_list(table)}{hint}", parameter=role
        )
    return table.names.index(name)


def test_fraction_of(cells: Cells, folds: str, repeat: str | None, stated: float | None) -> float:
    """The share of the data in a test set: as stated, or 1/k of k folds of a cross-validation."""
    if stated is not None:
        rule = "a number above 0 and below 1, the share of the data in each test set"
        return number("test_fraction", stated, above=0.0, below=1.0, what=rule)
    ids: npt.NDArray[np.object_] = np.ravel(cells.run_ids[0, 0]) if cells.run_ids is not None else np.array([])
    names = [str(name) for name in ids.tolist() if name is not None]
    names = [name.rpartition(BETWEEN)[2] if repeat is not None else name for name in names]
    called = [_FOLD.search(name) for name in names]  # Fold03, Fold03.Rep2
    k = len({match[1] if match else name for match, name in zip(called, names, strict=True)})
    splits = folds != COLUMNS and not all(called) and not _is_cross_validation(folds)
    if not splits and 2 <= k <= MOST_FOLDS:
        return 1.0 / k
    why = f"{folds!r} may hold splits of any size" if splits else f"there are {k} different folds of each data set"
    raise ParameterError(
        f"is needed, as {why}: the share of the data in each test set, test_fraction={_example(k)} of {k or 10}-fold "
        "cross-validation, test_fraction=0.3 of splits that test 30 %. Repeats of a cross-validation are named with "
        "repeat=",
        parameter="test_fraction",
    )


def _is_cross_validation(folds: str) -> bool:
    """Do folds of that name divide the data? Splits and resamples may be of any size."""
    return not re.search(r"(?i)split|resampl|iter|partition|boot|rep|run|seed", folds)


def _example(k: int) -> str:
    return f"{1.0 / k:.2g}" if k > 1 else "0.1"
