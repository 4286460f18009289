"""Two tables of scores: is the one in the report the one that was given?"""

from dataclasses import fields

import numpy as np

from bakeoff.files import csv_line
from bakeoff.report.data import table_sha256
from bakeoff.scores import Array, Scores
from bakeoff.scores.read_as import ReadAs
from bakeoff.shipped import tables
from bakeoff.wings.verify.results import Difference

ABOUT = ("metric", "unit", "run_kind")


def table_differences(stated: Scores, table: Scores) -> tuple[list[Difference], int]:
    """The first cell, run or name that differs, in any order of rows and columns; and the number of scores compared.

    A name that a spreadsheet would take for a formula may have the apostrophe of a written CSV.
    """
    differences: list[Difference] = []
    if stated.better != table.better:
        differences.append(_differ("better", stated.better, table.better))
    rows, missing_rows = _places("problem", stated.problems, table.problems)
    columns, missing_columns = _places("algorithm", stated.algorithms, table.algorithms)
    differences += missing_rows + missing_columns
    for what in ("dropped", "filled"):
        here, there = getattr(stated, what), getattr(table, what)
        if sorted(map(_written, here)) != sorted(map(_written, there)):
            differences.append(_differ(what, str(list(here)), str(list(there))))
    differences += _cluster_differences(stated, table)
    differences += _unlike(["folds", "serial"], stated, table)
    differences += _metadata_differences(stated, table)
    if missing_rows or missing_columns:
        return differences, 0
    mine, theirs = _sorted_runs(stated), _sorted_runs(table)[np.ix_(rows, columns)]
    if mine.shape[2] != theirs.shape[2]:
        differences.append(_differ("most runs of a cell", str(mine.shape[2]), str(theirs.shape[2])))
        return differences, 0
    differing = np.argwhere(~((mine == theirs) | (np.isnan(mine) & np.isnan(theirs))))
    for i, j, r in differing[:1].tolist():
        run = "" if mine.shape[2] == 1 else f", run {r + 1} in order of size"
        more = f" ({len(differing)} such scores)" if len(differing) > 1 else ""
        place = f"problem {stated.problems[i]!r}, algorithm {stated.algorithms[j]!r}{run}{more}"
        differences.append(_differ(place, repr(float(mine[i, j, r])), repr(float(theirs[i, j, r]))))
    if not len(differing):
        differences += _run_differences(stated, table, rows, columns)
        hosts = table.hosts and tuple(table.hosts[j] for j in columns)
        differences += [] if stated.hosts == hosts else [_differ("hosts", str(stated.hosts), str(hosts))]
    return differences, int(np.count_nonzero(~np.isnan(mine)))


def _cluster_differences(stated: Scores, table: Scores) -> list[Difference]:
    """Clusters that only one side has, or the first problem whose cluster differs."""
    if stated.clusters is None or table.clusters is None:
        if stated.clusters is table.clusters is None:
            return []
        words = ["none" if s.clusters is None else f"{len(set(s.clusters))} clusters" for s in (stated, table)]
        return [_differ("clusters", *words)]
    of = {_written(name): _written(label) for name, label in zip(table.problems, table.clusters, strict=True)}
    for name, label in zip(stated.problems, stated.clusters, strict=True):
        other = of.get(_written(name), _written(label))
        if other != _written(label):
            return [_differ(f"cluster of problem {name!r}", label, other)]
    return []


def unknown_to(table: Scores, stated: Scores) -> list[str]:
    """Names that the report gives its scores, where a table from another file does not say it."""
    silent = [name for name in ABOUT if getattr(table, name) is None and not _stated(name, stated, table)]
    result = {name: getattr(stated, name) for name in silent}
    return [f"{name} {value!r}" for name, value in result.items() if value is not None]


