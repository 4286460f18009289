"""Which effect fits a pair, on which scale, and its interval: of all pairs at once, whatever the verdict.

The effect follows the test (a mean difference beside t, a median beside the sign test, a difference of shares beside
McNemar's) and the scores: where more than a fifth of the differences are 0 the median of Walsh averages is often 0 and
says nothing, so the mean difference stands there; of scores of two values it is a difference of shares.

Every simultaneous interval has the level 1 − alpha/m (Bonferroni's), so that all m cover at once with 1 − alpha.
That of the test itself holds 0 unless p ≤ alpha/m, where corrections for all m reject too. A stepwise one rejects more;
the interval stays as it is, since one cut at 0 would no longer cover with the others, and reports mark it. One that
leaves out 0 although the test that decides (on ranks, say) shows no difference is widened to 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from bakeoff.analyses.compare.statistics.results import EffectKind, EffectScale, Verdict
from bakeoff.analyses.compare.statistics.units import Units
from bakeoff.analyses.compare.statistics.verdicts import DECIDED
from bakeoff.cautions import caution_of
from bakeoff.dataclass import dataclass
from bakeoff.effects._a12 import a12
from bakeoff.effects._hodges_lehmann import interval_cautions, interval_cut, reaches, shift_with_interval
from bakeoff.effects._median_difference import median_cut, median_with_interval
from bakeoff.effects.hodges_lehmann_pairs import computable_shifts
from bakeoff.effects.tied_means import many_ties, tied_mean
from bakeoff.errors import Caution, InfiniteScoreError, counted
from bakeoff.means.unit_mean import unit_mean
from bakeoff.paired.differences import Differences, directions, ordered_differences
from bakeoff.paired.shares import share_difference
from bakeoff.posthoc import dunnett, tukey
from bakeoff.ranks.measured_scores import measured_scores
from bakeoff.scores import Array, Scores
from bakeoff.scores.clusters import cluster_codes, cluster_means
from bakeoff.scores.contents import two_values
from bakeoff.scores.pair_family import Family

SCALES = ("difference", "percent", "log-ratio", "a12")
INTERVALS = ("simultaneous", "single")
OF_TEST: dict[str, EffectKind] = {"t": "mean", "sign": "median", "sign-without-ties": "median", "mcnemar": "share"}
ORDER_STATISTICS = ("hodges-lehmann", "median")
Bounds = tuple[float, float, float]  # estimate, low, high
Found = tuple[EffectKind, tuple[Bounds, ...]]  # at each level


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectRequest:
    """The request for effects: scale, kind of intervals, level of all intervals together."""

    scale: EffectScale
    intervals: str
    alpha: float
    n_pairs: int
    pooled: tuple[str, int | None] | None = None  # Tukey's or Dunnett's test, and the control's column

    @property
    def alone(self) -> bool:
        """Does each interval stand by itself?"""
        return self.intervals == "single" or self.n_pairs == 1

    @property
    def by_test(self) -> bool:
        """Does the test of all means itself give the simultaneous intervals?"""
        return self.pooled is not None and self.scale == "difference" and not self.alone

    @property
    def levels(self) -> tuple[float, ...]:
        """The levels of the interval of each pair by itself, and of each simultaneous one if that is another."""
        return (1.0 - self.alpha,) if self.alone or self.by_test else (1.0 - self.alpha, self.each_level)

    @property
    def each_level(self) -> float:
        """The level of each simultaneous interval."""
        return 1.0 - (self.alpha if self.alone else self.alpha / self.n_pairs)


def effect_scores(units: Units, scale: str) -> Scores:
    """The scores that effects are differences of, a row per unit; ratios need scores above 0."""
    if scale in ("percent", "log-ratio"):
        return units.independent(measured_scores(units.problems, "log", "effect", scale))
    return units.problems if scale == "a12" and units.unit == "cluster" else units.measured


def kinds_of(
    values: Array,
    two: tuple[float, float] | None,
    family: Family,
    tests: Sequence[str],
    ties: Sequence[int],
    scale: EffectScale,
) -> list[EffectKind]:
    """The effect of each pair, by its test and its ties; ``two``: the only values of the table."""
    n = len(values)
    finite = np.asarray(np.isfinite(values).all(axis=0)).tolist()
    shares = two is not None and two[0] < two[1]  # of one value nothing is known, not even the scale

    def kind_of(a: int, b: int, test: str, tied: int) -> EffectKind:
        if scale == "a12":
            return "a12"
        if shares:
            return "share"
        kind = OF_TEST.get(test, "hodges-lehmann")
        if kind == "hodges-lehmann" and many_ties(tied, n):
            kind = "mean"
        return "median" if kind == "mean" and not (finite[a] and finite[b]) else kind

    return [kind_of(a, b, test, tied) for (a, b), test, tied in zip(family, tests, ties, strict=True)]


def pair_bounds(
    scores: Scores, family: Family, kinds: Sequence[EffectKind], levels: Sequence[float], n_pairs: int, student: bool
) -> tuple[list[EffectKind | None], Array]:
    """The kind of each effect, None where a difference is undefined, and its bounds.

    Bounds are (pairs, levels, 3): estimate, low and high, still as differences.
    ``n_pairs`` are computed in all, of which ``family`` may be a part. ``student``: means have Student's interval, as
    the test has it; else they stand there because of ties.
    """
    effects: list[EffectKind | None] = [*kinds]
    bounds = np.full((len(family), len(levels), 3), np.nan)
    places = [i for i, kind in enumerate(kinds) if kind == "hodges-lehmann"]
    bounds[places] = computable_shifts(scores, [family[i] for i in places], levels, n_pairs)
    for i in np.flatnonzero(np.isnan(bounds[:, 0, 0])).tolist():
        one = _one(scores, family[i], kinds[i], levels, student)
        effects[i], bounds[i] = one or (None, np.nan)
    if scores.n_problems > 1:
        for i in np.flatnonzero(bounds[:, 0, 1] == bounds[:, 0, 2]).tolist():  # most differences are one number
            one = _one(scores, family[i], "mean", levels, student)
            effects[i], bounds[i] = one or (effects[i], bounds[i])
    return effects, bounds


def least_level(kinds: Iterable[EffectKind], n: int, level: float) -> float:
    """That one of the intervals reaches with n problems, at most ``level``."""
    return min((_achieved(n, kind, level) for kind in set(kinds)), default=1.0)


def _one(
    scores: Scores, pair: tuple[int, int], kind: EffectKind, levels: Sequence[float], student: bool
) -> Found | None:
    """None where a difference is undefined."""
    if kind == "a12":
        return kind, tuple(_superiority(scores, pair, level) for level in levels)
    differences = ordered_differences(scores, *pair)
    finite = np.isfinite(scores.values[:, list(pair)]).all(axis=1)
    if np.isnan(differences.values).any() or np.isinf(differences.values[finite]).any():
        return None
    if kind == "mean" and not finite.all():
        return None
    if kind == "share":
        low, high = two_values(scores) or (0.0, 0.0)
        apart = (high - low) or 1.0  # 1, or 100 points
        return kind, tuple(tango_bounds(differences, level, apart) for level in levels)
    bounds = _student if kind == "mean" and student else _BOUNDS[kind]
    try:
        return kind, tuple(bounds(differences, level) for level in levels)
    except InfiniteScoreError:  # half of the differences are infinite, to either side: there is no median
        return None


def _student(differences: Differences, level: float) -> Bounds:
    """Student's interval; where all differences are one number nothing is known of how they vary."""
    mean = unit_mean(differences.values, differences.scales)
    return mean.estimate, *mean.interval(level)


