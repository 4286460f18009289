"""What happens to a store when coordinators and workers are killed, and when the disk is full.

After each: no committed run lost or changed, and the finished table byte-identical to an undisturbed one.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

import bakeoff as bo
from bakeoff.errors import StoreError
from bakeoff.wings.run.cell import Outcome
from bakeoff.wings.run.executors.processes import ProcessExecutor
from faults import corruptions
from faults.coordinator_kills import Kills, experiment, in_a_fork, rows_of, table_of
from faults.survival import children_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks coordinators, and finds workers in /proc")

SCRIPT = Path(__file__).with_name("coordinator_kills.py")


def kills(*arguments: object) -> str:
    """In a process of its own, which is forked from: this one has threads and captures."""
    done = subprocess.run([sys.executable, SCRIPT, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_coordinator_is_killed_a_few_times() -> None:
    assert kills(12).startswith("12 kills")


@pytest.mark.slow
def test_stores_damaged_at_random_are_never_used_wrongly() -> None:
    assert corruptions.main(24, seed=1).endswith("none used wrongly")


@pytest.mark.exhaustive
def test_many_stores_damaged_at_random_are_never_used_wrongly() -> None:
    assert corruptions.main(300, seed=2).endswith("none used wrongly")


@pytest.mark.exhaustive
def test_the_coordinator_is_killed_a_hundred_times() -> None:
    assert "nothing lost, nothing changed" in kills(100)


@pytest.mark.slow
def test_the_coordinator_of_worker_processes_is_killed() -> None:
    assert "nothing lost, nothing changed" in kills(6, "processes")


@pytest.mark.exhaustive
def test_random_signals_into_the_tree_of_processes() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "faults.random_signals", "15"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert "nothing lost, nothing changed, nothing left alive" in done.stdout


@pytest.mark.slow
def test_many_workers_as_one() -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "faults.many_workers", "40", "2000"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The store of an experiment that nobody disturbed."""
    store = tmp_path_factory.mktemp("calm") / "runs.sqlite"
    bo.run(experiment(1), store=store)
    return store


class Watched(ProcessExecutor):
    """Kills the supervisor or its oldest worker when so many outcomes have come, however fast they come."""

    def __init__(self, workers: int, when: dict[int, str]) -> None:
        super().__init__(workers)
        self.when, self.seen, self.killed = dict(when), 0, list[int]()

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        ended = super().wait(timeout)
        self.seen += len(ended)
        if self.when and self.seen >= min(self.when):
            assert self._supervisor is not None
            pid = self._supervisor._process.pid
            whom = self.when.pop(min(self.when))
            self.killed.append(pid if whom == "supervisor" else min(children_of(pid)))
            os.kill(self.killed[-1], signal.SIGKILL)
        return ended


@pytest.mark.slow
def test_workers_are_killed_while_the_experiment_runs(calm: Path, tmp_path: Path) -> None:
    """Two of them, some outcomes apart: a run that is killed twice is recorded as failed."""
    executor = Watched(2, {20: "worker", 150: "worker"})
    result = bo.run(experiment(1), store=tmp_path / "runs.sqlite", executor=executor)
    assert len(executor.killed) == 2
    assert result.n_runs == len(rows_of(calm))
    assert table_of(tmp_path / "runs.sqlite") == table_of(calm)


@pytest.mark.slow
def test_the_supervisor_is_killed_while_the_experiment_runs(calm: Path, tmp_path: Path) -> None:
    executor, store = Watched(2, {20: "supervisor", 150: "supervisor"}), tmp_path / "runs.sqlite"
    for _ in range(10):
        with suppress(bo.BakeoffError):
            bo.run(experiment(1), store=store, executor=executor)
            break
    assert len(executor.killed) == 2
    assert table_of(store) == table_of(calm)


COORDINATOR = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, {tests!r})
import bakeoff as bo
from bakeoff.wings.run.executors.serial import SerialExecutor
from faults.coordinator_kills import experiment, rows_of

class Stops(SerialExecutor):
    def wait(self, timeout=None):
        if len(rows_of(Path({store!r}))) >= 20:
            os.kill(os.getpid(), signal.SIGSTOP)
        return super().wait(timeout)

