"""The temporary store: one SQLite file in a private folder, deleted when the server ends."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import sqlite3
import tempfile
import threading
import unicodedata
from pathlib import Path

from bakeoff.dataclass import dataclass
from bakeoff.errors import ParameterError
from bakeoff.processes.os_processes import mark_owner, remove_stale_folders

PREFIX = "bakeoff-serve-"
LONGEST = 120  # bytes of a file's name
_SCHEMA = """
CREATE TABLE contents (sha256 TEXT PRIMARY KEY, content BLOB NOT NULL);
CREATE TABLE uploads (id TEXT PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, number INTEGER NOT NULL,
                      kept INTEGER NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class Upload:
    """``id`` is the digest of name and content: the same file is kept once."""

    id: str
    name: str
    content: bytes


class Uploads:
    """The uploads, by content. ``path`` is the file, for the processes that calculate."""

    def __init__(self, most: int) -> None:
        remove_stale_folders(os.path.join(tempfile.gettempdir(), PREFIX))
        self.folder = Path(tempfile.mkdtemp(prefix=PREFIX))  # 0700
        mark_owner(str(self.folder))
        self.path = self.folder / "uploads.sqlite"
        os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        self._most, self._lock = most, threading.Lock()
        self._database = sqlite3.connect(self.path, check_same_thread=False, isolation_level=None)
        self._database.executescript(f"PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; {_SCHEMA}")

    def add(self, name: str, content: bytes, kept: bool = False) -> str:
        """Keep a file; the identifier that its pages are called by.

        Of too many, the one that was looked at longest ago is forgotten, but none that is ``kept``.
        """
        sha256, safe = hashlib.sha256(content).hexdigest(), file_name(name)
        identifier = hashlib.sha256(f"{safe}\0{sha256}".encode()).hexdigest()[:32]
        with self._lock:
            run = self._database.execute
            run("BEGIN IMMEDIATE")
            run("INSERT OR IGNORE INTO contents VALUES (?, ?)", (sha256, content))
            [[number]] = run("SELECT coalesce(max(number), 0) + 1 FROM uploads")
            stays = kept or bool(run("SELECT 1 FROM uploads WHERE id = ? AND kept", (identifier,)).fetchone())
            run("INSERT OR REPLACE INTO uploads VALUES (?, ?, ?, ?, ?)", (identifier, safe, sha256, number, stays))
            run(
                "DELETE FROM uploads WHERE NOT kept AND id NOT IN "
                "(SELECT id FROM uploads WHERE NOT kept ORDER BY number DESC LIMIT ?)",
                (self._most,),
            )
            run("DELETE FROM contents WHERE sha256 NOT IN (SELECT sha256 FROM uploads)")
            run("COMMIT")
        return identifier

    def name(self, identifier: str) -> str | None:
        """The name of the file, or None if there is none, or no more."""
        with self._lock:
            run = self._database.execute
            row = run("SELECT name FROM uploads WHERE id = ?", (identifier,)).fetchone()
            run("UPDATE uploads SET number = (SELECT max(number) + 1 FROM uploads) WHERE id = ?", (identifier,))
        return None if row is None else str(row[0])

    def close(self) -> None:
        """Nothing is left."""
        with self._lock, contextlib.suppress(sqlite3.Error):
            self._database.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def uploaded(path: Path, identifier: str) -> Upload | None:
    """One upload, as a process that calculates reads it."""
    with contextlib.closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as database:
        row = database.execute(
            "SELECT name, content FROM uploads JOIN contents USING (sha256) WHERE id = ?", (identifier,)
        ).fetchone()
    return None if row is None else Upload(identifier, row[0], row[1])


def file_name(name: str) -> str:
    """A name without folders, which every system can write; its suffix stays, as it says the format."""
    base = name.replace("\\", "/").rpartition("/")[2]
    plain = "".join("_" if unicodedata.category(c)[0] == "C" or c in ':*?"<>|' else c for c in base).strip(". ")
    if not plain:
        raise ParameterError("choose a file first: the upload has no name")
    stem, dot, suffix = plain.partition(".") if plain.lower().endswith(".gz") else plain.rpartition(".")
    suffix = f"{dot}{suffix}".encode()[: LONGEST // 2].decode("utf-8", "ignore") if stem else ""
    kept = (stem or plain).encode()[: LONGEST - len(suffix.encode())].decode("utf-8", "ignore")
    return f"{kept or 'table'}{suffix}"


def file_argument(name: str) -> str:
    """A file's name that a command line takes for no option."""
    return f"./{name}" if name.startswith("-") else name
