"""Which effect fits a pair, on which scale, and its interval: of all pairs at once, in agreement with the verdict.

The effect follows the test (a mean difference beside t, a median beside the sign test, a difference of shares beside
McNemar's) and the scores: where more than a fifth of the differences are 0 the median of Walsh averages is often 0 and
says nothing, so the mean difference stands there, of scores of 0 and 1 as a difference of shares.

Every simultaneous interval has the level 1 − alpha/m (Bonferroni's), so that all m cover at once with 1 − alpha.
That of the test itself holds 0 unless p ≤ alpha/m, where corrections for all m reject too. A stepwise one rejects more:
such an interval is cut at 0, on the strength of the verdict. One that leaves out 0 although the test that decides (on
ranks, say) shows no difference is widened to 0.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import stdtrit

from bakeoff.checks import choice
from bakeoff.comparison.pair_test import measured_scores
from bakeoff.comparison.results import Effect, EffectKind, EffectScale, Interval, Verdict
from bakeoff.effects._a12 import a12
from bakeoff.effects._hodges_lehmann import interval_cut, reaches, shift_with_interval
from bakeoff.effects._median_difference import median_cut, median_with_interval
from bakeoff.effects.hodges_lehmann_pairs import computable_shifts
from bakeoff.effects.paired_shares import share_difference
from bakeoff.effects.signed_rank_inversion import agreeing, smallest_difference
from bakeoff.errors import Caution, counted
from bakeoff.paired._paired_t import mean_and_error
from bakeoff.paired.differences import Differences, ordered_differences
from bakeoff.posthoc import dunnett, tukey
from bakeoff.scores import Array, Scores
from bakeoff.scores.pair_family import Family

SCALES = ("difference", "percent", "log-ratio", "a12")
INTERVALS = ("simultaneous", "single")
MANY_TIES = 0.2
"""Share of problems without a difference beyond which the effect is a mean."""

OF_TEST: dict[str, EffectKind] = {"t": "mean", "sign": "median", "sign-without-ties": "median", "mcnemar": "share"}
Bounds = tuple[float, float, float]  # estimate, low, high


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectRequest:
    """What is asked for: scale, kind of intervals, level of all intervals together."""

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
    def each_level(self) -> float:
        """Of each simultaneous interval."""
        return 1.0 - (self.alpha if self.alone else self.alpha / self.n_pairs)


def check_effect(effect: str, intervals: str) -> None:
    choice("effect", effect, SCALES)
    choice("intervals", intervals, INTERVALS)


def effect_scores(scores: Scores, measured: Scores, scale: str) -> Scores:
    """What effects are differences of; ratios need scores above 0."""
    return measured_scores(scores, "log", "effect", scale) if scale in ("percent", "log-ratio") else measured


def kinds_of(
    scores: Scores, family: Family, tests: Sequence[str], ties: Sequence[int], scale: EffectScale
) -> list[EffectKind]:
    """The effect of each pair, by its test and its ties."""
    n = scores.n_problems
    return [_kind(scores, pair, test, tied / n, scale) for pair, test, tied in zip(family, tests, ties, strict=True)]


def pair_effects(
    scores: Scores, family: Family, kinds: Sequence[EffectKind], scale: EffectScale, level: float
) -> list[Effect | None]:
    """Each with an interval at ``level``, still as differences; None where a difference is undefined."""
    found: list[Effect | None] = [None] * len(family)
    places = [i for i, kind in enumerate(kinds) if kind == "hodges-lehmann"]
    for i, shifts in zip(places, computable_shifts(scores, [family[i] for i in places], [level]), strict=True):
        found[i] = None if shifts is None else _effect(shifts[0], "hodges-lehmann", scale, level)
    for i, (pair, kind) in enumerate(zip(family, kinds, strict=True)):
        effect = found[i] or _one(scores, pair, kind, scale, level)
        if effect is not None and effect.low == effect.high and scores.n_problems > 1:
            effect = _one(scores, pair, "mean", scale, level) or effect  # most differences are one number
        found[i] = effect
    return found


def least_level(effects: Sequence[Effect | None], n: int, level: float) -> float:
    """That one of the intervals reaches with n problems, at most ``level``."""
    return min((_achieved(n, effect.kind, level) for effect in effects if effect), default=1.0)


def _kind(scores: Scores, pair: tuple[int, int], test: str, tied: float, scale: EffectScale) -> EffectKind:
    if scale == "a12":
        return "a12"
    values = scores.values[:, list(pair)]
    if ((values == 0.0) | (values == 1.0)).all():
        return "share"
    kind = "mean" if tied > MANY_TIES else OF_TEST.get(test, "hodges-lehmann")
    return "median" if kind == "mean" and not np.isfinite(values).all() else kind


def _one(scores: Scores, pair: tuple[int, int], kind: EffectKind, scale: EffectScale, level: float) -> Effect | None:
    """None where a difference is undefined."""
    if kind == "a12":
        return _effect(_superiority(scores, pair, level), kind, scale, level)
    found = ordered_differences(scores, *pair)
    finite = np.isfinite(scores.values[:, list(pair)]).all(axis=1)
    if np.isnan(found.values).any() or np.isinf(found.values[finite]).any():
        return None
    if kind == "mean" and not finite.all():
        return None
    return _effect(_BOUNDS[kind](found, level), kind, scale, level)


def _mean(found: Differences, level: float) -> Bounds:
    """Student's interval; where all differences are one number nothing but its sign is known."""
    mean, error = mean_and_error(found)
    if not math.isfinite(error) or (error == 0.0 and mean == 0.0):
        return mean, -math.inf, math.inf
    if error == 0.0:
        return mean, -math.inf if mean < 0 else 0.0, math.inf if mean > 0 else 0.0
    reach = -float(stdtrit(len(found.values) - 1, (1 - level) / 2)) * error
    return mean, mean - reach, mean + reach


