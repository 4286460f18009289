"""Opening a store: a new one is filled with its experiment, an existing one must belong to the same."""

from __future__ import annotations

import platform
import sqlite3
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from bakeoff._version import __version__
from bakeoff.errors import StoreError, counted, listing
from bakeoff.wings.run.design.experiment import Experiment
from bakeoff.wings.run.design.fingerprints import Fingerprints, changes, is_fingerprint
from bakeoff.wings.run.store.changed_algorithms import append_candidates, as_resumed, update_fingerprints
from bakeoff.wings.run.store.contents import corruption_as_store_error
from bakeoff.wings.run.store.opening import (
    create_tables,
    is_empty,
    prepare,
    sqlite_as_store_error,
    store_name,
    store_path,
    writer,
)
from bakeoff.wings.run.store.validity import missing_runs
from bakeoff.wings.run.store.writing import Store


def open_store(store: object, experiment: Experiment, accept_changed: bool = False, hash_seed: str = "") -> Store:
    """The experiment's store, created or resumed; in memory if ``store`` is None.

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
        prepare(connection, path)
        made = _Made(
            experiment, kept=path is not None, hash_seed=hash_seed
        )  # before the transaction: large files take long to read
        with opened.transaction() as cursor:
            if is_empty(connection):
                create_tables(connection)
            if not _begun(connection):
                _fill(cursor, experiment, made)
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
        for position, stored in _stored(cursor, "algorithm"):
            thing, who = e.algorithms[position], f"algorithm {e.algorithm_names[position]!r}"
            yield from _changes("algorithm", position, who, stored, self._make.of_algorithm(thing, stored))
        for position, stored in _stored(cursor, "instance"):
            who = f"problem {e.problem_names[position]!r}"
            yield from _changes("instance", position, who, stored, self.problems[position])


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


def _changes(table: str, position: int, who: str, stored: str, now: str) -> Iterator[_Change]:
    grave, light = changes(stored, now)
    if grave or light:
        yield _Change(table, position, now, *([f"{who} ({part})" for part in parts] for parts in (grave, light)))


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
