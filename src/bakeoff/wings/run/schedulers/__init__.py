"""Schedulers decide which runs come next, one file each; ``decision`` defines their interface."""

from bakeoff.wings.run.design.experiment import Experiment
from bakeoff.wings.run.design.settings import Question, Repetitions
from bakeoff.wings.run.schedulers.adaptive import AdaptiveRuns as AdaptiveRuns
from bakeoff.wings.run.schedulers.decision import (
    REASONS as REASONS,
    FixedRuns as FixedRuns,
    Scheduler as Scheduler,
    SchedulingDecision as SchedulingDecision,
)


def scheduler_for(experiment: Experiment) -> FixedRuns | AdaptiveRuns:
    """The scheduler that an experiment's design asks for."""
    e = experiment
    return make_scheduler(e.runs, e.repetitions, e.algorithm_names, e.seed, e.question)


def make_scheduler(
    runs: int | None, repetitions: Repetitions | None, algorithms: tuple[str, ...], seed: int, question: Question
) -> FixedRuns | AdaptiveRuns:
    """The scheduler of a design; needs no functions, so that it serves a stored experiment too."""
    if repetitions is None:
        assert runs is not None
        control = None if question.control is None else algorithms.index(question.control)
        return FixedRuns(runs=runs, n_algorithms=len(algorithms), control=control, kind=question.differences)
    return AdaptiveRuns(repetitions=repetitions, algorithms=algorithms, seed=seed)
