"""How much: wins, ties, losses, Hodges–Lehmann difference and rank-biserial correlation of each pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bakeoff.comparison.results import Effect
from bakeoff.effects import HodgesLehmannResult, hodges_lehmann, rank_biserial
from bakeoff.errors import Caution
from bakeoff.ranks import Ints, doubled_ranks
from bakeoff.scores import Array, Scores


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSizes:
    """In the order of the family; None where an infinite score leaves no difference to compute."""

    wins: Ints
    ties: Ints
    losses: Ints
    shift: list[Effect | None]
    rank_biserial: list[float | None]
    cautions: tuple[Caution, ...]  # of the intervals: all pairs have as many problems, so one stands for all


def too_many_for_sizes(scores: Scores, n_pairs: int) -> bool:
    """Would differences and their intervals take longer than about ten seconds? Then only wins are counted."""
    return n_pairs * (min(scores.n_problems, 3000) + 70) ** 2 > 10**9


def too_many_for_signed_ranks(scores: Scores, n_pairs: int) -> bool:
    """Would Wilcoxon's exact test of every pair take longer than a few seconds?"""
    return n_pairs * (min(scores.n_problems, 1000) + 50) ** 2 > 2 * 10**8


def pair_sizes(scores: Scores, family: list[tuple[int, int]], confidence_level: float) -> PairSizes:
    """Sizes of the differences, positive where a is better."""
    beaten = _beaten(doubled_ranks(scores))
    a, b = np.array(family, dtype=np.intp).T
    wins, losses = beaten[a, b], beaten[b, a]
    left_out = too_many_for_sizes(scores, len(family))
    shift: list[Effect | None] = []
    biserial: list[float | None] = []
    cautions: tuple[Caution, ...] = ()
    for i, j in family:
        computable = not left_out and _has_differences(scores.values[:, i], scores.values[:, j])
        found = hodges_lehmann(scores, i, j, confidence_level=confidence_level) if computable else None
        shift.append(None if found is None else _effect(found))
        biserial.append(rank_biserial(scores, i, j).statistic if computable else None)
        cautions = cautions if found is None else found.cautions
    return PairSizes(
        wins=wins,
        ties=scores.n_problems - wins - losses,
        losses=losses,
        shift=shift,
        rank_biserial=biserial,
        cautions=cautions,
    )


def _beaten(ranks: Ints) -> Ints:
    """(k, k) on how many problems the row's algorithm is better than the column's."""
    return np.array([np.count_nonzero(column[:, None] < ranks, axis=0) for column in ranks.T], dtype=np.int64)


def _has_differences(a: Array, b: Array) -> bool:
    """Is the difference a finite number on every problem?"""
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(a - b).all())


def _effect(found: HodgesLehmannResult) -> Effect:
    """The interval with the confidence it has: with few problems (n < 6 at 0.95) less than was asked for."""
    level = found.achieved_confidence if found.cautions else found.confidence_level
    return Effect(estimate=found.estimate, low=found.low, high=found.high, confidence_level=level)
