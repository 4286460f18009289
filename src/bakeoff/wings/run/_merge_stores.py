"""``bo.merge_stores``: stores of one experiment into one."""

from __future__ import annotations

import shlex
import sqlite3
from collections.abc import Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

from bakeoff.dataclass import dataclass
from bakeoff.errors import ParameterError, StoreError, listing
from bakeoff.wings.run.design.fingerprints import changes, without_salts
from bakeoff.wings.run.design.specification import canonical, first_difference
from bakeoff.wings.run.store.contents import Contents, contents, missing_runs
from bakeoff.wings.run.store.lease import refuse_second
from bakeoff.wings.run.store.opening import (
    create_tables,
    differing,
    is_empty,
    open_for_reading,
    prepare,
    record_checksums,
    refuse_lost_runs,
    sqlite_as_store_error,
    store_name,
    store_path,
    writer,
)
from bakeoff.wings.run.store.parts import record_part
from bakeoff.wings.run.store.writing import note_conflict


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedStore:
    """What ``bo.merge_stores`` has made.

    Attributes
    ----------
    store : Path
        The file.
    n_stores : int
        Stores that were merged into it.
    n_runs, n_new : int
        Runs that it holds, and those among them that it did not hold before.
    n_problems : int
        Problems of the experiment.
    unfinished : tuple of str
        Problems of which runs are missing.
    n_conflicts : int
        Second results of a run that differ from the first, which is kept.
    """

    store: Path
    n_stores: int
    n_runs: int
    n_new: int
    n_problems: int
    unfinished: tuple[str, ...]
    n_conflicts: int


def merge_stores(stores: Sequence[str | Path], into: str | Path) -> MergedStore:
    """Do several stores hold one experiment? Put their runs into one.

    For the parts of an experiment that ran on several machines (``bo.run_part``), and for copies of a store that went
    on by themselves. Stores of different experiments are refused, also where code or problems have changed. Not for
    races and sequential experiments, whose course depends on all their runs.

    Parameters
    ----------
    stores : sequence of path
        The SQLite files. They are read only, and may be at work: what they have committed is merged.
    into : path
        The file to write. If it exists, it must hold the same experiment; what it has is kept. All is written at once:
        a merge that is killed changes nothing.

    Returns
    -------
    MergedStore
        Its ``.unfinished`` problems are those whose runs are missing; ``bo.run`` on ``into`` makes them.

    Raises
    ------
    StoreError
        A file is no store, or holds another experiment; or two stores decided differently on a problem.

    Notes
    -----
    A run that several stores hold is kept once. Where its scores differ, the first is kept, the other one is recorded
    as a conflict, and reports say so.

    Examples
    --------
    >>> import tempfile, bakeoff as bo
    >>> e = bo.Experiment({"a": lambda p, rng: p, "b": lambda p, rng: -p}, [1.0, 2.0], better="lower", seed=1, runs=2)
    >>> folder = tempfile.mkdtemp()
    >>> parts = [f"{folder}/{i}.sqlite" for i in (1, 2)]
    >>> for i, part in enumerate(parts, start=1):
    ...     _ = bo.run_part(e, f"{i}/2", part)
    >>> merged = bo.merge_stores(parts, f"{folder}/all.sqlite")
    >>> merged.n_runs, merged.unfinished
    (8, ())
    """
    place = store_path(into)
    if place is None:
        raise ParameterError("must name the file to write", parameter="into")
    paths = _checked_paths(stores, place)
    refuse_second(place)
    is_new = not place.exists()
    with ExitStack() as opened:
        sources = [opened.enter_context(open_for_reading(path)) for path in paths]
        read = [contents(source) for source in sources]
        try:
            with closing(writer(place)) as connection:
                merged = _merged(connection, place, [*zip(paths, sources, read, strict=True)])
        except BaseException:
            if is_new:
                place.unlink(missing_ok=True)
            raise
    refuse_lost_runs(place, merged.n_runs)
    return merged


