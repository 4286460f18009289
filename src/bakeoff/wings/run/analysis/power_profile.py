"""Which effects could this experiment have found? Reported with every verdict."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from bakeoff.errors import BakeoffError
from bakeoff.wings.run.design.question import ANYTIME_CAP, GROUP_CAP, Question

if TYPE_CHECKING:
    from bakeoff.plan import PowerCurve

_QUICK = {"t": None, "wilcoxon": "exact-variance", "sign": None}  # faster than simulation, for reports


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerProfile:
    """Power of the test on all planned problems."""

    n_problems: int  # problems of the experiment
    n_effective: int  # problems of a fixed-size test with the same power; looks cost some
    wanted_power: float
    detectable: float | None  # smallest |d| found with that power; None: no effect could be
    effect_size: float  # the smallest worth finding, from the experiment
    power: float | None  # of finding effect_size
    n_comparisons: int  # K; both are at Holm's strictest level, alpha/K


@lru_cache(maxsize=128)
def power_profile(question: Question, n_problems: int, n_algorithms: int) -> PowerProfile:
    """The profile, computed by :mod:`bakeoff.plan`."""
    from bakeoff import plan

    question_given = _asked(question, n_algorithms)
    detectable = power = None
    n = effective(question, n_problems)
    if n >= 2:
        try:
            detectable = abs(plan.detectable(n, question.power, **question_given))  # type: ignore[arg-type]
        except BakeoffError:
            detectable = None
        try:
            size = -question.effect_size if question.alternative == "less" else question.effect_size
            power = plan.power(n, size, **question_given)  # type: ignore[arg-type]
        except BakeoffError:
            power = None
    return PowerProfile(
        n_problems=n_problems,
        n_effective=n,
        wanted_power=question.power,
        detectable=detectable,
        effect_size=question.effect_size,
        power=power,
        n_comparisons=n_algorithms * (n_algorithms - 1) // 2 if question.control is None else n_algorithms - 1,
    )


def effective(question: Question, n_problems: int) -> int:
    """Problems of the equivalent fixed-size test: O'Brien–Fleming looks cost 2 %, an e-process a third or more."""
    if question.sequential is None:
        return n_problems
    cost = GROUP_CAP if question.sequential == "group" else ANYTIME_CAP[question.test]
    return int(n_problems / cost)


def power_curve(question: Question, n_problems: int, n_algorithms: int) -> PowerCurve | None:
    """Power against the effect, for the figure; None if no effect could be found."""
    from bakeoff import plan

    try:
        return plan.curve(n=effective(question, n_problems), power=question.power, **_asked(question, n_algorithms))  # type: ignore[arg-type]
    except BakeoffError:
        return None


def _asked(question: Question, n_algorithms: int) -> dict[str, object]:
    return {
        "alpha": question.alpha,
        "alternative": question.alternative,
        "test": question.test,
        "method": _QUICK[question.test],
        "n_algorithms": n_algorithms,
        "comparisons": "all-pairs" if question.control is None else "control",
    }
