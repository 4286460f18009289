"""``bo.run``: start or resume an experiment."""

import contextlib
import os
from collections import Counter
from collections.abc import Mapping
from typing import Any

from bakeoff.checks import flag, number
from bakeoff.errors import Caution, ParameterError, StoreError, WrongTypeError
from bakeoff.processes.command_line import CommandLine
from bakeoff.processes.os_processes import catch_signals
from bakeoff.processes.score_output import SECONDS
from bakeoff.wings.run.analysis.analyse import analyse
from bakeoff.wings.run.analysis.cautions import run_cautions
from bakeoff.wings.run.design.experiment import Experiment
from bakeoff.wings.run.design.race_settings import RacedExperiment
from bakeoff.wings.run.design.settings import statistic_name
from bakeoff.wings.run.executors import make_executor
from bakeoff.wings.run.executors.protocol import Executor
from bakeoff.wings.run.executors.serialization import hash_seed
from bakeoff.wings.run.loop import Loop
from bakeoff.wings.run.progress import Listener
from bakeoff.wings.run.results import RunResult, estimates_of
from bakeoff.wings.run.schedulers import scheduler_for
from bakeoff.wings.run.sequential.interim_looks import last_look
from bakeoff.wings.run.sequential.race_state import RaceState
from bakeoff.wings.run.store import open_store
from bakeoff.wings.run.store.contents import Contents, contents, scores_of
from bakeoff.wings.run.store.lease import Lease, refuse_second
from bakeoff.wings.run.store.opening import network_caution, refuse_lost_runs, sqlite_as_store_error, store_path


def run(
    experiment: Experiment,
    store: str | os.PathLike[str] | None = None,
    executor: str | Executor = "serial",
    workers: int | None = None,
    progress: Listener | None = None,
    *,
    accept_changed: bool = False,
    **options: Any,
) -> RunResult:
    """Which scores do the algorithms reach? Make every run of an experiment and keep it.

    With a store, no finished run is ever made again, however often the experiment is interrupted or killed. Not for
    scores that exist already (``bo.read_scores``).

    Parameters
    ----------
    experiment : Experiment
        What to run.
    store : path, optional
        The SQLite file of the runs; created if absent, otherwise resumed. None: runs are kept in memory only.
    executor : {"serial", "processes", "command", "dask"} or Executor, optional
        Where runs happen. The result does not depend on it.
    workers : int, optional
        How many runs at a time. The result does not depend on it.
    progress : callable, optional
        Called about ten times a second with a ``Progress``.
    accept_changed : bool
        Resume although code or problems have changed; a caution says so.
    **options
        Of the executor; and ``stop_within``, the seconds to wait for current runs after Ctrl-C or SIGTERM.

    Returns
    -------
    RunResult
        ``.analysis``: the test chosen in the experiment; ``.estimates``: each problem's difference, its realised
        standard error and why it stopped; ``.runs``; ``.scores``, for ``bo.compare``; ``.save("report.html")``.

    Raises
    ------
    StoreError
        The store belongs to another experiment, was written by a newer bakeoff, or cannot be written.
    RunFailedError
        A run failed and ``on_failure="raise"``. All other runs are kept; the next call tries this one again.
    KeyboardInterrupt
        Ctrl-C or SIGTERM, after the runs under way have finished and been kept. A second one stops at once.

    Examples
    --------
    >>> import bakeoff as bo
    >>> def walk(problem, rng):
    ...     return float(abs(rng.normal(size=problem).sum()))
    >>> algorithms = {"walk": walk, "stay": lambda problem, rng: 1.0}
    >>> experiment = bo.Experiment(algorithms, {"short": 4, "long": 100}, better="lower", seed=7, runs=20)
    >>> result = bo.run(experiment)
    >>> result.n_runs, result.estimates[1].difference < 0  # on "long" walk is worse
    (80, True)
    """
    stored, more = make_runs(experiment, store, executor, workers, progress, options, accept_changed)
    return result_of(experiment, stored, more)


