"""Opening a store: a new one is filled with its experiment, an existing one must belong to the same.

A store belongs to one experiment. Of a race one thing may change: algorithms may be appended. They join after the
problems that have been begun; so the block under way ends there, and no problem begun by others is theirs.
"""

from __future__ import annotations

import json
import platform
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from bakeoff._version import __version__
from bakeoff.errors import ParameterError, StoreError, counted, listing
from bakeoff.wings.run.design.draw_order import several_in_one
from bakeoff.wings.run.design.experiment import Experiment
from bakeoff.wings.run.design.fingerprints import Fingerprints, changes, is_fingerprint
from bakeoff.wings.run.design.parts import ExperimentPart
from bakeoff.wings.run.design.race_settings import RacedExperiment, is_race, number_of_units
from bakeoff.wings.run.design.specification import canonical, digest, first_difference
from bakeoff.wings.run.store.contents import corruption_as_store_error, missing_runs
from bakeoff.wings.run.store.opening import (
    create_tables,
    is_empty,
    prepare,
    sqlite_as_store_error,
    store_name,
    store_path,
    writer,
)
from bakeoff.wings.run.store.parts import record_part, refuse_other_part
from bakeoff.wings.run.store.writing import Store

# Algorithms that may still change after an experiment has begun: those without a kept run.
#
# A mistyped command fails at its first run, which is recorded as an attempt and not kept. Mended, it is the first
# command of which a score is kept, so no two commands are mixed.


def only_algorithms_changed(connection: sqlite3.Connection, old: str, new: str) -> bool:
    """Whether two specifications differ in algorithms without a kept run alone; their names and places must agree."""
    changed = _changed(old, new)
    return changed is not None and not any(n for _, n in _kept(connection, changed))


def with_kept_runs(connection: sqlite3.Connection, old: str, new: str) -> str:
    """Say how many runs of the changed algorithms are kept; empty where more than algorithms has changed."""
    kept = [f"{counted(n, 'run')} of {name!r}" for name, n in _kept(connection, _changed(old, new) or {}) if n]
    return (
        f", and {', '.join(kept)} {'is' if kept[0].startswith('1 ') and len(kept) == 1 else 'are'} kept" if kept else ""
    )


def update_fingerprints(cursor: sqlite3.Cursor, fingerprints: Sequence[str]) -> None:
    """Renew the fingerprints of algorithms without a kept run, whatever they were before."""
    cursor.executemany(
        "UPDATE algorithm SET fingerprint = ? WHERE pos = ? AND NOT EXISTS (SELECT 1 FROM run WHERE alg = pos)",
        [(fingerprint, position) for position, fingerprint in enumerate(fingerprints)],
    )


def _changed(old: str, new: str) -> dict[int, str] | None:
    """The algorithms described differently, by position; None if anything else differs too."""
    before, now = json.loads(old), json.loads(new)
    algorithms = before.pop("algorithms"), now.pop("algorithms")
    names = [[algorithm["name"] for algorithm in some] for some in algorithms]
    if before != now or names[0] != names[1]:
        return None
    return {i: one["name"] for i, (one, other) in enumerate(zip(*algorithms, strict=True)) if one != other}


def _kept(connection: sqlite3.Connection, algorithms: dict[int, str]) -> list[tuple[str, int]]:
    """The kept runs of each algorithm; failed ones that count as a score are kept too."""
    query = "SELECT count(*) FROM run WHERE alg = ?"
    return [(name, int(connection.execute(query, (i,)).fetchone()[0])) for i, name in algorithms.items()]


def as_resumed(connection: sqlite3.Connection, e: Experiment, name: str) -> Experiment:
    """The experiment as its store continues it: a race with all its late candidates. Changes nothing.

    Raises StoreError if the store, called ``name`` in messages, belongs to another experiment.
    """
    row = connection.execute("SELECT spec_json, spec_hash FROM experiment").fetchone()
    if row is None or not all(isinstance(text, str) for text in row):
        raise StoreError(f"{name} holds no experiment; it is damaged. Name another file")
    try:
        spec = json.loads(row[0])
    except ValueError:
        raise StoreError(f"the description of the experiment in {name} is damaged; name another file") from None
    before = e.spec_json
    new: tuple[str, ...] = ()
    if isinstance(e, RacedExperiment) and is_race(spec):
        e, new = _with_late(connection, e, spec)
        before = _without(e, new, e.spec_json)
    if digest(before) != row[1] and not only_algorithms_changed(connection, row[0], before):
        known = {algorithm["name"] for algorithm in spec["algorithms"]}
        added = isinstance(e, RacedExperiment) and known < set(e.algorithm_names)
        where = "; a race takes new candidates at the end of the list" if added and not new else ""
        raise StoreError(
            f"{name} belongs to another experiment: {first_difference(row[0], before)}"
            f"{with_kept_runs(connection, row[0], before)}{where}. Undo that change to resume this store, or start "
            "over with --fresh (in Python: name a new file)"
        )
    if new and isinstance(e, RacedExperiment):
        _refuse_impossible(e, new, name)
    return e


