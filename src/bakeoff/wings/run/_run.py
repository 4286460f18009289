"""``bo.run``: start or resume an experiment."""

import contextlib
import json
import os
from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar

from bakeoff.analyses import by_kind
from bakeoff.checks import flag, number
from bakeoff.dataclass import dataclass, field
from bakeoff.designed import weights_decide
from bakeoff.errors import Caution, ParameterError, StoreError, WrongTypeError
from bakeoff.processes.command_line import CommandLine
from bakeoff.processes.os_processes import catch_signals
from bakeoff.processes.score_output import SECONDS
from bakeoff.reportable import Reportable
from bakeoff.scores import Scores
from bakeoff.scores.design import Estimand
from bakeoff.scores.pair_family import decision_of_pairs
from bakeoff.wings.run.analysis.analyse import analyse, run_cautions
from bakeoff.wings.run.analysis.results import ExperimentAnalysis
from bakeoff.wings.run.design.experiment import Experiment
from bakeoff.wings.run.design.parts import ExperimentPart
from bakeoff.wings.run.design.race_settings import RacedExperiment
from bakeoff.wings.run.design.settings import statistic_name
from bakeoff.wings.run.executors import make_executor
from bakeoff.wings.run.executors.protocol import Executor
from bakeoff.wings.run.executors.serialization import hash_seed
from bakeoff.wings.run.loop import Loop
from bakeoff.wings.run.progress import Listener
from bakeoff.wings.run.schedulers import scheduler_for
from bakeoff.wings.run.sequential.interim_looks import last_look
from bakeoff.wings.run.sequential.race_state import RaceState
from bakeoff.wings.run.store import open_store
from bakeoff.wings.run.store.contents import Contents, contents, scores_of
from bakeoff.wings.run.store.lease import Lease, refuse_second
from bakeoff.wings.run.store.opening import network_caution, refuse_lost_runs, sqlite_as_store_error, store_path


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """One finished run."""

    problem: str
    algorithm: str
    repetition: int  # 0, 1, …
    score: float  # as compared; for a failed run, what it counts as
    status: str  # "ok", "failed" or "timeout"
    metrics: Mapping[str, float | str]  # if the algorithm returned several numbers
    seconds: float
    error: str
    attempt: int  # 0: the first; a retry has the same seed
    seed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PairEstimate:
    """The difference of two algorithms on one problem.

    Attributes
    ----------
    a, b : str
        The two algorithms.
    difference : float or None
        Positive: a is better; in score units, as a fraction for percent differences, or a logarithm for log-ratio.
    standard_error : float or None
        None for single runs, infinite scores, or a difference that cannot be computed.
    """

    a: str
    b: str
    difference: float | None
    standard_error: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """The estimates for one problem.

    Attributes
    ----------
    problem : str
        Its name.
    pairs : tuple of PairEstimate
        a before b in the order of algorithms; with a control, a is the control.
    n_runs : tuple of int
        Of each algorithm.
    reason, detail : str
        Why it stopped: "fixed", "accuracy", "budget", "degenerate" or "error"; of an error, one sentence.
    """

    problem: str
    pairs: tuple[PairEstimate, ...]
    n_runs: tuple[int, ...]
    reason: str
    detail: str

    @property
    def difference(self) -> float | None:
        """For two algorithms; None if several pairs are compared (see ``pairs``) or it cannot be computed."""
        return self.pairs[0].difference if len(self.pairs) == 1 else None

    @property
    def standard_error(self) -> float | None:
        """The realised one, largest over the pairs."""
        errors = [pair.standard_error for pair in self.pairs]
        known = [e for e in errors if e is not None]
        return max(known) if known and len(known) == len(errors) else None


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class RunResult(Reportable):
    """A finished experiment, from ``bo.run``: ``print`` it, ``save`` it, or read:

    Attributes
    ----------
    verdict : str
        The sentence that every report begins with.
    analysis : ExperimentAnalysis
        The test chosen before the first run: ``.pairs``, each with ``.verdict .pvalue .effect``; power and checks.
    estimates : tuple of Estimate
        One per problem, in the experiment's order: difference, its standard error, runs, why it stopped.
    scores : Scores
        Of the finished problems, for ``bo.compare``.
    runs : tuple of RunRecord
        Every run: score, status, metrics, seconds, seed, error.
    algorithms, problems, drawn : tuple of str
        Names in the experiment's order; the problems also in the order drawn, which sequential looks follow.
    n_problems, n_dropped : int
        Problems finished; problems not drawn (``n_problems=``) or not needed (sequential).
    n_runs, n_failed, n_retried, n_beyond : int
        Runs; those among them that failed and count as ``on_failure`` says; failed attempts that were repeated; runs
        beyond the stop of a sequential experiment, kept and not used.
    reasons : mapping of str to int
        Why problems stopped: "fixed", "accuracy", "budget", "degenerate" or "error", and how many.
    differences, statistic : str
        Of the estimates: "simple", "percent" or "log-ratio"; what is compared: "mean", "median", or a function's name.
    method, allocation : str
        Of standard errors: "corrected", "paper" or "bootstrap"; of runs: "fixed", "balanced", "optimal" or "pair".
    digest : str
        sha256 of all runs: equal results have equal digests, whatever the executor.
    cautions : tuple of Caution
        About the runs; those about the test are ``analysis.cautions``.
    contents : Contents
        What the store holds.
    """

    kind: ClassVar[str] = "experiment"

    algorithms: tuple[str, ...]
    problems: tuple[str, ...]
    drawn: tuple[str, ...]
    estimates: tuple[Estimate, ...]
    scores: Scores
    differences: str
    statistic: str
    method: str
    allocation: str
    n_runs: int
    n_failed: int
    n_retried: int
    n_problems: int
    n_dropped: int
    reasons: Mapping[str, int]
    digest: str
    analysis: ExperimentAnalysis
    n_beyond: int
    cautions: tuple[Caution, ...]
    contents: Contents = field(repr=False)

    @property
    def decision(self) -> str:
        """A word for scripts: "difference" (of at least one pair), "none" or "cannot tell"."""
        return decision_of_pairs(pair.verdict for pair in self.analysis.pairs)

    @property
    def runs(self) -> tuple[RunRecord, ...]:
        """Every run, by problem, algorithm and repetition."""
        names = [i.name for i in self.contents.instances]
        return tuple(
            RunRecord(
                problem=names[row.problem],
                algorithm=self.algorithms[row.algorithm],
                repetition=row.repetition,
                score=self.contents.score(row),
                status=row.status,
                metrics=json.loads(row.metrics or "{}"),
                seconds=row.seconds,
                error=row.error,
                attempt=row.attempt,
                seed=int(row.seed_hex, 16),
            )
            for row in self.contents.rows
        )

    def to_frame(self) -> Any:
        """The runs as a data frame (pandas if installed, else polars)."""
        from bakeoff.packages import make_frame
        from bakeoff.wings.run.store.exporting import columns

        return make_frame(columns(self.contents))