def tango_bounds(differences: Differences, level: float, apart: float) -> Bounds:
    """In score units: of 0 and 1 a difference of shares, of 0 and 100 one of points."""
    wins, losses = int(np.sum(differences.values > 0)), int(np.sum(differences.values < 0))
    estimate, low, high = share_difference(wins, losses, len(differences.values), level)
    return apart * estimate, apart * low, apart * high


def _superiority(scores: Scores, pair: tuple[int, int], level: float) -> Bounds:
    """2A − 1, from −1 to 1: with one score per cell a difference of shares of wins, else a mean over problems."""
    above = mean_superiority(scores, *pair)
    if above is None:
        won = directions(scores, *pair)
        return share_difference(int(np.sum(won > 0)), int(np.sum(won < 0)), len(won), level)
    mean, low, high = _student(Differences(values=above, scales=np.ones(len(above))), level)
    return mean, max(low, -1.0), min(high, 1.0)


def mean_superiority(scores: Scores, a: int, b: int) -> Array | None:
    """2A − 1 of each unit, of which the effect is the mean; None of one score a problem, which is won or not."""
    if scores.runs is None and scores.clusters is None:
        return None
    above = 2.0 * a12(scores, a, b).per_problem - 1.0
    return above if scores.clusters is None else cluster_means(above, cluster_codes(scores))


