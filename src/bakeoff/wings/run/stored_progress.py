"""The progress of an experiment or a race from its store alone, for one who watches from outside."""

from __future__ import annotations

import json
import sqlite3
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from bakeoff.errors import ScoreError, StoreError
from bakeoff.scores import Scores
from bakeoff.wings.run._race import RunRaceResult, race_result
from bakeoff.wings.run.design.race_settings import settings_in
from bakeoff.wings.run.progress import ActiveProblem, Progress, RaceProgress, seconds_remaining
from bakeoff.wings.run.store.contents import Contents, contents, corruption_as_store_error, scores_of
from bakeoff.wings.run.store.opening import open_for_reading
from bakeoff.wings.run.store.status import StoreStatus, read_at_rest, status_in


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredProgress:
    """A store at one moment. ``scores`` are those of the finished problems, None while there are none, and of a race;
    ``race`` is the race as far as it has got, None of an experiment.
    """

    status: StoreStatus
    progress: Progress
    scores: Scores | None
    race: RunRaceResult | None


@dataclass(frozen=True, slots=True)
class _Round:
    """The last decision on a problem under way."""

    number: int
    planned: int
    standard_error: float | None


def stored_progress(path: Path) -> StoredProgress:
    """Read everything; the store may be being written by another process."""
    return read_at_rest(lambda: _read(path), lambda progress: progress.status)


def _read(path: Path) -> StoredProgress:
    with open_for_reading(path) as connection:
        everything = contents(connection)
        status = status_in(connection, path, everything)
        with corruption_as_store_error():
            rounds = _rounds(connection)
            since = time.time() if status.coordinator is None else status.coordinator.started
            runs_here = int(connection.execute("SELECT count(*) FROM run WHERE finished >= ?", (since,)).fetchone()[0])
    with corruption_as_store_error():
        stored = everything.looked_at
        race = race_result(stored, settings_in(stored.spec)) if status.race else None
        return StoredProgress(
            status=status,
            progress=_progress(stored, status, rounds, runs_here, time.time() - since, race),
            scores=None if status.race else _scores(stored),
            race=race,
        )


def _rounds(connection: sqlite3.Connection) -> dict[int, _Round]:
    query = (
        "SELECT inst, max(round), plan_json, se FROM decision JOIN instance ON pos = inst WHERE status = 'active' "
        "GROUP BY inst"
    )
    return {inst: _Round(number, len(json.loads(plan)), se) for inst, number, plan, se in connection.execute(query)}


def _scores(stored: Contents) -> Scores | None:
    try:
        return scores_of(stored)
    except (ScoreError, StoreError):  # none yet, or of a statistic that the store does not hold
        return None


def _progress(
    stored: Contents,
    status: StoreStatus,
    rounds: dict[int, _Round],
    runs_here: int,
    seconds: float,
    race: RunRaceResult | None,
) -> Progress:
    active = _active(stored, rounds)
    expected = _expected(stored, status, sum(sum(p.counts) for p in active), race)
    running = status.state == "running"
    return Progress(
        n_problems=status.n_problems,
        problems_done=status.n_finished,
        runs_done=status.n_runs,
        runs_expected=expected,
        runs_here=runs_here,
        failed=sum(a.n_failed for a in status.algorithms),
        retried=sum(a.n_attempts for a in status.algorithms),
        reasons=dict(Counter(i.reason for i in stored.instances if i.done)),
        active=active,
        seconds=seconds,
        seconds_left=seconds_remaining(expected - status.n_runs, runs_here, seconds) if running else None,
        stopping=False,
        finished=status.state == "finished",
        race=None if race is None else _race_progress(stored, race),
    )


def _active(stored: Contents, rounds: dict[int, _Round]) -> tuple[ActiveProblem, ...]:
    """Problems under way, with the runs that are there."""
    counts = {position: [0] * len(stored.algorithms) for position in rounds}
    arrived = Counter[int]()
    for row in stored.rows:
        if row.problem in counts:
            counts[row.problem][row.algorithm] += 1
            arrived[row.problem] += row.round == rounds[row.problem].number
    names = {i.position: i.name for i in stored.instances}
    return tuple(
        ActiveProblem(
            name=names[position],
            counts=tuple(counts[position]),
            waiting=max(0, last.planned - arrived[position]),
            standard_error=last.standard_error,
        )
        for position, last in rounds.items()
    )


def _expected(stored: Contents, status: StoreStatus, under_way: int, race: RunRaceResult | None) -> float:
    """Runs in total: exact for a fixed design, at most for a race, otherwise extrapolated from finished problems."""
    if race is not None:
        ahead = race.n_available - race.n_problems if race.stopped == "interrupted" else 0
        return race.runs_per_cell * (race.evaluations + len(race.survivors) * ahead)
    if status.n_runs_planned is not None:
        return status.n_runs_planned
    done, design = status.n_finished, stored.repetitions
    most = 1.0 if design is None else float(design.nmax)
    each = (status.n_runs - under_way) / done if done else most
    return max(status.n_runs, status.n_runs - under_way + (status.n_problems - done) * each)


def _race_progress(stored: Contents, race: RunRaceResult) -> RaceProgress:
    last = {path.algorithm: float(path.evidence[-1]) if len(path.evidence) else 0.0 for path in race.paths}
    return RaceProgress(
        method=race.method,
        measure=race.measure,
        threshold=race.threshold,
        n_candidates=len(race.algorithms),
        survivors=tuple((name, last.get(name, 0.0)) for name in race.survivors),
        last_out=tuple((e.algorithm, e.reason, e.n_problems) for e in race.eliminated[-3:]),
        n_blocks=len(stored.looks),
        n_problems=race.n_problems,
        evaluations=race.evaluations,
        full_evaluations=race.full_evaluations,
    )