def estimates_of(contents: Contents, pairs: tuple[tuple[int, int], ...]) -> tuple[Estimate, ...]:
    """Estimates for the finished problems. Stored differences are b − a; these are positive where a is better."""
    sign = 1.0 if contents.spec["better"] == "lower" else -1.0
    names = contents.algorithms
    estimates = []
    for i in contents.instances:
        if not i.done:
            continue
        none = (None,) * len(pairs)
        values = zip(pairs, i.differences or none, i.standard_errors or none, strict=True)
        estimates.append(
            Estimate(
                problem=i.name,
                pairs=tuple(
                    PairEstimate(
                        a=names[a], b=names[b], difference=None if d is None else sign * d + 0.0, standard_error=e
                    )
                    for (a, b), d, e in values
                ),
                n_runs=i.counts,
                reason=i.reason,
                detail=i.detail,
            )
        )
    return tuple(estimates)


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
    part: ExperimentPart | None = None,
) -> tuple[Contents, tuple[Caution, ...]]:
    """Make the runs that are missing, of an experiment or a race; what the store then holds, and cautions on where."""
    if not isinstance(experiment, Experiment):
        raise WrongTypeError(f"must be a bo.Experiment; got {type(experiment).__name__}", parameter="experiment")
    if progress is not None and not callable(progress):
        raise WrongTypeError(f"must be a function of one argument; got {progress!r}", parameter="progress")
    if part is not None:
        part.problems(experiment)
    executor_options = dict(options)
    stop_within = executor_options.pop("stop_within", None)
    if stop_within is not None:
        stop_within = number("stop_within", stop_within, least=0.0, what="a number of seconds, or None")
    _refuse_timing_in_parallel(experiment, executor, workers)
    place = make_executor(executor, workers, **executor_options)
    refuse_second(store_path(store))
    seed = getattr(place, "hash_seed", hash_seed())
    opened = open_store(store, experiment, flag("accept_changed", accept_changed), seed, part)
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
                loop = Loop(experiment, opened, place, interruption, progress, race, lease, part)
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
    estimand = Estimand(weights="clusters" if scores.design.has_clusters else "problems")
    analysis = analyse(
        scores,
        experiment.question,
        experiment.n_problems,
        stored.looks,
        last_look(stored, statistic),
        experiment.seed,
        stored.without_success,
    )
    turned = weights_decide(scores, by_kind()["experiment"], estimand)
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
        cautions=(*([turned] if turned else []), *run_cautions(stored), *more),
        contents=stored,
    )
