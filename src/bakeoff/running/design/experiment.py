"""An experiment: which algorithms on which problems, how many runs, and from which seed."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Unpack

from bakeoff.checks import choice, number, positive, whole
from bakeoff.errors import WrongTypeError
from bakeoff.running.design.naming import named_algorithms, named_problems
from bakeoff.running.design.question import Question, QuestionSettings, question_of
from bakeoff.running.design.seeds import order_of_draw
from bakeoff.running.design.settings import Repetitions
from bakeoff.running.design.specification import canonical, described, digest
from bakeoff.running.design.validation import OnFailure, design_of, policy_of, problems_used
from bakeoff.running.design.work import Work
from bakeoff.scores import Better

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
    better : "lower" or "higher"
        Which direction is better. Required, since no default is safe.
    seed : int
        Required. Each run's seed is derived from it and from the algorithm, problem and repetition.
    runs : int, optional
        Runs of every algorithm on every problem; 1 if neither this nor ``repetitions`` is given.
    repetitions : Repetitions or mapping, optional
        Instead of ``runs``: as many as a target standard error takes.
    score : str, optional
        Which metric is compared, where functions return a dict.
    timeout : float, optional
        Seconds per run; a longer run fails.
    memory : int, optional
        Bytes per run.
    budget : float, optional
        The value of ``{budget}`` in commands.
    on_failure : "raise", "worst" or float
        What a failed run (an exception, a timeout, a score that is not finite) counts as. raise: the experiment stops
        and keeps its runs; the same command repeats the failed one. A number: the run has this score. worst: it is
        infinitely bad, which tests on ranks accept; not together with ``repetitions``.
    retries : int
        How often a failed run is repeated, with the same seed, before ``on_failure`` applies.
    n_problems : int or "plan", optional
        Use only this many of the problems, drawn at random from the seed. "plan": as many as it takes to find
        ``effect_size`` with ``power`` (``bo.plan.instances``; slightly more for sequential tests).
    folder : path, optional
        The folder to which a pattern of files is relative; by default the current one.
    test : {"t", "wilcoxon", "sign"}
        The test of the problems' differences; by default t, or sign if failed runs are infinitely bad. Chosen before
        the first run, because a test chosen after seeing the scores does not keep its level.
    alternative : {"two-sided", "greater", "less"}
        "greater": the first algorithm (the control) is better.
    alpha : float
        The level, 0.05 by default; family-wise over the pairs, by Holm.
    differences : {"simple", "percent"}
        As in ``Repetitions``, which takes precedence.
    control : str, optional
        Compare this algorithm with every other, instead of all pairs.
    effect_size, power : float
        The smallest effect worth finding (0.5 standard deviations of the differences) and the probability of finding
        it (0.8), for ``n_problems="plan"``, ``sequential="anytime"`` and the power profile.
    sequential : {"group", "anytime"}, optional
        Whether the experiment may stop before all problems are done; off by default. "group": looks after half, three
        quarters and all of the problems with O'Brien–Fleming levels. "anytime": after every problem, by an e-process.

    Raises
    ------
    ParameterError, WrongTypeError
        Invalid settings, found before any run: repeated names, functions with other parameters, missing files.

    Notes
    -----
    Problems are taken in an order drawn from the seed. The result depends only on the experiment, not on the number or
    place of workers or on interruptions. Algorithms that use the clock or randomness other than ``rng`` are not
    reproducible; their stored scores are kept.

    Examples
    --------
    >>> import bakeoff as bo
    >>> def steady(problem, rng):
    ...     return problem + rng.normal()
    >>> def lucky(problem, rng):
    ...     return problem + rng.exponential()
    >>> experiment = bo.Experiment([steady, lucky], {"easy": 1.0, "hard": 3.0}, better="lower", seed=1, runs=5)
    >>> experiment
    Experiment(2 algorithms × 2 problems, 5 runs each, better='lower', seed=1)
    >>> bo.run(experiment).scores
    Scores(2 problems × 2 algorithms, 5 runs per cell, better='lower')
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
        **question: Unpack[QuestionSettings],
    ) -> None:
        choice("better", better, ("lower", "higher"))
        base = None if folder is None else Path(folder)
        solvers, cases = named_algorithms(algorithms), named_problems(problems, base)
        fixed, adaptive = design_of(runs, repetitions, tuple(solvers))
        asked = question_of(question, adaptive, tuple(solvers), infinite=on_failure == "worst")
        if score is not None and not isinstance(score, str):
            raise WrongTypeError(f"must be the name of a metric; got {score!r}", parameter="score")
        self._put(
            algorithms=tuple(solvers.values()),
            algorithm_names=tuple(solvers),
            problems=tuple(cases.values()),
            problem_names=tuple(cases),
            better=better,
            seed=whole("seed", seed, 0, LARGEST_SEED),
            runs=fixed,
            repetitions=adaptive,
            score=score,
            timeout=None if timeout is None else positive("timeout", timeout, "a number of seconds larger than 0"),
            memory=None if memory is None else whole("memory", memory, 1 << 20, 1 << 60),
            budget=None if budget is None else number("budget", budget) + 0.0,
            on_failure=policy_of(on_failure, adaptive),
            retries=whole("retries", retries, 0, 1000),
            n_problems=problems_used(n_problems, asked, len(solvers), len(cases)),
            question=asked,
            folder=base,
        )

    def _put(self, **values: Any) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @classmethod
    def from_toml(cls, path: str | os.PathLike[str]) -> Experiment:
        """The experiment described by a TOML file; docs/running.md lists the settings."""
        from bakeoff.running.design.toml import experiment_in

        return experiment_in(Path(path))

    @property
    def order(self) -> tuple[int, ...]:
        """The problems used, by number, in the order in which they are drawn."""
        return tuple(order_of_draw(self.seed, self.problem_names)[: self.n_problems])

    @property
    def penalty(self) -> float | None:
        """The score that a failed run counts as; None: the experiment stops."""
        return penalty_of(self.on_failure, self.better)

    @property
    def spec_json(self) -> str:
        """The experiment as canonical JSON, with functions and problems by name."""
        return canonical(described(self))

    @property
    def spec_hash(self) -> str:
        """sha256 of :attr:`spec_json`: a store belongs to one."""
        return digest(self.spec_json)

    @property
    def work(self) -> Work:
        """What an executor needs to perform runs."""
        return Work(
            algorithms=self.algorithms,
            problems=self.problems,
            algorithm_names=self.algorithm_names,
            problem_names=self.problem_names,
            score=self.score,
            timeout=self.timeout,
            memory=self.memory,
            budget=self.budget,
        )

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


def penalty_of(on_failure: OnFailure, better: str) -> float | None:
    if on_failure == "raise":
        return None
    if on_failure == "worst":
        return math.inf if better == "lower" else -math.inf
    return float(on_failure)
