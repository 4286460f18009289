"""Checksums of finished problems, kept when they finish: what was changed in a store later is found and named.

They protect against slips and careless edits. Someone who changes runs and checksums alike is found only by the digest
of all runs, printed in the report and by ``bakeoff verify``.
"""

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

Row = Sequence[Any]  # repetition, seed, status, value, metrics

_RUNS = "SELECT alg, rep, seed_hex, status, value, metrics FROM run"


def record_checksums(cursor: sqlite3.Cursor, problem: int) -> None:
    """Keep the checksums of a problem that has just finished, one for each algorithm with runs on it."""
    rows = cursor.execute(f"{_RUNS} WHERE inst = ? ORDER BY alg, rep", (problem,)).fetchall()
    made = [(problem, algorithm, _checksum([row[1:] for row in runs])) for algorithm, runs in groupby(rows, _first)]
    cursor.executemany("INSERT INTO checksum VALUES (?, ?, ?) ON CONFLICT DO NOTHING", made)


def differing(connection: sqlite3.Connection) -> Iterator[tuple[int, int]]:
    """Each finished problem and algorithm whose runs are not those that were committed."""
    kept = {tuple(row[:2]): row[2] for row in connection.execute("SELECT inst, alg, sha256 FROM checksum")}
    finished = "inst IN (SELECT pos FROM instance WHERE status IN ('done', 'failed'))"
    query = f"SELECT inst, {_RUNS.removeprefix('SELECT ')} WHERE {finished} ORDER BY inst, alg, rep"
    names = {
        pair: _checksum([row[2:] for row in runs]) for pair, runs in groupby(connection.execute(query), lambda r: r[:2])
    }
    yield from sorted(pair for pair in kept.keys() | names.keys() if kept.get(pair) != names.get(pair))


def _first(row: Row) -> Any:
    return row[0]


def _checksum(rows: Sequence[Row]) -> str:
    made = hashlib.sha256()
    for repetition, seed, status, value, metrics in rows:
        exact = value.hex() if isinstance(value, float) else None
        made.update(f"{json.dumps([repetition, seed, status, exact, metrics])}\n".encode())
    return made.hexdigest()
