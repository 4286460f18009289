"""Aligned ranks: all observations ranked together after subtracting each problem's mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bakeoff.ranks._rank import doubled_ranks, doubled_row_ranks
from bakeoff.ranks.ties import Ints, doubled_tied_ranks, refuse_overflow
from bakeoff.scores import Array, Scores, check_scores, read_only
from bakeoff.scores.cells import exact_mean
from bakeoff.takes_table import takes_table

if TYPE_CHECKING:
    from fractions import Fraction


@takes_table
def rank_aligned(scores: Scores) -> Array:
    """Rank all n·k observations together after subtracting each problem's mean: 1 is best.

    When to use: few algorithms (k ≤ 4 or 5), and score differences are comparable between problems.

    Returns
    -------
    ndarray, shape (n_problems, n_algorithms)
        Ranks in 1..kn.

    Raises
    ------
    InfiniteScoreError
        Alignment takes differences.

    Notes
    -----
    Hodges & Lehmann (1962); Derrac et al. (2011), section 4.2.

    Examples
    --------
    >>> import bakeoff as bo
    >>> s = bo.Scores([[2.711, 3.147, 2.515, 2.612], [7.832, 9.828, 7.832, 7.921],
    ...                [0.012, 0.532, 0.122, 0.005], [3.431, 4.111, 3.401, 3.401]], better="lower")
    >>> bo.rank_aligned(s)[0]  # Derrac et al. (2011), Table 9
    array([12., 14.,  4., 10.])
    """
    return read_only(doubled_aligned_ranks(check_scores(scores)) / 2.0)


def doubled_aligned_ranks(scores: Scores) -> Ints:
    """(n, k) twice the aligned ranks, in 2..2kn."""
    scores.require_finite("The test on aligned ranks")
    costs = scores.costs
    return aligned_ranks_of(costs, aligned_costs(costs), scores.scales.max(axis=1), doubled_ranks(scores))


def aligned_costs(costs: Array) -> Array:
    """(n, k) less each problem's mean."""
    centres = np.array([exact_mean(row) for row in costs.tolist()])
    with np.errstate(over="ignore"):
        aligned: Array = costs - centres[:, None]
    refuse_overflow(aligned, "Aligned ranks")
    return aligned


def aligned_ranks_of(costs: Array, aligned: Array, scales: Array, within: Ints) -> Ints:
    """The same of a bare table: ``scales`` (n,) of the problems, ``within`` the doubled ranks within them."""
    every = np.broadcast_to(scales[:, None], costs.shape)
    doubled = doubled_tied_ranks(aligned.ravel(), every.ravel()).reshape(costs.shape)
    return _keep_order_within_problems(doubled, within, costs)


def _keep_order_within_problems(doubled: Ints, within: Ints, costs: Array) -> Ints:
    """Scores of one problem move together, so unequal ones stay unequal, though one huge score among them makes a
    tolerance larger than the others' differences: ties that contradict ``within`` are resolved on exact decimals.
    """
    order = np.argsort(within, axis=1, kind="stable")
    inside, outside = np.take_along_axis(within, order, axis=1), np.take_along_axis(doubled, order, axis=1)
    swallowed = (inside[:, 1:] != inside[:, :-1]) & (outside[:, 1:] == outside[:, :-1])
    settled = doubled.copy()
    for tied in np.unique(outside[:, 1:][swallowed]).tolist():
        rows, columns = np.nonzero(doubled == tied)
        exact = {i: _aligned_exactly(costs[i].tolist(), within[i].tolist()) for i in set(rows.tolist())}
        values = [exact[i][j] for i, j in zip(rows.tolist(), columns.tolist(), strict=True)]
        places = {value: float(place) for place, value in enumerate(sorted(set(values)))}
        ranks = doubled_row_ranks(np.array([[places[value] for value in values]]))[0]
        settled[rows, columns] = tied - len(values) - 1 + ranks
    return settled


def _aligned_exactly(costs: list[float], within: list[int]) -> list[Fraction]:
    """The scores of one problem less their mean, as the decimals they show; tied ones have the same value."""
    from fractions import Fraction  # rarely needed: not at start-up

    shown = {rank: Fraction(repr(cost)) for cost, rank in sorted(zip(costs, within, strict=True), reverse=True)}
    centre = sum(shown[rank] for rank in within) / Fraction(len(within))
    return [shown[rank] - centre for rank in within]
