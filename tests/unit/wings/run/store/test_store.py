"""The promises of the store and the loop: nothing lost, changed or repeated, and a result that depends on nothing else.

G1 … G8 are the guarantees listed in docs/how-to/running.md; real kills are in tests/faults.
"""

from __future__ import annotations

import contextlib
import math
import os
import random
import shutil
import signal
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import BakeoffError, RunFailedError, StoreError
from bakeoff.wings.run.cell import Outcome, Task
from bakeoff.wings.run.design.work import Work
from bakeoff.wings.run.executors.perform import perform
from bakeoff.wings.run.executors.serial import SerialExecutor
from bakeoff.wings.run.loop import Loop
from bakeoff.wings.run.progress import Progress
from bakeoff.wings.run.schedulers.decision import SchedulingDecision
from bakeoff.wings.run.store import lease, open_store, writing
from bakeoff.wings.run.store.contents import StoredLook, read_store, scores_of
from bakeoff.wings.run.store.exporting import export_runs
from bakeoff.wings.run.store.lease import Coordinator
from bakeoff.wings.run.store.opening import network_file_system, refuse_lost_runs
from bakeoff.wings.run.store.writing import Store
from bakeoff.wings.run.verification import verify_store
from unprivileged import unprivileged


def quiet(problem: float, rng: np.random.Generator) -> float:
    return float(problem + rng.normal())


def loud(problem: float, rng: np.random.Generator) -> float:
    return float(problem + 3 * rng.normal())


def skewed(problem: float, rng: np.random.Generator) -> float:
    return float(problem * rng.lognormal())


PROBLEMS = {f"p{i}": 10.0 + i for i in range(6)}


def experiment(**changes: object) -> bo.Experiment:
    settings: dict[str, object] = {"better": "lower", "seed": 1, "repetitions": {"se": 0.6, "nmax": 60, "n0": 4}}
    if "runs" in changes:
        del settings["repetitions"]
    algorithms = changes.pop("algorithms", {"quiet": quiet, "loud": loud})
    problems = changes.pop("problems", PROBLEMS)
    return bo.Experiment(algorithms, problems, **{**settings, **changes})  # type: ignore[arg-type]


class ShuffledExecutor:
    """Many workers that finish in any order, some of them twice."""

    def __init__(self, workers: int, seed: int) -> None:
        self.workers = workers
        self.random = random.Random(seed)
        self.queue: list[Task] = []
        self.made: list[Task] = []

    def open(self, work: Work) -> None:
        self.work = work

    def submit(self, task: Task) -> None:
        self.queue.append(task)

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        self.random.shuffle(self.queue)
        n = self.random.randint(1, max(1, len(self.queue)))
        tasks, self.queue = self.queue[:n], self.queue[n:]
        self.made += tasks
        outcomes = [perform(self.work, task) for task in tasks]
        return outcomes + outcomes[:1]  # the first one is reported twice

    def close(self, now: bool = False) -> None:
        self.queue.clear()


@pytest.mark.slow
@pytest.mark.parametrize(("workers", "changes"), [(1, {}), (7, {}), (2, {"runs": 5}), (3, {"n_problems": 4})])
def test_g2_the_result_does_not_depend_on_who_finishes_first(workers: int, changes: dict[str, object]) -> None:
    calm = bo.run(experiment(**changes))
    wild = bo.run(experiment(**changes), executor=ShuffledExecutor(workers, seed=workers))
    assert wild.digest == calm.digest
    assert wild.estimates == calm.estimates
    assert wild.scores.values.tobytes() == calm.scores.values.tobytes()


class Dying(Exception):
    pass


