"""How much: wins, ties, losses, Hodges–Lehmann difference and rank-biserial correlation of each pair."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bakeoff.comparison.results import Effect
from bakeoff.effects import hodges_lehmann, rank_biserial
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


def pair_sizes(scores: Scores, family: list[tuple[int, int]], confidence_level: float) -> PairSizes:
    """Sizes of the differences, positive where a is better."""
    ranks = doubled_ranks(scores)
    a, b = np.array(family, dtype=np.intp).T
    wins = np.array([np.count_nonzero(ranks[:, i] < ranks[:, j]) for i, j in family], dtype=np.int64)
    losses = np.array([np.count_nonzero(ranks[:, i] > ranks[:, j]) for i, j in family], dtype=np.int64)
    shift: list[Effect | None] = []
    biserial: list[float | None] = []
    for (i, j), computable in zip(family, _have_differences(scores.values, a, b), strict=True):
        shift.append(_shift(scores, i, j, confidence_level) if computable else None)
        biserial.append(rank_biserial(scores, i, j).statistic if computable else None)
    return PairSizes(
        wins=wins, ties=scores.n_problems - wins - losses, losses=losses, shift=shift, rank_biserial=biserial
    )


def _have_differences(values: Array, a: npt.NDArray[np.intp], b: npt.NDArray[np.intp]) -> list[bool]:
    """Which pairs have finite differences on every problem."""
    finite = np.isfinite(values).all(axis=0)
    with np.errstate(over="ignore", invalid="ignore"):
        return [
            bool(finite[i] and finite[j] and np.isfinite(values[:, i] - values[:, j]).all())
            for i, j in zip(a.tolist(), b.tolist(), strict=True)
        ]


def _shift(scores: Scores, a: int, b: int, confidence_level: float) -> Effect:
    found = hodges_lehmann(scores, a, b, confidence_level=confidence_level)
    return Effect(estimate=found.estimate, low=found.low, high=found.high, confidence_level=found.confidence_level)