bo.run(experiment(1), store={store!r}, executor=Stops() if sys.argv[1] == "stops" else sys.argv[1])
"""


@pytest.mark.slow
def test_two_coordinators_on_one_store_and_one_is_killed(calm: Path, tmp_path: Path) -> None:
    """The second is refused while the first is at work, and goes on at once where it was killed."""
    store = tmp_path / "runs.sqlite"
    code = COORDINATOR.format(tests=str(SCRIPT.parents[1]), store=str(store))
    first = subprocess.Popen([sys.executable, "-c", code, "stops"])
    assert os.WIFSTOPPED(os.waitpid(first.pid, os.WUNTRACED)[1])
    second = subprocess.run([sys.executable, "-c", code, "processes"], capture_output=True, text=True)
    assert f"another coordinator (process {first.pid}" in second.stderr
    before = rows_of(store)
    assert len(before) >= 20
    first.kill()
    first.wait()
    assert subprocess.run([sys.executable, "-c", code, "processes"]).returncode == 0
    after = rows_of(store)
    assert {key: after[key] for key in before} == before
    assert table_of(store) == table_of(calm)


# --- no room


@contextmanager
def small_disk(kilobytes: int) -> Iterator[Path]:
    """A file system of its own, where that is allowed."""
    with tempfile.TemporaryDirectory() as folder:
        size = f"size={kilobytes}k"
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", size, "tmpfs", folder], capture_output=True)
        if mounted.returncode:
            pytest.skip(f"no right to mount a file system: {mounted.stderr.decode().strip()}")
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", folder], check=True)


@pytest.mark.slow
def test_a_full_disk(calm: Path) -> None:
    with small_disk(160) as disk:
        store = disk / "runs.sqlite"
        with pytest.raises(StoreError, match=r"disk is full|disk I/O error"):
            bo.run(experiment(1), store=store)
        before = rows_of(store)
        with pytest.raises(StoreError, match=r"disk is full|disk I/O error"):
            bo.run(experiment(1), store=store)
        assert {key: rows_of(store).get(key) for key in before} == before
        subprocess.run(["mount", "-o", "remount,size=8m", str(disk)], check=True)
        bo.run(experiment(1), store=store)
        after = rows_of(store)
        assert {key: after[key] for key in before} == before
        assert table_of(store) == table_of(calm)


@pytest.mark.slow
def test_a_limit_on_the_size_of_files(calm: Path, tmp_path: Path) -> None:
    """The same where no file system can be mounted: writing beyond the limit fails as on a full disk."""
    store = tmp_path / "runs.sqlite"

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
        with suppress(StoreError):
            bo.run(experiment(1), store=store)
            os._exit(3)

    assert os.waitstatus_to_exitcode(os.waitpid(in_a_fork(limited), 0)[1]) == 0
    before = rows_of(store)
    assert before
    bo.run(experiment(1), store=store)
    after = rows_of(store)
    assert {key: after[key] for key in before} == before
    assert table_of(store) == table_of(calm)


def drawn(problem: Any, rng: Any) -> float:
    return float(rng.normal())


def short_runs() -> bo.Experiment:
    return bo.Experiment({"a": drawn, "b": drawn}, {f"p{i}": i for i in range(200)}, better="lower", seed=1, runs=2)


@pytest.mark.slow
@pytest.mark.parametrize("kilobytes", [2000, 400])
def test_a_store_fits_into_twice_its_size(kilobytes: int) -> None:
    """800 runs, whose store takes 205 kB: with 2 MB they stopped after 193 runs, with 400 kB after 64, for ever."""
    asked = short_runs()
    with small_disk(kilobytes) as disk:
        assert bo.run(asked, store=disk / "runs.sqlite").n_runs == 800
    with small_disk(280) as disk:
        store = disk / "runs.sqlite"
        with pytest.raises(StoreError, match="disk is full"):
            bo.run(asked, store=store)
        assert len(rows_of(store)) > 400
        assert store.stat().st_size > 0.5 * 280_000


@pytest.mark.slow
def test_where_a_file_may_not_grow_its_place_is_used_again(tmp_path: Path) -> None:
    store = tmp_path / "runs.sqlite"
    asked = short_runs()

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (220_000, resource.RLIM_INFINITY))
        bo.run(asked, store=store)

    assert os.waitstatus_to_exitcode(os.waitpid(in_a_fork(limited), 0)[1]) == 0
    assert len(rows_of(store)) == 800


def test_kills_are_counted(tmp_path: Path) -> None:
    assert Kills(0, "serial", tmp_path).killed == 0
