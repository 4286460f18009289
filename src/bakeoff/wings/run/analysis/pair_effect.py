"""How much better one algorithm is than another over all problems, with the interval that belongs to the test."""

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bakeoff.effects import hodges_lehmann
from bakeoff.errors import BakeoffError
from bakeoff.nulls.tails import clopper_pearson
from bakeoff.paired import PairedTResult, SignTestResult
from bakeoff.scores import Array, Scores
from bakeoff.wings.run.design.question import Question
from bakeoff.wings.run.sequential.pair_test import TestResult, pair_differences

EffectKind = Literal["mean difference", "Hodges–Lehmann", "share of wins"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairEffect:
    """How much better a is than b, in the unit of the differences (percent: a fraction)."""

    kind: EffectKind  # what is estimated
    estimate: float  # positive where a is better
    low: float  # infinite on the open side of a one-sided interval
    high: float
    confidence_level: float  # of the interval
    standardized: float | None  # d = mean/sd of the differences; None if they do not vary, and for signs


def pair_effect(scores: Scores, a: int, b: int, question: Question, test: TestResult) -> PairEffect | None:
    """The estimate that belongs to the test, with the interval that its inversion gives; None without one."""
    level = 1 - question.alpha
    if isinstance(test, SignTestResult):
        return _share(test, question)
    d = standardized(pair_differences(scores, a, b, question))
    kind: EffectKind = "mean difference" if isinstance(test, PairedTResult) else "Hodges–Lehmann"
    try:
        effect = test if isinstance(test, PairedTResult) else hodges_lehmann(scores, a, b, level)
    except BakeoffError:
        return None
    return PairEffect(
        kind=kind, estimate=effect.estimate, low=effect.low, high=effect.high, confidence_level=level, standardized=d
    )


def _share(test: SignTestResult, question: Question) -> PairEffect | None:
    """Wins of a among the problems that are not tied, with the exact interval of Clopper & Pearson (1934)."""
    w, n = test.wins, test.wins + test.losses
    if n == 0:
        return None
    low, high = clopper_pearson(w, n, 1 - question.alpha, question.alternative)
    return PairEffect(
        kind="share of wins", estimate=w / n, low=low, high=high, confidence_level=1 - question.alpha, standardized=None
    )


def standardized(x: Array) -> float | None:
    """d = mean/sd; (3) of Campelo & Takahashi (2019). None for fewer than two differences, or equal ones."""
    size = float(np.max(np.abs(x), initial=0.0))
    if len(x) < 2 or size == 0 or float(np.ptp(x / size)) <= 1e-15:
        return None
    scaled = (x / size).tolist()
    mean = math.fsum(scaled) / len(scaled)
    sd = math.sqrt(math.fsum((v - mean) ** 2 for v in scaled) / (len(scaled) - 1))
    return mean / sd if sd > 0 else None
