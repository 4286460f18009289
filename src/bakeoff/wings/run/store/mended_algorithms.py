"""Algorithms that may still change after an experiment has begun: those without a kept run.

A mistyped command fails at its first run, which is recorded as an attempt and not kept. Mended, it is the first command
of which a score is kept, so no two commands are mixed.
"""

import json
import sqlite3
from collections.abc import Sequence

from bakeoff.errors import counted


def mended_only(connection: sqlite3.Connection, old: str, new: str) -> bool:
    """Whether two specifications differ in algorithms without a kept run alone; their names and places must agree."""
    changed = _changed(old, new)
    return changed is not None and not any(n for _, n in _kept(connection, changed))


def with_kept_runs(connection: sqlite3.Connection, old: str, new: str) -> str:
    """How many runs of the changed algorithms are kept, in words; empty where more than algorithms has changed."""
    kept = [f"{counted(n, 'run')} of {name!r}" for name, n in _kept(connection, _changed(old, new) or {}) if n]
    return (
        f", and {', '.join(kept)} {'is' if kept[0].startswith('1 ') and len(kept) == 1 else 'are'} kept" if kept else ""
    )


def update_fingerprints(cursor: sqlite3.Cursor, fingerprints: Sequence[str]) -> None:
    """Of algorithms without a kept run, whatever they were before."""
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
