"""Rows of (problem, algorithm, run) and a score -> cells, without a loop over the rows."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from bakeoff.checks import did_you_mean
from bakeoff.errors import ReadingError, listing
from bakeoff.reading.large_csv import LargeCsv
from bakeoff.reading.missing import Cells
from bakeoff.reading.table import Coded, SourceTable, Wrapped
from bakeoff.reading.wrapped_columns import told_apart
from bakeoff.scores import Array
from bakeoff.scores.runs import RunStatus
from bakeoff.words import named_direction

Codes = npt.NDArray[np.int64]
Key = TypeVar("Key")
LARGEST = 2**30
"""Cells × runs of the array that a long table may become."""
_SPARSE = 4
"""Places per row up to which rows are put in order by a place for every possible one."""


def coded_columns(table: SourceTable, labels: list[int], score: int) -> tuple[list[Coded], Array]:
    """Some columns as codes of names, and one as numbers, (n_rows, 1)."""
    codes = table.coded(labels, score) if isinstance(table, LargeCsv) else None
    if codes is not None:
        return codes
    named, scores = table.take(labels, [score])
    return [Coded.of(names) for names in named], scores


def first_rows(codes: Codes, different: int) -> Codes:
    """The row in which each code occurs first."""
    first = np.empty(different, dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)  # of equal places the last one written stays
    return first


def long_cells(table: SourceTable, labels: list[Coded], scores: Array, status: RunStatus | None = None) -> Cells:
    """``labels``: problem, algorithm and perhaps run; ``status``: of each row, scores NaN where it is not ok."""
    problems, algorithms = labels[0].names, labels[1].names
    n, k = len(problems), len(algorithms)
    runs = labels[2].names if len(labels) == 3 else [""]
    cell = labels[0].codes * k + labels[1].codes
    run = labels[2].codes if len(labels) == 3 else np.zeros(len(cell), dtype=np.int64)
    order = _order(cell, run, n * k, len(runs))
    if order is not None:
        if len(order) == len(cell):
            cell, run = cell[order], run[order]
        if len(order) < len(cell) or ((cell[1:] == cell[:-1]) & (run[1:] == run[:-1])).any():
            _refuse_repeated(table, labels)
        scores = scores[order]
        status = None if status is None else status[order]
    names = np.array([*runs, None], dtype=object)[:-1]
    r, nth, dense = len(runs), run, n * k * len(runs) == len(cell)  # every run of every cell, in order
    if not dense:
        starts = np.flatnonzero(np.concatenate(([True], cell[1:] != cell[:-1])))
        sizes = np.diff(np.append(starts, len(cell)))
        r, nth = int(sizes.max()), np.arange(len(cell)) - np.repeat(starts, sizes)
    if n * k * r > LARGEST:
        raise ReadingError(f"{table.origin}: {n} problems × {k} algorithms × {r} runs are too many (limit {LARGEST})")

    def in_cells(values: npt.NDArray[Any], empty: object) -> npt.NDArray[Any]:
        if dense:
            return values.reshape(n, k, r)
        every = np.full((n * k, r), empty, dtype=values.dtype)
        every[cell, nth] = values
        return every.reshape(n, k, r)

    missing = in_cells(np.isnan(scores), False)
    if not dense:  # a combination that never occurs
        missing.reshape(n * k, r)[np.bincount(cell, minlength=n * k) == 0, 0] = True
    ids = None
    if len(labels) == 3:
        ids = np.broadcast_to(names, (n, k, r)) if dense else in_cells(names[run], None)
    return Cells(
        scores=in_cells(scores, np.nan),
        missing=missing,
        algorithms=algorithms,
        problems=problems,
        run_ids=ids,
        status=None if status is None else in_cells(status, ""),
    )


def averaged_inside(labels: list[Coded], scores: Array) -> tuple[list[Coded], Array]:
    """Rows of runs inside runs as rows of the outer ones, each with the mean of its inner scores.

    ``labels``: problem, algorithm and outer run. A run that lacks one of its inner scores has none.
    """
    k, r = len(labels[1].names), len(labels[2].names)
    key = (labels[0].codes * k + labels[1].codes) * r + labels[2].codes
    order = np.lexsort((scores, key))  # a sum in order of size does not depend on the order of the rows
    key = key[order]
    starts = np.flatnonzero(np.concatenate(([True], key[1:] != key[:-1])))
    means = np.add.reduceat(scores[order], starts) / np.diff(np.append(starts, len(key)))
    key = key[starts]
    codes = key // (k * r), key // r % k, key % r
    return [Coded(coded.names, code) for coded, code in zip(labels, codes, strict=True)], means


def _order(cell: Codes, run: Codes, cells: int, runs: int) -> Codes | None:
    """The rows by cell and run, None if they are so already; fewer than there are if some are equal."""
    places = cells * runs
    if places > np.iinfo(np.int64).max:
        return np.lexsort((run, cell))
    place = cell * runs + run
    if (place[1:] > place[:-1]).all():
        return None
    if places > _SPARSE * len(place):
        return np.argsort(place, kind="stable")
    row = np.full(places, -1, dtype=np.int64)
    row[place] = np.arange(len(place))
    return row[row >= 0]


def _refuse_repeated(table: SourceTable, labels: list[Coded]) -> None:
    words = ("problem", "algorithm", "run")
    keys = zip(*(coded.texts() for coded in labels), strict=True)
    what = "(problem, algorithm, run)" if len(labels) == 3 else "(problem, algorithm)"
    hint = told_apart(table, [coded.texts() for coded in labels])
    repeated = listed_repetitions(
        table,
        keys,
        lambda key: ", ".join(f"{w} {x!r}" for w, x in zip(words, key, strict=False)),
        1,  # what to do stands on the screen
    )
    if not hint and len(labels) < 3:
        hint = " For runs, add a run column, or name it with run=."
    raise ReadingError(f"{table.origin}: each {what} must occur once; repeated: {repeated}.{hint}")


def listed_repetitions(table: SourceTable, keys: Iterable[Key], shown: Callable[[Key], str], most: int = 2) -> str:
    """The keys that occur more than once, and in which rows."""
    rows: dict[Key, list[int]] = {}
    for i, key in enumerate(keys):
        rows.setdefault(key, []).append(i)
    twice = [(key, at) for key, at in rows.items() if len(at) > 1]
    named = [f"{shown(key)} ({', '.join(table.row(i) for i in at[: min(4, most + 1)])})" for key, at in twice[:most]]
    if most == 1 and len(twice) > 1:
        return f"{named[0]} and {len(twice) - 1} more"
    return listing(named + [""] * (len(twice) - len(named)), most)


class SomeRows(Wrapped):
    """A table of which some rows are read: messages name the places in the source."""

    def __init__(self, table: SourceTable, rows: Codes) -> None:
        super().__init__(table)
        self._rows = rows

    def row(self, index: int) -> str:
        return self._table.row(int(self._rows[index]))


def of_metric(
    origin: str, by_role: Mapping[str, Coded], metric: str | None, column: str | None
) -> tuple[Codes, str | None]:
    """The rows that are compared, and what their scores are; ``column``: what that of the scores is called.

    Where each problem has one metric of its own, all are compared, if one direction is good in all of them.
    """
    metrics, problems = by_role["metric"], by_role["problem"]
    everything = np.arange(len(metrics.codes))
    if metric in metrics.names:
        return np.flatnonzero(metrics.codes == metrics.names.index(metric)), metric
    if len(metrics.names) == 1:
        return everything, metrics.names[0] or column
    listed = listing(metrics.names, 20)
    hint = did_you_mean(metric, metrics.names) if metric else ""
    pairs = np.unique(problems.codes * len(metrics.names) + metrics.codes)
    if len(pairs) > len(problems.names):
        rule = f"must be one of {listed}: {origin} has several, and an analysis is of one{hint}"
        raise ReadingError(rule, parameter="metric")
    directions = {named_direction(name) for name in metrics.names} - {None}
    if len(directions) > 1:
        raise ReadingError(
            f"{origin}: problems have metrics of their own ({listed}), and lower is better in some of them, higher in "
            f"others. Compare those of one: metric={metrics.names[0]!r}"
        )
    return everything, column


def questions_within(tasks: Coded, questions: Coded) -> Coded:
    """Questions by task and name, ``task/question``, unless their names begin so already."""
    pairs = (tasks.codes * len(questions.names) + questions.codes).tolist()
    places: dict[int, int] = {}
    codes = np.fromiter((places.setdefault(pair, len(places)) for pair in pairs), np.int64, len(pairs))
    named = [divmod(pair, len(questions.names)) for pair in places]
    both = [(tasks.names[task], questions.names[question]) for task, question in named]
    return Coded([name if name.startswith(f"{task}/") else f"{task}/{name}" for task, name in both], codes)
