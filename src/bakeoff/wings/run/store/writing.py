"""Writing to the store, by the coordinator only; workers never open it.

A run is committed once: its first result is final. A second one (from a repeated task, or from another coordinator) is
compared with it and discarded; if it differs, a conflict is recorded.
"""

import contextlib
import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

from bakeoff.dataclass import dataclass
from bakeoff.errors import StoreError
from bakeoff.wings.run.cell import Outcome, Task
from bakeoff.wings.run.design.draw_order import hexadecimal
from bakeoff.wings.run.design.experiment import Experiment
from bakeoff.wings.run.schedulers import SchedulingDecision
from bakeoff.wings.run.store.contents import StoredLook
from bakeoff.wings.run.store.opening import record_checksums, sqlite_as_store_error

Write = TypeVar("Write", bound=Callable[..., Any])
NO_ROOM = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)


@dataclass(frozen=True, slots=True)
class CommittedRun:
    """A committed run, as needed for decisions."""

    key: tuple[int, int, int]  # problem, algorithm, repetition
    status: str
    value: float | None


@dataclass(frozen=True, slots=True)
class OpenProblem:
    """A problem that is not done, with its current round."""

    problem: int
    round: int  # -1: not begun
    counts: tuple[int, ...]  # runs of each algorithm when the round was decided
    plan: tuple[int, ...]


def tried_twice(write: Write) -> Write:
    """Try again without room on the disk, once what SQLite keeps beside the file (-wal) is moved into it.

    It is many times as large as what it changes there, and its place is used again.
    """

    @wraps(write)
    def twice(store: "Store", *args: Any) -> Any:
        try:
            return write(store, *args)
        except StoreError as error:
            if getattr(error.__cause__, "sqlite_errorcode", 0) & 0xFF not in NO_ROOM:
                raise
        store.write_through()
        return write(store, *args)

    return cast(Write, twice)


