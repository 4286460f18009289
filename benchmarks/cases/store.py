"""A store of 100,000 runs: resume, read, verify."""

from __future__ import annotations

import tempfile
from functools import lru_cache, partial
from pathlib import Path

import numpy as np

import bakeoff as bo
from bakeoff.wings.run.cell import Outcome, Task
from bakeoff.wings.run.executors.serial import SerialExecutor
from bakeoff.wings.run.schedulers import scheduler_for
from bakeoff.wings.run.store import open_store
from bakeoff.wings.run.store.contents import read_store
from bakeoff.wings.run.verification import verify_store
from benchmarks.model import Benchmark, Case, Run, at_most

_FOLDER = tempfile.TemporaryDirectory(prefix="bakeoff-bench-")


class _StoppedError(Exception):
    pass


class _Stopped(SerialExecutor):
    """Stops the coordinator when the first run is due."""

    def wait(self, timeout: float | None = None) -> list[Outcome]:
        raise _StoppedError


def _zero(problem: float, rng: np.random.Generator) -> float:
    return 0.0


def _experiment(n_problems: int) -> bo.Experiment:
    problems = {f"p{i}": float(i) for i in range(n_problems)}
    return bo.Experiment({"a": _zero, "b": _zero}, problems, better="lower", seed=1, runs=50)


@lru_cache(maxsize=2)
def _store(runs: int, finished: bool) -> Path:
    """``runs`` made of 100 per problem; unfinished: the last problem lacks its last run."""
    path = Path(_FOLDER.name) / f"{runs}-{finished}.sqlite"
    experiment = _experiment(runs // 100)
    store = open_store(path, experiment)
    scheduler = scheduler_for(experiment)
    rng = np.random.default_rng(1)
    for place, problem in enumerate(experiment.order):
        name = experiment.problem_names[problem]
        values = rng.normal(size=(2, 50)).tolist()
        store.decide_all([(problem, 0, scheduler.decide(name, [[], []]))])
        tasks = [Task(problem=problem, algorithm=k, repetition=i, seed=i) for k in (0, 1) for i in range(50)]
        last = place == len(experiment.order) - 1 and not finished
        made = tasks[:-1] if last else tasks
        store.commit([(Outcome(task=t, status="ok", value=values[t.algorithm][t.repetition]), 0) for t in made])
        if not last:
            store.decide_all([(problem, 1, scheduler.decide(name, values))])
    store.close()
    return path


def _resume(runs: int) -> Run:
    experiment, path = _experiment(runs // 100), _store(runs, False)

    def resume() -> None:
        try:
            bo.run(experiment, path, executor=_Stopped())
        except _StoppedError:
            return
        raise AssertionError("nothing was left to run")

    return resume


def _finished(runs: int) -> Run:
    return partial(bo.run, _experiment(runs // 100), _store(runs, True))


def _read(runs: int) -> Run:
    return partial(read_store, _store(runs, True))


def _verify(runs: int) -> Run:
    return partial(verify_store, _store(runs, True))


BENCHMARK = Benchmark(
    name="store",
    item=15,
    title="A store of 100,000 runs",
    about="1000 problems × 2 algorithms × 50 runs in one SQLite file. Resuming is the time from `bo.run` to "
    "the first new run.",
    cases=(
        Case(name="resuming, 1,000 runs", make=partial(_resume, 1_000), rounds=3, short=True),
        Case(name="resuming, 100,000 runs", make=partial(_resume, 100_000), goals=(at_most(1.0),), rounds=5),
        Case(name="`bo.run` of a finished store, 100,000 runs", make=partial(_finished, 100_000), rounds=3),
        Case(name="reading it", make=partial(_read, 100_000), rounds=3),
        Case(name="verifying it", make=partial(_verify, 100_000), rounds=3),
    ),
)
