"""``bo.race``: find the best of many candidates early, with an error that holds while you watch."""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ParamSpec, Protocol, TypeVar, cast

from bakeoff.analyses import by_kind
from bakeoff.checks import choice, did_you_mean
from bakeoff.dataclass import dataclass, field, fields, replace
from bakeoff.designed import weights_decide
from bakeoff.errors import Caution, ParameterError, WrongTypeError, listing
from bakeoff.wings.run._run import make_runs
from bakeoff.wings.run.analysis.analyse import run_cautions
from bakeoff.wings.run.design.experiment import Experiment
from bakeoff.wings.run.design.race_settings import RacedExperiment, race_settings
from bakeoff.wings.run.executors.protocol import Executor
from bakeoff.wings.run.progress import Listener
from bakeoff.wings.run.racing._replay import replay, undecided
from bakeoff.wings.run.racing.results import RaceResult, estimand_of_race
from bakeoff.wings.run.racing.rules import RULES
from bakeoff.wings.run.racing.rules.rule import options_of
from bakeoff.wings.run.schedulers.race_scheduler import RaceScheduler
from bakeoff.wings.run.schedulers.score_table import table_of
from bakeoff.wings.run.sequential.race_state import race_scheduler_of, stored_race_scheduler
from bakeoff.wings.run.store.contents import Contents, corruption_as_store_error, read_store
from bakeoff.wings.run.store.opening import store_path


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunRaceResult(RaceResult):
    """The result of a race that made its own runs."""

    runs_per_cell: int  # of each candidate on each problem: what one evaluation stands for
    n_runs: int  # runs made
    n_failed_runs: int  # among them; each counts as ``on_failure`` says
    n_retried: int  # failed attempts that were repeated
    digest: str  # sha256 of all runs: equal races have equal digests, whatever the executor
    contents: Contents = field(repr=False)


P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)
Replay = TypeVar("Replay", bound=Callable[..., RaceResult])
Replay_co = TypeVar("Replay_co", bound=Callable[..., RaceResult], covariant=True)


class RaceFunction(Protocol[P, R_co, Replay_co]):
    """The type of :func:`race`: a function with the attribute ``replay``."""

    @property
    def replay(self) -> Replay_co: ...

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co: ...


def _with_replay(replay: Replay) -> Callable[[Callable[P, R]], RaceFunction[P, R, Replay]]:
    """Decorate a function with the attribute ``replay``."""

    def decorate(function: Callable[P, R]) -> RaceFunction[P, R, Replay]:
        function.__dict__["replay"] = replay
        return cast("RaceFunction[P, R, Replay]", function)

    return decorate