class Store:
    """Open it with ``create.open_store``; every method commits before it returns."""

    def __init__(self, connection: sqlite3.Connection, path: Path | None, experiment: Experiment) -> None:
        self.connection = connection
        self.path = path
        self.belongs_to(experiment)

    def belongs_to(self, experiment: Experiment, spec_hash: str = "") -> None:
        """Set the experiment whose decisions are recorded from now on, and the hash by which the store knows it."""
        self.experiment = experiment
        self.spec_hash = spec_hash or experiment.spec_hash

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Cursor]:
        with sqlite_as_store_error(self.path):
            cursor = self.connection.cursor()
            cursor.execute("BEGIN IMMEDIATE")
            try:
                yield cursor
                cursor.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    cursor.execute("ROLLBACK")
                raise

    def _rows(self, query: str, values: tuple[object, ...] = ()) -> list[Any]:
        with sqlite_as_store_error(self.path):
            return self.connection.execute(query, values).fetchall()

    def write_through(self) -> None:
        """Move what SQLite keeps beside the file (-wal) into the file, as far as no reader prevents it."""
        with sqlite_as_store_error(self.path):
            self.connection.execute("PRAGMA wal_checkpoint(PASSIVE)")

    def close(self) -> None:
        """Close, leaving a single file without journal unless another program still uses it."""
        with contextlib.suppress(sqlite3.Error):
            self.connection.execute("PRAGMA busy_timeout = 0")
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # complete also where the next line fails
            self.connection.execute("PRAGMA journal_mode = DELETE")
        self.connection.close()

    # --- runs

    @tried_twice
    def commit(self, outcomes: Sequence[tuple[Outcome, int]]) -> list[CommittedRun]:
        """Commit each (outcome, round) whose run is new; return the stored runs in the same order."""
        kept: list[CommittedRun] = []
        with self.transaction() as cursor:
            for outcome, round_ in outcomes:
                row = _row(outcome, round_)
                cursor.execute(_INSERT, row)
                if cursor.rowcount == 1:
                    kept.append(CommittedRun(outcome.task.key, row[5], row[6]))
                else:
                    kept.append(self._second(cursor, outcome, row[6]))
        return kept

    def _second(self, cursor: sqlite3.Cursor, outcome: Outcome, value: float | None) -> CommittedRun:
        key = outcome.task.key
        status, first = cursor.execute(_ONE, key).fetchone()
        note_conflict(cursor, key, (status, first), (outcome.status, value), time.time())
        return CommittedRun(key, status, first)

    def find(self, task: Task) -> CommittedRun | None:
        """The run, if another coordinator has committed it."""
        rows = self._rows(_ONE, task.key)
        return CommittedRun(task.key, *rows[0]) if rows else None

    def note_attempt(self, outcome: Outcome) -> None:
        """Record a failed attempt that will be repeated."""
        task = outcome.task
        worker = f"{outcome.host}:{outcome.pid}"
        row = (*task.key, task.attempt, worker, outcome.started, outcome.status, outcome.error)
        with self.transaction() as cursor:
            cursor.execute(
                "INSERT INTO attempt (inst, alg, rep, attempt, worker, started, outcome, error) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )

    def is_first_result(self, outcome: Outcome) -> bool:
        """Whether no score of its algorithm has been read, and no earlier start has stopped for this reason."""
        task = outcome.task
        known = (
            "SELECT 1 FROM run WHERE alg = ?2 AND (status = 'ok' OR EXISTS (SELECT 1 FROM attempt AS a "
            "WHERE a.inst = run.inst AND a.alg = run.alg AND a.rep = run.rep AND a.attempt >= ?4)) UNION ALL "
            "SELECT 1 FROM attempt WHERE inst = ?1 AND alg = ?2 AND rep = ?3 AND attempt >= ?4 LIMIT 1"
        )
        return not self._rows(known, (*task.key, task.attempt))

    # --- decisions

    @tried_twice
    def decide_all(self, decisions: Sequence[tuple[int, int, SchedulingDecision]]) -> None:
        """Record decisions (problem, round, decision), and which problems are done."""
        with self.transaction() as cursor:
            if cursor.execute("SELECT spec_hash FROM experiment").fetchone() != (self.spec_hash,):
                raise StoreError("another experiment began in this store meanwhile; name another file")
            for problem, round_, decision in decisions:
                row = (problem, round_, _compact(decision.counts), decision.standard_error, _compact(decision.plan))
                cursor.execute("INSERT INTO decision VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", row)
                if cursor.rowcount == 0:
                    self._same(cursor, row)
                status = ("failed" if decision.reason == "error" else "done") if decision.done else "active"
                cursor.execute(
                    "UPDATE instance SET status = ?, reason = ?, detail = ?, n_json = ?, phi_json = ?, se_json = ? "
                    "WHERE pos = ? AND status IN ('pending', 'active')",
                    (
                        status,
                        decision.reason,
                        decision.detail,
                        _compact(decision.counts),
                        _compact(decision.differences),
                        _compact(decision.standard_errors),
                        problem,
                    ),
                )
                if decision.done:
                    record_checksums(cursor, problem)

    def _same(self, cursor: sqlite3.Cursor, row: tuple[object, ...]) -> None:
        """Check that another coordinator, which was first, decided the same."""
        stored = cursor.execute(
            "SELECT n_json, plan_json FROM decision WHERE inst = ? AND round = ?", row[:2]
        ).fetchone()
        if stored != (row[2], row[4]):
            name = self.experiment.problem_names[int(str(row[0]))]
            raise StoreError(
                f"two coordinators of this store decided differently on problem {name!r} (round {row[1]}): {stored} "
                f"and {(row[2], row[4])}. Their NumPy or processors differ; continue with only one of them"
            )

    def record_look(self, look: StoredLook, name: str = "look") -> None:
        """Record a look, called ``name``, once; after a stop, mark the remaining problems as not needed."""
        with self.transaction() as cursor:
            cursor.execute("INSERT INTO look VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", look)
            if cursor.rowcount == 0:
                kept = cursor.execute("SELECT * FROM look WHERE k = ?", look[:1]).fetchone()
                look.refuse_other(StoredLook._make(kept), name)
            if look.verdict == "stop":
                cursor.execute(
                    "UPDATE instance SET reason = 'sequential' WHERE draw_order >= ? AND status IN ('pending', "
                    "'active')",
                    (look.n,),
                )

    # --- resuming

    def open_problems(self) -> list[OpenProblem]:
        """The problems that are not done, in the order drawn."""
        query = (
            "SELECT i.pos, coalesce(d.round, -1), d.n_json, d.plan_json FROM instance i LEFT JOIN decision d "
            "ON d.inst = i.pos AND d.round = (SELECT max(round) FROM decision WHERE inst = i.pos) "
            "WHERE i.draw_order IS NOT NULL AND i.status IN ('pending', 'active') ORDER BY i.draw_order"
        )
        none = _compact([0] * len(self.experiment.algorithms))
        return [
            OpenProblem(problem, round_, tuple(json.loads(counts or none)), tuple(json.loads(plan or "[]")))
            for problem, round_, counts, plan in self._rows(query)
        ]

    def kept_of(self, problem: int) -> list[CommittedRun]:
        """All committed runs of a problem, in the order of algorithms and repetitions."""
        query = "SELECT alg, rep, status, value FROM run WHERE inst = ? ORDER BY alg, rep"
        rows = self._rows(query, (problem,))
        return [CommittedRun((problem, alg, rep), status, value) for alg, rep, status, value in rows]

    def totals(self) -> tuple[int, int, dict[str, int]]:
        """Runs committed, runs among them that failed, and problems done by reason."""
        [(runs, failed)] = self._rows("SELECT count(*), coalesce(sum(status <> 'ok'), 0) FROM run")
        finished = "SELECT reason, count(*) FROM instance WHERE status IN ('done', 'failed') GROUP BY reason"
        return int(runs), int(failed), dict(self._rows(finished))


_INSERT = (
    "INSERT INTO run (inst, alg, rep, round, seed_hex, status, value, metrics, seconds, error, attempt, host, pid, "
    "started, finished) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (inst, alg, rep) DO NOTHING"
)
_ONE = "SELECT status, value FROM run WHERE inst = ? AND alg = ? AND rep = ?"


def _row(outcome: Outcome, round_: int) -> tuple[int, int, int, int, str, str, float | None, *tuple[object, ...]]:
    task = outcome.task
    value = float(outcome.value) + 0.0 if outcome.status == "ok" and outcome.value is not None else None
    return (
        *task.key,
        round_,
        hexadecimal(task.seed),
        outcome.status,
        value,
        _metrics(outcome),
        float(outcome.seconds),
        outcome.error,
        task.attempt,
        outcome.host,
        outcome.pid,
        outcome.started,
        outcome.started + outcome.seconds,
    )


def _metrics(outcome: Outcome) -> str | None:
    """All metrics as JSON if there are several; NaN and infinities as text."""
    if len(outcome.metrics) < 2:
        return None
    return json.dumps({str(k): _spelt(v) for k, v in outcome.metrics.items()}, ensure_ascii=True, allow_nan=False)


def note_conflict(
    cursor: sqlite3.Cursor,
    key: tuple[int, int, int],
    first: tuple[str, float | None],
    second: tuple[str, float | None],
    at: float,
) -> None:
    """Record, once, a second result (status, value) of a run that differs from the first, which is kept."""
    if first == second:
        return
    old, new = (json.dumps([status, _spelt(value)]) for status, value in (first, second))
    cursor.execute(
        "INSERT INTO conflict SELECT ?1, ?2, ?3, ?4, ?5, ?6 WHERE NOT EXISTS (SELECT 1 FROM conflict WHERE "
        "(inst, alg, rep, old, new, at) = (?1, ?2, ?3, ?4, ?5, ?6))",
        (*key, old, new, at),
    )


def _spelt(value: float | None) -> float | str | None:
    return value if value is None or np.isfinite(value) else str(value)


def _compact(numbers: Iterable[object]) -> str:
    return json.dumps(list(numbers), separators=(",", ":"), allow_nan=False)