Source = tuple[Path, sqlite3.Connection, Contents]


def _checked_paths(stores: Sequence[str | Path], into: Path) -> list[Path]:
    if isinstance(stores, str | Path) or not stores:
        raise ParameterError("must be a list of one or more stores", parameter="stores")
    paths = [Path(store) for store in stores]
    if into.exists():
        paths = [path for path in paths if not (path.exists() and path.samefile(into))]
    return paths


def _merged(connection: sqlite3.Connection, into: Path, sources: Sequence[Source]) -> MergedStore:
    """Write within one transaction: a reader, or the next merge after a kill, sees all of it or nothing."""
    with sqlite_as_store_error(into):
        fresh = is_empty(connection)
        if not fresh:
            _refuse_others(contents(connection), into, sources)
        elif sources:
            _refuse_others(sources[0][2], sources[0][0], sources[1:])
        prepare(connection, into)
        cursor = connection.cursor()
        cursor.execute("BEGIN IMMEDIATE")
        try:
            if fresh:
                create_tables(connection)
                _begin(cursor, sources[0][1])
            record_part(cursor, None)
            before = _count(cursor, "run")
            for path, source, _ in sources:
                _add(cursor, path, source)
            cursor.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                cursor.execute("ROLLBACK")
            raise
        with suppress(sqlite3.OperationalError):  # a reader is at work; its end completes this
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.execute("PRAGMA journal_mode = DELETE")
        now = contents(connection)
    return MergedStore(
        store=into,
        n_stores=len(sources),
        n_runs=len(now.rows),
        n_new=len(now.rows) - before,
        n_problems=now.n_planned,
        unfinished=now.unfinished,
        n_conflicts=now.n_conflicts,
    )


def _refuse_others(first: Contents, path: Path, others: Sequence[Source]) -> None:
    """Races and sequential experiments, and stores of another experiment than the first."""
    name = store_name(path)
    if first.spec.get("race") is not None or first.spec["question"]["sequential"] is not None:
        what = "a race" if first.spec.get("race") is not None else "a sequential experiment"
        raise StoreError(f"{name} holds {what}, whose course depends on all its runs, so it cannot be merged")
    for other, _, there in others:
        if there.spec_hash != first.spec_hash:
            texts = canonical(dict(there.spec)), canonical(dict(first.spec))
            difference = first_difference(*texts, ("there", f"in {path.name}"))
            raise StoreError(f"{store_name(other)} holds another experiment than {name}: {difference}")


def _begin(cursor: sqlite3.Cursor, source: sqlite3.Connection) -> None:
    """The experiment, as the first store describes it, without runs."""
    _insert(cursor, "experiment", source.execute("SELECT * FROM experiment").fetchall())
    _insert(cursor, "algorithm", source.execute("SELECT * FROM algorithm").fetchall())
    none = "'pending', '', '', NULL, NULL, NULL"
    _insert(
        cursor,
        "instance",
        source.execute(f"SELECT pos, name, fingerprint, changed, draw_order, {none} FROM instance").fetchall(),
    )


def _add(cursor: sqlite3.Cursor, path: Path, source: sqlite3.Connection) -> None:
    """The runs, attempts, decisions and conflicts of a store that are new, and how far its problems are."""
    source.execute("BEGIN")  # one moment of a store that another process may be writing
    if missing_runs(source) is not None or next(differing(source), None) is not None:
        raise StoreError(
            f"{store_name(path)} has been changed: runs of a finished problem are not those that were made. `bakeoff "
            f"verify {shlex.quote(str(path))}` names them"
        )
    _compare_fingerprints(cursor, source)
    _add_runs(cursor, source)
    for table in ("attempt", "conflict"):
        columns = [row[1] for row in source.execute(f"PRAGMA table_info({table})") if row[1] != "id"]
        names, same = ", ".join(columns), " AND ".join(f"{column} IS ?" for column in columns)
        for row in source.execute(f"SELECT {names} FROM {table}").fetchall():
            if not cursor.execute(f"SELECT 1 FROM {table} WHERE {same}", row).fetchone():
                cursor.execute(f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(row))})", row)
    _add_decisions(cursor, source)


