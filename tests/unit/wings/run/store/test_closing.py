"""A store is closed at once, as one file where that is possible, and whatever SQLite says."""

import sqlite3
from types import SimpleNamespace
from typing import Any

import pytest

from bakeoff.wings.run.store.writing import Store

SAID = ["PRAGMA busy_timeout = 0", "PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA journal_mode = DELETE"]


@pytest.mark.parametrize("locked", [0, 2, 3])
def test_nobody_is_waited_for_and_the_journal_is_removed(locked: int) -> None:
    """``locked``: at which of them another program holds the file; 0: none does."""
    done: list[str] = []

    def execute(statement: str) -> None:
        done.append(statement)
        if len(done) == locked:
            raise sqlite3.OperationalError("database is locked")

    connection = SimpleNamespace(execute=execute, close=lambda: done.append("closed"))
    store: Any = SimpleNamespace(connection=connection)
    Store.close(store)
    assert done == [*SAID[: locked or 3], "closed"]