class DyingExecutor(SerialExecutor):
    """The coordinator ends at the n-th result, before it is committed."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.after = after

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        self.after -= 1
        if self.after < 0:
            raise Dying
        return super().wait(timeout)


@pytest.mark.slow
@pytest.mark.parametrize("step", [2, 5, 17])
def test_g1_g3_resuming_gives_what_one_go_gives(step: int, tmp_path: Path) -> None:
    small = {"problems": {"p": 10.0, "q": 20.0}, "repetitions": {"se": 0.8, "nmax": 30, "n0": 4, "batch": 3}}
    whole = bo.run(experiment(**small))
    store = tmp_path / "runs.sqlite"
    counts, finished = [0], False
    while not finished:
        try:
            result = bo.run(experiment(**small), store, executor=DyingExecutor(step))
            finished = True
        except Dying:
            counts.append(len(read_store(store).rows))
            assert counts[-1] == counts[-2] + step  # nothing lost, nothing made twice
    assert len(counts) > 1
    assert result.digest == whole.digest
    assert verify_store(store).ok
    again = bo.run(experiment(**small), store, executor=DyingExecutor(0))  # finished: nothing is run
    assert again.digest == whole.digest


@pytest.mark.slow
def test_a_round_that_was_complete_but_not_decided_is_decided_on_resume(tmp_path: Path) -> None:
    """Killed between the last run of a round and the decision on it."""
    store = tmp_path / "runs.sqlite"
    whole = bo.run(experiment(), store)
    connection = sqlite3.connect(store)
    for (inst,) in connection.execute("SELECT DISTINCT inst FROM decision").fetchall():
        last = connection.execute("SELECT max(round) FROM decision WHERE inst = ?", (inst,)).fetchone()[0]
        connection.execute("DELETE FROM decision WHERE inst = ? AND round = ?", (inst, last))
        connection.execute("UPDATE instance SET status = 'active', reason = '' WHERE pos = ?", (inst,))
    connection.commit()
    connection.close()
    assert bo.run(experiment(), store, executor=DyingExecutor(0)).digest == whole.digest
    assert verify_store(store).ok


def test_g1_the_first_commit_wins_and_a_differing_second_is_a_conflict(tmp_path: Path) -> None:
    store = open_store(tmp_path / "runs.sqlite", experiment())
    task = Task(problem=0, algorithm=1, repetition=2, seed=99)
    one = Outcome(task=task, status="ok", value=1.5)
    (kept,) = store.commit([(one, 0)])
    assert (kept.key, kept.value) == ((0, 1, 2), 1.5)
    store.commit([(one, 0)])
    assert store.connection.execute("SELECT count(*) FROM conflict").fetchone() == (0,)
    (kept,) = store.commit([(replace(one, value=2.5), 0)])
    assert kept.value == 1.5
    assert store.connection.execute("SELECT old, new FROM conflict").fetchall() == [('["ok", 1.5]', '["ok", 2.5]')]
    assert store.find(task) == kept
    assert store.find(replace(task, repetition=3)) is None
    store.close()


def test_conflicts_are_a_caution(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    bo.run(experiment(runs=2), path)
    store = open_store(path, experiment(runs=2))
    store.commit([(Outcome(task=Task(problem=0, algorithm=0, repetition=0, seed=1), status="ok", value=-5.0), 0)])
    store.close()
    assert [c.code for c in bo.run(experiment(runs=2), path).cautions] == ["not-reproducible"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 2}, "seed is 1 in the store and 2 now"),
        ({"repetitions": {"se": 0.5, "nmax": 60, "n0": 4}}, "repetitions.se is 0.6 in the store and 0.5 now"),
        ({"better": "higher"}, 'better is "lower" in the store and "higher" now'),
        ({"problems": {**PROBLEMS, "new": 3.0}}, r"problems\[7\] is absent in the store and \"new\" now"),
        ({"algorithms": {"quiet": quiet, "skewed": skewed}}, 'name is "loud" in the store and "skewed" now'),
    ],
)
def test_g3_another_experiment_is_refused(change: dict[str, object], words: str, tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    with pytest.raises(Dying):
        bo.run(experiment(), store, executor=DyingExecutor(3))
    before = store.read_bytes()
    with pytest.raises(StoreError, match=words):
        bo.run(experiment(**change), store)
    assert store.read_bytes() == before


def test_a_store_in_which_nothing_happened_belongs_to_nobody(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    open_store(store, experiment(seed=5)).close()
    assert bo.run(experiment(runs=1), store).n_runs == 12


def test_g4_every_stop_has_a_reason() -> None:
    result = bo.run(experiment(repetitions={"se": 0.6, "nmax": 40, "n0": 4}))
    assert set(result.reasons) == {"accuracy", "budget"}
    assert sum(result.reasons.values()) == 6
    for estimate in result.estimates:
        assert estimate.standard_error is not None
        assert (estimate.standard_error <= 0.6) == (estimate.reason == "accuracy")
    assert "budget-stops" in [c.code for c in result.cautions]


@pytest.mark.slow
def test_g6_the_budget_is_never_exceeded() -> None:
    for nmax in (8, 9, 13, 40):
        result = bo.run(experiment(repetitions={"se": 1e-9, "nmax": nmax, "n0": 4}))
        assert {sum(e.n_runs) for e in result.estimates} == {nmax}


def test_equal_runs_are_called_so() -> None:
    result = bo.run(experiment(algorithms={"one": lambda p, r: p, "two": lambda p, r: p + 1}))
    assert set(result.reasons) == {"degenerate"}
    assert [c.code for c in result.cautions] == ["no-variation"]
    assert result.estimates[0].difference == 1.0  # "one" is better: lower


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("changes", "used"),
    [
        ({"runs": 4}, ("simple", "mean", "corrected", "fixed")),
        ({}, ("simple", "mean", "corrected", "optimal")),
        ({"allocation": "pair"}, ("simple", "mean", "corrected", "pair")),
        ({"balanced": True}, ("simple", "mean", "corrected", "balanced")),
        ({"differences": "percent"}, ("percent", "mean", "corrected", "pair")),
        ({"differences": "percent", "comparisons": "control"}, ("percent", "mean", "corrected", "optimal")),
        ({"statistic": "median", "resamples": 99}, ("simple", "median", "bootstrap", "optimal")),
    ],
)
def test_the_result_says_what_was_used(changes: dict[str, object], used: tuple[str, ...]) -> None:
    three = {"quiet": quiet, "loud": loud, "third": quiet}
    asked = changes if "runs" in changes else {"repetitions": {"se": 2.0, "nmax": 40, "n0": 4, **changes}}
    result = bo.run(experiment(algorithms=three, **asked))
    assert (result.differences, result.statistic, result.method, result.allocation) == used


def test_signs_follow_the_direction() -> None:
    up, down = (bo.run(experiment(better=better, runs=4)).estimates for better in ("higher", "lower"))
    assert [e.difference for e in up] == [-e.difference for e in down]  # type: ignore[operator]


@pytest.mark.slow
def test_skewed_runs_and_weak_references_are_cautions() -> None:
    asked = {"se": 0.3, "nmax": 80, "n0": 20, "differences": "percent"}
    result = bo.run(experiment(algorithms={"skewed": skewed, "quiet": quiet}, repetitions=asked, seed=4))
    assert "skew" in [c.code for c in result.cautions]
    near_zero = {"near": lambda p, r: r.normal(0.05), "quiet": quiet}
    result = bo.run(experiment(algorithms=near_zero, repetitions=asked, seed=3))
    assert {"near-zero (means)", "not-computed (difference)"} & {c.name for c in result.cautions}
    for estimate in result.estimates:
        assert (estimate.difference is None) == (estimate.reason == "error")


# --- failures


class Unreliable:
    """Fails by its random number, so the same on every attempt; or the first ``broken`` times."""

    def __init__(self, broken: int = 0) -> None:
        self.broken = broken

    def __call__(self, problem: float, rng: np.random.Generator) -> float:
        if self.broken:
            self.broken -= 1
            raise ValueError("not today")
        value = rng.normal()
        return float("nan") if value > 1 else float(problem + value)


def test_g5_raise_stops_and_keeps_the_rest(tmp_path: Path) -> None:
    def solver(broken: bool) -> object:
        def bad(problem: float, rng: np.random.Generator) -> float:
            if broken:
                raise ValueError("not today")
            return loud(problem, rng)

        return bad

    store = tmp_path / "runs.sqlite"
    broken = experiment(runs=3, algorithms={"quiet": quiet, "bad": solver(broken=True)})
    with pytest.raises(RunFailedError, match=r"run 1 of 'bad' on 'p.': .*not today.*kept"):
        bo.run(broken, store)
    assert all(row.status == "ok" for row in read_store(store).rows)
    mended = experiment(runs=3, algorithms={"quiet": quiet, "bad": solver(broken=False)})
    result = bo.run(mended, store)  # no run of 'bad' is kept, so none of the broken one is mixed with these
    assert result.n_runs == 36
    assert result.contents.changed == ()
    changed = experiment(runs=3, algorithms={"quiet": quiet, "bad": solver(broken=True)})
    with pytest.raises(
        StoreError, match=r"algorithm 'bad' \(closure variable 'broken'\)\. Undo that.*accept_changed=True"
    ):
        bo.run(changed, store)
    assert result.n_retried == 1
    assert verify_store(store).ok


def test_g5_a_penalty_counts_and_is_told() -> None:
    result = bo.run(experiment(runs=6, on_failure=99.0, algorithms={"quiet": quiet, "bad": Unreliable()}))
    failed = [run for run in result.runs if run.status == "failed"]
    assert result.n_failed == len(failed) > 0
    assert {run.score for run in failed} == {99.0}
    assert result.n_runs == 72
    assert result.cautions[0].code == "counted-as-worst"
    assert "score of 99" in result.cautions[0].text


@pytest.mark.parametrize(("better", "worst"), [("lower", np.inf), ("higher", -np.inf)])
def test_g5_worst_is_infinitely_bad(better: str, worst: float) -> None:
    result = bo.run(
        experiment(runs=6, better=better, on_failure="worst", algorithms={"quiet": quiet, "bad": Unreliable()})
    )
    assert worst in result.scores.values[:, 1]
    hit = next(e for e, row in zip(result.estimates, result.scores.values, strict=True) if row[1] == worst)
    assert (hit.difference, hit.standard_error) == (None, None)
    assert bo.sign_test(result.scores, "quiet", "bad").wins > 0


def test_g5_retries_have_the_same_seed_and_are_counted() -> None:
    seen: list[float] = []

    def shaky(problem: float, rng: np.random.Generator) -> float:
        seen.append(rng.normal())
        if len(seen) in (1, 2, 4):
            raise OSError("flaky licence server")
        return seen[-1]

    result = bo.run(experiment(runs=2, retries=2, problems={"p": 1.0}, algorithms={"shaky": shaky, "quiet": quiet}))
    assert seen[0] == seen[1] == seen[2]
    assert result.n_retried == 3
    assert [run.attempt for run in result.runs if run.algorithm == "shaky"] == [2, 1]
    assert result.n_failed == 0


def test_progress_tells_the_truth() -> None:
    pictures: list[Progress] = []
    result = bo.run(experiment(), progress=pictures.append)
    last = pictures[-1]
    assert last.finished
    assert not last.stopping
    assert (last.problems_done, last.n_problems) == (6, 6)
    assert last.runs_done == last.runs_expected == result.n_runs
    assert dict(last.reasons) == dict(result.reasons)


# --- signals


def test_the_first_interrupt_is_graceful_and_the_same_command_goes_on(tmp_path: Path) -> None:
    calls: list[int] = []

    def interrupted(problem: float, rng: np.random.Generator) -> float:
        calls.append(1)
        if len(calls) == 5:
            os.kill(os.getpid(), signal.SIGTERM)
        return quiet(problem, rng)

    store = tmp_path / "runs.sqlite"
    before = signal.getsignal(signal.SIGTERM)
    asked = experiment(runs=4, algorithms={"quiet": interrupted, "loud": loud})
    with pytest.raises(KeyboardInterrupt):
        bo.run(asked, store)
    assert signal.getsignal(signal.SIGTERM) is before
    rows = read_store(store).rows
    assert sum(row.algorithm == 0 for row in rows) == 5  # the run that was under way is kept
    assert bo.run(asked, store).digest == bo.run(experiment(runs=4)).digest


def test_the_second_interrupt_does_not_wait(tmp_path: Path) -> None:
    def impatient(problem: float, rng: np.random.Generator) -> float:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
        return 1.0

    store = tmp_path / "runs.sqlite"
    with pytest.raises(KeyboardInterrupt):
        bo.run(experiment(runs=4, algorithms={"quiet": impatient, "loud": loud}), store)
    assert len(read_store(store).rows) <= 1


# --- what a store may be


def damaged(path: Path, statement: str) -> Path:
    connection = sqlite3.connect(path)
    connection.execute(statement)
    connection.commit()
    connection.close()
    return path


def test_a_newer_store_is_refused_and_not_touched(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    bo.run(experiment(runs=1), store)
    damaged(store, "PRAGMA user_version = 99")
    before = store.read_bytes()
    for use in (lambda: bo.run(experiment(runs=1), store), lambda: read_store(store), lambda: verify_store(store)):
        with pytest.raises(StoreError, match=r"newer bakeoff.*version 99"):
            use()
    assert store.read_bytes() == before


def test_an_older_store_is_refused_and_not_touched(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    bo.run(experiment(runs=1), store)
    damaged(store, "PRAGMA user_version = 1")
    before = store.read_bytes()
    for use in (lambda: bo.run(experiment(runs=1), store), lambda: read_store(store), lambda: verify_store(store)):
        with pytest.raises(StoreError, match=r"older bakeoff \(store version 1; .*name another file to start over"):
            use()
    assert store.read_bytes() == before


def test_other_files_are_refused_and_not_touched(tmp_path: Path) -> None:
    foreign = tmp_path / "firefox.sqlite"
    damaged(foreign, "CREATE TABLE cookies (name TEXT)")
    text = tmp_path / "notes.sqlite"
    text.write_text("These are my notes.\n" * 200)
    for path, words in ((foreign, "no store of bakeoff"), (text, "no SQLite database")):
        before = path.read_bytes()
        with pytest.raises(StoreError, match=words):
            bo.run(experiment(), path)
        with pytest.raises(StoreError, match=words):
            read_store(path)
        assert path.read_bytes() == before
    with pytest.raises(StoreError, match="is a folder"):
        bo.run(experiment(), tmp_path)
    with pytest.raises(StoreError, match="does not exist"):
        bo.run(experiment(), tmp_path / "no" / "runs.sqlite")
    with pytest.raises(StoreError, match="no store"):
        read_store(tmp_path / "none.sqlite")
    (tmp_path / "zero.sqlite").touch()
    with pytest.raises(StoreError, match="empty"):
        read_store(tmp_path / "zero.sqlite")
    with pytest.raises(TypeError, match="store must be a path"):
        bo.run(experiment(), 3)  # type: ignore[arg-type]


def test_a_folder_that_cannot_be_written() -> None:
    with unprivileged() as outer:
        folder = outer / "mine"
        folder.mkdir()
        store = folder / "runs.sqlite"
        result = bo.run(experiment(runs=2), store)
        folder.chmod(0o555)
        try:
            with pytest.raises(StoreError, match="cannot be opened for writing"):
                bo.run(experiment(runs=2), folder / "other.sqlite")
            assert read_store(store).digest == result.digest  # reading needs no more than reading
        finally:
            folder.chmod(0o777)


def test_a_store_under_way_in_a_folder_that_cannot_be_written() -> None:
    """R-A, unclear: reading one beside its -wal file was said to be impossible "for writing", without what to do."""
    with unprivileged() as outer:
        folder, copy = outer / "theirs", outer / "mine"
        folder.mkdir()
        copy.mkdir()
        store = open_store(folder / "runs.sqlite", experiment(runs=2))
        for name in ("runs.sqlite", "runs.sqlite-wal"):
            shutil.copy(folder / name, copy / name)
        store.close()
        copy.chmod(0o555)
        try:
            for use in (read_store, verify_store):
                with pytest.raises(
                    StoreError, match=r"cannot be read: .*copy the store and its -wal file to a folder of"
                ):
                    use(copy / "runs.sqlite")
            mine = outer / "yours"
            shutil.copytree(copy, mine)
            mine.chmod(0o777)
            assert read_store(mine / "runs.sqlite").rows == ()
        finally:
            copy.chmod(0o777)


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    """SQLite's own limit stands for the disk's; a real one is in tests/faults."""
    path = tmp_path / "runs.sqlite"
    asked = experiment(runs=40)
    store = open_store(path, asked)
    pages = store.connection.execute("PRAGMA page_count").fetchone()[0]
    store.connection.execute(f"PRAGMA max_page_count = {pages + 1}")
    committed: list[float] = []

    def fill() -> None:
        for i in range(10_000):
            task = Task(problem=0, algorithm=0, repetition=i, seed=i)
            store.commit([(Outcome(task=task, status="ok", value=float(i)), 0)])
            committed.append(float(i))

    with pytest.raises(StoreError, match=r"disk full\?\).*every run that was committed is kept"):
        fill()
    store.close()
    assert [row.value for row in read_store(path).rows] == committed != []


def test_what_is_kept_beside_the_store_stays_small(tmp_path: Path) -> None:
    """It grew by some kilobytes with each run, to 4 MB, whatever the store took."""
    path = tmp_path / "runs.sqlite"
    store = open_store(path, experiment(runs=200))
    for i in range(200):
        store.commit([(Outcome(task=Task(problem=0, algorithm=0, repetition=i, seed=i), status="ok", value=1.0), 0)])
    assert Path(f"{path}-wal").stat().st_size < 600_000
    assert path.stat().st_size > 0
    store.close()


def test_a_write_without_room_is_tried_again_once_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = open_store(tmp_path / "runs.sqlite", experiment(runs=40))
    pages = store.connection.execute("PRAGMA page_count").fetchone()[0]
    store.connection.execute(f"PRAGMA max_page_count = {pages + 1}")
    room = list[int]()

    def make_room(store: Store) -> None:
        room.append(store.connection.execute("PRAGMA max_page_count = 10000").fetchone()[0])

    monkeypatch.setattr(Store, "write_through", make_room)
    for i in range(200):
        store.commit([(Outcome(task=Task(problem=0, algorithm=0, repetition=i, seed=i), status="ok", value=1.0), 0)])
    assert room == [10000]
    assert len(store.kept_of(0)) == 200
    store.close()


def test_paths_with_strange_names(tmp_path: Path) -> None:
    store = tmp_path / "50% of #runs?.sqlite"
    assert bo.run(experiment(runs=1), store).digest == read_store(store).digest


def test_network_file_systems_are_known_by_their_mounts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mounts = f"/dev/sda1 / ext4 rw 0 0\nserver:/home {tmp_path} nfs4 rw 0 0\n"
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: mounts)
    assert network_file_system(tmp_path / "runs.sqlite") == "nfs4"
    assert network_file_system(Path("/elsewhere/runs.sqlite")) == ""
    assert "network-file-system" in [c.code for c in bo.run(experiment(runs=1), tmp_path / "runs.sqlite").cautions]


@pytest.mark.slow
def test_two_coordinators_make_one_result(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second one that takes the first for dead starts while it is at work, and takes over what it finds."""
    monkeypatch.setattr(Coordinator, "is_alive", lambda *_: False)
    monkeypatch.setattr(lease, "RENEWED_EVERY", 1e9)
    path = str(tmp_path / "runs.sqlite")  # as a Path its content would belong to the algorithm
    inner: list[bo.running.RunResult] = []  # type: ignore[name-defined]
    calls: list[int] = []

    def nested(problem: float, rng: np.random.Generator) -> float:
        calls.append(1)
        if len(calls) == 10:
            inner.append(bo.run(experiment(algorithms={"quiet": nested, "loud": loud}), path))
        return quiet(problem, rng)

    outer = bo.run(experiment(algorithms={"quiet": nested, "loud": loud}), path)
    assert outer.digest == inner[0].digest == bo.run(experiment()).digest
    once = sum(run.algorithm == "quiet" for run in outer.runs)
    assert len(calls) == once + 1  # the tenth was under way twice; everything else was found in the store
    assert read_store(Path(path)).n_conflicts == 0


