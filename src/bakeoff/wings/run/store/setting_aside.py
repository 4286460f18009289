"""Beginning anew: the store that is there is kept under another name."""

import sqlite3
from contextlib import closing
from pathlib import Path

from bakeoff.errors import StoreError
from bakeoff.wings.run.store.lease import refuse_second
from bakeoff.wings.run.store.opening import sqlite_as_store_error, writer


def set_aside(path: Path) -> Path | None:
    """Rename a store; its new name, or None if there is none. StoreError if it is in use, or no store."""
    if not path.exists():
        return None
    refuse_second(path)
    with closing(writer(path)) as connection, sqlite_as_store_error(path):
        connection.execute("PRAGMA busy_timeout = 0")
        try:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute("PRAGMA journal_mode = DELETE")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
    if Path(f"{path}-wal").exists():
        raise StoreError(f"another program has the store {str(path)!r} open; close it, then begin anew")
    number = 1
    while (aside := path.with_name(f"{path.stem}-{number}{path.suffix}")).exists():
        number += 1
    try:
        return path.rename(aside)
    except OSError as error:
        raise StoreError(f"the store {str(path)!r} cannot be renamed: {error.strerror or error}") from None
