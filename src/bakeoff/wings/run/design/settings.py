"""Adaptive repetitions: as many runs per problem as a target standard error takes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from bakeoff.checks import FEWER_RESAMPLES, choice, did_you_mean, positive, whole
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.plan.pilots.standard_errors import COMPARISONS, DIFFERENCES, Comparisons, DifferenceKind

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
        (0.05 is 5 %) for percent differences.
    nmax, n0 : int
        The most runs per problem, over all algorithms, never exceeded; and the first runs of each algorithm, included
        in it. With n0 below 15, sampling stops too early for skewed scores.
    differences : {"simple", "percent"}
        x̄_b − x̄_a, or that divided by a reference: the control's mean, the first of two algorithms' mean, or the mean
        of all means if all pairs of three or more are compared. Percent needs positive scores.
    method : {"auto", "corrected", "paper", "bootstrap"}
        How the standard error is estimated. corrected: the delta method. paper: equation (15) of Campelo & Takahashi
        (2019). bootstrap: their Algorithm 4. auto: corrected for means, bootstrap otherwise.
    statistic : {"mean", "median"} or callable
        What is compared on each problem; a function takes an array of scores and returns a number.
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
            put(self, name, whole(name, getattr(self, name), least, MOST_REPETITIONS))
        choice("differences", self.differences, DIFFERENCES)
        choice("method", self.method, ("auto", "corrected", "paper", "bootstrap"))
        choice("allocation", self.allocation, ("optimal", "pair"))
        choice("comparisons", self.comparisons, COMPARISONS)
        if not callable(self.statistic):
            choice("statistic", self.statistic, ("mean", "median"))
        if not isinstance(self.balanced, bool):
            raise WrongTypeError(f"must be True or False; got {self.balanced!r}", parameter="balanced")
        if self.control is not None:
            if not isinstance(self.control, str):
                raise WrongTypeError(f"must be an algorithm's name; got {self.control!r}", parameter="control")
            put(self, "comparisons", "control")
        if self.method in ("corrected", "paper") and self.statistic != "mean":
            raise ParameterError(
                f"method={self.method!r} is a formula for means; statistic={statistic_name(self.statistic)!r} needs "
                "method='bootstrap' (or 'auto')"
            )
        if self.method == "paper" and self.differences == "simple":
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