def _share(found: Differences, level: float) -> Bounds:
    wins, losses = int(np.sum(found.values > 0)), int(np.sum(found.values < 0))
    return share_difference(wins, losses, len(found.values), level)


def _superiority(scores: Scores, pair: tuple[int, int], level: float) -> Bounds:
    """2A − 1, from −1 to 1: with one score per cell a difference of shares of wins, else a mean over problems."""
    found = a12(scores, *pair)
    above = 2.0 * found.per_problem - 1.0
    if not found.runs:
        return share_difference(int(np.sum(above > 0)), int(np.sum(above < 0)), len(above), level)
    mean, low, high = _mean(Differences(values=above, scales=np.ones(len(above))), level)
    return mean, max(low, -1.0), min(high, 1.0)


_BOUNDS: dict[EffectKind, Callable[[Differences, float], Bounds]] = {
    "hodges-lehmann": shift_with_interval,
    "median": median_with_interval,
    "mean": _mean,
    "share": _share,
}


def pooled_intervals(scores: Scores, family: Family, test: tuple[str, int | None], level: float) -> list[Bounds]:
    """Differences of means with the simultaneous intervals that Tukey's or Dunnett's test itself gives."""
    name, control = test
    if name == "dunnett" and control is not None:
        found = dunnett(scores, control, confidence_level=level)
        return list(zip(found.estimates.tolist(), found.low.tolist(), found.high.tolist(), strict=True))
    all_pairs = tukey(scores, confidence_level=level)
    tables = (all_pairs.estimates, all_pairs.low, all_pairs.high)
    a, b = np.array(family, dtype=np.intp).T
    return list(zip(*(table[a, b].tolist() for table in tables), strict=True))


def _effect(bounds: Bounds, kind: EffectKind, scale: EffectScale, level: float) -> Effect:
    estimate, low, high = bounds
    return Effect(estimate=estimate, low=low, high=high, confidence_level=level, kind=kind, scale=scale)


def _achieved(n: int, kind: EffectKind, level: float) -> float:
    """At most 1 − 2^(1−n) by order statistics; the others always reach their level."""
    if kind == "hodges-lehmann":
        return interval_cut(n, level)[1]
    return median_cut(n, level)[1] if kind == "median" else 1.0


def as_achieved(effect: Effect | None, achieved: float) -> Effect | None:
    """With the level that few problems give to an interval of order statistics."""
    if effect is None or effect.kind not in ("hodges-lehmann", "median"):
        return effect
    return replace(effect, confidence_level=achieved)