def _compare_fingerprints(cursor: sqlite3.Cursor, source: sqlite3.Connection) -> None:
    """Refuse other code or data by name; a change that its store has accepted is kept as such."""
    different = []
    for table, noun in (("algorithm", "algorithm"), ("instance", "problem")):
        query = f"SELECT pos, name, fingerprint, changed FROM {table} ORDER BY pos"
        for kept, other in zip(cursor.execute(query).fetchall(), source.execute(query).fetchall(), strict=True):
            grave, _ = changes(without_salts(kept[2]), without_salts(other[2]))
            different += [f"{noun} {kept[1]!r} ({part})" for part in grave]
            if other[3]:
                cursor.execute(f"UPDATE {table} SET changed = 1 WHERE pos = ?", kept[:1])
    if different:
        raise StoreError(
            f"the stores were made with different code or data: {listing(different, 3)}. Run the parts again with the "
            "same files"
        )


def _add_runs(cursor: sqlite3.Cursor, source: sqlite3.Connection) -> None:
    """The first result of a run is kept; another one that differs is a conflict."""
    names = [row[1] for row in source.execute("PRAGMA table_info(run)")]
    status, value, at = names.index("status"), names.index("value"), names.index("finished")
    insert = f"INSERT INTO run VALUES ({', '.join('?' * len(names))}) ON CONFLICT (inst, alg, rep) DO NOTHING"
    for row in source.execute("SELECT * FROM run ORDER BY inst, alg, rep"):
        cursor.execute(insert, row)
        if cursor.rowcount == 0:
            kept = cursor.execute("SELECT status, value FROM run WHERE inst = ? AND alg = ? AND rep = ?", row[:3])
            note_conflict(cursor, row[:3], kept.fetchone(), (row[status], row[value]), row[at])


def _add_decisions(cursor: sqlite3.Cursor, source: sqlite3.Connection) -> None:
    """Decisions on rounds; a problem is as far as the furthest of its stores."""
    for row in source.execute("SELECT inst, round, n_json, se, plan_json FROM decision ORDER BY inst, round"):
        cursor.execute("INSERT INTO decision VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", row)
        kept = cursor.execute("SELECT n_json, plan_json FROM decision WHERE inst = ? AND round = ?", row[:2]).fetchone()
        if kept != (row[2], row[4]):
            (name,) = cursor.execute("SELECT name FROM instance WHERE pos = ?", row[:1]).fetchone()
            raise StoreError(
                f"two stores decided differently on problem {name!r} (round {row[1]}), because runs of it differ or "
                "because NumPy or the processors do; keep one of them"
            )
    fields = "status, reason, detail, n_json, phi_json, se_json"
    for pos, *state in source.execute(f"SELECT pos, {fields} FROM instance WHERE status <> 'pending' ORDER BY pos"):
        (kept,) = cursor.execute("SELECT status FROM instance WHERE pos = ?", (pos,)).fetchone()
        rounds = "SELECT max(round) FROM decision WHERE inst = ?"
        is_last = cursor.execute(rounds, (pos,)).fetchone() == source.execute(rounds, (pos,)).fetchone()
        if kept in ("pending", "active") and is_last:
            cursor.execute(f"UPDATE instance SET ({fields}) = (?, ?, ?, ?, ?, ?) WHERE pos = ?", (*state, pos))
            if state[0] != "active":
                record_checksums(cursor, pos)


def _insert(cursor: sqlite3.Cursor, table: str, rows: Sequence[Sequence[Any]]) -> None:
    if rows:
        cursor.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)


def _count(cursor: sqlite3.Cursor, table: str) -> int:
    return int(cursor.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
