"""kill -9 of the coordinator at random moments, again and again, until experiments are done all the same.

A thousand kills, some minutes:

    python tests/faults/coordinator_kills.py 1000
    python tests/faults/coordinator_kills.py 100 processes

After every kill each run that had been committed before is still there, unchanged to the last bit of every column; in
the end the table and every decision are those of an experiment that nobody disturbed. Coordinators are forked from a
process that has loaded everything, so that a kill costs milliseconds and can hit the first ones too.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import bakeoff as bo
from bakeoff.wings.run.verification import verify_store

Rows = dict[tuple[int, int, int], tuple[Any, ...]]


def steady(problem: float, rng: np.random.Generator) -> float:
    return float(problem + rng.normal())


def spread(problem: float, rng: np.random.Generator) -> float:
    return float(problem + 0.3 + 2.0 * rng.normal())


def fragile(problem: float, rng: np.random.Generator) -> float:
    if rng.random() < 0.1:
        raise ArithmeticError("diverged")
    return float(problem + rng.normal())


def experiment(seed: int, n_problems: int = 12) -> bo.Experiment:
    """Adaptive, in batches, with failures that count as a penalty: everything that a store has to remember."""
    return bo.Experiment(
        {"steady": steady, "spread": spread, "fragile": fragile},
        {f"problem {i}": float(i) for i in range(n_problems)},
        better="lower",
        seed=seed,
        repetitions={"se": 0.5, "nmax": 60, "n0": 5, "batch": 4},
        on_failure=10.0,
    )


def rows_of(store: Path) -> Rows:
    """Every committed run, read from a copy: looking must not mend anything."""
    with tempfile.TemporaryDirectory() as folder:
        for file in store.parent.glob(f"{store.name}*"):
            shutil.copy(file, folder)
        connection = sqlite3.connect(Path(folder) / store.name)
        try:
            return {row[:3]: row for row in connection.execute("SELECT * FROM run")}
        except sqlite3.OperationalError as error:
            if "no such table" not in str(error):  # killed before the tables were made
                raise
            return {}
        finally:
            connection.close()


def table_of(store: Path) -> tuple[object, ...]:
    """What must be byte-identical: keys, rounds, seeds, scores; decisions; how each problem ended."""
    connection = sqlite3.connect(store)
    try:
        return tuple(
            connection.execute(query).fetchall()
            for query in (
                "SELECT inst, alg, rep, round, seed_hex, status, hex(value), error FROM run",
                "SELECT * FROM decision",
                "SELECT * FROM instance",
                "SELECT * FROM conflict",
            )
        )
    finally:
        connection.close()


def in_a_fork(work: Callable[[], object]) -> int:
    """The process that does it; it ends with code 0, or with 1 and a traceback."""
    pid = os.fork()
    if not pid:
        try:
            os.setsid()
            work()
            os._exit(0)
        except BaseException:
            import traceback

            traceback.print_exc()
        finally:
            os._exit(1)
    return pid


class Kills:
    """Kills until there were enough, and what they came to."""

    def __init__(self, wanted: int, executor: str, folder: Path, seed: int = 0) -> None:
        self.wanted, self.executor, self.folder = wanted, executor, folder
        self.chance = random.Random(seed)
        self.killed = self.experiments = self.with_progress = 0
        self.patience = 0.05 if executor == "serial" else 1.0

    def run(self) -> None:
        while self.killed < self.wanted:
            self.experiments += 1
            self.one_experiment(seed=self.experiments)

    def one_experiment(self, seed: int) -> None:
        undisturbed, store = (self.folder / f"{seed}-{kind}.sqlite" for kind in ("calm", "killed"))
        calm = bo.run(experiment(seed), store=undisturbed)
        workers = None if self.executor == "serial" else 2
        before: Rows = {}
        while True:
            pid = in_a_fork(lambda: bo.run(experiment(seed), store=store, executor=self.executor, workers=workers))
            status = self.killed_or_done(pid)
            now = rows_of(store)
            lost = [key for key, row in before.items() if now.get(key) != row]
            assert not lost, f"lost or changed: {lost}"
            if status == 0:
                self.patience *= 0.6
                break
            assert os.WIFSIGNALED(status), "the coordinator failed by itself"
            self.killed += 1
            self.with_progress += len(now) > len(before)
            # neither always before the first run nor always after the last
            self.patience *= 0.9 if len(now) > len(before) else 1.3
            before = now
        assert table_of(store) == table_of(undisturbed)
        again = bo.run(experiment(seed), store=store)
        assert again.digest == calm.digest
        assert again.scores.values.tobytes() == calm.scores.values.tobytes()
        assert verify_store(store).ok

    def killed_or_done(self, pid: int) -> int:
        """The wait status of a coordinator that is killed at a random moment, or is done before."""
        until = time.monotonic() + self.chance.uniform(0, self.patience)
        if self.killed >= self.wanted:
            until += 600.0
        while time.monotonic() < until:
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                return status
            time.sleep(0.001)
        os.killpg(pid, signal.SIGKILL) if _leads(pid) else os.kill(pid, signal.SIGKILL)
        return os.waitpid(pid, 0)[1]


def _leads(pid: int) -> bool:
    try:
        return os.getpgid(pid) == pid
    except ProcessLookupError:
        return False


def main() -> None:
    wanted, executor = int(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "serial"
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        kills = Kills(wanted, executor, Path(folder))
        kills.run()
    print(
        f"{kills.killed} kills, {kills.with_progress} after new runs had been committed, in {kills.experiments} "
        f"experiments, {time.monotonic() - start:.1f} s: nothing lost, nothing changed"
    )


if __name__ == "__main__":
    main()
