"""Connections to a store, for the one writer and for readers; SQLite's errors explained."""

import errno
import hashlib
import json
import os
import re
import shutil
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, ParameterError, StoreError, WrongTypeError
from bakeoff.files import nearby

# The tables of a store (``schema.sql``), and the check that a file is one.


SCHEMA_VERSION = 2
APPLICATION_ID = 0x62616B65  # "bake": identifies the file type
CREATE_TABLES = Path(__file__).with_name("schema.sql").read_text(encoding="utf-8")


def create_tables(connection: sqlite3.Connection) -> None:
    """Create the tables within the caller's transaction."""
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
            "name another file to start over, or install the version that wrote it"
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


# Checksums of finished problems, kept when they finish: what was changed in a store later is found and named.
#
# They protect against slips and careless edits. Someone who changes runs and checksums alike is found only by the
# digest
# of all runs, printed in the report and by ``bakeoff verify``.


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


LOCK_TIMEOUT = 60.0  # seconds that a coordinator waits for another one's transaction
INSTRUCTIONS = 100_000  # of SQLite's virtual machine between two calls of Python: some milliseconds

PAGE = 4096  # bytes, as SQLite writes them
MOST_BESIDE = 500_000  # bytes that SQLite keeps beside the file; on a small disk a quarter of what is free

_SHOWN = 80  # characters of a path in an error about its length

_NETWORK = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "lustre", "gpfs", "beegfs", "ceph", "fuse.sshfs"})


def store_path(store: object) -> Path | None:
    """None: in memory."""
    if store is None:
        return None
    text = os.fspath(store) if isinstance(store, os.PathLike) else store
    if not isinstance(text, str) or not text.strip() or "\0" in text:
        raise WrongTypeError(
            f"must be a path such as 'runs.sqlite', or None for memory; got {store!r}", parameter="store"
        )
    shown = repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
    try:
        os.stat(text)
    except UnicodeEncodeError:
        raise ParameterError(f": no file can be called {shown}; name another one", parameter="store") from None
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise ParameterError(f": no file can be called {shown}: {error.strerror}", parameter="store") from None
    return Path(text)


def writer(path: Path | None) -> sqlite3.Connection:
    """The coordinator's connection; creates the file if there is none."""
    name = store_name(path)
    if path is not None and path.is_dir():
        raise StoreError(f"{name} is a folder; name a file, for example {str(path / 'runs.sqlite')!r}")
    if path is not None and not path.parent.is_dir():
        raise StoreError(f": the folder {str(path.parent)!r} does not exist; make it first", parameter="store")
    with sqlite_as_store_error(path):
        # an absolute path is always a file: ":memory:" and "file:x?mode=memory" mean something else to SQLite
        place = ":memory:" if path is None else os.fsencode(os.path.abspath(path))  # a name need not be UTF-8
        connection = sqlite3.connect(place, timeout=LOCK_TIMEOUT, isolation_level=None)
    try:
        with sqlite_as_store_error(path):
            connection.execute("PRAGMA trusted_schema = OFF")
            let_signals_through(connection)
            if not is_empty(connection):
                check_kind(connection, name)
    except BaseException:
        connection.close()
        raise
    return connection


def prepare(connection: sqlite3.Connection, path: Path | None) -> None:
    """Set the journal mode, which changes the file; call it only after checking whose store it is.

    A killed process loses nothing; a power cut may lose the last commits, whose runs are then repeated.
    """
    remote = path is not None and network_file_system(path)
    with sqlite_as_store_error(path):
        _journal(connection, "TRUNCATE" if remote else "WAL")
        connection.execute(f"PRAGMA synchronous = {'FULL' if remote else 'NORMAL'}")
        if path is not None:
            room = shutil.disk_usage(path.parent).free // (4 * PAGE)
            connection.execute(f"PRAGMA wal_autocheckpoint = {max(4, min(MOST_BESIDE // PAGE, room))}")


def _journal(connection: sqlite3.Connection, mode: str) -> None:
    """Retry while locked: SQLite does not wait here, and two coordinators may start at the same moment."""
    until = time.monotonic() + LOCK_TIMEOUT
    while True:
        try:
            connection.execute(f"PRAGMA journal_mode = {mode}")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
            time.sleep(0.01)


def read_only_connection(path: Path, more: str = "", timeout: float = 5.0) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro{more}", uri=True, timeout=timeout)


