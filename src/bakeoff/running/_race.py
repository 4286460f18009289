"""``bo.race``: find the best of many candidates early, with an error that holds while you watch."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar, cast

from bakeoff.checks import choice, did_you_mean
from bakeoff.errors import Caution, ParameterError, WrongTypeError
from bakeoff.racing import _replay as replaying
from bakeoff.racing.results import RaceResult
from bakeoff.racing.rules import RULES, options_of
from bakeoff.running._run import performed
from bakeoff.running.cautions import run_cautions
from bakeoff.running.design.experiment import Experiment
from bakeoff.running.design.race_settings import RacedExperiment, RaceSettings, race_settings, settings_in
from bakeoff.running.executors.protocol import Executor
from bakeoff.running.progress import Listener
from bakeoff.running.sequential.race_state import KeptRace, heats_in, heats_of
from bakeoff.running.store.contents import Contents, read_store, unharmed


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunRaceResult(RaceResult):
    """A race that made its own runs."""

    runs_per_cell: int  # of each candidate on each problem: what one evaluation stands for
    n_runs: int
    n_failed_runs: int  # among them; each counts as ``on_failure`` says
    n_retried: int  # failed attempts that were made again
    digest: str  # sha256 of all runs: equal for equal races, whatever made them
    contents: Contents = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Names, numbers and lists; infinite evidence is None. Without the single runs."""
        found = super(RunRaceResult, self).to_dict()
        del found["contents"]
        return found


P = ParamSpec("P")
R = TypeVar("R")


class WithReplay(Generic[P, R]):
    """A function that carries ``replay``; what type checkers see of :func:`race`."""

    replay = staticmethod(replaying.replay)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        raise NotImplementedError


def with_replay(function: Callable[P, R]) -> WithReplay[P, R]:
    """The function itself, with ``bo.race.replay`` on it."""
    function.replay = replaying.replay  # type: ignore[attr-defined]
    return cast(WithReplay[P, R], function)


@with_replay
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
    **options: Any,
) -> RunRaceResult:
    """Which of many candidates is best, when runs are dear: run them block by block, and drop those shown to be worse.

    Use it to choose among many configurations without running every one on every problem. Not to say by how much
    algorithms differ (``bo.run`` and ``bo.compare``): those that left have few runs, and the survivors were chosen by
    theirs. For a finished table use ``bo.race.replay``.

    Parameters
    ----------
    experiment : Experiment
        Its algorithms are the candidates; its problems are raced on in the order drawn from its seed. With ``runs``
        above 1 an evaluation is the mean of so many runs.
    method : str
        "e-sign" (default): a candidate that nobody beats more often than not is ever removed with probability at most
        alpha. "e-rank": the same for the best expected rank. "sequential-halving" spends ``budget`` and claims
        nothing. The field's rules ("f-race-sign", "f-race-mean-ranks", "irace", "wilcoxon", "bayes") look again and
        again without allowing for it; each carries a caution with its measured error.
    alpha : float
        The error allowed.
    budget : float, optional
        At most so many evaluations (a candidate on a problem), or so much in the unit of ``problem_costs``. No block
        beyond it is begun. The same call with a larger one goes on; sequential halving plans with it from the start.
    block : int
        Problems between two decisions. Larger blocks keep more workers busy.
    problem_costs : mapping of str to float, optional
        What one evaluation on a problem costs; 1 where not named. It changes no decision but the end by budget.
    store, executor, workers, progress
        As in ``bo.run``. A race has a store of its own: it belongs to the experiment, the method, block and options.
    options
        Of the method, as in ``bo.race.replay`` (``strict=True``, ``equivalence=0.05``); any other goes to the executor.

    Returns
    -------
    RunRaceResult
        ``.survivors`` and ``.best``; ``.eliminated`` (when, by whom, with which evidence); ``.evaluations`` against
        ``.full_evaluations`` and ``.saved``; ``.guarantee`` in words; ``.cautions``; ``.save("race.html")``.

    Raises
    ------
    ParameterError
        A method, option or budget that cannot be; an experiment with ``repetitions=`` or ``sequential=``.
    StoreError, RunFailedError, KeyboardInterrupt
        As in ``bo.run``. The same call goes on.

    Notes
    -----
    The rule sees a block when all its runs are committed, and nothing else: not the clock, not the workers, not the
    order in which runs finished. So a race that was killed and goes on, or has more workers, makes the same decisions.
    A failed run counts as ``on_failure`` says; infinitely bad ones lose against all others and tie with their like.
    Means over runs that differ by rounding alone tie; ties count for neither.

    Examples
    --------
    >>> import bakeoff as bo
    >>> def good(problem, rng):
    ...     return problem
    >>> def bad(problem, rng):
    ...     return problem + 1.0
    >>> experiment = bo.Experiment([good, bad], {f"p{i}": float(i) for i in range(20)}, better="lower", seed=1)
    >>> result = bo.race(experiment, block=1)
    >>> result.survivors, result.eliminated[0].algorithm, result.eliminated[0].n_problems
    (('good',), 'bad', 8)
    >>> round(result.eliminated[0].evidence, 1)  # 8 wins in 8: E(8)/2 + E(8)/E(1)/2 with E(8) = 33.96, E(1) = 1.305
    30.0
    >>> result.evaluations, result.full_evaluations
    (16, 40)
    """
    if not isinstance(experiment, Experiment):
        raise WrongTypeError(f"experiment must be a bo.Experiment; got {type(experiment).__name__}")
    known = options_of(choice("method", method, RULES))
    own = {name: value for name, value in options.items() if name in known}
    rest = {name: value for name, value in options.items() if name not in known}
    for name in rest:
        if hint := did_you_mean(name, known):
            raise ParameterError(f"method {method!r} has no option {name!r}{hint}")
    settings = race_settings(experiment, method, alpha, budget, block, problem_costs, own)
    raced = RacedExperiment(experiment, settings)
    names = tuple(experiment.problem_names[i] for i in experiment.order)
    heats_of(settings, experiment.algorithm_names, names, 1, experiment.better).limited(settings.limit)  # is it enough?
    return performed(raced, store, executor, workers, progress, rest, _finished, lambda opened: KeptRace(raced, opened))


def _finished(experiment: Experiment, found: Contents, more: tuple[Caution, ...]) -> RunRaceResult:
    assert isinstance(experiment, RacedExperiment)
    return race_result(found, experiment.race, more)


def kept_race(path: Path) -> RunRaceResult:
    """The race in a store, as far as it is; nothing is run."""
    found = read_store(path)
    with unharmed():
        return race_result(found, settings_in(found.spec))


def race_result(found: Contents, settings: RaceSettings, more: tuple[Caution, ...] = ()) -> RunRaceResult:
    """Made from committed runs alone: the rule is shown the blocks again."""
    heats = heats_in(found, settings)
    record = heats.record
    about_runs = tuple(c for c in run_cautions(found) if c.code != "single-runs")
    result = record.result(
        stopped=heats.stopped or "interrupted",
        available=heats.problems,
        block=settings.block,
        order=f"drawn at random with the experiment's seed {found.spec['seed']}",
        budget=settings.budget,
        n_dropped=sum(i.draw_order is None for i in found.instances),
        cautions=(*replaying.undecided(record.rule, record), *about_runs, *more),
    )
    return RunRaceResult(
        **{place.name: getattr(result, place.name) for place in fields(RaceResult)},
        runs_per_cell=heats.runs,
        n_runs=len(found.rows),
        n_failed_runs=sum(row.status != "ok" for row in found.rows),
        n_retried=found.n_attempts,
        digest=found.digest,
        contents=found,
    )
