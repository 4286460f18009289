"""The progress of an experiment or race, read from its store by another process."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

import bakeoff as bo
from bakeoff.wings.run.progress import Progress
from bakeoff.wings.run.run.reporting.progress import document
from bakeoff.wings.run.store.lease import Coordinator
from bakeoff.wings.run.store.status import read_status
from bakeoff.wings.run.stored_progress import stored_progress
from document_tables import table_in


def slow_experiment() -> bo.Experiment:
    def slow(problem: float, rng: object) -> float:
        time.sleep(0.02)
        return problem

    algorithms = {"a": slow, "b": lambda problem, rng: problem + 1.0}
    return bo.Experiment(algorithms, {f"p{i}": float(i) for i in range(25)}, better="lower", seed=1, runs=2)


@pytest.mark.slow
def test_time_to_finish_and_problems_under_way_are_those_of_the_runner(tmp_path: Path) -> None:
    """The terminal's own numbers, and those read from the store by another, at the same moment."""
    found = []

    def listen(progress: Progress) -> None:
        if progress.runs_done >= 20 and not found and progress.active:
            found.append((progress, stored_progress(tmp_path / "e.sqlite")))

    bo.run(slow_experiment(), store=tmp_path / "e.sqlite", progress=listen)
    own, stored = found[0][0], found[0][1].progress
    for field in ("n_problems", "problems_done", "runs_done", "runs_expected", "runs_here", "failed", "reasons"):
        assert getattr(stored, field) == getattr(own, field), field
    assert [(p.name, p.counts, p.waiting) for p in stored.active] == [(p.name, p.counts, p.waiting) for p in own.active]
    assert stored.seconds_left == pytest.approx(own.seconds_left * stored.seconds / own.seconds)  # it was read later
    assert found[0][1].status.state == "running"


@pytest.mark.slow
def test_a_coordinator_that_ends_while_it_is_looked_at_was_not_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "e.sqlite"

    def stop(progress: Progress) -> None:
        if progress.runs_done >= 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        bo.run(slow_experiment(), store=path, progress=stop)

    def set_ended(ended: int) -> None:
        with closing(sqlite3.connect(path)) as database:
            database.execute("UPDATE coordinator SET ended = ?", (ended,))
            database.commit()

    def is_alive(found: Coordinator, where: Path) -> bool:
        set_ended(1)  # between the look at its row and the look for its process
        return False

    monkeypatch.setattr(Coordinator, "is_alive", is_alive)
    for state_of in (lambda: stored_progress(path).status.state, lambda: read_status(path).state):
        set_ended(0)
        assert state_of() == "stopped"


def test_a_race_is_shown_with_its_survivors_and_those_eliminated(tmp_path: Path) -> None:
    algorithms = {f"c{k}": lambda p, rng: p + float(rng.normal()) for k in range(3)} | {"bad": lambda p, rng: p + 9.0}
    problems = {f"p{i}": float(i) for i in range(30)}
    path = tmp_path / "race.sqlite"
    bo.race(bo.Experiment(algorithms, problems, better="lower", seed=1), store=path, budget=60)
    page = document(stored_progress(path))
    assert page.verdict.startswith("3 of 4 candidates · ")
    for key in ("ranking", "eliminated"):
        assert table_in(page, key) is not None
    with closing(sqlite3.connect(path)) as database:
        database.execute("DELETE FROM run WHERE inst = 3")
        database.commit()
    with pytest.raises(bo.BakeoffError):
        stored_progress(path)