def reader(path: Path) -> sqlite3.Connection:
    """A read-only connection, also in a folder without write permission, where SQLite has no shared memory."""
    if not path.is_file():
        raise StoreError(
            f"there is no store {str(path)!r}" + (": it is a folder" if path.is_dir() else nearby(str(path)))
        )
    with sqlite_as_store_error(path, reading=True):
        connection = read_only_connection(path, timeout=LOCK_TIMEOUT)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.OperationalError:
            connection.close()
            if Path(f"{path}-wal").exists():  # a writer's last commits would be missed
                raise
            connection = read_only_connection(path, "&immutable=1")
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except BaseException:
            connection.close()
            raise
    connection.execute("PRAGMA trusted_schema = OFF")
    let_signals_through(connection)
    return connection


def let_signals_through(connection: sqlite3.Connection) -> None:
    """Have SQLite call Python now and then, or Ctrl-C would wait for the end of a statement.

    A KeyboardInterrupt raised there reaches :func:`sqlite_as_store_error` as the error "interrupted".
    """
    connection.set_progress_handler(lambda: 0, INSTRUCTIONS)


@contextmanager
def open_for_reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection to read a store that contains an experiment."""
    with closing(reader(path)) as connection, sqlite_as_store_error(path, reading=True):
        if is_empty(connection):
            raise StoreError(f"the store {str(path)!r} is empty: no experiment was begun in it")
        check_kind(connection, f"the store {str(path)!r}")
        yield connection


@contextmanager
def sqlite_as_store_error(path: Path | None, reading: bool = False) -> Iterator[None]:
    """Report SQLite's errors as a :class:`StoreError` with advice."""
    try:
        yield
    except sqlite3.Error as error:
        if str(error) == "interrupted":
            raise KeyboardInterrupt from None
        raise StoreError(_explanation(store_name(path), error, reading)) from error
    except UnicodeDecodeError as error:  # SQLite's message, or a text of the schema, is not UTF-8
        raise StoreError(f"{store_name(path)} is damaged: {error}. Name another file, or restore a copy") from None


def refuse_lost_runs(path: Path | None, written: int) -> None:
    """Read the file once it is closed: another program may have cut it off while the pages were in memory here."""
    if path is None:
        return
    with sqlite_as_store_error(path, reading=True), closing(read_only_connection(path)) as connection:
        [n_runs] = connection.execute("SELECT count(*) FROM run").fetchone()
    if n_runs < written:
        raise StoreError(
            f"{store_name(path)} holds {n_runs} of the {written} runs that were written: another program has changed "
            "it. Start over with --fresh (in Python: name a new file), where no other program writes"
        )


def _explanation(name: str, error: sqlite3.Error, reading: bool) -> str:
    text = str(error)
    kept = "every run that was committed is kept, and the same command resumes from there"
    if "disk is full" in text or "disk I/O error" in text or "no space" in text.lower():
        return f"{name} could not be written: {text} (is the disk full?). Make room; {kept}"
    if reading and ("readonly" in text or "unable to open" in text):
        return (
            f"{name} cannot be read: {text}. Beside one that ends in -wal SQLite needs a folder that it can write: "
            "copy the store and its -wal file to a folder of yours, or let its owner resume it to the end"
        )
    if "readonly" in text or "read-only" in text or "unable to open" in text:
        return f"{name} cannot be opened for writing: {text}. Check the folder's permissions, or name another file"
    if "locked" in text or "busy" in text:
        return f"{name} is busy: another program has been writing to it for {LOCK_TIMEOUT:g} s. {kept.capitalize()}"
    if "not a database" in text or "malformed" in text or "corrupt" in text:
        return f"{name} is no SQLite database, or a damaged one: {text}. Name another file, or restore a copy"
    return f"{name}: {text}"


def store_name(path: Path | None) -> str:
    return "the store in memory" if path is None else f"the store {str(path)!r}"


def network_file_system(path: Path) -> str:
    """The type of the network file system that holds ``path``; empty if local or unknown."""
    try:
        mounts = Path("/proc/mounts").read_text(encoding="utf-8", errors="replace").splitlines()
        whole = os.path.realpath(path)
    except OSError:
        return ""
    best, kind = "", ""
    for line in mounts:
        _, folder, system, *_ = line.split(" ")
        folder = re.sub(r"\\([0-7]{3})", lambda m: chr(int(m.group(1), 8)), folder)
        inside = whole == folder or whole.startswith(folder.rstrip("/") + "/")
        if inside and len(folder) >= len(best):
            best, kind = folder, system
    return kind if kind in _NETWORK else ""


def network_caution(path: Path | None) -> tuple[Caution, ...]:
    kind = "" if path is None else network_file_system(path)
    if not kind:
        return ()
    return (caution_of("network-file-system", kind=kind),)