def append_candidates(cursor: sqlite3.Cursor, e: Experiment, fingerprints: Sequence[str]) -> str:
    """Record new algorithms, and what was changed, within the caller's transaction.

    Returns the hash by which the store knows the experiment.
    """
    (spec_hash,) = cursor.execute("SELECT spec_hash FROM experiment").fetchone()
    known = int(cursor.execute("SELECT count(*) FROM algorithm").fetchone()[0])
    new = [(k, e.algorithm_names[k], fingerprints[k]) for k in range(known, len(e.algorithms))]
    now = e.spec_json
    if digest(now) == spec_hash:
        return str(spec_hash)
    cursor.execute("UPDATE experiment SET spec_json = ?, spec_hash = ?", (now, digest(now)))
    cursor.executemany("INSERT INTO algorithm (pos, name, fingerprint) VALUES (?, ?, ?)", new)
    zeros = ",0" * len(new)  # of the new ones no run was made
    for table in ("decision", "instance"):
        cursor.execute(
            f"UPDATE {table} SET n_json = substr(n_json, 1, length(n_json) - 1) || ? || ']' WHERE n_json IS NOT NULL",
            (zeros,),
        )
    return digest(now)


def _with_late(
    connection: sqlite3.Connection, e: RacedExperiment, spec: Mapping[str, Any]
) -> tuple[RacedExperiment, tuple[str, ...]]:
    """The race with its late candidates, those of the store and the new ones; and the new ones."""
    known = tuple(algorithm["name"] for algorithm in spec["algorithms"])
    if e.algorithm_names[: len(known)] != known:
        return e, ()
    late, new = dict(spec["race"].get("late", {})), e.algorithm_names[len(known) :]
    if new:
        begun = [int(row[0]) for row in connection.execute("SELECT DISTINCT inst FROM decision")]
        late |= dict.fromkeys(new, _units_of(e, begun))
    return RacedExperiment(e, replace(e.race, late=late)), new


def _units_of(e: RacedExperiment, begun: Sequence[int]) -> int:
    """Count the problems, or clusters, that the problems of these numbers are in."""
    clusters = several_in_one(e.cluster_of)
    return len(begun) if clusters is None else len({clusters[e.problem_names[i]] for i in begun})


def _without(e: RacedExperiment, new: tuple[str, ...], now: str) -> str:
    """The specification before the new candidates were added."""
    spec = json.loads(now)
    spec["algorithms"] = spec["algorithms"][: len(spec["algorithms"]) - len(new)]
    late = {name: n for name, n in e.race.late.items() if name not in new}
    spec["race"] = replace(e.race, late=late).identity
    return canonical(spec)


def _refuse_impossible(e: RacedExperiment, new: tuple[str, ...], name: str) -> None:
    known = len(e.algorithms) - len(e.race.late)
    who = f"{listing(map(repr, new))} {'is' if len(new) == 1 else 'are'} new in the experiment"
    try:
        e.race.rule(known).refuse_late()
    except ParameterError as error:
        raise StoreError(f"{name} holds a race that has begun, and {who}: to add candidates {error.rule}") from None
    if e.race.late[new[0]] >= number_of_units(e):
        raise StoreError(
            f"{name} holds a race in which {'all ' if e.n_problems > 1 else ''}{counted(e.n_problems, 'problem')} "
            f"have been begun, and {who}: there is none left to compare on. Race the survivors and the new ones on "
            "other problems, in a new file"
        )


# Opening a store, and what has changed since it was begun.


def open_store(
    store: object,
    experiment: Experiment,
    accept_changed: bool = False,
    hash_seed: str = "",
    part: ExperimentPart | None = None,
) -> Store:
    """The experiment's store, or that of a part of it, created or resumed; in memory if ``store`` is None.

    ``accept_changed``: resume although code or data have changed since the first start, and record that.
    ``hash_seed``: PYTHONHASHSEED where the runs are made.
    """
    path = store_path(store)
    connection = writer(path)
    opened = Store(connection, path, experiment)
    try:
        with sqlite_as_store_error(path), corruption_as_store_error():
            if not is_empty(connection) and _begun(connection):
                as_resumed(connection, experiment, store_name(path))  # before anything is changed
                refuse_other_part(connection, part, store_name(path))
        prepare(connection, path)
        made = _Made(
            experiment, kept=path is not None, hash_seed=hash_seed
        )  # before the transaction: large files take long to read
        with opened.transaction() as cursor:
            if is_empty(connection):
                create_tables(connection)
            if not _begun(connection):
                _fill(cursor, experiment, made)
                record_part(cursor, part)
            else:
                resumed = as_resumed(connection, experiment, store_name(path))
                opened.belongs_to(resumed, append_candidates(cursor, resumed, made.algorithms))
                _refuse_damage(connection, experiment, store_name(path))
                update_fingerprints(cursor, made.algorithms)
                _compare_fingerprints(cursor, made, store_name(path), accept_changed)
    except BaseException:
        connection.close()
        raise
    return opened


