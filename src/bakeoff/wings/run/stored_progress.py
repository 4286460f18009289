"""The progress of an experiment or a race from its store alone, for one who watches from outside."""

from __future__ import annotations

import json
import sqlite3
import time
from collections import Counter
from pathlib import Path

from bakeoff.dataclass import dataclass
from bakeoff.errors import ScoreError, StoreError
from bakeoff.scores import Scores
from bakeoff.wings.run._race import RunRaceResult, race_result
from bakeoff.wings.run.progress import ActiveProblem, Progress, extrapolated, seconds_remaining
from bakeoff.wings.run.schedulers.race_scheduler import RaceScheduler
from bakeoff.wings.run.sequential.race_state import progress_of_race, stored_race_scheduler
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


_Round = tuple[int, int, float | None]  # the last one of a problem under way: number, runs planned, standard error


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
        race = stored_race_scheduler(stored) if status.race else None
        return StoredProgress(
            status=status,
            progress=_progress(stored, status, rounds, runs_here, time.time() - since, race),
            scores=None if status.race else _scores(stored),
            race=None if race is None else race_result(stored, race),
        )


def _rounds(connection: sqlite3.Connection) -> dict[int, _Round]:
    query = (
        "SELECT inst, max(round), plan_json, se FROM decision JOIN instance ON pos = inst WHERE status = 'active' "
        "GROUP BY inst"
    )
    return {inst: (number, len(json.loads(plan)), se) for inst, number, plan, se in connection.execute(query)}


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
    race: RaceScheduler | None,
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
        race=None if race is None else progress_of_race(race),
    )


def _active(stored: Contents, rounds: dict[int, _Round]) -> tuple[ActiveProblem, ...]:
    """Problems under way, with the runs that are there."""
    counts = {position: [0] * len(stored.algorithms) for position in rounds}
    arrived = Counter[int]()
    for row in stored.rows:
        if row.problem in counts:
            counts[row.problem][row.algorithm] += 1
            arrived[row.problem] += row.round == rounds[row.problem][0]
    names = {i.position: i.name for i in stored.instances}
    return tuple(
        ActiveProblem(
            name=names[position],
            counts=tuple(counts[position]),
            waiting=max(0, planned - arrived[position]),
            standard_error=standard_error,
        )
        for position, (_, planned, standard_error) in rounds.items()
    )


def _expected(stored: Contents, status: StoreStatus, under_way: int, race: RaceScheduler | None) -> float:
    """Runs in total: exact for a fixed design, at most for a race, otherwise extrapolated from finished problems."""
    if race is not None:
        return race.runs_at_most
    if status.n_runs_planned is not None:
        return status.n_runs_planned
    most = 1.0 if stored.repetitions is None else float(stored.repetitions.nmax)
    return extrapolated(status.n_runs, under_way, status.n_finished, status.n_problems, most)
