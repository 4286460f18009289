"""Many tables of the same shape, side by side, and what several procedures need of them, computed once."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass
from bakeoff.nulls.tails import normal_two_sided
from bakeoff.paired.many_pairs import Columns, RowDifferences, RowSums, mid_ranks_of_sorted, row_differences, summed
from bakeoff.posthoc.pairs import signed_rank_rows
from bakeoff.ranks import (
    Ints,
    aligned_costs,
    aligned_ranks_of,
    doubled_ranks_of,
    doubled_tied_ranks,
    refuse_overflow,
    tie_tolerance,
)
from bakeoff.scores import Array
from bakeoff.scores.pair_family import Family, family_of

# Ranks of derived quantities, tied within the tolerance of the scores behind them, of many lists at once.


def tied_ranks_of_rows(values: Array, scales: Array) -> Ints:
    """(t, m) twice the mid-ranks within each row; a row in which a tie is in question goes by itself."""
    order = np.argsort(values, axis=1)
    sorted_values = np.take_along_axis(values, order, axis=1)
    tolerance = np.take_along_axis(tie_tolerance(scales), order, axis=1)
    equal = sorted_values[:, 1:] == sorted_values[:, :-1]
    with np.errstate(over="ignore"):
        reach = np.maximum.accumulate(sorted_values + tolerance, axis=1)[:, :-1]
        back = np.minimum.accumulate((sorted_values - tolerance)[:, ::-1], axis=1)[:, ::-1][:, 1:]
    in_question = ~equal & ((reach >= sorted_values[:, 1:]) | (back <= sorted_values[:, :-1]))
    ranks = np.empty(values.shape, dtype=np.int64)
    np.put_along_axis(ranks, order, mid_ranks_of_sorted(equal)[0], axis=1)
    for i in np.flatnonzero(in_question.any(axis=1)).tolist():
        ranks[i] = doubled_tied_ranks(values[i], scales[i])
    return ranks


def contradicting(doubled: Ints, within: Ints) -> npt.NDArray[np.bool_]:
    """(t,) tables (t, n, k) in which scores of one problem are tied that differ within it."""
    order = np.argsort(within, axis=2, kind="stable")
    inside, outside = np.take_along_axis(within, order, axis=2), np.take_along_axis(doubled, order, axis=2)
    swallowed = (inside[:, :, 1:] != inside[:, :, :-1]) & (outside[:, :, 1:] == outside[:, :, :-1])
    return np.asarray(swallowed.any(axis=(1, 2)))


# What a procedure says of each of many tables.


Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TestOutcome:
    """The outcome of a test on t tables.

    ``family``: adjusted p-values of all pairs that are tested together; None if there is only one.
    A Bayesian decision has twice the smaller of the two posterior probabilities for its p-value.
    """

    pvalue: Array  # (t,) of the pair, adjusted where the procedure tests a family; of the table for an omnibus test
    rejected: Flags  # (t,) is the pair (the table) found different?
    family: Array | None = None  # (pairs, t)
    decided: Flags | None = None  # (pairs, t) which of the family are found different

    @classmethod
    def of_pvalues(cls, pvalue: Array, alpha: float) -> "TestOutcome":
        """A test by itself."""
        return cls(pvalue=pvalue, rejected=pvalue <= alpha)

    @classmethod
    def of_family(cls, adjusted: Array, place: int, alpha: float, reachable: bool = True) -> "TestOutcome":
        """Adjusted p-values; nothing is found different where the design could not have reached alpha."""
        decided = (adjusted <= alpha) & reachable
        return cls(pvalue=adjusted[place], rejected=decided[place], family=adjusted, decided=decided)


Known = dict[tuple[bytes, int], tuple[float, float]]


class TableBatch:
    """``costs`` (t, n, k): t tables of n problems and k algorithms, lower is better; ``scales`` as of ``Scores``.

    ``averaged``: the costs are means over runs, which are tied within a tolerance. ``a`` and ``b`` are the columns of
    the pair that is looked at; a is also the control. ``known``: p-values of signed ranks, kept from batch to batch.
    """

    def __init__(
        self,
        costs: Array,
        scales: Array,
        averaged: bool,
        pair: tuple[int, int],
        alpha: float,
        known: Known | None = None,
    ) -> None:
        self.costs, self.scales, self.averaged, self.alpha = costs, scales, averaged, alpha
        self.a, self.b = pair
        self.t, self.n, self.k = costs.shape
        self.known: Known = {} if known is None else known

    # --- families ---------------------------------------------------------------------------------------------------

    @cached_property
    def pairs(self) -> Family:
        """All pairs, in column order."""
        return family_of(self.k, None)

    @cached_property
    def with_control(self) -> Family:
        """The control a and each other algorithm, in column order."""
        return family_of(self.k, self.a)

    def place(self, family: Sequence[tuple[int, int]]) -> int:
        """The place of the pair of interest in a family."""
        two = {self.a, self.b}
        return next(i for i, pair in enumerate(family) if set(pair) == two)

    # --- two algorithms ---------------------------------------------------------------------------------------------

    @cached_property
    def columns(self) -> Columns:
        """All tables below each other, by algorithms."""
        flat = (-1, self.k)
        return Columns(
            costs=np.ascontiguousarray(self.costs.reshape(flat).T),
            scales=np.ascontiguousarray(self.scales.reshape(flat).T),
        )

    def differences(self, pairs: Family) -> RowDifferences:
        """(pairs · t, n): of the first pair all tables, then of the second one."""
        rows = row_differences(self.columns, pairs)
        refuse_overflow(rows.values, "A study of power")
        shape = (-1, self.n)
        return RowDifferences(values=rows.values.reshape(shape), scales=rows.scales.reshape(shape))

    @cached_property
    def pair_sums(self) -> RowSums:
        """Signed ranks of the pair looked at, a row for each table."""
        return summed(self.differences([(self.a, self.b)]))

    @cached_property
    def pair_signs(self) -> tuple[Ints, Ints]:
        """(t,) problems on which a is better, and on which b is."""
        first, second = self.costs[:, :, self.a], self.costs[:, :, self.b]
        tied = first == second
        if self.averaged:
            with np.errstate(over="ignore", invalid="ignore"):
                slack = tie_tolerance(np.maximum(self.scales[:, :, self.a], self.scales[:, :, self.b]))
                tied |= np.abs(second - first) <= slack
        return ((first < second) & ~tied).sum(axis=1), ((first > second) & ~tied).sum(axis=1)

    def signed_rank_tests(self, pairs: Family) -> Array:
        """(pairs, t) Wilcoxon's p-values."""
        return signed_rank_rows(summed(self.differences(pairs)), self.known)[:, 2].reshape(-1, self.t)

    # --- all algorithms ---------------------------------------------------------------------------------------------

    @cached_property
    def ranks(self) -> Ints:
        """(t, n, k) doubled ranks within problems."""
        flat = (-1, self.k)
        scales = self.scales.reshape(flat) if self.averaged else None
        return doubled_ranks_of(self.costs.reshape(flat), scales).reshape(self.costs.shape)

    @cached_property
    def aligned_ranks(self) -> Ints:
        """(t, n, k) doubled aligned ranks."""
        aligned = aligned_costs(self.costs.reshape(-1, self.k)).reshape(self.costs.shape)
        scales = self.scales.max(axis=2)
        every = np.repeat(scales, self.k, axis=1)
        ranks = tied_ranks_of_rows(aligned.reshape(self.t, -1), every).reshape(self.costs.shape)
        for i in np.flatnonzero(contradicting(ranks, self.ranks)).tolist():
            ranks[i] = aligned_ranks_of(self.costs[i], aligned[i], scales[i], self.ranks[i])
        return ranks

    @cached_property
    def problem_ranks(self) -> Ints:
        """(t, n) doubled ranks of the problems by their ranges."""
        with np.errstate(over="ignore"):
            ranges = self.costs.max(axis=2) - self.costs.min(axis=2)
        refuse_overflow(ranges, "Quade's ranks of problems by range")
        return tied_ranks_of_rows(ranges, self.scales.max(axis=2))

    def ranks_by(self, ranking: str) -> tuple[Ints, int]:
        """The ranks of one ranking (Quade's: four times the weighted ones), and what makes a mean rank of their sum."""
        if ranking == "quade":
            return self.problem_ranks[:, :, None] * self.ranks, 2 * self.n * (self.n + 1)
        return self.ranks if ranking == "mean-ranks" else self.aligned_ranks, 2 * self.n

    def rank_tests(self, family: Family, ranking: str = "mean-ranks") -> Array:
        """(pairs, t) p-values of z tests on mean ranks, with the standard error of the ranks as they are."""
        ranks, divisor = self.ranks_by(ranking)
        sums = ranks.sum(axis=1)
        spread = self.k * (ranks**2).sum(axis=(1, 2)) - (ranks.sum(axis=2) ** 2).sum(axis=1)
        error = divisor * (np.sqrt(2 * spread / (self.k * (self.k - 1))) / divisor)
        a, b = np.array(family, dtype=np.intp).T
        distance = (sums[:, b] - sums[:, a]).T
        apart = np.broadcast_to(error > 0.0, distance.shape)  # not where all are tied on every problem
        p: Array = normal_two_sided(np.divide(distance, error, out=np.zeros(distance.shape), where=apart))[0]
        return p

    @cached_property
    def mean_rank_tests(self) -> Array:
        """With the control, on Friedman's ranks."""
        return self.rank_tests(self.with_control)