def make_runs(
    experiment: Experiment,
    store: str | os.PathLike[str] | None,
    executor: str | Executor,
    workers: int | None,
    progress: Listener | None,
    options: Mapping[str, Any],
    accept_changed: bool = False,
) -> tuple[Contents, tuple[Caution, ...]]:
    """Make the runs that are missing, of an experiment or a race; what the store then holds, and cautions on where."""
    if not isinstance(experiment, Experiment):
        raise WrongTypeError(f"must be a bo.Experiment; got {type(experiment).__name__}", parameter="experiment")
    if progress is not None and not callable(progress):
        raise WrongTypeError(f"must be a function of one argument; got {progress!r}", parameter="progress")
    executor_options = dict(options)
    stop_within = executor_options.pop("stop_within", None)
    if stop_within is not None:
        stop_within = number("stop_within", stop_within, least=0.0, what="a number of seconds, or None")
    _refuse_timing_in_parallel(experiment, executor, workers)
    place = make_executor(executor, workers, **executor_options)
    refuse_second(store_path(store))
    seed = getattr(place, "hash_seed", hash_seed())
    opened = open_store(store, experiment, flag("accept_changed", accept_changed), seed)
    try:
        lease = Lease(opened)
    except BaseException:
        opened.close()
        raise
    try:
        with catch_signals(stop_within) as interruption:
            graceful = False
            try:
                experiment = opened.experiment  # a race's with its late candidates
                race = RaceState(experiment, opened) if isinstance(experiment, RacedExperiment) else None
                loop = Loop(experiment, opened, place, interruption, progress, race, lease)
                if not loop.finished:
                    interruption.at_once = True
                    place.open(experiment.work)
                    interruption.at_once = False
                loop.run()
                graceful = True
            finally:
                place.close(now=not graceful)
        with sqlite_as_store_error(opened.path):
            stored = contents(opened.connection).looked_at
            written = opened.connection.execute("SELECT count(*) FROM run").fetchone()[0]
        result = stored, (*network_caution(opened.path), *getattr(place, "cautions", ()))
    finally:
        with contextlib.suppress(StoreError):  # a full disk has been reported already
            lease.release()
        opened.close()
    refuse_lost_runs(opened.path, written)
    return result


def _refuse_timing_in_parallel(experiment: Experiment, executor: str | Executor, workers: int | None) -> None:
    """Programs that run at the same time slow each other down."""
    timed = any(isinstance(each, CommandLine) and each.score == SECONDS for each in experiment.algorithms)
    if timed and executor != "serial" and workers != 1:
        raise ParameterError(
            'must be 1 where the score of a command is "seconds": programs that run at the same time slow each other '
            f"down; got {workers!r}",
            parameter="workers",
        )


def result_of(experiment: Experiment, stored: Contents, more: tuple[Caution, ...] = ()) -> RunResult:
    """The result of an experiment, from what its store holds."""
    done = [i for i in stored.instances if i.done]
    drawn = sorted((i.draw_order, i.name) for i in done if i.draw_order is not None)
    repetitions, scheduler = experiment.repetitions, scheduler_for(experiment)
    statistic = None if repetitions is None else repetitions.statistic
    scores = scores_of(stored, statistic)
    analysis = analyse(
        scores,
        experiment.question,
        experiment.n_problems,
        stored.looks,
        last_look(stored, statistic),
        experiment.seed,
        stored.without_success,
    )
    return RunResult(
        algorithms=stored.algorithms,
        problems=tuple(i.name for i in done),
        drawn=tuple(name for _, name in drawn),
        estimates=estimates_of(stored, scheduler.pairs),
        scores=scores,
        differences=experiment.question.differences,
        statistic="mean" if repetitions is None else statistic_name(repetitions.statistic),
        method="corrected" if repetitions is None else repetitions.method_used,
        allocation=scheduler.allocation,
        n_runs=len(stored.rows),
        n_failed=sum(row.status != "ok" for row in stored.rows),
        n_retried=stored.n_attempts,
        n_problems=len(done),
        n_dropped=len(stored.instances) - len(done),
        reasons=dict(Counter(i.reason for i in done)),
        digest=stored.digest,
        analysis=analysis,
        n_beyond=stored.n_beyond,
        cautions=(*run_cautions(stored), *more),
        contents=stored,
    )
