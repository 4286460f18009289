"""Two tables of scores: is the one in the report the one that was given?"""

import numpy as np

from bakeoff.files import csv_line
from bakeoff.scores import Array, Scores
from bakeoff.verification.results import Difference


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
