"""What compare() returns: values only; rendering lives in the report."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from bakeoff.errors import Caution
from bakeoff.reportable import Reportable
from bakeoff.scores import Array, Scores, read_only
from bakeoff.scores.cells import exact_mean

Verdict = Literal["a better", "b better", "no difference shown", "cannot tell"]
EffectScale = Literal["difference", "percent", "log-ratio", "a12"]
EffectKind = Literal["hodges-lehmann", "mean", "median", "share", "a12"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """How much better a is than b: positive (of a12: above 1/2) when a is better, with its own confidence interval."""

    estimate: float
    low: float
    high: float
    confidence_level: float  # of the interval: 1 − alpha, or less where few problems cannot give more (a caution)
    kind: EffectKind = "hodges-lehmann"  # "mean" of the differences, their "median", difference of "share"s of 1
    scale: EffectScale = "difference"  # in score units

    @property
    def turned(self) -> "Effect":
        """Of b against a."""
        low, high = turned(self.scale, self.low, self.high)
        return replace(self, estimate=turned(self.scale, self.estimate, self.estimate)[0], low=low, high=high)


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Of a pair's effect: simultaneous over the family and beside the verdict, unless single ones were asked for."""

    low: float
    high: float
    confidence_level: float  # of all intervals at once; of each by itself if they are single
    each_level: float  # of this one by itself
    at_verdict: bool = False  # an end lies where no difference is, because the verdict says so
    scale: EffectScale = "difference"

    @property
    def turned(self) -> "Interval":
        """Of b against a."""
        low, high = turned(self.scale, self.low, self.high)
        return replace(self, low=low, high=high)


def turned(scale: str, low: float, high: float) -> tuple[float, float]:
    """An interval for b against a from one for a against b."""
    if scale == "a12":
        return 1.0 - high, 1.0 - low
    if scale == "percent":
        upper, lower = (100.0 / (1.0 + x / 100.0) - 100.0 if x > -100.0 else math.inf for x in (low, high))
        return lower, upper
    return -high, -low


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One hypothesis "a and b do not differ": evidence, decision, and size of the difference."""

    a: str
    b: str
    statistic: float  # z = (R_b − R_a)/SE for rankings (positive: a better); the test's own statistic otherwise
    pvalue: float  # two-sided, unadjusted
    log_pvalue: float
    adjusted: Mapping[str, float]  # {method: adjusted p}, primary first
    verdict: Verdict
    effect: Effect | None
    wins: int  # problems where a is better
    ties: int
    losses: int
    rank_biserial: float | None  # matched pairs, positive when a is better
    test: str = ""  # as ``Comparison.pairwise``, or "sign" where a difference is undefined
    interval: Interval | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Something compare() decided, and why; nothing is chosen silently."""

    parameter: str
    value: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a recipe as it was carried out."""

    name: str
    title: str
    outcome: str  # one sentence with the numbers
    passed: bool | None = None  # of a gate; None where nothing is decided
    result: Any = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)  # arrays inside: == would be ambiguous
class Comparison(Reportable):
    """The result of compare(): ``save`` takes .html .md .tex .json, and .svg .png .pdf for the diagram."""

    kind: ClassVar[str] = "comparison"

    scores: Scores
    alpha: float
    control: str | None
    recipe: str | None
    omnibus: Any  # result of the omnibus test: .name .statistic .df .pvalue .log_pvalue
    companion: Any  # Friedman's chi-squared beside Iman–Davenport; else None
    ranking: str  # "friedman" | "aligned" | "quade": which mean ranks these are
    mean_ranks: Array  # (k,) read-only, in column order
    pairwise: str  # "mean-ranks" | "aligned" | "quade" | "wilcoxon" | "sign" | "t"
    posthoc: tuple[str, ...]  # corrections computed, primary first
    primary: str
    pairs: tuple[Pair, ...]
    groups: tuple[tuple[str, ...], ...]  # maximal sets mutually not different, best first; empty with a control
    standard_error: str | None = None  # of tests on ranks: "permutation" | "papers"
    transform: str | None = None  # of the scores before differences are taken: "log"
    effect: EffectScale = "difference"  # scale of the effects
    intervals: str = "simultaneous"  # | "single": whether the intervals cover all at once, or each by itself
    critical_difference: float | None  # on the scale of mean_ranks; only for bonferroni and nemenyi on ranks
    contrasts: Array | None  # (k, k) m_u − m_v in score units; None with infinite scores
    kendall_w: float | None
    steps: tuple[Step, ...]  # of a recipe; else empty
    choices: tuple[Choice, ...]
    cautions: tuple[Caution, ...]

    @property
    def means(self) -> Array:
        """(k,) mean score of each algorithm over the problems; infinite or NaN where infinite scores leave none."""
        with np.errstate(invalid="ignore", over="ignore"):
            return read_only(np.array([_mean(column) for column in self.scores.values.T.tolist()]))


def _mean(values: list[float]) -> float:
    try:
        return exact_mean(values)
    except ValueError:  # infinities of both signs
        return math.nan
