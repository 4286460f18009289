"""The status of an experiment from its store alone: how far it is, which runs failed, and what is working on it."""

from __future__ import annotations

import json
import os
import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeVar

from bakeoff.dataclass import dataclass
from bakeoff.wings.run.design.parts import ExperimentPart
from bakeoff.wings.run.store.contents import Contents, contents, corruption_as_store_error
from bakeoff.wings.run.store.lease import Coordinator, coordinator_of
from bakeoff.wings.run.store.opening import open_for_reading
from bakeoff.wings.run.store.parts import held_part

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class AlgorithmStatus:
    """The runs of one algorithm."""

    name: str
    n_runs: int  # its runs
    n_failed: int  # among them; each counts as the experiment says
    n_attempts: int  # failed and not kept: repeated since, or to be repeated
    first_error: str  # of its first failure; empty if there is none


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreStatus:
    """The state of a store at one moment."""

    store: Path  # the file
    wal: Path | None  # a second file with committed runs, which a copy of the store needs too
    n_problems: int  # of the experiment
    n_finished: int  # problems that are finished
    n_runs: int  # runs in the store
    n_runs_planned: int | None  # in all; None where it depends on the scores
    n_conflicts: int  # runs that gave another score when repeated
    stopped_early: bool
    race: bool  # whether it is a race
    algorithms: tuple[AlgorithmStatus, ...]  # one entry per algorithm
    coordinator: Coordinator | None  # the process that makes the runs, or the last one that did
    state: Literal["running", "finished", "stopped", "killed", "unknown"]  # whether a process makes its runs
    part: ExperimentPart | None = None  # of the experiment, whose problems these are; None: all of it


def read_at_rest(read: Callable[[], T], status: Callable[[T], StoreStatus]) -> T:
    """Return what ``read`` finds. A coordinator may end while its store is read: what it left is read once more."""
    content = read()
    return read() if status(content).state in ("stopped", "killed") else content


def read_status(path: Path) -> StoreStatus:
    """The state of a store, which another process may be writing."""

    def read() -> StoreStatus:
        with open_for_reading(path) as connection:
            return status_in(connection, path, contents(connection))

    return read_at_rest(read, lambda status: status)


def status_in(connection: sqlite3.Connection, path: Path, stored: Contents) -> StoreStatus:
    """The same by an open connection."""
    coordinator, part = coordinator_of(connection), held_part(connection)
    own = stored.n_planned if part is None else len(range(part.number - 1, stored.n_planned, part.of))
    attempts = connection.execute("SELECT alg, count(*), min(id) FROM attempt GROUP BY alg").fetchall()
    with corruption_as_store_error():
        query = "SELECT error FROM attempt WHERE id = ?"
        first = {alg: str(connection.execute(query, (i,)).fetchone()[0]) for alg, _, i in attempts}
        algorithms = _algorithms(stored, {alg: n for alg, n, _ in attempts}, first)
        race = stored.spec.get("race") is not None
        state = _state(stored, coordinator, path, race, own)
    fixed = not race and stored.spec["repetitions"] is None
    planned = own * int(stored.spec["runs"]) * len(stored.algorithms) if fixed else None
    return StoreStatus(
        store=path,
        wal=wal_of(path),
        n_problems=own,
        n_finished=sum(i.done for i in stored.instances),
        n_runs=len(stored.rows),
        n_runs_planned=planned,
        n_conflicts=stored.n_conflicts,
        stopped_early=stored.stopped_at is not None,
        race=race,
        algorithms=algorithms,
        coordinator=coordinator,
        state=state,
        part=part,
    )


def wal_of(path: Path) -> Path | None:
    """The file beside a store that holds commits which are not in the store itself yet."""
    wal = path.with_name(f"{path.name}-wal")
    try:
        return wal if os.stat(wal).st_size else None
    except OSError:
        return None


def _algorithms(stored: Contents, attempts: dict[int, int], first: dict[int, str]) -> tuple[AlgorithmStatus, ...]:
    runs = Counter(row.algorithm for row in stored.rows)
    failed = [row for row in stored.rows if row.status != "ok"]
    errors = {row.algorithm: row.error for row in reversed(failed)} | first
    n_failed = Counter(row.algorithm for row in failed)
    return tuple(
        AlgorithmStatus(name, runs[i], n_failed[i], attempts.get(i, 0), errors.get(i, ""))
        for i, name in enumerate(stored.algorithms)
    )


def _state(
    stored: Contents, coordinator: Coordinator | None, path: Path, race: bool, n_problems: int
) -> Literal["running", "finished", "stopped", "killed", "unknown"]:
    if coordinator is not None and coordinator.is_alive(path):
        return "running"
    if not race:
        finished = stored.stopped_at is not None or sum(i.done for i in stored.instances) >= n_problems
    else:
        finished = bool(stored.looks) and json.loads(stored.looks[-1].verdict)["then"] != "go on"
    if finished:
        return "finished"
    if coordinator is None:
        return "unknown"
    return "stopped" if coordinator.ended else "killed"
