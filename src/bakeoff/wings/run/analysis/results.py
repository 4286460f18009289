"""The analysis of an experiment as data, with the checks, effects and power that belong to it."""

from __future__ import annotations

import contextlib
import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from bakeoff import numerals, special
from bakeoff.dataclass import dataclass
from bakeoff.effects import hodges_lehmann
from bakeoff.errors import BakeoffError, Caution, counted
from bakeoff.nulls.tails import clopper_pearson
from bakeoff.paired import PairedTResult, SignTestResult
from bakeoff.paired.shapiro_wilk import ShapiroWilk, shapiro_wilk
from bakeoff.randomness import generator
from bakeoff.scores import Array, Scores, read_only
from bakeoff.wings.run.design.settings import ANYTIME_CAP, GROUP_CAP, Question
from bakeoff.wings.run.sequential.interim_looks import Look, TestResult, beyond_null
from bakeoff.wings.run.store.contents import StoredLook

if TYPE_CHECKING:
    from bakeoff.plan import PowerCurve


# Checks of normality of the differences and of their mean; for inspection, never for choosing another test.
#
# Campelo & Takahashi (2019), section 4.3: a normal QQ plot of the differences with Shapiro–Wilk, and the QQ plot of
# bootstrapped means (their Algorithm 3), which is not tested, since the number of resamples would decide the outcome.


RESAMPLES = 999
_CHUNK = 1 << 20  # resampled numbers at a time


@dataclass(frozen=True, slots=True, kw_only=True)
class Checks:
    """Checks of one pair's differences."""

    normal_quantiles: Array  # (n,) expected of a standard normal sample of this size
    ordered: Array  # (n,) the differences, smallest first
    shapiro: ShapiroWilk | None  # None: fewer than 3 differences, more than 5000, or all equal
    skewness: float | None  # adjusted Fisher–Pearson; None below 3 differences, or if all are equal
    bootstrap_means: Array  # (resamples,) smallest first: Algorithm 3
    bootstrap_skewness: float | None  # near 0 where the mean is nearly normal: skewness/√n


def normality_checks(differences: Array, rng: object = None, resamples: int = RESAMPLES) -> Checks:
    """Checks of finite differences (n,), n ≥ 1."""
    ordered = np.sort(np.asarray(differences, dtype=np.float64))
    n = len(ordered)
    means = np.sort(bootstrap_means(ordered, resamples, generator(rng)))
    return Checks(
        normal_quantiles=read_only(normal_quantiles(n)),
        ordered=read_only(ordered),
        shapiro=shapiro_wilk(ordered),
        skewness=skewness(ordered),
        bootstrap_means=read_only(means),
        bootstrap_skewness=skewness(means),
    )


def normal_quantiles(n: int) -> Array:
    """Φ⁻¹((i − a)/(n + 1 − 2a)), a = 3/8 up to ten points and ½ beyond: the plotting positions of R's ppoints."""
    a = 0.375 if n <= 10 else 0.5
    return np.asarray(special.ndtri((np.arange(1, n + 1) - a) / (n + 1 - 2 * a)), dtype=np.float64)