def _begun(connection: sqlite3.Connection) -> bool:
    """Whether anything is recorded; a store without runs or decisions may still be given to another experiment."""
    return any(
        connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() for table in ("run", "decision", "attempt")
    )


def _refuse_damage(connection: sqlite3.Connection, e: Experiment, name: str) -> None:
    """Refuse other names or numbers of algorithms and problems, and finished problems without all of their runs.

    A finished problem is never begun again, so runs taken away from it would be missing silently.
    """
    for table, names in (("algorithm", e.algorithm_names), ("instance", e.problem_names)):
        if connection.execute(f"SELECT pos, name FROM {table} ORDER BY pos").fetchall() != [*enumerate(names)]:
            raise StoreError(f"{name} is damaged: the names in its table {table} are not those of its experiment")
    with corruption_as_store_error():
        missing = missing_runs(connection)
    if missing is not None:
        problem, algorithm, n = missing
        raise StoreError(
            f"{name} is damaged: of finished problem {e.problem_names[problem]!r} {counted(n, 'run')} of "
            f"{e.algorithm_names[algorithm]!r} {'is' if n == 1 else 'are'} missing. Restore a copy, or name a new file"
        )


class _Made:
    """The fingerprints of an experiment; none (``kept`` False) for a store in memory, which is never resumed."""

    def __init__(self, e: Experiment, kept: bool = True, hash_seed: str = "") -> None:
        self.experiment = e
        self._make = Fingerprints(e.folder, hash_seed)
        self.algorithms = [self._make.of_algorithm(thing) if kept else "" for thing in e.algorithms]
        self.problems = [self._make.of_problem(thing) if kept else "" for thing in e.problems]

    def changed(self, cursor: sqlite3.Cursor) -> Iterator[_Change]:
        """The algorithms and problems whose fingerprints differ from the stored ones."""
        e = self.experiment
        tables = ("algorithm", "algorithm", e.algorithm_names), ("instance", "problem", e.problem_names)
        for table, noun, names in tables:
            for i, stored in _stored(cursor, table):
                again = noun == "algorithm"  # with the salts of the stored one
                now = self._make.of_algorithm(e.algorithms[i], stored) if again else self.problems[i]
                grave, light = ([f"{noun} {names[i]!r} ({part})" for part in parts] for parts in changes(stored, now))
                if grave or light:
                    yield _Change(table, i, now, grave, light)


class _Change(NamedTuple):
    table: str
    position: int
    now: str  # its fingerprint
    grave: list[str]  # what has changed, in words
    light: list[str]  # the same, where it deserves a caution only


def _stored(cursor: sqlite3.Cursor, table: str) -> list[tuple[int, str]]:
    rows = cursor.execute(f"SELECT pos, fingerprint FROM {table} WHERE fingerprint <> '' ORDER BY pos").fetchall()
    if not all(is_fingerprint(fingerprint) for _, fingerprint in rows):
        raise StoreError(f"the store is damaged: a fingerprint in the table {table} is invalid")
    return rows


def changed_since(connection: sqlite3.Connection, e: Experiment) -> list[str]:
    """The code and data of an experiment that differ from what the store was begun with, in words."""
    return [what for change in _Made(e).changed(connection.cursor()) for what in (*change.grave, *change.light)]


def _fill(cursor: sqlite3.Cursor, e: Experiment, made: _Made) -> None:
    for table in ("experiment", "algorithm", "instance"):
        cursor.execute(f"DELETE FROM {table}")
    row = (e.spec_json, e.spec_hash, str(e.seed), __version__, platform.python_version(), np.__version__)
    cursor.execute(
        "INSERT INTO experiment VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, platform.platform(), time.time())
    )
    place = {problem: i for i, problem in enumerate(e.order)}
    cursor.executemany(
        "INSERT INTO algorithm (pos, name, fingerprint) VALUES (?, ?, ?)",
        list(zip(range(len(e.algorithms)), e.algorithm_names, made.algorithms, strict=True)),
    )
    cursor.executemany(
        "INSERT INTO instance (pos, name, fingerprint, draw_order) VALUES (?, ?, ?, ?)",
        [(i, e.problem_names[i], print_, place.get(i)) for i, print_ in enumerate(made.problems)],
    )


def _compare_fingerprints(cursor: sqlite3.Cursor, made: _Made, name: str, accept: bool) -> None:
    """Refuse changed code and data by name; if accepted, record the change permanently."""
    differences: list[str] = []
    for change in made.changed(cursor):
        differences += change.grave
        cursor.execute(
            f"UPDATE {change.table} SET changed = 1, fingerprint = ? WHERE pos = ?", (change.now, change.position)
        )
    if differences and not accept:
        raise StoreError(
            f"{name} was begun with other code or data; changed since: {listing(differences, 3)}. Undo that, or "
            "start over with --fresh (in Python: name a new file). If no score depends on it, "
            "accept_changed=True resumes, and every report says so"
        )
