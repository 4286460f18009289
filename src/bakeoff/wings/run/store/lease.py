"""One coordinator at a time: which process works on a store, whether it is alive, and how to start over.

A row in the store names the coordinator, and is renewed while it works. A copy of the store is another file, to which
the row does not apply.
"""

from __future__ import annotations

import os
import shlex
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from bakeoff.dataclass import dataclass
from bakeoff.errors import StoreError
from bakeoff.processes import os_processes
from bakeoff.wings.run.store.contents import checked_rows
from bakeoff.wings.run.store.opening import read_only_connection, sqlite_as_store_error, store_name, writer

if TYPE_CHECKING:
    from bakeoff.wings.run.store.writing import Store


RENEWED_EVERY = 2.0  # seconds; the file is brought up to date as often
PATIENCE = 60.0  # seconds after its last sign of life that a coordinator of another machine is taken to be alive

_CREATE = (
    "CREATE TABLE IF NOT EXISTS coordinator (id INTEGER PRIMARY KEY CHECK (id = 1), host TEXT NOT NULL, "
    "machine TEXT NOT NULL, pid INTEGER NOT NULL, process TEXT NOT NULL, file TEXT NOT NULL, command TEXT NOT NULL, "
    "started REAL NOT NULL, seen REAL NOT NULL, ended INTEGER NOT NULL)"
)
_FIELDS = "host, machine, pid, process, file, command, started, seen, ended"


_held: set[str] = set()  # the files that this process works on now, also if a full disk keeps it from recording the end


@dataclass(frozen=True, slots=True)
class Coordinator:
    """The last process that worked on a store."""

    host: str  # machine
    machine: str
    pid: int  # process
    process: str  # when it started, in the words of the system
    file: str  # device and number of the store's file
    command: str  # that resumes it
    started: float  # seconds since 1970
    seen: float  # seconds since 1970, at its last sign of life
    ended: int  # whether it has stopped by itself

    def is_alive(self, path: Path) -> bool:
        """Tell by its process where that can be looked up, else by its last sign of life."""
        if self.ended or self.file != _file(path):
            return False
        if self.machine == os_processes.machine() and self.pid == os.getpid():
            return self.file in _held
        if self.machine == os_processes.machine():
            return os_processes.process_start(self.pid) == self.process
        return abs(time.time() - self.seen) < PATIENCE


def coordinator_of(connection: sqlite3.Connection) -> Coordinator | None:
    """The last coordinator of a store; None if none has begun yet."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'coordinator' AND type = 'table'").fetchone():
        return None
    rows = checked_rows(connection, "coordinator", f"SELECT {_FIELDS} FROM coordinator")
    return Coordinator(*rows[0]) if rows else None


class Lease:
    """The right of this process to work on a store, from its opening until ``release``."""

    def __init__(self, store: Store) -> None:
        """Take it, also from a coordinator that is no longer alive; StoreError if another is at work."""
        self._store = store
        self._renewed = time.monotonic()
        path = store.path
        if path is None:
            return
        now, me = time.time(), os.getpid()
        machine = os_processes.machine()
        row = (machine.split()[0], machine, me, os_processes.process_start(me), _file(path), _command(), now, now, 0)
        with store.transaction() as cursor:
            cursor.execute(_CREATE)
            coordinator = coordinator_of(store.connection)
            if coordinator is not None and coordinator.is_alive(path):
                raise StoreError(at_work(coordinator, path))
            cursor.execute(f"INSERT OR REPLACE INTO coordinator (id, {_FIELDS}) VALUES (1{', ?' * len(row)})", row)
        self._row = row
        _held.add(row[4])
        store.write_through()

    def renew(self) -> None:
        """Called often: every few seconds a sign of life, and everything committed so far goes into the file itself."""
        if self._store.path is None or time.monotonic() - self._renewed < RENEWED_EVERY:
            return
        self._renewed = time.monotonic()
        self._store.write_through()
        if not self._seen(ended=0):
            raise StoreError(
                f"another coordinator has taken over {store_name(self._store.path)}, because this one gave no sign of "
                f"life for {PATIENCE:g} s; it goes on with the experiment"
            )

    def release(self) -> None:
        """Record that this coordinator has stopped by itself."""
        if self._store.path is None:
            return
        try:
            self._seen(ended=1)
        finally:  # not before: who looks in between would take it for killed
            _held.discard(self._row[4])

    def _seen(self, ended: int) -> bool:
        """Record a sign of life; False where another coordinator has taken over."""
        of_this = self._row[1], self._row[2], self._row[6]
        with self._store.transaction() as cursor:
            update = "UPDATE coordinator SET ended = ?, seen = ? WHERE machine = ? AND pid = ? AND started = ?"
            return cursor.execute(update, (ended, time.time(), *of_this)).rowcount > 0


def refuse_second(path: Path | None) -> None:
    """StoreError if another coordinator is at work, before anything in the store is touched."""
    if path is None or not path.is_file():
        return
    try:
        with closing(read_only_connection(path)) as connection:
            coordinator = coordinator_of(connection)
    except (sqlite3.Error, UnicodeDecodeError):
        return  # explained when the store is opened
    if coordinator is not None and coordinator.is_alive(path):
        raise StoreError(at_work(coordinator, path))


def at_work(coordinator: Coordinator, path: Path) -> str:
    """The refusal of a second coordinator."""
    place = f"on {coordinator.host!r}, " if coordinator.machine != os_processes.machine() else ""
    since = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(coordinator.started))
    doubt = ""
    if place:
        seconds = max(0.0, time.time() - coordinator.seen)
        doubt = (
            f" If it is dead, start again {PATIENCE:g} s after its last sign of life, which was {seconds:.0f} s ago."
        )
    return (
        f"another coordinator ({place}process {coordinator.pid}, since {since}) is at work on {store_name(path)}; wait "
        f"for it, or stop it first. `bakeoff status {shlex.quote(str(path))}` shows how far it is.{doubt}"
    )


def _file(path: Path) -> str:
    facts = os.stat(path)
    return f"{facts.st_dev}:{facts.st_ino}"


def _command() -> str:
    """The command with which this process was started."""
    program = os.path.basename(sys.argv[0]) if sys.argv and sys.argv[0] else "python"
    if program == "__main__.py":
        program = os.path.basename(os.path.dirname(sys.argv[0]))
    return shlex.join([program, *sys.argv[1:]])


# Starting over: the store that is there is kept under another name.


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
        raise StoreError(f"another program has the store {str(path)!r} open; close it, then start over")
    number = 1
    while (aside := path.with_name(f"{path.stem}-{number}{path.suffix}")).exists():
        number += 1
    try:
        return path.rename(aside)
    except OSError as error:
        raise StoreError(f"the store {str(path)!r} cannot be renamed: {error.strerror or error}") from None