def bootstrap_means(x: Array, resamples: int, rng: np.random.Generator) -> Array:
    """Algorithm 3: means of samples with replacement, as long as x."""
    n = len(x)
    step = max(1, _CHUNK // n)
    size = max(float(np.max(np.abs(x))), 5e-324)
    scaled = x / size  # sums cannot overflow
    parts = [
        scaled[rng.integers(0, n, size=(min(step, resamples - first), n))].mean(axis=1)
        for first in range(0, resamples, step)
    ]
    return np.asarray(np.concatenate(parts) * size)


def skewness(x: Array) -> float | None:
    """√(n(n−1))/(n−2) · m₃/m₂^{3/2}; None for fewer than three numbers, or equal ones."""
    n = len(x)
    size = float(np.max(np.abs(x), initial=0.0))
    if n < 3 or size == 0:
        return None
    scaled = x / size
    deviations = scaled - math.fsum(scaled.tolist()) / n
    spread = math.sqrt(float(np.mean(deviations**2)))
    if spread <= 1e-15:
        return None
    return float(np.mean((deviations / spread) ** 3)) * math.sqrt(n * (n - 1)) / (n - 2)


# How much better one algorithm is than another over all problems, with the interval that belongs to the test.


EffectKind = Literal["mean difference", "Hodges–Lehmann", "mean ratio", "Hodges–Lehmann ratio", "share of wins"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairEffect:
    """The size by which a is better than b: in score units, as a fraction (percent), or as a ratio (log-ratio)."""

    kind: EffectKind  # what is estimated
    estimate: float  # positive where a is better, a ratio above 1
    low: float  # infinite on the open side of a one-sided interval
    high: float
    confidence_level: float  # of the interval
    standardized: float | None  # d = (mean − μ₀)/sd of the differences; None if they do not vary, and for signs


def pair_effect(scores: Scores, a: int, b: int, question: Question, test: TestResult) -> PairEffect | None:
    """The estimate that belongs to the test, with the interval that its inversion gives; None without one."""
    level, kind = 1 - question.alpha, question.kind
    if isinstance(test, SignTestResult):
        return _share(test, question)
    d = standardized(beyond_null(scores, a, b, question))
    name: EffectKind = "mean ratio" if kind.logs else "mean difference"
    if not isinstance(test, PairedTResult):
        name = "Hodges–Lehmann ratio" if kind.logs else "Hodges–Lehmann"
    try:
        effect = test if isinstance(test, PairedTResult) else hodges_lehmann(scores, a, b, level)
    except BakeoffError:
        return None
    return PairEffect(
        kind=name,
        estimate=kind.effect(effect.estimate),
        low=kind.effect(effect.low),
        high=kind.effect(effect.high),
        confidence_level=level,
        standardized=d,
    )


def _share(test: SignTestResult, question: Question) -> PairEffect | None:
    """Wins of a among the problems that are not tied, with the exact interval of Clopper & Pearson (1934).

    With a null value a wins where it is better by more than that.
    """
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


# Which effects could this experiment have found? Reported with every verdict.


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

    options = _plan_options(question, n_algorithms)
    detectable = power = None
    n = effective(question, n_problems)
    if n >= 2:
        with contextlib.suppress(BakeoffError):
            detectable = abs(plan.detectable(n, question.power, **options))
        with contextlib.suppress(BakeoffError):
            size = -question.effect_size if question.alternative == "less" else question.effect_size
            power = plan.power(n, size, **options)
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
        return plan.curve(
            n=effective(question, n_problems), power=question.power, **_plan_options(question, n_algorithms)
        )
    except BakeoffError:
        return None


def _plan_options(question: Question, n_algorithms: int) -> dict[str, Any]:
    return {
        "alpha": question.alpha,
        "alternative": question.alternative,
        "test": question.test,
        "method": _QUICK[question.test],
        "n_algorithms": n_algorithms,
        "comparisons": "all-pairs" if question.control is None else "control",
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class PairAnalysis:
    """One pair over all problems; everything signed is positive where a is better.

    Attributes
    ----------
    a, b : str
        The two algorithms.
    verdict : str
        "a better", "b better", "no difference shown" or "cannot tell"; with a null value "above the null value", "below
        the null value" or "null value possible" in place of the first three.
    pvalue, adjusted : float or None
        Of the test, in a sequential experiment valid at all looks; by Holm's correction over the pairs.
    effect : PairEffect or None
        How much better a is, with an interval.
    test : result of a test, or None
        The fixed-size test on all problems; None if it cannot be computed.
    differences, problems : ndarray (n_problems,), tuple of str
        The differences (for the sign test their signs, ±1 and 0), and the problems they belong to.
    checks : Checks or None
        Of normality; None for signs, and with more than 66 pairs.
    failure : str
        Why there is no test.
    """

    a: str
    b: str
    differences: Array
    problems: tuple[str, ...]
    test: TestResult | None
    pvalue: float | None
    adjusted: float | None
    verdict: str
    effect: PairEffect | None
    checks: Checks | None
    failure: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentAnalysis:
    """The analysis of an experiment.

    Attributes
    ----------
    question : Question
        As fixed before the first run: test, alternative, alpha, effect size, power.
    pairs : tuple of PairAnalysis
        Evidence, decision and effect of each pair; ``pair`` is the first.
    correction : str
        "none" or "holm".
    n_problems, n_planned, n_dropped : int
        Problems that entered the tests, problems of the experiment, finished problems without a difference.
    looks, last_look, stopped_early : tuple, Look or None, bool
        Of a sequential experiment.
    power_profile : PowerProfile
        Which effects it could find.
    without_success : tuple of str
        A sentence for each algorithm that failed in all its runs: there is no verdict on it.
    cautions : tuple of Caution
        About the test.
    """

    question: Question
    pairs: tuple[PairAnalysis, ...]
    correction: str
    looks: tuple[StoredLook, ...]  # looks of a sequential experiment, in order
    last_look: Look | None
    stopped_early: bool  # whether a sequential experiment ended before its last look
    n_problems: int  # problems that entered the tests
    n_planned: int  # problems of the experiment
    n_dropped: int  # finished problems without a difference
    power_profile: PowerProfile
    without_success: tuple[str, ...]
    cautions: tuple[Caution, ...]

    @property
    def pair(self) -> PairAnalysis:
        """The only one, or the first."""
        return self.pairs[0]

    def __str__(self) -> str:
        words = {"a better": "{a} is better than {b}", "b better": "{b} is better than {a}"}
        lines = [
            words.get(p.verdict, "{a} and {b}: " + p.verdict).format(a=p.a, b=p.b)
            + ("" if p.adjusted is None else f" (p = {numerals.pvalue(p.adjusted)})")
            for p in self.pairs
        ]
        return f"{'; '.join(lines)}; {counted(self.n_problems, 'problem')}"
