"""Opening a store: a new one is filled with its experiment, an existing one must belong to the same."""

import platform
import sqlite3
import time

import numpy as np

from bakeoff._version import __version__
from bakeoff.running.design.experiment import Experiment
from bakeoff.running.design.fingerprints import of_algorithm, of_problem
from bakeoff.running.store.late_candidates import append_candidates, as_resumed
from bakeoff.running.store.opening import prepare, sqlite_as_store_error, store_name, store_path, writer
from bakeoff.running.store.schema import create_tables, is_empty
from bakeoff.running.store.writing import Store


def open_store(store: object, experiment: Experiment) -> Store:
    """The experiment's store, created or resumed; in memory if ``store`` is None."""
    path = store_path(store)
    connection = writer(path)
    opened = Store(connection, path, experiment)
    try:
        with sqlite_as_store_error(path):
            if not is_empty(connection) and _begun(connection):
                as_resumed(connection, experiment, store_name(path))  # before anything is changed
        prepare(connection, path)
        with opened.transaction() as cursor:
            if is_empty(connection):
                create_tables(connection)
            if not _begun(connection):
                _fill(cursor, experiment)
            else:
                opened.belongs_to(as_resumed(connection, experiment, store_name(path)))
                append_candidates(cursor, opened.experiment)
                _compare_fingerprints(cursor, experiment)
    except BaseException:
        connection.close()
        raise
    return opened


def _begun(connection: sqlite3.Connection) -> bool:
    """Whether anything is recorded; a store without runs or decisions may still be given to another experiment."""
    return any(
        connection.execute(f"SELECT 1 FROM {table} LIMIT 1").fetchone() for table in ("run", "decision", "attempt")
    )


def _fill(cursor: sqlite3.Cursor, e: Experiment) -> None:
    for table in ("experiment", "algorithm", "instance"):
        cursor.execute(f"DELETE FROM {table}")
    row = (e.spec_json, e.spec_hash, str(e.seed), __version__, platform.python_version(), np.__version__)
    cursor.execute(
        "INSERT INTO experiment VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, platform.platform(), time.time())
    )
    place = {problem: i for i, problem in enumerate(e.order)}
    cursor.executemany(
        "INSERT INTO algorithm (pos, name, fingerprint) VALUES (?, ?, ?)",
        [(i, e.algorithm_names[i], of_algorithm(thing)) for i, thing in enumerate(e.algorithms)],
    )
    cursor.executemany(
        "INSERT INTO instance (pos, name, fingerprint, draw_order) VALUES (?, ?, ?, ?)",
        [(i, e.problem_names[i], of_problem(thing), place.get(i)) for i, thing in enumerate(e.problems)],
    )


def _compare_fingerprints(cursor: sqlite3.Cursor, e: Experiment) -> None:
    """Record permanently that code or a problem's file has changed since the first start."""
    now = {
        "algorithm": [of_algorithm(thing) for thing in e.algorithms],
        "instance": [of_problem(thing) for thing in e.problems],
    }
    for table, fingerprints in now.items():
        rows = cursor.execute(f"SELECT pos, fingerprint FROM {table} WHERE changed = 0").fetchall()
        changed = [(pos,) for pos, old in rows if old and fingerprints[pos] and fingerprints[pos] != old]
        cursor.executemany(f"UPDATE {table} SET changed = 1 WHERE pos = ?", changed)
