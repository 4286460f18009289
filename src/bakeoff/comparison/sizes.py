"""How much: wins, ties, losses, Hodges–Lehmann difference and rank-biserial correlation of each pair."""

from dataclasses import dataclass

import numpy as np

from bakeoff.comparison.results import Effect
from bakeoff.effects._hodges_lehmann import interval_cautions, interval_cut
from bakeoff.effects.hodges_lehmann_pairs import computable_shifts
from bakeoff.errors import Caution
from bakeoff.nulls.signed_rank import EXACT_LIMIT
from bakeoff.paired.differences import beaten
from bakeoff.paired.many_pairs import for_signed_ranks
from bakeoff.ranks import Ints
from bakeoff.scores import Scores


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


def pair_sizes(scores: Scores, family: list[tuple[int, int]], confidence_level: float) -> PairSizes:
    """Sizes of the differences, positive where a is better."""
    won = beaten(scores)
    a, b = np.array(family, dtype=np.intp).T
    wins, losses = won[a, b], won[b, a]
    shift: list[Effect | None] = [None] * len(family)
    cautions: tuple[Caution, ...] = ()
    if not too_many_for_sizes(scores, len(family)):
        shift, cautions = _shifts(scores, family, confidence_level)
    return PairSizes(
        wins=wins,
        ties=scores.n_problems - wins - losses,
        losses=losses,
        shift=shift,
        rank_biserial=_rank_biserials(scores, family, shift),
        cautions=cautions,
    )


def _shifts(
    scores: Scores, family: list[tuple[int, int]], confidence_level: float
) -> tuple[list[Effect | None], tuple[Caution, ...]]:
    """Hodges–Lehmann differences; the interval has the confidence it has, with few problems (n < 6 at 0.95) less than
    was asked for. All pairs have as many problems, so the cautions are those of any of them.
    """
    n = scores.n_problems
    _, achieved, _ = interval_cut(n, confidence_level)
    cautions = interval_cautions(n, confidence_level, achieved)
    level = achieved if cautions else confidence_level
    effects = [
        None if found is None else Effect(estimate=found[0], low=found[1], high=found[2], confidence_level=level)
        for found in computable_shifts(scores, family, confidence_level)
    ]
    return effects, cautions if any(effects) else ()


def _rank_biserials(scores: Scores, family: list[tuple[int, int]], shift: list[Effect | None]) -> list[float | None]:
    """Of the pairs whose differences are known."""
    pairs = [pair for pair, effect in zip(family, shift, strict=True) if effect is not None]
    found = iter(for_signed_ranks(scores, pairs, lambda sums: sums.rank_biserial, "The rank-biserial correlation"))
    return [None if effect is None else next(found) for effect in shift]
