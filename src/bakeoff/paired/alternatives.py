"""Results and alternatives that tests of two algorithms have in common."""

import math
from collections.abc import Callable
from typing import Any

from bakeoff.cautions import caution_of
from bakeoff.dataclass import dataclass
from bakeoff.errors import Caution, counted
from bakeoff.nulls.tails import normal_sf, normal_two_sided
from bakeoff.procedures import Procedure
from bakeoff.scores import Scores

# What tests and effect sizes of two algorithms have in common.


@dataclass(frozen=True, slots=True, kw_only=True)
class PairResult:
    """Result for two algorithms on the problems of a table."""

    a: str
    b: str
    n_problems: int
    n_dropped: int  # problems left out when the scores were read
    cautions: tuple[Caution, ...]


def of_pair(scores: Scores, i: int, j: int) -> dict[str, Any]:
    """The fields that every result of two columns has but its cautions."""
    return {
        "a": scores.algorithms[i],
        "b": scores.algorithms[j],
        "n_problems": scores.n_problems,
        "n_dropped": len(scores.dropped),
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class PairShiftResult(PairResult):
    """Estimate of how much one is better, with its interval."""

    estimate: float  # positive when a is better, in score units
    low: float
    high: float
    confidence_level: float  # asked for
    achieved_confidence: float  # of [low, high], at least the level unless a caution says otherwise
    zeros: int  # problems without a difference


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTestResult(PairResult):
    """Test of whether they differ."""

    statistic: float
    pvalue: float
    log_pvalue: float  # natural logarithm; never underflows for a finite statistic
    method: str  # the null distribution that was used
    alternative: str


# What tests of two algorithms mean by an alternative ("greater": a is better), and the record of such a test.

ALTERNATIVES = ("two-sided", "greater", "less")
_ROUNDING = 2.0**-51  # of tails near one half


def normal_tail(z: float, alternative: str) -> tuple[float, float]:
    """p-value and its logarithm of a z statistic that is positive where a is better."""
    if alternative == "two-sided":
        p, log_p = normal_two_sided(z)
    else:
        p, log_p = normal_sf(z if alternative == "greater" else -z)
    return float(p), float(log_p)


def both_sides(p: float, log_p: float) -> tuple[float, float]:
    """Twice one tail of a symmetric discrete null, at most 1 (the centre belongs to both tails)."""
    if 2 * p > 1.0 - _ROUNDING:  # Li's correction divides by 1 − p
        return 1.0, 0.0
    if 2 * p > 0.5:  # near 1 the sum log 2 + log p would lose the digits of a small logarithm
        return 2 * p, math.log(2 * p)
    return 2 * p, math.log(2.0) + log_p


def smallest_pvalue(n: int, alternative: str) -> float:
    """The least p-value of a test that flips n signs: all of them on one side."""
    return min(1.0, math.ldexp(2.0 if alternative == "two-sided" else 1.0, -n))


def power_cautions(n: int, unit: str, method: str, alternative: str, reference: str) -> tuple[Caution, ...]:
    """Too few problems, or non-zero differences, for any result at 0.05 or for the normal approximation."""
    what = unit if unit == "problem" else f"non-zero {unit}"
    if method != "normal" and (smallest := smallest_pvalue(n, alternative)) > 0.05:
        sides = "two-sided" if alternative == "two-sided" else "one-sided"
        count, about = counted(n, what), "differences"
        return (caution_of("out-of-reach", about, reference=reference, count=count, sides=sides, smallest=smallest),)
    if method == "normal" and n <= 25:
        return (caution_of("rough", "normal", reference=reference, count=counted(n, what)),)
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedTest(Procedure):
    """A test of two algorithms: ``function(scores, a, b)``."""

    word: str  # in the middle of a sentence
    symbol: str  # of the statistic
    direction: Callable[[Any], float]  # of a result: positive where a is better
    law: Callable[[int], str] = lambda n: ""  # what the p-value of n problems comes from, if that needs saying
    smallest: Callable[[int], float] = lambda n: smallest_pvalue(n, "two-sided")  # two-sided p n problems can give
