"""A thousand workers at once: runs of microseconds, which keep both directions of the connection full.

    PYTHONPATH=tests python -m faults.many_workers 1000 10000

Every run arrives once, with the score that a single worker gives; afterwards no process is left. A minute or two.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

import bakeoff as bo
from faults.coordinator_kills import steady, table_of
from faults.survival import children_of


def experiment(n_runs: int) -> bo.Experiment:
    return bo.Experiment(
        {"a": steady, "b": steady}, {str(i): float(i) for i in range(10)}, better="lower", seed=1, runs=n_runs // 20
    )


def same_as_one_worker(workers: int, n_runs: int, folder: Path) -> None:
    one, many = folder / "one.sqlite", folder / "many.sqlite"
    bo.run(experiment(n_runs), store=one, executor="processes", workers=1)
    before = children_of(os.getpid())
    bo.run(experiment(n_runs), store=many, executor="processes", workers=workers)
    assert table_of(many) == table_of(one)
    assert children_of(os.getpid()) == before


def main() -> None:
    workers, n_runs = int(sys.argv[1]), int(sys.argv[2])
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        same_as_one_worker(workers, n_runs, Path(folder))
    print(f"{n_runs} runs by {workers} workers as by one, {time.monotonic() - start:.1f} s")


if __name__ == "__main__":
    main()