def test_a_run_that_another_coordinator_has_just_committed_is_taken_from_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, taken = Store.find, []

    def late(store: Store, task: Task) -> object:
        if not taken:
            taken.append(task.key)
            store.commit([(Outcome(task=task, status="ok", value=123.0), 0)])
        return found(store, task)

    performed: list[float] = []

    def counted(problem: float, rng: np.random.Generator) -> float:
        performed.append(problem)
        return quiet(problem, rng)

    monkeypatch.setattr(Store, "find", late)
    both = {"quiet": counted, "loud": counted}
    result = bo.run(experiment(runs=2, problems={"p": 1.0}, algorithms=both), tmp_path / "runs.sqlite")
    assert [run.score == 123.0 for run in result.runs].count(True) == 1
    assert (len(result.runs), len(performed)) == (4, 3)


def test_of_a_run_that_is_reported_twice_the_first_report_counts() -> None:
    class Stammering(SerialExecutor):
        def wait(self, timeout: float | None = None) -> list[Outcome]:
            found = super().wait(timeout)
            return [*found, *(replace(each, value=1e6, status="failed", error="again") for each in found)]

    seen: list[Progress] = []
    result = bo.run(experiment(runs=3), executor=Stammering(), progress=seen.append)
    assert [run.score for run in result.runs] == [run.score for run in bo.run(experiment(runs=3)).runs]
    assert (seen[-1].runs_done, seen[-1].failed, seen[-1].runs_here) == (36, 0, 36)


