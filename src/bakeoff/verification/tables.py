"""Two tables of scores: is the one in the report the one that was given?"""

from dataclasses import fields

import numpy as np

from bakeoff.files import csv_line
from bakeoff.scores import Array, Scores
from bakeoff.scores.read_as import ReadAs
from bakeoff.verification.results import Difference

ABOUT = ("metric", "unit", "run_kind")


def table_differences(said: Scores, given: Scores) -> tuple[list[Difference], int]:
    """The first cell, run or name that differs, in any order of rows and columns; and the number of scores compared.

    A name that a spreadsheet would take for a formula may have the apostrophe of a written CSV.
    """
    found: list[Difference] = []
    if said.better != given.better:
        found.append(_differ("better", said.better, given.better))
    rows, missing_rows = _places("problem", said.problems, given.problems)
    columns, missing_columns = _places("algorithm", said.algorithms, given.algorithms)
    found += missing_rows + missing_columns
    for what in ("dropped", "filled"):
        here, there = getattr(said, what), getattr(given, what)
        if sorted(map(_written, here)) != sorted(map(_written, there)):
            found.append(_differ(what, str(list(here)), str(list(there))))
    found += _cluster_differences(said, given)
    found += _metadata_differences(said, given)
    if missing_rows or missing_columns:
        return found, 0
    mine, theirs = _sorted_runs(said), _sorted_runs(given)[np.ix_(rows, columns)]
    if mine.shape[2] != theirs.shape[2]:
        found.append(_differ("most runs of a cell", str(mine.shape[2]), str(theirs.shape[2])))
        return found, 0
    differing = np.argwhere(~((mine == theirs) | (np.isnan(mine) & np.isnan(theirs))))
    for i, j, r in differing[:1].tolist():
        run = "" if mine.shape[2] == 1 else f", run {r + 1} in order of size"
        more = f" ({len(differing)} such scores)" if len(differing) > 1 else ""
        place = f"problem {said.problems[i]!r}, algorithm {said.algorithms[j]!r}{run}{more}"
        found.append(_differ(place, repr(float(mine[i, j, r])), repr(float(theirs[i, j, r]))))
    if not len(differing):
        found += _run_differences(said, given, rows, columns)
        found += _host_differences(said, given, columns)
    return found, int(np.count_nonzero(~np.isnan(mine)))


def _cluster_differences(said: Scores, given: Scores) -> list[Difference]:
    """Clusters that only one side has, or the first problem whose cluster differs."""
    if said.clusters is None or given.clusters is None:
        if said.clusters is given.clusters is None:
            return []
        words = ["none" if s.clusters is None else f"{len(set(s.clusters))} clusters" for s in (said, given)]
        return [_differ("clusters", *words)]
    of = {_written(name): _written(label) for name, label in zip(given.problems, given.clusters, strict=True)}
    for name, label in zip(said.problems, said.clusters, strict=True):
        other = of.get(_written(name), _written(label))
        if other != _written(label):
            return [_differ(f"cluster of problem {name!r}", label, other)]
    return []


def unknown_to(given: Scores, said: Scores) -> list[str]:
    """What the report calls its scores, where the table that was given does not say it."""
    found = {name: getattr(said, name) for name in ABOUT if getattr(given, name) is None}
    return [f"{name} {value!r}" for name, value in found.items() if value is not None]


def _metadata_differences(said: Scores, given: Scores) -> list[Difference]:
    """What the scores are; and of the same file, how it was read."""
    of_file = [name for name in ABOUT if getattr(given, name) is not None]  # a file seldom says what its scores are
    found = [_differ(name, *map(str, both)) for name in of_file if _differ_in(both := _both(said, given, name))]
    if sorted(said.differing) != sorted(given.differing):
        found.append(_differ("differing", str(list(said.differing)), str(list(given.differing))))
    if said.source_sha256 == given.source_sha256:
        how = said.read_as, given.read_as
        of_reading = [field.name for field in fields(ReadAs)]
        found += [_differ(name, *map(str, both)) for name in of_reading if _differ_in(both := _both(*how, name))]
    return found


def _both(said: object, given: object, name: str) -> tuple[object, object]:
    return getattr(said, name), getattr(given, name)


def _differ_in(both: tuple[object, object]) -> bool:
    return both[0] != both[1]


def _run_differences(said: Scores, given: Scores, rows: list[int], columns: list[int]) -> list[Difference]:
    """The first cell in which a run has another name, or came to another end, than one of the same score."""
    for what in ("run_ids", "status"):
        mine, theirs = _both(said, given, what)
        if mine is None:  # a file numbers runs that had no names
            continue
        if theirs is None:
            return [_differ("names of runs" if what == "run_ids" else "status of runs", "given", "none")]
        for i, j in np.ndindex(len(rows), len(columns)):
            here, there = _cell(said, what, i, j), _cell(given, what, rows[i], columns[j])
            if here != there:
                place = f"{'names' if what == 'run_ids' else 'status'} of the runs of problem {said.problems[i]!r}"
                return [_differ(f"{place}, algorithm {said.algorithms[j]!r}", str(here), str(there))]
    return []


def _cell(s: Scores, what: str, i: int, j: int) -> list[str]:
    """Of each run in order of size, what is said of it."""
    values = s.values[i, j : j + 1] if s.runs is None else s.runs[i, j]
    words = np.atleast_1d(np.asarray(getattr(s, what)[i, j], dtype=object)).tolist()
    order = sorted(zip(values.tolist(), map(str, words), strict=False), key=lambda run: (run[0] != run[0], *run))
    return [word for _, word in order]


def _host_differences(said: Scores, given: Scores, columns: list[int]) -> list[Difference]:
    mine, theirs = said.hosts, given.hosts and tuple(given.hosts[j] for j in columns)
    return [] if mine == theirs else [_differ("hosts", str(mine), str(theirs))]


def _differ(place: str, said: str, found: str) -> Difference:
    return Difference(where=place, said=said, found=found, source="in the scores given")


def _places(noun: str, said: tuple[str, ...], given: tuple[str, ...]) -> tuple[list[int], list[Difference]]:
    """Where each name of the report is among those given; a difference for the first name that only one side has."""
    at = {name: i for i, name in enumerate(given)}
    written = {name: _written(name) for name in said}
    places = {name: at.get(name, at.get(written[name], -1)) for name in said}
    known = {given[i] for i in places.values() if i >= 0}
    found = [_differ(f"{noun} {name!r}", "there", "missing") for name, i in places.items() if i < 0][:1]
    found += [_differ(f"{noun} {name!r}", "missing", "there") for name in given if name not in known][:1]
    return list(places.values()), found


def _written(name: object) -> str:
    """As CSV has it and it is read again."""
    if not isinstance(name, str):
        return csv_line(name) if isinstance(name, tuple) else str(name)
    text = csv_line([name])[:-1]
    return (text[1:-1].replace('""', '"') if text.startswith('"') else text).strip()


def _sorted_runs(s: Scores) -> Array:
    """(n, k, r), each cell in order, NaN at its end: the order of runs means nothing."""
    return s.values[:, :, None] if s.runs is None else np.sort(s.runs, axis=2)
