"""``bo.run``: the whole experiment, from the first run to the last, or from where it was stopped."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from bakeoff.errors import Caution, WrongTypeError
from bakeoff.running.analysis.analyse import analysed
from bakeoff.running.cautions import run_cautions
from bakeoff.running.design.experiment import Experiment
from bakeoff.running.design.settings import statistic_name
from bakeoff.running.executors import make_executor
from bakeoff.running.executors.protocol import Executor
from bakeoff.running.interruption import listening
from bakeoff.running.loop import Loop
from bakeoff.running.progress import Listener
from bakeoff.running.results import RunResult, estimates_of
from bakeoff.running.sequential.look_state import last_look
from bakeoff.running.sequential.race_state import KeptRace
from bakeoff.running.store import Store, open_store
from bakeoff.running.store.contents import Contents, contents
from bakeoff.running.store.opening import explained, network_caution
from bakeoff.running.tables import scores_of

Result = TypeVar("Result")


def run(
    experiment: Experiment,
    store: str | os.PathLike[str] | None = None,
    executor: str | Executor = "serial",
    workers: int | None = None,
    progress: Listener | None = None,
    **options: Any,
) -> RunResult:
    """Which scores do the algorithms reach: make every run of an experiment, and keep it.

    Use it for runs that take longer than you would like to repeat: with a store, nothing that was run is ever run
    again, however often and however rudely it is stopped. Not for scores that exist already (``bo.read_scores``).

    Parameters
    ----------
    experiment : Experiment
        What to run.
    store : path, optional
        The SQLite file that keeps the runs; made if it is not there, else the experiment goes on from it. None keeps
        them in memory, for this call.
    executor : {"serial", "processes", "command", "dask"} or Executor
        Where runs happen. The result does not depend on it.
    workers : int, optional
        Runs at a time. The result does not depend on it.
    progress : callable, optional
        Called about ten times a second with a ``Progress``.
    options
        For the executor.

    Returns
    -------
    RunResult
        ``.analysis`` is the test chosen in the experiment, with effect, interval, power and checks; ``.estimates`` has
        each problem's difference with its realised standard error, runs, and the reason it stopped; ``.runs`` every
        run; ``.scores`` goes into ``bo.compare``; ``.cautions`` is about the runs, ``.analysis.cautions`` the test;
        ``.save("report.html")``.

    Raises
    ------
    StoreError
        The store is another experiment's (the message names the field that differs), of a newer bakeoff, on a full
        disk, or cannot be written.
    RunFailedError
        A run failed and ``on_failure="raise"``. All others are kept; the next call tries this one again.
    KeyboardInterrupt
        Ctrl-C or SIGTERM: what was running has ended and is kept. A second one does not wait.

    Notes
    -----
    A problem's next runs are decided when the last are all committed, from its own scores in the order of repetitions:
    never in the order of completion, which favours whatever is faster. In a simulation with run time depending on the
    difference, looking at the first 34 problems that finished, of 100 on 8 workers, rejects a true null hypothesis
    in 26 % of experiments instead of 5 %. The rule of repetitions is Algorithm 1 of Campelo & Takahashi (2019).

    Examples
    --------
    >>> import bakeoff as bo
    >>> def walk(problem, rng):
    ...     return float(abs(rng.normal(size=problem).sum()))
    >>> def stay(problem, rng):
    ...     return 1.0
    >>> experiment = bo.Experiment([walk, stay], {"short": 4, "long": 100}, better="lower", seed=7, runs=20)
    >>> result = bo.run(experiment)
    >>> result.n_runs, [e.reason for e in result.estimates]
    (80, ['fixed', 'fixed'])
    >>> result.estimates[1].difference < 0  # on "long" walk is worse
    True
    """
    return performed(experiment, store, executor, workers, progress, options, result_of)


def performed(
    experiment: Experiment,
    store: str | os.PathLike[str] | None,
    executor: str | Executor,
    workers: int | None,
    progress: Listener | None,
    options: Mapping[str, Any],
    finish: Callable[[Experiment, Contents, tuple[Caution, ...]], Result],
    race: Callable[[Store], KeptRace] | None = None,
) -> Result:
    """Make the runs that are missing; ``finish`` makes the result of what the store then holds."""
    if not isinstance(experiment, Experiment):
        raise WrongTypeError(f"experiment must be a bo.Experiment; got {type(experiment).__name__}")
    if progress is not None and not callable(progress):
        raise WrongTypeError(f"progress must be a function of one argument; got {progress!r}")
    place = make_executor(executor, workers, **options)
    opened = open_store(store, experiment)
    try:
        with listening() as interruption:
            graceful = False
            try:
                loop = Loop(experiment, opened, place, interruption, progress, None if race is None else race(opened))
                if not loop.finished:
                    place.open(experiment.work)
                loop.run()
                graceful = True
            finally:
                place.close(now=not graceful)
        with explained(opened.path):
            found = contents(opened.connection).looked_at
        return finish(experiment, found, network_caution(opened.path))
    finally:
        opened.close()


def result_of(experiment: Experiment, found: Contents, more: tuple[Caution, ...] = ()) -> RunResult:
    """The result of what a store holds."""
    done = [i for i in found.instances if i.done]
    drawn = sorted((i.draw_order, i.name) for i in done if i.draw_order is not None)
    repetitions, scheduler = experiment.repetitions, experiment.scheduler
    statistic = None if repetitions is None else repetitions.statistic
    scores = scores_of(found, statistic)
    analysis = analysed(
        scores, experiment.question, experiment.n_problems, found.looks, last_look(found, statistic), experiment.seed
    )
    return RunResult(
        algorithms=found.algorithms,
        problems=tuple(i.name for i in done),
        drawn=tuple(name for _, name in drawn),
        estimates=estimates_of(found, scheduler.pairs),
        scores=scores,
        differences=experiment.question.differences,
        statistic="mean" if repetitions is None else statistic_name(repetitions.statistic),
        method="corrected" if repetitions is None else repetitions.method_used,
        allocation=scheduler.allocation,
        n_runs=len(found.rows),
        n_failed=sum(row.status != "ok" for row in found.rows),
        n_retried=found.n_attempts,
        n_problems=len(done),
        n_dropped=len(found.instances) - len(done),
        reasons=dict(Counter(i.reason for i in done)),
        digest=found.digest,
        analysis=analysis,
        n_beyond=found.n_beyond,
        cautions=(*run_cautions(found), *more),
        contents=found,
    )