def test_the_runs_to_expect_are_those_per_finished_problem() -> None:
    """2 of 6 problems took 40 runs, 7 are under way: 20 for each of the others; before that, nmax."""
    loop = SimpleNamespace(experiment=experiment(), n_problems=6, race=None)
    assert Loop._expected(loop, 2, 47, 7) == 120.0  # type: ignore[arg-type]
    assert Loop._expected(loop, 0, 7, 7) == 360.0  # type: ignore[arg-type]
    assert Loop._expected(loop, 5, 197, 97) == 197.0  # type: ignore[arg-type]
    loop.experiment = experiment(runs=3)
    assert Loop._expected(loop, 2, 25, 8) == 36.0  # type: ignore[arg-type]
    assert Loop._expected(loop, 0, 5, 5) == 36.0  # type: ignore[arg-type]


def test_a_look_is_recorded_once_and_is_the_same_for_all() -> None:
    first = StoredLook(1, 3, 0.2, 0.01, "go on")
    with contextlib.closing(open_store(None, experiment())) as store:
        store.record_look(first)
        store.record_look(first)
        for other in (first._replace(n=4), first._replace(verdict="end")):
            with pytest.raises(StoreError, match=r"look 1 is kept as \(3, 'go on'\) and now is "):
                store.record_look(other)
        store.record_look(StoredLook(2, 5, 0.001, 0.02, "stop"))
        (kept,) = store.connection.execute("SELECT count(*) FROM look").fetchone()
        stopped = store.connection.execute("SELECT draw_order FROM instance WHERE reason = 'sequential'").fetchall()
    assert (kept, sorted(stopped)) == (2, [(5,)])