def _metadata_differences(stated: Scores, table: Scores) -> list[Difference]:
    """Differences of what the scores are; and of the same file, how it was read."""
    differences = _unlike([name for name in ABOUT if _stated(name, stated, table)], stated, table)
    if sorted(stated.differing) != sorted(table.differing):
        differences.append(_differ("differing", str(list(stated.differing)), str(list(table.differing))))
    if stated.source_sha256 == table.source_sha256:
        by_name = {stated.read_as.source, table.read_as.source} <= {"", *(each.said for each in tables().values())}
        read = [field.name for field in fields(ReadAs) if field.name != "source" or not by_name]  # a copy has no name
        differences += _unlike(read, stated.read_as, table.read_as)
    return differences


def _stated(name: str, stated: Scores, table: Scores) -> bool:
    """Whether the table would say it: another file may say less, and --metric names what a file does not."""
    digest = table.source_sha256
    in_memory = digest == table_sha256(table)
    return getattr(table, name) is not None or (stated.source_sha256 == digest and (in_memory or name != "metric"))


def _unlike(names: list[str], stated: object, table: object) -> list[Difference]:
    both = [(name, getattr(stated, name), getattr(table, name)) for name in names]
    return [_differ(name, str(mine), str(theirs)) for name, mine, theirs in both if mine != theirs]


def _run_differences(stated: Scores, table: Scores, rows: list[int], columns: list[int]) -> list[Difference]:
    """The first cell in which a run has another name, or came to another end, than one of the same score."""
    for what in ("run_ids", "status"):
        mine, theirs = getattr(stated, what), getattr(table, what)
        if mine is None:  # a file numbers runs that had no names
            continue
        if theirs is None:
            return [_differ("names of runs" if what == "run_ids" else "status of runs", "given", "none")]
        for i, j in np.ndindex(len(rows), len(columns)):
            here, there = _cell(stated, what, i, j), _cell(table, what, rows[i], columns[j])
            if here != there:
                place = f"{'names' if what == 'run_ids' else 'status'} of the runs of problem {stated.problems[i]!r}"
                return [_differ(f"{place}, algorithm {stated.algorithms[j]!r}", str(here), str(there))]
    return []


def _cell(s: Scores, what: str, i: int, j: int) -> list[str]:
    """The facts of each run, in order of size."""
    values = s.values[i, j : j + 1] if s.runs is None else s.runs[i, j]
    words = np.atleast_1d(np.asarray(getattr(s, what)[i, j], dtype=object)).tolist()
    order = sorted(zip(values.tolist(), map(str, words), strict=False), key=lambda run: (run[0] != run[0], *run))
    return [word for _, word in order]


def _differ(place: str, stated: str, there: str) -> Difference:
    return Difference(where=place, said=stated, found=there, source="in the scores given")


def _places(noun: str, stated: tuple[str, ...], labels: tuple[str, ...]) -> tuple[list[int], list[Difference]]:
    """Where each name of the report is among those given; a difference for the first name that only one side has."""
    at = {name: i for i, name in enumerate(labels)}
    written = {name: _written(name) for name in stated}
    places = {name: at.get(name, at.get(written[name], -1)) for name in stated}
    known = {labels[i] for i in places.values() if i >= 0}
    differences = [_differ(f"{noun} {name!r}", "there", "missing") for name, i in places.items() if i < 0][:1]
    differences += [_differ(f"{noun} {name!r}", "missing", "there") for name in labels if name not in known][:1]
    return list(places.values()), differences


def _written(name: object) -> str:
    """As CSV has it and it is read again."""
    if not isinstance(name, str):
        return csv_line(name) if isinstance(name, tuple) else str(name)
    text = csv_line([name])[:-1]
    return (text[1:-1].replace('""', '"') if text.startswith('"') else text).strip()


def _sorted_runs(s: Scores) -> Array:
    """(n, k, r), each cell in order, NaN at its end: the order of runs means nothing."""
    return s.values[:, :, None] if s.runs is None else np.sort(s.runs, axis=2)
