"""The tables of a store, and the check that a file is one."""

import sqlite3

from bakeoff.errors import StoreError

SCHEMA_VERSION = 1
APPLICATION_ID = 0x62616B65  # "bake": identifies the file type

CREATE_TABLES = """
CREATE TABLE experiment (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  spec_json TEXT NOT NULL, spec_hash TEXT NOT NULL, seed TEXT NOT NULL,
  package TEXT NOT NULL, python TEXT NOT NULL, numpy TEXT NOT NULL, platform TEXT NOT NULL, created REAL NOT NULL
);
CREATE TABLE algorithm (
  pos INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, fingerprint TEXT NOT NULL, changed INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE instance (
  pos INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, fingerprint TEXT NOT NULL, changed INTEGER NOT NULL DEFAULT 0,
  draw_order INTEGER UNIQUE,  -- NULL: not drawn, the experiment uses only some of the problems
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'active', 'done', 'failed')),
  reason TEXT NOT NULL DEFAULT '', detail TEXT NOT NULL DEFAULT '', n_json TEXT, phi_json TEXT, se_json TEXT
);
CREATE TABLE run (
  inst INTEGER NOT NULL, alg INTEGER NOT NULL, rep INTEGER NOT NULL, round INTEGER NOT NULL, seed_hex TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('ok', 'failed', 'timeout')),
  value REAL, metrics TEXT, seconds REAL NOT NULL, error TEXT NOT NULL, attempt INTEGER NOT NULL,
  host TEXT NOT NULL, pid INTEGER NOT NULL, started REAL NOT NULL, finished REAL NOT NULL,
  PRIMARY KEY (inst, alg, rep),
  CHECK ((status = 'ok') = (value IS NOT NULL))
) WITHOUT ROWID;
CREATE TABLE attempt (  -- runs that ended and were not kept: they failed and are tried again
  id INTEGER PRIMARY KEY, inst INTEGER NOT NULL, alg INTEGER NOT NULL, rep INTEGER NOT NULL, attempt INTEGER NOT NULL,
  worker TEXT NOT NULL, started REAL NOT NULL, outcome TEXT NOT NULL, error TEXT NOT NULL
);
CREATE TABLE decision (
  inst INTEGER NOT NULL, round INTEGER NOT NULL, n_json TEXT NOT NULL, se REAL, plan_json TEXT NOT NULL,
  PRIMARY KEY (inst, round)
) WITHOUT ROWID;
CREATE TABLE conflict (  -- a second result of a kept run that differs from the first
  inst INTEGER NOT NULL, alg INTEGER NOT NULL, rep INTEGER NOT NULL,
  old TEXT NOT NULL, new TEXT NOT NULL, at REAL NOT NULL
);
CREATE TABLE look (k INTEGER PRIMARY KEY, n INTEGER NOT NULL, stat REAL, threshold REAL, verdict TEXT NOT NULL);
"""


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
    """Refuse other databases and stores of a newer bakeoff."""
    found = int(connection.execute("PRAGMA application_id").fetchone()[0])
    if found != APPLICATION_ID:
        raise StoreError(f"{name} is an SQLite database, but no store of bakeoff; name another file")
    version = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"{name} was written by a newer bakeoff (store version {version}; this one knows {SCHEMA_VERSION}): "
            "pip install --upgrade bakeoff"
        )