def test_the_first_result_of_an_algorithm() -> None:
    """None is kept of it, and no equal attempt was made at this run at an earlier start."""
    asked = experiment()
    task = Loop._task(SimpleNamespace(experiment=asked), (0, 0, 0))  # type: ignore[arg-type]
    failed = Outcome(task=task, status="failed", error="no number", unreadable=True)
    with contextlib.closing(open_store(None, asked)) as store:
        assert store.is_first_result(failed)
        store.note_attempt(failed)
        assert not store.is_first_result(failed)
        assert store.is_first_result(replace(failed, task=replace(task, repetition=1)))
        assert store.is_first_result(replace(failed, task=replace(task, attempt=1)))
        store.commit([(Outcome(task=replace(task, problem=2), status="ok", value=1.5, metrics={"score": 1.5}), 0)])
        assert not store.is_first_result(replace(failed, task=replace(task, attempt=1)))
        assert store.is_first_result(replace(failed, task=replace(task, algorithm=1)))


@pytest.mark.parametrize(
    ("value", "spelt"), [(None, None), (1.5, 1.5), (math.inf, "inf"), (math.nan, "nan"), (0.0, 0.0)]
)
def test_how_numbers_that_json_lacks_are_spelt(value: float | None, spelt: float | str | None) -> None:
    assert writing._spelt(value) == spelt


