"""Settings of an experiment: the runs that a target standard error takes, and the question with its test."""

import math
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypedDict, cast, get_args

from bakeoff.checks import FEWER_RESAMPLES, choice, did_you_mean, flag, integer, number, positive, probability
from bakeoff.dataclass import dataclass, fields, replace
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.plan.differences import DIFFERENCES, KINDS, DifferenceKind, Kind
from bakeoff.plan.pilots import COMPARISONS, Comparisons, Pairs, compared_pairs

Statistic = Literal["mean", "median"] | Callable[[Any], float]
Method = Literal["auto", "corrected", "paper", "bootstrap"]
Allocation = Literal["optimal", "pair"]

MOST_REPETITIONS = 10_000_000
N0 = 20  # with 15, sampling stops too early for skewed scores; measured in docs/how-to/running.md
BATCH = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Repetitions:
    """How precisely should each problem's difference be known, and how many runs may it take?

    Use it as ``bo.Experiment(..., repetitions=bo.Repetitions(se=0.05, nmax=200))`` when some problems need more runs
    than others. If runs are so long that only a few are possible, use ``runs=``.

    Parameters
    ----------
    se : float
        The target standard error of every compared pair's difference on a problem: in score units, or as a fraction
        (0.05 is 5 %) for percent differences. Of a log ratio 0.05 is about 5 %.
    nmax, n0 : int
        The most runs per problem, over all algorithms, never exceeded; and the first runs of each algorithm, included
        in it. With n0 below 15, sampling stops too early for skewed scores.
    differences : {"simple", "percent", "log-ratio"}
        simple: x̄_b − x̄_a. percent: that over a reference: the control's mean, the first of two algorithms' mean,
        or the mean of all means if all pairs of three or more are compared. It needs positive means. log-ratio: the
        mean logarithm of b's scores less that of a's, for skewed scores; all must be above 0.
    method : {"auto", "corrected", "paper", "bootstrap"}
        How the standard error is estimated. corrected: the delta method. paper: equation (15) of Campelo & Takahashi
        (2019). bootstrap: their Algorithm 4. auto: corrected for means, bootstrap otherwise.
    statistic : {"mean", "median"} or callable
        What is compared on each problem; a function takes an array of scores and returns a number. With log-ratio the
        mean is the geometric mean, and of any other statistic the logarithm is taken.
    allocation : {"optimal", "pair"}
        Which of three or more algorithms runs next: the one furthest below its optimal share, or one of the pair
        with the largest standard error.
    comparisons, control : {"all-pairs", "control"}; str, optional
        Which differences must reach the target; naming a control (by default the first) implies "control".
    batch : int
        Runs planned at a time on a problem, so that workers can share it, whatever their number. 1 as in the paper.
    balanced, resamples : bool; int
        The same number of runs for every algorithm; bootstrap samples.

    Raises
    ------
    ParameterError, WrongTypeError
        An invalid value.

    Examples
    --------
    >>> import bakeoff as bo
    >>> bo.Repetitions(se=0.05, nmax=200, differences="percent").n0
    20
    """

    se: float
    nmax: int
    n0: int = N0
    differences: DifferenceKind = "simple"
    method: Method = "auto"
    statistic: Statistic = "mean"
    allocation: Allocation = "optimal"
    comparisons: Comparisons = "all-pairs"
    control: str | None = None
    batch: int = BATCH
    balanced: bool = False
    resamples: int = FEWER_RESAMPLES["repetitions"]

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "se", positive("se", self.se, "a number larger than 0"))
        for name, least in (("nmax", 4), ("n0", 2), ("batch", 1), ("resamples", 99)):
            put(self, name, integer(name, getattr(self, name), least, MOST_REPETITIONS))
        choice("differences", self.differences, DIFFERENCES)
        choice("method", self.method, get_args(Method))
        choice("allocation", self.allocation, get_args(Allocation))
        choice("comparisons", self.comparisons, COMPARISONS)
        if not callable(self.statistic):
            choice("statistic", self.statistic, ("mean", "median"))
        flag("balanced", self.balanced)
        if self.control is not None:
            if not isinstance(self.control, str):
                raise WrongTypeError(f"must be an algorithm's name; got {self.control!r}", parameter="control")
            put(self, "comparisons", "control")
        if self.method in ("corrected", "paper") and self.statistic != "mean":
            raise ParameterError(
                f"method={self.method!r} is a formula for means; statistic={statistic_name(self.statistic)!r} needs "
                "method='bootstrap' (or 'auto')"
            )
        if self.method == "paper" and self.differences != "percent":
            raise ParameterError(
                "method='paper' differs from 'corrected' for percent differences only; leave it out, or say "
                "differences='percent'"
            )

    @property
    def method_used(self) -> Literal["corrected", "paper", "bootstrap"]:
        if self.method != "auto":
            return self.method
        return "corrected" if self.statistic == "mean" else "bootstrap"


