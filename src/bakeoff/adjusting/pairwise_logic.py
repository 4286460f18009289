"""Shaffer's and Bergmann–Hommel's corrections: not every set of hypotheses about pairs can be true at once.

If A = B and B = C then A = C: the true hypotheses are the pairs within the blocks of a partition of the algorithms.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bakeoff.adjusting import bergmann_hommel_line, bergmann_hommel_subsets
from bakeoff.adjusting.arithmetic import Arithmetic
from bakeoff.adjusting.classical import running_max
from bakeoff.adjusting.shaffer_counts import most_true
from bakeoff.errors import TooLargeError
from bakeoff.scores import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """The checked input of a correction for all pairs."""

    matrix: Array  # (k, k) symmetric p-values; the diagonal is not looked at
    order: npt.NDArray[np.intp] | None  # of the algorithms along the line of positions, if p falls with the distance
    on: Arithmetic

    @property
    def upper(self) -> Array:
        """(m,) the p-values of the pairs, row by row above the diagonal."""
        return self.matrix[np.triu_indices(len(self.matrix), 1)]

    def thresholds(self) -> tuple[Array, npt.NDArray[np.int64]]:
        """The T distinct p-values in increasing order, and (k, k) how many of them each p-value reaches."""
        distinct = np.unique(self.upper)
        lives = np.searchsorted(distinct, self.matrix, side="right").astype(np.int64)
        np.fill_diagonal(lives, len(distinct))
        return distinct, lives


def shaffer(pairs: Pairs) -> Array:
    """(m,) max over j ≤ i of t_j·p_j; t_j = the most hypotheses that can be true when j − 1 of them are false."""
    p = pairs.upper
    order = np.argsort(p, kind="stable")
    adjusted = np.empty_like(p)
    adjusted[order] = running_max(pairs.on.times(p[order], most_true(len(pairs.matrix))))
    return adjusted


def shaffer_dynamic(pairs: Pairs) -> Array:
    """The same with the most hypotheses that can be true when just those with smaller p are false."""
    distinct, lives = pairs.thresholds()
    if pairs.order is not None:
        count = bergmann_hommel_line.line(lives[np.ix_(pairs.order, pairs.order)]).prefix[:, -1]
    else:
        _refuse_large(len(lives), "shaffer-dynamic")
        count = bergmann_hommel_subsets.most_within(lives)
    steps = running_max(pairs.on.times(distinct, count))
    return steps[lives[np.triu_indices(len(lives), 1)] - 1]


def bergmann_hommel(pairs: Pairs) -> Array:
    """max over exhaustive sets I holding the pair of |I| · min{p in I}, by thresholds t = min{p in I}."""
    distinct, lives = pairs.thresholds()
    k = len(lives)
    adjusted = np.empty((k, k))
    if pairs.order is not None:
        grid = np.ix_(pairs.order, pairs.order)
        adjusted[grid] = bergmann_hommel_line.adjusted_on_line(distinct, lives[grid], pairs.on)
    else:
        _refuse_large(k, "bergmann-hommel")
        most = bergmann_hommel_subsets.most_with_pair(lives)
        values = pairs.on.times(distinct, np.maximum(most, 1))
        adjusted = np.where(most > 0, values, pairs.on.zero).max(axis=2)
    return adjusted[np.triu_indices(k, 1)]


def _refuse_large(k: int, method: str) -> None:
    if k > bergmann_hommel_subsets.LIMIT and k > (limit := bergmann_hommel_subsets.limit()):
        more = (
            ""
            if limit == bergmann_hommel_subsets.LIMIT_COMPILED
            else f"; {bergmann_hommel_subsets.LIMIT_COMPILED} if the extra 'fast' is installed"
        )
        raise TooLargeError(
            f"method {method!r} takes at most {limit} algorithms for arbitrary p-values (the work grows as 3^k{more}); "
            f"got {k}. Use 'shaffer', or, where p-values decrease with the distance of rank sums, give "
            "positions=rank sums: then any number is possible."
        )