_BOUNDS: dict[EffectKind, Callable[[Differences, float], Bounds]] = {
    "hodges-lehmann": shift_with_interval,
    "median": median_with_interval,
    "mean": tied_mean,
}


def pooled_intervals(scores: Scores, family: Family, test: tuple[str, int | None], level: float) -> Array:
    """(m, 3) differences of means with the simultaneous intervals that Tukey's or Dunnett's test itself gives."""
    name, control = test
    if name == "dunnett" and control is not None:
        pooled = dunnett(scores, control, confidence_level=level)
        return np.stack([pooled.estimates, pooled.low, pooled.high], axis=1)
    all_pairs = tukey(scores, confidence_level=level)
    a, b = np.array(family, dtype=np.intp).T
    return np.stack([table[a, b] for table in (all_pairs.estimates, all_pairs.low, all_pairs.high)], axis=1)


def _achieved(n: int, kind: EffectKind, level: float) -> float:
    """At most 1 − 2^(1−n) by order statistics; the others always reach their level."""
    if kind == "hodges-lehmann":
        return interval_cut(n, level)[1]
    return median_cut(n, level)[1] if kind == "median" else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Levels:
    """The levels that intervals of order statistics reach with few problems, the same for all pairs."""

    single: float
    unbounded: bool  # the simultaneous ones
    cautions: tuple[Caution, ...]

    @classmethod
    def of(cls, kinds: Iterable[EffectKind], n: int, request: EffectRequest) -> Levels:
        """``kinds`` of the pairs that have an effect."""
        kinds, level, each = set(kinds), 1.0 - request.alpha, request.each_level
        single = least_level(kinds, n, level)
        cautions = interval_cautions(n, level, single)
        unbounded = not (request.alone or request.by_test) and not reaches(each, least_level(kinds, n, each))
        if unbounded:
            cautions += (
                caution_of(
                    "interval-below-level",
                    "unbounded",
                    problems=counted(n, "problem"),
                    each_level=request.each_level,
                    n_pairs=request.n_pairs,
                    alpha=1 - request.alpha,
                ),
            )
        return cls(single=level if reaches(level, single) else single, unbounded=unbounded, cautions=cautions)


def sized(
    kinds: Sequence[EffectKind],
    bounds: Array,
    pooled: Array | None,
    verdicts: Sequence[Verdict],
    levels: Levels,
    request: EffectRequest,
) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
    """The columns of ``Effect`` and of ``Interval``, the one beside the verdict, on the scale asked for.

    ``bounds`` are (pairs, levels, 3), of both levels, or of one if intervals are single; ``pooled`` is what a test of
    all means gives instead.
    """
    m, scale, alone = len(kinds), request.scale, request.alone
    by_order = np.array([kind in ORDER_STATISTICS for kind in kinds], dtype=bool)
    levels_of_each = np.where(by_order, levels.single, 1.0 - request.alpha)
    estimate, low, high = bounds[:, 0].T
    effects = {
        "estimate": _written(scale, estimate),
        "low": _written(scale, low),
        "high": _written(scale, high),
        "confidence_level": levels_of_each.tolist(),
        "kind": [*kinds],
        "scale": [scale] * m,
    }
    _, low, high = (bounds[:, -1] if pooled is None else pooled).T
    if levels.unbounded:
        low, high = np.where(by_order, -math.inf, low), np.where(by_order, math.inf, high)
    widened = np.zeros(m, dtype=bool)
    if request.intervals == "simultaneous":
        short = alone & (levels_of_each < request.each_level * (1 - 1e-12))
        undecided = np.array([verdict not in DECIDED for verdict in verdicts], dtype=bool)
        widened = ~short & undecided & ~((low <= 0.0) & (high >= 0.0))
        low, high = np.where(widened & (low > 0.0), 0.0, low), np.where(widened & (high < 0.0), 0.0, high)
    intervals = {
        "low": _written(scale, low),
        "high": _written(scale, high),
        "confidence_level": levels_of_each.tolist() if alone else [1.0 - request.alpha] * m,
        "each_level": levels_of_each.tolist() if alone else [request.each_level] * m,
        "at_verdict": widened.tolist(),
        "scale": [scale] * m,
    }
    return effects, intervals


def _written(scale: EffectScale, values: Array) -> list[float]:
    if scale == "a12":
        values = (1.0 + values) / 2.0
    if scale == "percent":
        return [100.0 * math.expm1(x) if x < 700.0 else math.inf for x in values.tolist()]
    return [*values.tolist()]
