"""A pair's differences over the problems as one sample: the table they are taken from, the test, the effect.

On problem j the difference is φ_j = x̄_b − x̄_a (simple) or that divided by a reference (percent), turned so that it is
positive where a is better; (5) and (13) of Campelo & Takahashi (2019). Percent differences are differences of scores
that were divided by the reference, so the tests on tables, and their tolerance for ties, serve both.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy import special

from bakeoff.effects import hodges_lehmann
from bakeoff.errors import BakeoffError
from bakeoff.paired import PairedTResult, SignTestResult, WilcoxonResult, paired_t, sign_test, wilcoxon
from bakeoff.paired.differences import directions, paired_differences
from bakeoff.racing.e_processes import log_e_sign, log_e_signed_rank, log_e_two_point
from bakeoff.running.design.question import Question
from bakeoff.scores import Array, Scores

NAME = "The test of an experiment"
TestResult = PairedTResult | WilcoxonResult | SignTestResult
EffectKind = Literal["mean difference", "Hodges–Lehmann", "share of wins"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairEffect:
    """How much better a is than b, in the unit of the differences (percent: a fraction)."""

    kind: EffectKind
    estimate: float
    low: float  # infinite on the open side of a one-sided interval
    high: float
    confidence_level: float
    standardized: float | None  # d = mean/sd of the differences; None if they do not vary, and for signs


def compared_scores(scores: Scores, question: Question) -> Scores:
    """What the tests compare: for percent differences every score divided by its problem's reference.

    The reference is the mean of the control, of the first of two algorithms, or of all means where all pairs of three
    or more are compared. A problem whose reference is not positive has no percent differences and is dropped.
    """
    if question.differences == "simple":
        return scores
    means = scores.values
    if question.control is not None:
        reference = means[:, scores.index(question.control)]
    else:
        with np.errstate(over="ignore"):
            reference = means[:, 0] if means.shape[1] == 2 else means.mean(axis=1)
    usable = (reference > 0) & np.isfinite(reference)
    cells = means[:, :, None] if scores.runs is None else scores.runs
    with np.errstate(over="ignore"):
        divided = cells[usable] / reference[usable, None, None]
    names = np.array(scores.problems, dtype=object)
    return Scores.from_cells(
        divided,
        scores.algorithms,
        names[usable].tolist(),
        better=scores.better,
        dropped=(*scores.dropped, *names[~usable].tolist()),
        source_sha256=scores.source_sha256,
    )


def differences(scores: Scores, a: int, b: int, question: Question) -> Array:
    """(n,) positive where a is better, exactly 0 where tied; ±1 for the sign test, which bears infinite scores."""
    if question.test == "sign":
        return directions(scores, a, b).astype(np.float64)
    return paired_differences(scores, a, b, NAME).values


def pair_test(scores: Scores, a: int, b: int, question: Question) -> TestResult:
    """The test chosen in advance."""
    if question.test == "t":
        return paired_t(scores, a, b, alternative=question.alternative, confidence_level=1 - question.alpha)
    if question.test == "wilcoxon":
        return wilcoxon(scores, a, b, alternative=question.alternative)
    return sign_test(scores, a, b, alternative=question.alternative)


def log_evidence(x: Array, question: Question) -> Array:
    """(n,) logarithm of the e-process that goes with the test, after 1, 2, …, n differences in their order."""
    if question.test == "t":
        return log_e_two_point(x, question.effect_size)
    return log_e_signed_rank(x) if question.test == "wilcoxon" else log_e_sign(x)


def pair_effect(scores: Scores, a: int, b: int, question: Question, test: TestResult) -> PairEffect | None:
    """The estimate that belongs to the test, with the interval that its inversion gives; None without one."""
    level = 1 - question.alpha
    if isinstance(test, SignTestResult):
        return _share(test, question)
    d = standardized(differences(scores, a, b, question))
    if isinstance(test, PairedTResult):
        return PairEffect(
            kind="mean difference",
            estimate=test.estimate,
            low=test.low,
            high=test.high,
            confidence_level=level,
            standardized=d,
        )
    try:
        found = hodges_lehmann(scores, a, b, level)
    except BakeoffError:
        return None
    return PairEffect(
        kind="Hodges–Lehmann",
        estimate=found.estimate,
        low=found.low,
        high=found.high,
        confidence_level=level,
        standardized=d,
    )


def _share(test: SignTestResult, question: Question) -> PairEffect | None:
    """Wins of a among the problems that are not tied, with the exact interval of Clopper & Pearson (1934)."""
    w, n = test.wins, test.wins + test.losses
    if n == 0:
        return None
    sides = 2 if question.alternative == "two-sided" else 1
    tail = question.alpha / sides
    low = float(special.betaincinv(w, n - w + 1, tail)) if w and question.alternative != "less" else 0.0
    high = float(special.betaincinv(w + 1, n - w, 1 - tail)) if w < n and question.alternative != "greater" else 1.0
    return PairEffect(
        kind="share of wins",
        estimate=w / n,
        low=low,
        high=high,
        confidence_level=1 - question.alpha,
        standardized=None,
    )


def standardized(x: Array) -> float | None:
    """d = mean/sd; (21) of Campelo & Takahashi (2019). None for fewer than two differences, or equal ones."""
    size = float(np.max(np.abs(x), initial=0.0))
    if len(x) < 2 or size == 0 or float(np.ptp(x / size)) <= 1e-15:
        return None
    scaled = (x / size).tolist()
    mean = math.fsum(scaled) / len(scaled)
    sd = math.sqrt(math.fsum((v - mean) ** 2 for v in scaled) / (len(scaled) - 1))
    return mean / sd if sd > 0 else None
