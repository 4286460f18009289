"""The question of an experiment: the test and its parameters, fixed before the first run.

A test chosen after seeing the scores does not keep its level. So the question is part of the specification that a
store belongs to, and resuming cannot change it.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal, TypedDict

from bakeoff.checks import choice, did_you_mean, positive, probability
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.plan.pilots import DIFFERENCES, DifferenceKind, Pairs, compared_pairs
from bakeoff.wings.run.design.settings import Repetitions

TESTS = ("t", "wilcoxon", "sign")
ALTERNATIVES = ("two-sided", "greater", "less")
SEQUENTIAL = ("group", "anytime")
FRACTIONS = (0.5, 0.75, 1.0)  # of the problems, at the looks of a group-sequential test
GROUP_CAP = 1.0238  # inflation of O'Brien–Fleming's test with these looks at power 0.8
# problems, relative to the fixed-size test, with which the e-process has about its power (simulated: 48 of 34 for t,
# 62 of 35 for signed ranks, 90 of 61 for signs, at d = 0.5 and power 0.8)
ANYTIME_CAP = {"t": 1.44, "wilcoxon": 1.78, "sign": 1.48}

TestName = Literal["t", "wilcoxon", "sign"]
Alternative = Literal["two-sided", "greater", "less"]
Sequential = Literal["group", "anytime"]


class QuestionSettings(TypedDict, total=False):
    """Keywords of ``bo.Experiment`` that define the question."""

    test: TestName | None
    alternative: Alternative
    alpha: float
    differences: DifferenceKind | None
    control: str | None
    effect_size: float
    power: float
    sequential: Sequential | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The validated question; nothing in it depends on a score."""

    test: TestName = "t"
    alternative: Alternative = "two-sided"
    alpha: float = 0.05
    differences: DifferenceKind = "simple"  # of scores (simple), or relative to the first algorithm (percent)
    control: str | None = None  # None: all pairs
    effect_size: float = 0.5  # the smallest mean difference worth finding, in standard deviations of the differences
    power: float = 0.8
    sequential: Sequential | None = None

    def pairs(self, algorithms: tuple[str, ...]) -> Pairs:
        """Compared pairs (a, b) by number: a is the control, or the earlier one."""
        if self.control is None:
            return compared_pairs(len(algorithms), "all-pairs")
        return compared_pairs(len(algorithms), "control", algorithms.index(self.control))


DEFAULT = Question()


def question_of(
    choices: Mapping[str, Any], repetitions: Repetitions | None, algorithms: tuple[str, ...], infinite: bool
) -> Question:
    """Validate and complete; ``infinite``: failed runs are infinitely bad, which only the sign test accepts."""
    known = [f.name for f in fields(Question)]
    for name in choices:
        if name not in known:
            raise WrongTypeError(f"an experiment has no setting {name!r}{did_you_mean(name, known)}")
    chosen = {name: choices.get(name, getattr(DEFAULT, name)) for name in known}
    test: Any = choices.get("test")
    if test is None:
        test = "sign" if infinite else "t"
    choice("test", test, TESTS)
    if infinite and test != "sign":
        raise ParameterError(
            f"on_failure='worst' makes scores infinite, and test={test!r} takes differences; say test='sign', or "
            "give the score that a failed run counts as"
        )
    kind = _differences(choices.get("differences"), repetitions)
    if infinite and kind == "percent":
        raise ParameterError(
            "on_failure='worst' makes scores infinite, of which there are no percent differences; give the score that "
            "a failed run counts as, or say differences='simple'"
        )
    choice("alternative", chosen["alternative"], ALTERNATIVES)
    question = Question(
        test=test,
        alternative=chosen["alternative"],
        alpha=probability("alpha", chosen["alpha"]),
        differences=kind,
        control=_control(chosen["control"], repetitions, algorithms),
        effect_size=positive("effect_size", chosen["effect_size"]),
        power=probability("power", chosen["power"]),
        sequential=chosen["sequential"],
    )
    _check_sequential(question)
    return question


def planned_problems(question: Question, n_algorithms: int) -> int:
    """The size of the fixed-size test times the inflation for looks (O'Brien–Fleming: 1.0238 at power 0.8).

    An anytime rule needs a larger maximum, and stops earlier if effects are large.
    """
    from bakeoff.plan import instances
    from bakeoff.wings.run.racing.group_boundaries import group_design

    plan = instances(
        question.effect_size if question.alternative != "less" else -question.effect_size,
        alpha=question.alpha,
        power=question.power,
        alternative=question.alternative,
        test=question.test,
        n_algorithms=n_algorithms,
        comparisons="all-pairs" if question.control is None else "control",
    )
    if question.sequential is None:
        return plan.n
    exact = plan.n if plan.n_unrounded is None else plan.n_unrounded
    if question.sequential == "anytime":
        return math.ceil(exact * ANYTIME_CAP[question.test])
    sides = 1 if question.alternative != "two-sided" else 2
    inflation = group_design(FRACTIONS, alpha=question.alpha * 2 / sides, power=question.power).inflation
    return max(plan.n, math.ceil(exact * inflation))


def question_in(spec: Mapping[str, Any]) -> Question:
    """The question of a stored experiment."""
    return Question(**spec["question"])


def _differences(differences: object, repetitions: Repetitions | None) -> DifferenceKind:
    if repetitions is None:
        used = "simple" if differences is None else choice("differences", differences, DIFFERENCES)
        return "simple" if used == "simple" else "percent"
    if differences is not None and differences != repetitions.differences:
        raise ParameterError(
            f"is {differences!r} for the test and {repetitions.differences!r} for repetitions; they must "
            "agree: say it in repetitions only",
            parameter="differences",
        )
    return repetitions.differences


def _control(control: object, repetitions: Repetitions | None, algorithms: tuple[str, ...]) -> str | None:
    if control is not None and not isinstance(control, str):
        raise WrongTypeError(f"must be an algorithm's name; got {control!r}", parameter="control")
    if control is not None and control not in algorithms:
        raise ParameterError(
            f": no algorithm is called {control!r}{did_you_mean(control, algorithms)}", parameter="control"
        )
    if repetitions is None:
        return control
    used = None
    if repetitions.comparisons == "control":
        used = algorithms[0] if repetitions.control is None else repetitions.control
    if control is not None and control != used:
        raise ParameterError(
            f"is {control!r} for the test, but repetitions make {'all pairs' if used is None else used!r} "
            "precise; say control in repetitions only",
            parameter="control",
        )
    return used


def _check_sequential(question: Question) -> None:
    if question.sequential is None:
        return
    choice("sequential", question.sequential, SEQUENTIAL)
    if question.sequential == "anytime" and question.alternative != "two-sided":
        raise ParameterError(
            f"sequential='anytime' is two-sided; got alternative={question.alternative!r}. Leave it out, or use "
            "sequential='group'"
        )
    if question.sequential == "group" and question.alternative != "two-sided" and question.alpha >= 0.5:
        raise ParameterError(
            f"must be below 0.5 for a one-sided group-sequential test; got {question.alpha}", parameter="alpha"
        )
