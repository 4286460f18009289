"""Checks of an experiment's settings against each other, before anything is run."""

from __future__ import annotations

from typing import Literal

from bakeoff.checks import choice, number, whole
from bakeoff.errors import ParameterError
from bakeoff.running.design.question import Question, planned_problems
from bakeoff.running.design.settings import MOST_REPETITIONS, Repetitions, as_repetitions, check_against

OnFailure = Literal["raise", "worst"] | float


def problems_used(n_problems: object, question: Question, n_algorithms: int, there: int) -> int:
    if n_problems is None:
        return there
    if n_problems != "plan":
        return whole("n_problems", n_problems, 1, there)
    needed = planned_problems(question, n_algorithms)
    if needed > there:
        raise ParameterError(
            f"n_problems='plan': to find an effect of d={question.effect_size:g} with power {question.power:g} takes "
            f"{needed} problems, and there are {there}; add problems, look for a larger effect_size, or leave "
            "n_problems out to use those there are"
        )
    return needed


def design_of(runs: object, repetitions: object, algorithms: tuple[str, ...]) -> tuple[int | None, Repetitions | None]:
    if runs is not None and repetitions is not None:
        raise ParameterError(
            "give either runs= (the same number everywhere) or repetitions= (as many as a standard error takes); got "
            "both"
        )
    if repetitions is None:
        return whole("runs", 1 if runs is None else runs, 1, MOST_REPETITIONS), None
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
