"""Which part of its experiment a store holds.

A part's store describes the whole experiment; its row in the table ``part`` says which of the problems are its own.
"""

from __future__ import annotations

import sqlite3

from bakeoff.errors import StoreError
from bakeoff.wings.run.design.parts import ExperimentPart


def held_part(connection: sqlite3.Connection) -> ExperimentPart | None:
    """The part that a store holds; None: the whole experiment."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'part' AND type = 'table'").fetchone():
        return None
    row = connection.execute("SELECT number, parts FROM part").fetchone()
    if row is None:
        return None
    if not all(isinstance(x, int) for x in row) or not 1 <= row[0] <= row[1]:
        raise StoreError(f"the store is damaged: {row!r} is no part of an experiment")
    return ExperimentPart(*row)


def record_part(cursor: sqlite3.Cursor, part: ExperimentPart | None) -> None:
    """In a store that begins, within the caller's transaction."""
    cursor.execute("DROP TABLE IF EXISTS part")
    if part is not None:
        cursor.execute("CREATE TABLE part (number INTEGER NOT NULL, parts INTEGER NOT NULL)")
        cursor.execute("INSERT INTO part VALUES (?, ?)", (part.number, part.of))


def refuse_other_part(connection: sqlite3.Connection, part: ExperimentPart | None, name: str) -> None:
    """StoreError unless the store holds what is asked for."""
    held = held_part(connection)
    if held != part:
        whole = "all of its experiment"
        say = "without --part" if held is None else f"with --part {held.number}/{held.of}"
        raise StoreError(f"{name} holds {held or whole}, not {part or whole}; resume it {say}, or name another file")