def no_bounded_interval(n: int, request: EffectRequest) -> Caution:
    return Caution(
        code="interval-unbounded",
        text=f"With {counted(n, 'problem')} no interval of order statistics reaches {request.each_level:.6g} "
        f"confidence, which {request.n_pairs} intervals need to cover all at once with {1 - request.alpha:g}: they are "
        "unbounded. "
        'intervals="single" gives each by itself (also in pair.effect).',
        reference="Hodges & Lehmann (1963), Ann. Math. Statist. 34, 598–611",
    )


def simultaneous(
    scores: Scores,
    family: Family,
    singles: Sequence[Effect | None],
    verdicts: Sequence[Verdict],
    request: EffectRequest,
) -> tuple[list[Interval | None], tuple[Caution, ...]]:
    """The intervals of the family, beside its verdicts; ``singles`` are the effects with intervals of their own."""
    n, level = scores.n_problems, request.each_level
    cautions: tuple[Caution, ...] = ()
    ends: list[Bounds | None] = [None if e is None else (e.estimate, e.low, e.high) for e in singles]
    if not request.alone:
        if request.pooled is not None and request.scale == "difference":
            ends = [*pooled_intervals(scores, family, request.pooled, 1.0 - request.alpha)]
        else:
            kinds = [effect.kind if effect else "hodges-lehmann" for effect in singles]
            wide = pair_effects(scores, family, kinds, request.scale, level)
            if not reaches(level, least_level(singles, n, level)):
                wide = [_unbounded(effect) for effect in wide]
                cautions = (no_bounded_interval(n, request),)
            ends = [None if e is None else (e.estimate, e.low, e.high) for e in wide]
    found: list[Interval | None] = []
    for end, single, pair, verdict in zip(ends, singles, family, verdicts, strict=True):
        if end is None or single is None:
            found.append(None)
            continue
        own = single.confidence_level if request.alone else level
        joint = single.confidence_level if request.alone else 1.0 - request.alpha
        one = Interval(low=end[1], high=end[2], confidence_level=joint, each_level=own, scale=request.scale)
        short = request.alone and own < level * (1 - 1e-12)
        if request.intervals == "simultaneous" and not short:
            one = _beside(one, end[0], verdict, scores.scales[:, list(pair)])
        found.append(one)
    return found, cautions


def _unbounded(effect: Effect | None) -> Effect | None:
    order_statistics = effect is not None and effect.kind in ("hodges-lehmann", "median")
    return replace(effect, low=-math.inf, high=math.inf) if effect is not None and order_statistics else effect


def _beside(interval: Interval, estimate: float, verdict: Verdict, scales: Array) -> Interval:
    """Without 0 exactly where a difference is declared, as far as the effect's own sign agrees with that."""
    direction = {"a better": 1.0, "b better": -1.0}.get(verdict, 0.0)
    if direction and estimate * direction <= 0.0:
        return interval  # what the test sees is not the sign of this effect
    smallest = smallest_difference(np.ones(1) if interval.scale == "a12" else scales)
    smallest = min(smallest, abs(estimate)) if direction else smallest
    low, high = agreeing(interval.low, interval.high, rejected=bool(direction), direction=direction, smallest=smallest)
    return replace(interval, low=low, high=high, at_verdict=(low, high) != (interval.low, interval.high))


def effect_on_scale(effect: Effect | None) -> Effect | None:
    """From differences of logarithms to percent, from 2A − 1 to A."""
    if effect is None:
        return None
    estimate, low, high = (_written(effect.scale, x) for x in (effect.estimate, effect.low, effect.high))
    return replace(effect, estimate=estimate, low=low, high=high)


def interval_on_scale(interval: Interval | None) -> Interval | None:
    """As :func:`effect_on_scale`."""
    if interval is None:
        return None
    return replace(interval, low=_written(interval.scale, interval.low), high=_written(interval.scale, interval.high))


def _written(scale: EffectScale, x: float) -> float:
    if scale == "a12":
        return (1.0 + x) / 2.0
    if scale == "percent":
        return 100.0 * math.expm1(x) if x < 700.0 else math.inf
    return x
