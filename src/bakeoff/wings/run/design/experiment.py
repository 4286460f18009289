"""An experiment: which algorithms on which problems, how many runs, from which seed, and into which score files."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, Unpack

from bakeoff.checks import choice, integer, number, positive
from bakeoff.dataclass import dataclass, fields
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.processes.command_line import CommandLine, as_argument
from bakeoff.processes.placeholders import asked_places, fill_placeholders
from bakeoff.scores import Better
from bakeoff.wings.run.design.draw_order import Given, drawn_order, given_labels
from bakeoff.wings.run.design.naming import named_algorithms, named_problems, unfit_name
from bakeoff.wings.run.design.settings import (
    MOST_REPETITIONS,
    Question,
    QuestionSettings,
    Repetitions,
    as_repetitions,
    check_against,
    planned_problems,
    question_of,
)
from bakeoff.wings.run.design.specification import canonical, described, digest
from bakeoff.wings.run.design.work import Work

# Whether every run of an experiment has a score file of its own: runs at the same time would read each other's.


Run = tuple[str, str, int]  # algorithm, problem, repetition

MOST_NAMES = 200_000  # names compared one by one; beyond that, the repetition is taken to be legible in the name
_OWN = frozenset({"output", "seed"})  # another one for every run, whatever else the name holds
_ADVICE = (
    "Runs at the same time would read each other's. Use {output} or {seed} in its name, or fresh_folder=True; or "
    "{problem}, {algorithm} and {run} together"
)


def refuse_shared_score_files(algorithms: Mapping[str, Any], problems: Mapping[str, Any], each: int) -> None:
    """Refuse an experiment in which two runs would read their score from the same file.

    ``each``: the most runs of an algorithm on a problem.
    """
    shared: dict[str, Run] = {}
    listed = each if len(algorithms) * len(problems) * each <= MOST_NAMES else 1
    for algorithm, command in algorithms.items():
        if not isinstance(command, CommandLine) or command.fresh_folder or not command.reader.path:
            continue
        places = asked_places(command.reader.path)
        if places & _OWN:
            continue
        if each != 1 and "run" not in places:
            raise ParameterError(
                f"algorithm {algorithm!r} writes the scores of all its runs on a problem to one file, "
                f"{command.reader.path!r}. {_ADVICE}"
            )
        for run, file in _files(algorithm, command, problems, listed):
            other = shared.setdefault(file, run)
            if other != run:
                raise ParameterError(
                    f"the score file {file!r} is that of {_run_text(other)} and of {_run_text(run)}. {_ADVICE}"
                )


def _files(algorithm: str, command: CommandLine, problems: Mapping[str, Any], each: int) -> Iterator[tuple[Run, str]]:
    """Each run of an algorithm, and its score file."""
    for name, problem in problems.items():
        values = {"problem": name, "algorithm": algorithm, "instance": as_argument(problem) or "", "budget": ""}
        for repetition in range(each):
            path = fill_placeholders(command.reader.path, values | {"run": str(repetition)})
            yield (algorithm, name, repetition), os.path.normpath(os.path.join(command.folder, path))


def _run_text(run: Run) -> str:
    return f"run {run[2] + 1} of {run[0]!r} on {run[1]!r}"


OnFailure = Literal["raise", "worst"] | float
LARGEST_SEED = 2**64 - 1


@dataclass(frozen=True, slots=True, init=False, eq=False, repr=False)
class Experiment:
    """Which algorithms, on which problems, how often, from which seed?

    Use it to have bakeoff make the runs: ``bo.run(experiment, store="runs.sqlite")`` performs them here, in processes
    or on a cluster, keeps each one, and resumes after any stop. If the scores exist already, use ``bo.read_scores``.

    Parameters
    ----------
    algorithms : mapping of str to callable or CommandLine, or list of callables
        Functions ``f(problem, rng) -> float`` (or a dict of metrics), ``rng`` a ``numpy.random.Generator``; foreign
        programs as ``bo.CommandLine`` or a command template. A list is named by the functions' ``__name__``.
    problems : mapping of str to object, list, or str
        Whatever the functions take, or a pattern of files, ``"instances/*.cnf"``. Names must be unique.
    better : {"lower", "higher"}
        Which scores are good: required.
    seed : int
        Required. Each run's seed is derived from it, the algorithm, the problem and the repetition.
    runs : int
        Runs of every algorithm on every problem; default 1.
    repetitions : Repetitions or mapping, optional
        Instead of ``runs``: as many as a target standard error takes.
    score : str, optional
        The metric compared where functions return a dict.
    timeout : float, optional
        Seconds that a run may take.
    memory : int, optional
        Bytes that a run may use.
    budget : float, optional
        What ``{budget}`` in a command stands for.
    on_failure : "raise", "worst" or float
        What a failed run counts as. "raise" stops the experiment; "worst" is infinitely bad, which tests on
        ranks accept; not together with ``repetitions``.
    retries : int
        How often a failed run is repeated with the same seed; default 0.
    n_problems : int or "plan", optional
        Use only so many problems, drawn from the seed; "plan": as many as the power needs.
    folder : path, optional
        Where a pattern of files starts; default: the current folder.
    clusters : mapping of str to str, sequence or str, optional
        The cluster of each problem: by name, in order, or a pattern whose group is found in its name
        (docs/how-to/running.md).
    tasks : mapping of str to str, sequence or str, optional
        The task (benchmark suite) of each problem, in the same forms.
    test : str, optional
        The test of the problems' differences, fixed before the first run.
    alternative : {"two-sided", "greater", "less"}, optional
        "greater": the control, or the first algorithm, is better.
    alpha : float, optional
        Level of the test.
    differences : {"simple", "percent", "log-ratio"}, optional
        Of scores, relative to the first algorithm or the control, or of mean logarithms (skewed scores above 0).
    control : str, optional
        Compare it with each other algorithm; else all pairs.
    null_value : float, optional
        The effect under the null hypothesis, positive (log-ratio: above 1) where the control, or the first algorithm,
        is better. In score units, a fraction (percent: 0.05 is 5 %), or a ratio. Default: neither is better.
    effect_size : float, optional
        The smallest effect worth finding, from the null value on, in standard deviations of the differences.
    power : float, optional
        Probability of finding it.
    sequential : {"group", "anytime"}, optional
        The experiment may stop early, at planned looks or at any look.

    Raises
    ------
    ParameterError, WrongTypeError
        Invalid settings, found before any run: repeated names, functions with other parameters, missing files.

    Examples
    --------
    >>> import bakeoff as bo
    >>> def steady(problem, rng):
    ...     return problem + rng.normal()
    >>> algorithms = {"steady": steady, "lucky": lambda problem, rng: problem + rng.exponential()}
    >>> bo.Experiment(algorithms, {"easy": 1.0, "hard": 3.0}, better="lower", seed=1, runs=5)
    Experiment(2 algorithms × 2 problems, 5 runs each, better='lower', seed=1)
    """

    algorithms: tuple[Any, ...]
    algorithm_names: tuple[str, ...]
    problems: tuple[Any, ...]
    problem_names: tuple[str, ...]
    better: Better
    seed: int
    runs: int | None
    repetitions: Repetitions | None
    score: str | None
    timeout: float | None
    memory: int | None
    budget: float | None
    on_failure: OnFailure
    retries: int
    n_problems: int
    question: Question
    folder: Path | None  # of the TOML file; paths are relative to it
    clusters: tuple[str, ...] | None  # one label per problem
    tasks: tuple[str, ...] | None  # one label per problem

    def __init__(
        self,
        algorithms: Any,
        problems: Any,
        *,
        better: Better,
        seed: int,
        runs: int | None = None,
        repetitions: Repetitions | Mapping[str, Any] | None = None,
        score: str | None = None,
        timeout: float | None = None,
        memory: int | None = None,
        budget: float | None = None,
        on_failure: OnFailure = "raise",
        retries: int = 0,
        n_problems: int | Literal["plan"] | None = None,
        folder: str | os.PathLike[str] | None = None,
        clusters: Given = None,
        tasks: Given = None,
        **question: Unpack[QuestionSettings],
    ) -> None:
        choice("better", better, ("lower", "higher"))
        base = None if folder is None else Path(folder)
        solvers, cases = named_algorithms(algorithms), named_problems(problems, base)
        fixed, adaptive = fixed_or_adaptive(runs, repetitions, tuple(solvers))
        its_question = question_of(question, adaptive, tuple(solvers), infinite=on_failure == "worst")
        policy = policy_of(on_failure, adaptive)
        if its_question.kind.logs and isinstance(policy, float) and policy <= 0:
            raise ParameterError(
                f"must be above 0 with differences='log-ratio', or \"raise\"; got {policy:g}", parameter="on_failure"
            )
        if score is not None and not isinstance(score, str):
            raise WrongTypeError(f"must be the name of a metric; got {score!r}", parameter="score")
        if score is not None and (fault := unfit_name(score)):
            raise ParameterError(f": {fault}", parameter="score")
        labels = given_labels("clusters", clusters, tuple(cases))
        if labels is not None:
            _check_clustered(its_question, n_problems)
        self._put(
            algorithms=tuple(solvers.values()),
            algorithm_names=tuple(solvers),
            problems=tuple(cases.values()),
            problem_names=tuple(cases),
            better=better,
            seed=integer("seed", seed, 0, LARGEST_SEED),
            runs=fixed,
            repetitions=adaptive,
            score=score,
            timeout=None if timeout is None else positive("timeout", timeout, "a number of seconds larger than 0"),
            memory=None if memory is None else integer("memory", memory, 1 << 20, 1 << 60),
            budget=None if budget is None else number("budget", budget) + 0.0,
            on_failure=policy,
            retries=integer("retries", retries, 0, 1000),
            n_problems=problems_used(n_problems, its_question, len(solvers), len(cases)),
            question=its_question,
            folder=base,
            clusters=labels,
            tasks=given_labels("tasks", tasks, tuple(cases)),
        )
        refuse_shared_score_files(solvers, cases, (fixed or 1) if adaptive is None else adaptive.nmax)

    def _put(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @classmethod
    def from_toml(cls, path: str | os.PathLike[str]) -> Experiment:
        """The experiment described by a TOML file; docs/how-to/running.md lists the settings."""
        from bakeoff.wings.run.design.toml import experiment_in

        return experiment_in(Path(path))

    @property
    def order(self) -> tuple[int, ...]:
        """The problems used, by number, in the order in which they are drawn."""
        return tuple(drawn_order(self.seed, self.problem_names, self.cluster_of)[: self.n_problems])

    @property
    def cluster_of(self) -> dict[str, str] | None:
        """The cluster of each problem, by name."""
        return None if self.clusters is None else dict(zip(self.problem_names, self.clusters, strict=True))

    @property
    def penalty(self) -> float | None:
        """The score that a failed run counts as; None: the experiment stops."""
        return penalty_of(self.on_failure, self.better)

    @property
    def spec_json(self) -> str:
        """The experiment as canonical JSON: functions by name, problems by name and plain value."""
        return canonical(self._described())

    def _described(self) -> dict[str, Any]:
        return described(self)

    @property
    def spec_hash(self) -> str:
        """sha256 of :attr:`spec_json`: a store belongs to one."""
        return digest(self.spec_json)

    @property
    def work(self) -> Work:
        """Everything an executor needs to perform runs."""
        return Work(**{field.name: getattr(self, field.name) for field in fields(Work)})

    def __repr__(self) -> str:
        if self.repetitions is None:
            runs = f"{self.runs} {'run' if self.runs == 1 else 'runs'} each"
        else:
            runs = f"runs until se ≤ {self.repetitions.se:g}, at most {self.repetitions.nmax} per problem"
        shown = (
            f"{self.n_problems} of {len(self.problems)}" if self.n_problems < len(self.problems) else self.n_problems
        )
        return (
            f"Experiment({len(self.algorithms)} algorithms × {shown} problems, {runs}, better={self.better!r}, "
            f"seed={self.seed})"
        )


def _check_clustered(question: Question, n_problems: object) -> None:
    if question.sequential is not None:
        raise ParameterError(
            f"sequential={question.sequential!r}: looks at single problems are not possible where problems are in "
            "clusters; leave sequential out, or race (bo.race)"
        )
    if n_problems is not None:
        raise ParameterError(
            "would draw single problems, and these are in clusters; leave it out, and name the problems of the "
            "clusters that are wanted",
            parameter="n_problems",
        )


def penalty_of(on_failure: OnFailure, better: str) -> float | None:
    if on_failure == "raise":
        return None
    if on_failure == "worst":
        return math.inf if better == "lower" else -math.inf
    return float(on_failure)


def problems_used(n_problems: object, question: Question, n_algorithms: int, there: int) -> int:
    if n_problems is None:
        return there
    if n_problems != "plan":
        return integer("n_problems", n_problems, 1, there)
    needed = planned_problems(question, n_algorithms)
    if needed > there:
        raise ParameterError(
            f"n_problems='plan': to find an effect of d={question.effect_size:g} with power {question.power:g} takes "
            f"{needed} problems, and there are {there}; add problems, look for a larger effect_size, or leave "
            "n_problems out to use those there are"
        )
    return needed


def fixed_or_adaptive(
    runs: object, repetitions: object, algorithms: tuple[str, ...]
) -> tuple[int | None, Repetitions | None]:
    if runs is not None and repetitions is not None:
        raise ParameterError(
            "give either runs= (the same number everywhere) or repetitions= (as many as a standard error takes); got "
            "both"
        )
    if repetitions is None:
        return integer("runs", 1 if runs is None else runs, 1, MOST_REPETITIONS), None
    adaptive = as_repetitions(repetitions)
    check_against(adaptive, algorithms)
    return None, adaptive


def policy_of(on_failure: object, adaptive: Repetitions | None) -> OnFailure:
    if on_failure == "raise":
        return "raise"
    if on_failure == "worst":
        if adaptive is not None:
            raise ParameterError(
                "on_failure='worst' gives infinite scores, which have no standard error; with repetitions= give the "
                "score that a failed run counts as, on_failure=1000.0 for example"
            )
        return "worst"
    if isinstance(on_failure, str):
        choice("on_failure", on_failure, ("raise", "worst"))
    what = "'raise', 'worst', or the score that a failed run counts as"
    return number("on_failure", on_failure, what=what) + 0.0
