"""Probabilities of better, equivalent and worse by signs, and how far they depend on where the prior mass lies."""

from bakeoff.wings.bayes.dirichlet.shares import Pair, Triple, above_half, largest_shares

AGAINST = 1.0
"""Strength of the prior that a certainty must survive: one more problem, which may point the other way."""


def sign_probabilities(wins: float, ties: float, losses: float, rope: float) -> Triple:
    """P(better), P(equivalent), P(worse) under Dirichlet(wins, ties, losses)."""
    if rope > 0:
        return largest_shares(wins, ties, losses)
    return above_half(wins, losses), 0.0, above_half(losses, wins)


def prior_bounds(wins: int, ties: int, losses: int, strength: float, rope: float) -> tuple[Pair, Pair, Pair]:
    """Lowest and highest of each probability: all prior mass on one of the three."""
    s = strength
    places = ((s, 0.0, 0.0), (0.0, s, 0.0), (0.0, 0.0, s))
    bounds = [sign_probabilities(wins + g, ties + t, losses + m, rope) for g, t, m in places]
    better, equivalent, worse = zip(*bounds, strict=True)
    return (min(better), max(better)), (min(equivalent), max(equivalent)), (min(worse), max(worse))


def bounds_of_certainty(p: Triple, counts: tuple[int, int, int], rope: float) -> tuple[Pair, Pair, Pair] | None:
    """Where a probability is 1: bounds over all priors as strong as one problem, from wins, ties and losses; else None.

    It is 1 because no problem contradicts it, however few problems there are.
    """
    return prior_bounds(*counts, AGAINST, rope) if max(p) == 1.0 else None