def test_two_coordinators_decide_the_same() -> None:
    first = SchedulingDecision(counts=(0, 0), plan=(0, 1))
    with contextlib.closing(open_store(None, experiment())) as store:
        store.decide_all([(0, 0, first)])
        store.decide_all([(0, 0, first), (1, 0, first)])
        for other in (replace(first, plan=(1, 0)), replace(first, counts=(1, 0))):
            with pytest.raises(
                StoreError, match=r"decided differently on problem 'p0' \(round 0\).*Their NumPy or proc"
            ):
                store.decide_all([(0, 0, other)])
        assert store.connection.execute("SELECT count(*) FROM decision").fetchone() == (2,)


def test_progress_is_shown_from_time_to_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two times an interval passed, counted from what was shown last."""
    shown: list[Progress] = []
    clock = iter([100.0, 100.4, 101.0, 101.6, 102.0, 102.1])
    monkeypatch.setattr("bakeoff.wings.run.loop.time.monotonic", lambda: next(clock))
    monkeypatch.setattr("bakeoff.wings.run.loop.PROGRESS_INTERVAL", 1.0)
    loop = SimpleNamespace(listener=shown.append, shown=next(clock), begun=99.0, _progress=lambda seconds: seconds)
    for _ in range(4):
        Loop._show(loop)  # type: ignore[arg-type]
    Loop._show(loop, last=True)  # type: ignore[arg-type]
    assert shown == pytest.approx([2.0, 3.0, 3.1])


def test_a_store_in_which_another_experiment_began_is_left_alone(tmp_path: Path) -> None:
    path = str(tmp_path / "runs.sqlite")

    def usurped(problem: float, rng: np.random.Generator) -> float:
        with contextlib.closing(sqlite3.connect(path)) as other, other:
            other.execute("UPDATE experiment SET spec_hash = 'another'")
        return quiet(problem, rng)

    with pytest.raises(StoreError, match="another experiment began in this store meanwhile; name another file"):
        bo.run(experiment(runs=1, problems={"p": 1.0}, algorithms={"quiet": usurped, "loud": loud}), path)


def test_a_run_is_tried_once_more_than_retries() -> None:
    calls: list[int] = []

    def third(problem: float, rng: np.random.Generator) -> float:
        calls.append(1)
        if len(calls) < 3:
            raise ArithmeticError("diverged")
        return quiet(problem, rng)

    seen: list[Progress] = []
    once = experiment(runs=1, problems={"p": 1.0}, algorithms={"third": third, "loud": loud}, retries=2)
    result = bo.run(once, progress=seen.append)
    assert len(calls) == 3
    assert [run.status for run in result.runs] == ["ok", "ok"]
    assert seen[-1].retried == result.n_retried == 2


def test_changed_code_is_refused_or_accepted_with_a_caution_and_no_rerun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "runs.sqlite"
    with pytest.raises(Dying):
        bo.run(experiment(runs=3), store, executor=DyingExecutor(5))
    with pytest.raises(StoreError, match=r"algorithm 'quiet': function is .*:quiet\" .* and .*:skewed\" now"):
        bo.run(experiment(runs=3, algorithms={"quiet": skewed, "loud": loud}), store, accept_changed=True)
    monkeypatch.setattr(quiet, "__code__", skewed.__code__)
    with pytest.raises(StoreError, match=r"algorithm 'quiet' \(function 'quiet'\)"):
        bo.run(experiment(runs=3), store)
    result = bo.run(experiment(runs=3), store, accept_changed=True)
    assert [c.name for c in result.cautions] == ["changed (code)"]
    assert result.n_runs == 36


# --- verify, export, scores


TAMPERINGS: dict[str, tuple[str, str]] = {
    "a score": ("UPDATE run SET value = value + 9 WHERE inst = 0 AND alg = 0 AND rep = 1", "p0"),
    "a run gone": ("DELETE FROM run WHERE inst = 1 AND alg = 1 AND rep = 2", "p1"),
    "a run too many": (
        "INSERT INTO run SELECT inst, alg, rep + 500, round, seed_hex, status, value, metrics, seconds, error, "
        "attempt, host, pid, started, finished FROM run WHERE inst = 2 AND alg = 0 AND rep = 0",
        "p2",
    ),
    "a seed": ("UPDATE run SET seed_hex = '00' WHERE inst = 3 AND alg = 0 AND rep = 0", "own seed"),
    "a reason": ("UPDATE instance SET reason = 'fixed' WHERE pos = 4", "p4"),
    "an estimate": ("UPDATE instance SET phi_json = '[0.0]' WHERE pos = 5", "p5"),
    "a plan": ("UPDATE decision SET plan_json = '[0]' WHERE inst = 0 AND round = 1", "p0"),
    "a decision gone": ("DELETE FROM decision WHERE inst = 1 AND round = 1", "p1"),
    "a round": ("UPDATE run SET round = 7 WHERE inst = 2 AND alg = 0 AND rep = 0", "p2"),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", TAMPERINGS)
def test_g7_verify_finds(what: str, tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    bo.run(experiment(), store)
    assert verify_store(store).ok
    statement, words = TAMPERINGS[what]
    findings = verify_store(damaged(store, statement)).findings
    assert findings
    assert any(words in finding for finding in findings), findings


def test_a_description_that_was_edited_is_refused(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    bo.run(experiment(runs=1), store)
    damaged(store, "UPDATE experiment SET spec_json = replace(spec_json, '\"seed\":1', '\"seed\":2')")
    with pytest.raises(StoreError, match="has been changed"):
        verify_store(store)


def first_quartile(sample: object) -> float:
    return float(np.sort(sample)[1])  # type: ignore[call-overload]


@pytest.mark.slow
@pytest.mark.parametrize("statistic", ["median", first_quartile])
def test_other_statistics(statistic: str | Callable[[object], float], tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    asked = experiment(repetitions={"se": 0.8, "nmax": 60, "n0": 8, "statistic": statistic, "resamples": 99})
    result = bo.run(asked, store)
    of = np.median if statistic == "median" else first_quartile
    runs = [run.score for run in result.runs if (run.problem, run.algorithm) == ("p0", "quiet")]
    assert result.scores.values[0, 0] == of(runs)
    assert result.scores.runs is None
    if statistic == "median":
        assert verify_store(store).ok
        assert scores_of(read_store(store)).values.tobytes() == result.scores.values.tobytes()
    else:
        assert verify_store(store, asked).ok
        for use in (lambda: verify_store(store), lambda: scores_of(read_store(store))):
            with pytest.raises(BakeoffError, match=r"first_quartile.*does not hold"):
                use()


@pytest.mark.slow
def test_a_statistic_that_fails_stops_its_problem_with_the_reason() -> None:
    def wrong(sample: object) -> float:
        raise ZeroDivisionError("oops")

    asked = experiment(repetitions={"se": 0.8, "nmax": 60, "n0": 8, "statistic": np.ptp, "resamples": 100})
    assert bo.run(asked).n_runs > 0
    asked = experiment(repetitions={"se": 0.8, "nmax": 60, "n0": 8, "statistic": wrong})
    with pytest.raises(ZeroDivisionError):  # the scores themselves cannot be computed
        bo.run(asked)


@pytest.mark.parametrize("name", ["runs.csv", pytest.param("runs.parquet", marks=pytest.mark.needs("pyarrow"))])
def test_export_is_what_compare_reads(name: str, tmp_path: Path) -> None:
    def several(problem: float, rng: np.random.Generator) -> dict[str, float]:
        return {"cost": float(problem + rng.normal()), "evaluations": 7.0, "run": 1.5}

    store = tmp_path / "runs.sqlite"
    asked = experiment(algorithms={"a": several, "b, =2": several}, score="cost", on_failure=50.0)
    result = bo.run(asked, store)
    assert export_runs(read_store(store), tmp_path / name) == result.n_runs
    read = bo.read_scores(tmp_path / name, "lower")
    assert read.algorithms == result.scores.algorithms
    assert read.values.tobytes() == result.scores.values.tobytes()
    export_runs(read_store(store), tmp_path / "runs.csv")
    head = (tmp_path / "runs.csv").read_text().splitlines()[0]
    assert head == "problem,algorithm,run,score,status,seconds,attempt,seed,error,cost,evaluations,metric_run"
    assert dict(result.runs[0].metrics)["evaluations"] == 7.0
    assert list(result.to_frame().columns)[:4] == ["problem", "algorithm", "run", "score"]
    with pytest.raises(BakeoffError, match="suffix"):
        export_runs(read_store(store), tmp_path / "runs.txt")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted({"runs.csv", name, "runs.sqlite"})


def test_unfinished_problems_are_left_out_and_named(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    with pytest.raises(Dying):
        bo.run(experiment(runs=3), store, executor=DyingExecutor(14))
    found = read_store(store)
    scores = scores_of(found)
    assert scores.n_problems == 2
    assert set(scores.dropped) | set(scores.problems) == set(PROBLEMS)
    assert verify_store(store).n_finished == 2
    assert verify_store(store).ok


def test_drawn_is_the_canonical_order() -> None:
    asked = experiment(runs=1, n_problems=4)
    result = bo.run(asked)
    assert result.drawn == tuple(asked.problem_names[i] for i in asked.order)
    assert sorted(result.problems) == sorted(result.drawn)
    assert result.n_dropped == 2


def test_scores_survive_the_store_to_the_last_bit(tmp_path: Path) -> None:
    values = [0.1 + 0.2, 5e-324, -0.0, 1e308, -1e-300, 3.0, 2.0**53 + 2]

    def replay(problem: float, rng: np.random.Generator) -> float:
        return problem

    asked = experiment(
        runs=1, problems=dict(zip("abcdefg", values, strict=True)), algorithms={"x": replay, "y": replay}
    )
    bo.run(asked, tmp_path / "runs.sqlite")
    stored = [row.value for row in read_store(tmp_path / "runs.sqlite").rows if row.algorithm == 0]
    assert [v.hex() for v in stored if v is not None] == [(v + 0.0).hex() for v in values]


@pytest.mark.slow
@pytest.mark.parametrize("steps", [(0,), pytest.param((2, 3), marks=pytest.mark.slow)])
def test_a_store_edited_by_anybody_is_an_error_and_never_a_crash(steps: tuple[int, ...], tmp_path: Path) -> None:
    """Any value of any column of a row replaced by something that does not belong there."""
    whole = tmp_path / "whole.sqlite"
    bo.run(experiment(repetitions={"se": 0.6, "nmax": 20, "n0": 4}, problems={"p": 1.0, "q": 2.0}), whole)
    connection = sqlite3.connect(whole)
    tables = ("experiment", "algorithm", "instance", "run", "decision")
    columns = [
        (table, row[1]) for table in tables for row in connection.execute(f"PRAGMA table_info({table})").fetchall()
    ]
    connection.close()
    path = tmp_path / "edited.sqlite"
    values = ("'nonsense'", "-3", "NULL", "1e400", "'[1,2'", "'[null]'", "x'00ff'")
    uses = (
        verify_store,
        lambda path: scores_of(read_store(path)),
        lambda path: export_runs(read_store(path), path.with_suffix(".csv")),
    )
    for i, (table, column) in enumerate(columns):
        for value in (values[(i + step) % 7] for step in steps):
            path.write_bytes(whole.read_bytes())
            connection = sqlite3.connect(path)
            connection.execute("PRAGMA ignore_check_constraints = ON")
            with contextlib.suppress(sqlite3.IntegrityError):
                connection.execute(
                    f"UPDATE {table} SET {column} = {value} WHERE {column} = (SELECT {column} FROM {table} LIMIT 1)"
                )
                connection.commit()
            connection.close()
            for use in uses:
                with contextlib.suppress(BakeoffError):
                    use(path)


@pytest.mark.parametrize(
    "changes",
    [
        {"runs": 3},
        {"repetitions": {"se": 1.0, "nmax": 16, "n0": 4}},
        {"repetitions": {"se": 1.0, "nmax": 16, "n0": 4, "differences": "percent"}},
        {"repetitions": {"se": 1.0, "nmax": 16, "n0": 4, "method": "bootstrap"}},
        {"repetitions": {"se": 1.0, "nmax": 16, "n0": 4, "statistic": "median", "differences": "percent"}},
    ],
)
def test_numbers_at_the_ends_of_the_scale(changes: dict[str, object]) -> None:
    """Neither warning nor NaN nor infinity, whatever the scores (warnings are errors here)."""
    ends = [1.7e308, -1.7e308, 5e-324, 1e-300, 1e300, 3.0]

    def high(problem: float, rng: np.random.Generator) -> float:
        return problem

    def wild(problem: float, rng: np.random.Generator) -> float:
        return float(-problem if rng.random() < 0.5 else problem / 3)

    result = bo.run(experiment(problems=dict(zip("abcdef", ends, strict=True)), algorithms=[high, wild], **changes))
    assert result.n_problems == 6
    for estimate in result.estimates:
        for pair in estimate.pairs:
            assert pair.difference is None or np.isfinite(pair.difference)
            assert pair.standard_error is None or np.isfinite(pair.standard_error)


def test_a_store_without_the_runs_its_decisions_rest_on_is_refused(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    with pytest.raises(Dying):
        bo.run(experiment(), store, executor=DyingExecutor(12))
    with pytest.raises(StoreError, match="damaged: runs are missing"):
        bo.run(experiment(), damaged(store, "DELETE FROM run WHERE rep = 0"))


@pytest.mark.slow
def test_progress_extrapolates_the_runs_of_finished_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bakeoff.wings.run.loop.PROGRESS_INTERVAL", 0.0)
    pictures: list[Progress] = []
    bo.run(experiment(), progress=pictures.append)
    under_way = [sum(sum(problem.counts) for problem in p.active) for p in pictures]
    assert {p.problems_done for p in pictures} == set(range(7))
    for p, runs in zip(pictures, under_way, strict=True):
        finished = p.runs_done - runs
        each = finished / p.problems_done if p.problems_done else 60  # nmax
        assert p.runs_expected == pytest.approx(max(p.runs_done, finished + (6 - p.problems_done) * each))


def test_a_stored_run_ends_its_seconds_after_it_began(tmp_path: Path) -> None:
    store = open_store(tmp_path / "runs.sqlite", experiment())
    task = Task(problem=0, algorithm=0, repetition=0, seed=1)
    store.commit([(Outcome(task=task, status="ok", value=1.0, seconds=2.5, started=100.0), 0)])
    assert store.connection.execute("SELECT started, seconds, finished FROM run").fetchall() == [(100.0, 2.5, 102.5)]
    store.close()


def test_what_an_error_interrupts_is_not_stored(tmp_path: Path) -> None:
    store = open_store(tmp_path / "runs.sqlite", experiment())
    insert = "INSERT INTO look VALUES (?, 5, NULL, NULL, '')"
    with pytest.raises(StoreError), store.transaction() as cursor:
        cursor.executemany(insert, [(1,), (1,)])
    with store.transaction() as cursor:
        cursor.execute(insert, (2,))
    assert store.connection.execute("SELECT k FROM look").fetchall() == [(2,)]
    store.close()


def test_a_store_that_another_program_cuts_off_is_no_success(tmp_path: Path) -> None:
    """The run ended with exit code 0 and "Stored in", and the file was no database."""
    path = tmp_path / "runs.sqlite"

    def cuts(problem: float, rng: object) -> float:
        with path.open("r+b") as file:
            file.truncate(100)
        return problem

    given = bo.Experiment(
        {"a": cuts, "b": lambda problem, rng: problem + 1.0}, {"x": 1.0, "y": 2.0}, better="lower", seed=1
    )
    with pytest.raises(StoreError, match=r"damaged|other program|no SQLite"):
        bo.run(given, path)


def test_runs_that_are_gone_from_the_file_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    bo.run(experiment(runs=2), path)
    with sqlite3.connect(path) as connection:
        [count] = connection.execute("SELECT count(*) FROM run").fetchone()
        connection.execute("DELETE FROM run WHERE rep = 0 AND alg = 0 AND inst = 0")
    connection.close()
    refuse_lost_runs(None, count)
    with pytest.raises(StoreError, match=f"holds {count - 1} of the {count} runs that were written"):
        refuse_lost_runs(path, count)