@_with_replay(replay)
def race(
    experiment: Experiment,
    method: str = "e-sign",
    alpha: float = 0.05,
    budget: float | None = None,
    *,
    block: int = 5,
    problem_costs: Mapping[str, float] | None = None,
    store: str | os.PathLike[str] | None = None,
    executor: str | Executor = "serial",
    workers: int | None = None,
    progress: Listener | None = None,
    accept_changed: bool = False,
    **options: Any,
) -> RunRaceResult:
    """Which of many candidates is best, when runs are expensive? Race them block by block, eliminating the worse ones.

    Use it to choose among many configurations without running every one on every problem. Not to say by how much
    algorithms differ (``bo.run`` and ``bo.compare``): the eliminated have few runs, and the survivors were selected
    by theirs. For a finished table use ``bo.race.replay``.

    Parameters
    ----------
    experiment : Experiment
        Its algorithms are the candidates; an evaluation is the mean of its ``runs`` on a problem.
    method : str
        "e-sign" (default): the probability that a given best candidate (no other beats it more often than not) is
        ever eliminated is at most alpha, for independent problems or clusters. The others: docs/trust/racing.md.
    alpha : float
        The error probability allowed; default 0.05.
    block : int
        Problems (clusters) between two decisions; larger blocks keep more workers busy.
    budget : float, optional
        The most evaluations, or the most cost. No block that would exceed it is begun; the same call with a
        larger one resumes.
    problem_costs : mapping of str to float, optional
        Cost of an evaluation on a problem; 1 where it is not named.
    store : path, optional
        As in ``bo.run``. A store belongs to one experiment with one method, block and set of options. Algorithms
        appended to the experiment since then join the race as late candidates (e-sign only).
    executor : {"serial", "processes", "command", "dask"} or Executor, optional
        Where runs happen, as in ``bo.run``.
    workers : int, optional
        How many runs at a time.
    progress : callable, optional
        Called as the race goes on, as in ``bo.run``.
    accept_changed : bool
        Go on although the code or the machine changed since the store was begun, as in ``bo.run``.
    options
        Of the method, as in ``bo.race.replay`` (``strict=True``, ``equivalence=0.05``); others go to the executor.

    Returns
    -------
    RunRaceResult
        ``.survivors``; ``.best``, the one with the lowest mean rank; ``.eliminated`` (when, by whom, with which
        evidence); ``.evaluations`` against ``.full_evaluations``; ``.saved``; ``.guarantee`` in words; ``.cautions``.

    Raises
    ------
    ParameterError
        An invalid method, option or budget; an experiment with ``repetitions=`` or ``sequential=``.
    StoreError, RunFailedError, KeyboardInterrupt
        As in ``bo.run``. The same call resumes.

    Examples
    --------
    >>> import bakeoff as bo
    >>> algorithms = {"good": lambda problem, rng: problem, "bad": lambda problem, rng: problem + 1.0}
    >>> problems = {f"p{i}": float(i) for i in range(20)}
    >>> result = bo.race(bo.Experiment(algorithms, problems, better="lower", seed=1), block=1)
    >>> result.survivors, result.eliminated[0].n_problems, result.evaluations, result.full_evaluations
    (('good',), 7, 14, 40)
    """
    if not isinstance(experiment, Experiment):
        raise WrongTypeError(f"must be a bo.Experiment; got {type(experiment).__name__}", parameter="experiment")
    known = options_of(choice("method", method, RULES))
    own = {name: value for name, value in options.items() if name in known}
    rest = {name: value for name, value in options.items() if name not in known}
    for name in rest:
        if hint := did_you_mean(name, known):
            raise ParameterError(f"{method!r} has no option {name!r}{hint}", parameter="method")
        if others := [repr(rule) for rule in RULES if name in options_of(rule)]:
            rule = f"{method!r} has no option {name!r}; {listing(others)} {'has' if len(others) == 1 else 'have'}"
            raise ParameterError(rule, parameter="method")
    settings = race_settings(experiment, method, alpha, budget, block, problem_costs, own)
    raced = RacedExperiment(experiment, settings)
    path = store_path(store)
    if path is None or not path.exists():  # refuse a budget below one block before the store is created
        names = [experiment.problem_names[i] for i in experiment.order]
        race_scheduler_of(json.loads(raced.spec_json), names).limited(settings.budget)
    stored, more = make_runs(raced, store, executor, workers, progress, rest, accept_changed)
    return race_result(stored, stored_race_scheduler(stored, settings.budget), more)


def stored_race(path: Path) -> RunRaceResult:
    """The race in a store, as far as it has got; nothing is run."""
    stored = read_store(path)
    with corruption_as_store_error():
        return race_result(stored, stored_race_scheduler(stored))


def race_result(stored: Contents, scheduler: RaceScheduler, more: tuple[Caution, ...] = ()) -> RunRaceResult:
    """The result, once the blocks of the committed runs are replayed."""
    record = scheduler.record
    about_runs = tuple(c for c in run_cautions(stored) if c.code != "single-runs")
    result = record.result(
        stopped=scheduler.stopped or "interrupted",
        available=scheduler.problems,
        block=scheduler.block,
        order=f"drawn at random with the experiment's seed {stored.spec['seed']}",
        budget=scheduler.limit,
        n_dropped=sum(i.draw_order is None for i in stored.instances),
        cautions=(*undecided(record.rule, record), *about_runs, *more),
    )
    turned = _weights_decide(stored, result) if stored.spec.get("tasks") else None
    return RunRaceResult(
        **{place.name: getattr(result, place.name) for place in fields(RaceResult) if place.name != "cautions"},
        cautions=(*([turned] if turned else []), *result.cautions),
        runs_per_cell=scheduler.runs,
        n_runs=len(stored.rows),
        n_failed_runs=sum(row.status != "ok" for row in stored.rows),
        n_retried=stored.n_attempts,
        digest=stored.digest,
        contents=stored,
    )


def _weights_decide(stored: Contents, result: RaceResult) -> Caution | None:
    """The caution, where other weights turn the order of the survivors on the problems of the race; of a lone survivor,
    that of all candidates on the problems that all of them ran on."""
    names = result.survivors if len(result.survivors) > 1 else result.algorithms
    columns = [stored.algorithms.index(name) for name in names]
    values = stored.values()
    samples = {i.name: [values[i.position][k] for k in columns] for i in stored.instances}
    common = [name for name in result.problems if all(samples[name])]
    if not common:
        return None
    inside = (stored.spec.get(name) for name in ("clusters", "tasks"))
    clusters, tasks = (None if labels is None else [labels[name] for name in common] for labels in inside)
    rows = [samples[name] for name in common]
    scores = table_of(rows, common, names, "mean", stored.spec["better"], clusters=clusters, tasks=tasks)
    record = replace(by_kind()["race"], estimates="ranks of clusters")
    return weights_decide(scores, record, estimand_of_race(result))
