"""How much: wins, ties, losses, effect and rank-biserial correlation of each pair."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bakeoff.comparison.effect_choice import (
    EffectRequest,
    as_achieved,
    effect_on_scale,
    effect_scores,
    interval_on_scale,
    kinds_of,
    least_level,
    pair_effects,
    simultaneous,
)
from bakeoff.comparison.pair_test import undefined_pairs
from bakeoff.comparison.results import Effect, Interval, Verdict
from bakeoff.effects._hodges_lehmann import interval_cautions, reaches
from bakeoff.errors import Caution
from bakeoff.nulls.signed_rank import EXACT_LIMIT
from bakeoff.paired.differences import beaten
from bakeoff.paired.many_pairs import for_signed_ranks
from bakeoff.ranks import Ints
from bakeoff.scores import Scores
from bakeoff.scores.pair_family import Family


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSizes:
    """In the order of the family; None where an infinite score leaves no difference to compute."""

    wins: Ints
    ties: Ints
    losses: Ints
    effects: list[Effect | None]
    intervals: list[Interval | None]
    rank_biserial: list[float | None]
    cautions: tuple[Caution, ...]  # of the intervals: all pairs have as many problems, so one stands for all


def too_many_for_sizes(scores: Scores, n_pairs: int) -> bool:
    """Would differences and their intervals take longer than about fifteen seconds? Then only wins are counted.

    Measured: 10 µs a pair and 0.012 µs a product of two problems; beyond some 1500 problems not all are listed.
    """
    n = scores.n_problems
    return n_pairs * (20 + 0.012 * n * min(n, 1500)) > 15e6


def too_many_for_signed_ranks(scores: Scores, n_pairs: int) -> bool:
    """Would Wilcoxon's test of every pair take longer than about five seconds?

    Measured: with ties an exact null for each pair, 0.06 µs a product of two problems; the normal law 0.1 µs a problem.
    """
    n = scores.n_problems
    return n_pairs * (100 + (0.06 * n * n if n <= EXACT_LIMIT else 0.1 * n)) > 5e6


def pair_sizes(
    scores: Scores,
    measured: Scores,
    family: Family,
    tests: Sequence[str],
    verdicts: Sequence[Verdict],
    request: EffectRequest,
) -> PairSizes:
    """Sizes of the differences, positive where a is better; ``tests`` decided the pairs, with these ``verdicts``."""
    won = beaten(scores)
    a, b = np.array(family, dtype=np.intp).T
    wins, losses = won[a, b], won[b, a]
    ties = scores.n_problems - wins - losses
    effects: list[Effect | None] = [None] * len(family)
    intervals: list[Interval | None] = [None] * len(family)
    cautions: tuple[Caution, ...] = ()
    if not too_many_for_sizes(scores, len(family)):
        used, n, level = effect_scores(scores, measured, request.scale), scores.n_problems, 1.0 - request.alpha
        kinds = kinds_of(used, family, tests, ties.tolist(), request.scale)
        effects = pair_effects(used, family, kinds, request.scale, level)
        achieved = least_level(effects, n, level)
        if not reaches(level, achieved):
            cautions = interval_cautions(n, level, achieved)
            effects = [as_achieved(effect, achieved) for effect in effects]
        intervals, unbounded = simultaneous(used, family, effects, verdicts, request)
        cautions += unbounded
    return PairSizes(
        wins=wins,
        ties=ties,
        losses=losses,
        effects=[effect_on_scale(effect) for effect in effects],
        intervals=[interval_on_scale(interval) for interval in intervals],
        rank_biserial=_rank_biserials(measured, family, any(effects)),
        cautions=cautions,
    )


def _rank_biserials(scores: Scores, family: Family, wanted: bool) -> list[float | None]:
    """Of the pairs with finite differences only."""
    finite, undefined = np.asarray(np.isfinite(scores.values).all(axis=0)), undefined_pairs(scores, family)
    usable = [
        wanted and bool(finite[a] and finite[b] and not none) for (a, b), none in zip(family, undefined, strict=True)
    ]
    pairs = [pair for pair, ok in zip(family, usable, strict=True) if ok]
    found = iter(for_signed_ranks(scores, pairs, lambda sums: sums.rank_biserial, "The rank-biserial correlation"))
    return [next(found) if ok else None for ok in usable]