def as_repetitions(repetitions: object) -> Repetitions:
    """A Repetitions from itself or from a mapping of its parameters (as in a TOML file)."""
    if isinstance(repetitions, Repetitions):
        return repetitions
    if not isinstance(repetitions, Mapping):
        raise WrongTypeError(
            f"must be a bo.Repetitions, or a mapping such as {{'se': 0.05, 'nmax': 200}}; got {repetitions!r}",
            parameter="repetitions",
        )
    known = [f.name for f in fields(Repetitions)]
    for name in repetitions:
        if name not in known:
            raise ParameterError(
                f"has no setting {name!r}{did_you_mean(name, known)}; there are {', '.join(known)}",
                parameter="repetitions",
            )
    for name in ("se", "nmax"):
        if name not in repetitions:
            raise ParameterError(
                f"needs {name!r}: the target standard error (se) and the most runs (nmax)", parameter="repetitions"
            )
    return Repetitions(**repetitions)


def check_against(repetitions: Repetitions, algorithms: tuple[str, ...]) -> None:
    """The checks that need the algorithms."""
    k = len(algorithms)
    if repetitions.nmax < k * repetitions.n0:
        raise ParameterError(
            f"bounds all runs on a problem, the first n0 of each algorithm included: with {k} algorithms and "
            f"n0={repetitions.n0} it must be at least {k * repetitions.n0}; got {repetitions.nmax}",
            parameter="nmax",
        )
    if repetitions.control is not None and repetitions.control not in algorithms:
        raise ParameterError(
            f": no algorithm is called {repetitions.control!r}{did_you_mean(repetitions.control, algorithms)}",
            parameter="control",
        )
    if repetitions.method == "paper" and k > 2 and repetitions.comparisons == "all-pairs":
        raise ParameterError(
            "method='paper' is defined for two algorithms or for comparisons with a control (equation 15); use "
            "'corrected' for percent differences of all pairs"
        )


def statistic_name(statistic: Statistic) -> str:
    """The name of a statistic: "mean", "median" or ``module:function``."""
    if isinstance(statistic, str):
        return statistic
    module = getattr(statistic, "__module__", "") or ""
    name = getattr(statistic, "__qualname__", "") or type(statistic).__qualname__
    return f"{module}:{name}"


