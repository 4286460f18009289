"""The tables of a store (``schema.sql``), and the check that a file is one."""

import sqlite3
from pathlib import Path

from bakeoff.errors import StoreError

SCHEMA_VERSION = 2
APPLICATION_ID = 0x62616B65  # "bake": identifies the file type
CREATE_TABLES = Path(__file__).with_name("schema.sql").read_text(encoding="utf-8")


def create_tables(connection: sqlite3.Connection) -> None:
    """Within the caller's transaction."""
    for statement in CREATE_TABLES.split(";\n"):
        if statement.strip():
            connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def is_empty(connection: sqlite3.Connection) -> bool:
    return int(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]) == 0


def check_kind(connection: sqlite3.Connection, name: str) -> None:
    """Refuse other databases, and stores of a bakeoff with another format."""
    identifier = int(connection.execute("PRAGMA application_id").fetchone()[0])
    if identifier != APPLICATION_ID:
        raise StoreError(f"{name} is an SQLite database, but no store of bakeoff; name another file")
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"{name} was written by a newer bakeoff (store version {version}; this one knows {SCHEMA_VERSION}): "
            "install a newer one"
        )
    if version < SCHEMA_VERSION:
        raise StoreError(
            f"{name} was written by an older bakeoff (store version {version}; this one reads {SCHEMA_VERSION} only): "
            "name another file to begin anew, or install the version that wrote it"
        )
    strange = connection.execute(
        "SELECT type, name FROM sqlite_master WHERE type NOT IN ('table', 'index') OR (type = 'index' AND sql IS NOT "
        "NULL) OR sql LIKE 'CREATE VIRTUAL%' OR sql LIKE '%GENERATED%' LIMIT 1"
    ).fetchone()
    if strange is not None:
        raise StoreError(
            f"{name} holds a {strange[0]} called {strange[1]!r}, which bakeoff never makes: it would run the SQL of "
            "whoever made the file. Do not use it"
        )