# The question of an experiment: the test and its parameters, fixed before the first run.
#
# A test chosen after seeing the scores does not keep its level. So the question is part of the specification that a
# store belongs to, and resuming cannot change it.


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
    null_value: float | None
    effect_size: float
    power: float
    sequential: Sequential | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The validated question; nothing in it depends on a score."""

    test: TestName = "t"
    alternative: Alternative = "two-sided"
    alpha: float = 0.05
    differences: DifferenceKind = "simple"  # of scores, relative to the first algorithm (percent), of logarithms
    control: str | None = None  # None: all pairs
    null_value: float | None = None  # the effect under H0, as reports write it; None: neither is better
    effect_size: float = 0.5  # the smallest |μ − μ₀| worth finding, in standard deviations of the differences
    power: float = 0.8
    sequential: Sequential | None = None

    def __post_init__(self) -> None:
        choice("test", self.test, get_args(TestName))
        choice("alternative", self.alternative, get_args(Alternative))
        for name, checked in (("alpha", probability), ("effect_size", positive), ("power", probability)):
            object.__setattr__(self, name, checked(name, getattr(self, name)))
        object.__setattr__(self, "null_value", _null_value(self.null_value, self.kind))
        if self.sequential is None:
            return
        choice("sequential", self.sequential, get_args(Sequential))
        if self.sequential == "anytime" and self.alternative != "two-sided":
            raise ParameterError(
                f"sequential='anytime' is two-sided; got alternative={self.alternative!r}. Leave it out, or use "
                "sequential='group'"
            )
        if self.sequential == "group" and self.alternative != "two-sided" and self.alpha >= 0.5:
            raise ParameterError(
                f"must be below 0.5 for a one-sided group-sequential test; got {self.alpha}", parameter="alpha"
            )

    @property
    def kind(self) -> Kind:
        """The kind of the differences."""
        return KINDS[self.differences]

    @property
    def null_difference(self) -> float:
        """μ₀ in the unit of the differences: of log ratios a logarithm."""
        return 0.0 if self.null_value is None else self.kind.difference(self.null_value)

    @property
    def null_words(self) -> str:
        """The effect under H0 as reports write it."""
        return self.kind.exactly(self.kind.equal if self.null_value is None else self.null_value)

    @property
    def about_equality(self) -> bool:
        """Is H0 that neither is better?"""
        return self.null_value is None

    def pairs(self, algorithms: tuple[str, ...]) -> Pairs:
        """Compared pairs (a, b) by number: a is the control, or the earlier one."""
        if self.control is None:
            return compared_pairs(len(algorithms), "all-pairs")
        return compared_pairs(len(algorithms), "control", algorithms.index(self.control))


def _null_value(value: object, kind: Kind) -> float | None:
    """None where it says that neither is better, as without one."""
    if value is None:
        return None
    if kind.logs:
        rule = "a ratio above 0: 1 says that neither is better, 1.05 that the first is better by 5 %"
        null = number("null_value", value, above=0.0, what=rule)
    else:
        unit = "a fraction, 0.05 for 5 %" if kind.relative else "in score units"
        rule = f"a number, {unit}: the difference under H0, positive where the first is better"
        null = number("null_value", value, what=rule)
    return None if null == kind.equal else null


DEFAULT = Question()


def question_of(
    choices: Mapping[str, Any], repetitions: Repetitions | None, algorithms: tuple[str, ...], infinite: bool
) -> Question:
    """Validate and complete; ``infinite``: failed runs are infinitely bad, which only the sign test accepts."""
    known = [f.name for f in fields(Question)]
    for name in choices:
        if name not in known:
            raise WrongTypeError(f"an experiment has no setting {name!r}{did_you_mean(name, known)}")
    test = choices.get("test")
    if test is None:
        test = "sign" if infinite else "t"
    choice("test", test, get_args(TestName))
    if infinite and test != "sign":
        raise ParameterError(
            f"on_failure='worst' makes scores infinite, and test={test!r} takes differences; say test='sign', or "
            "give the score that a failed run counts as"
        )
    kind = _differences(choices.get("differences"), repetitions)
    if infinite and kind != "simple":
        raise ParameterError(
            f"on_failure='worst' makes scores infinite, of which there are no {KINDS[kind].plural}; give the score "
            "that a failed run counts as, or say differences='simple'"
        )
    control = _control(choices.get("control"), repetitions, algorithms)
    return replace(DEFAULT, **{**choices, "test": test, "differences": kind, "control": control})


def planned_problems(question: Question, n_algorithms: int) -> int:
    """The size of the fixed-size test times the inflation for looks (O'Brien–Fleming: 1.0238 at power 0.8).

    The effect size is the distance from the null value, (3) of Campelo & Takahashi (2019): μ = μ₀ + dσ.

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
        return cast(
            DifferenceKind, choice("differences", "simple" if differences is None else differences, DIFFERENCES)
        )
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
