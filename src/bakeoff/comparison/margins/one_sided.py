"""Two one-sided tests of differences against a margin: is a not worse than b by the margin, and b not than a?

The margin is added to the differences, or taken from them, before anything is ranked, and ties are decided on decimals:
0.81 − 0.80 lies exactly at the margin 0.01. Such a problem speaks for neither side and is dropped by the signed-rank
test, as Wilcoxon did; its law is that of the signs given the ranks, ties included.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from bakeoff.comparison.pair_test import measured_scores
from bakeoff.errors import ParameterError
from bakeoff.nulls.tails import t_sf
from bakeoff.paired._paired_t import mean_and_error
from bakeoff.paired._wilcoxon import SignedRankSums, one_sided
from bakeoff.paired.differences import Differences
from bakeoff.paired.many_pairs import Columns, Pairs, RowDifferences, chunks_of, row_differences, row_sums
from bakeoff.ranks import tie_tolerance
from bakeoff.scores import Scores
from bakeoff.scores.margins import Margin

TESTS = ("wilcoxon", "t")


def margin_scores(scores: Scores, margin: Margin, test: str) -> Scores:
    """The scores whose differences are compared with the margin; what no test can compare with it is refused."""
    if test == "wilcoxon" and set(np.unique(scores.values).tolist()) == {0.0, 1.0}:
        rule = "of scores of 0 and 1 is one of their mean, and Wilcoxon's test is about the median: choose the t test"
        raise ParameterError(rule, parameter="margin")
    found = measured_scores(scores, "log", "margin", margin.given) if margin.relative else scores
    finest = float(tie_tolerance(found.scales).max(initial=0.0))
    if margin.value <= finest:
        rule = f"must be larger than the precision of the scores, {finest:.2g}; got {margin.given}"
        raise ParameterError(rule, parameter="margin")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class OneSided:
    """p of "a is worse by the margin or more", and of the same for b, with their logarithms."""

    a: float
    b: float
    log_a: float
    log_b: float

    @property
    def equal(self) -> float:
        """Both are to be rejected: the larger one."""
        return max(self.a, self.b)

    @property
    def log_equal(self) -> float:
        return max(self.log_a, self.log_b)


def one_sided_tests(scores: Scores, pairs: Pairs, margin: float, test: str) -> list[OneSided]:
    """Of each pair of these finite scores."""
    columns, found = Columns.of(scores), []
    for chunk in chunks_of(pairs, scores.n_problems):
        found += _of_rows(row_differences(columns, chunk), margin, test)
    return found


def one_sided_test(found: Differences, margin: float, test: str) -> OneSided:
    """Of one pair's differences."""
    return _of_rows(RowDifferences(values=found.values[None], scales=found.scales[None]), margin, test)[0]


def _of_rows(found: RowDifferences, margin: float, test: str) -> list[OneSided]:
    of_a = _pvalues(moved(found, margin), "greater", test)
    of_b = _pvalues(moved(found, -margin), "less", test)
    return [OneSided(a=a, b=b, log_a=log_a, log_b=log_b) for (a, log_a), (b, log_b) in zip(of_a, of_b, strict=True)]


def moved(found: RowDifferences, by: float) -> RowDifferences:
    """d + by, exactly 0 where d and −by are tied."""
    values, scales = found.values + by, np.maximum(found.scales, abs(by))
    zero = np.abs(values) <= tie_tolerance(scales)
    values[zero], scales[zero] = 0.0, 0.0
    return RowDifferences(values=values, scales=scales)


def least_pvalue(n: int, test: str) -> float:
    """That n problems can give."""
    if test == "wilcoxon":
        return math.ldexp(1.0, -n)
    return 0.0 if n > 1 else 1.0


def _pvalues(rows: RowDifferences, alternative: str, test: str) -> Iterator[tuple[float, float]]:
    if test == "t":
        return (_student(rows.row(i), alternative) for i in range(len(rows.values)))
    positive = np.count_nonzero(rows.values > 0, axis=1).tolist()
    return (
        one_sided(without_zeros(sums, above), alternative) for sums, above in zip(row_sums(rows), positive, strict=True)
    )


def without_zeros(sums: SignedRankSums, positive: int) -> SignedRankSums:
    """Rank sums that split the zeros, as if these had been dropped before ranking: they have the lowest ranks."""
    kept, m = sums.n - len(sums.ranks), len(sums.ranks)
    return replace(
        sums,
        ranks=sums.ranks - 2 * kept,
        plus=sums.plus - 2 * kept * positive,
        minus=sums.minus - 2 * kept * (m - positive),
        half_zeros=0,
        n=m,
    )


def _student(found: Differences, alternative: str) -> tuple[float, float]:
    """Of the mean; where all differences are one number, the limit: 0 on the right side of the margin, else 1."""
    mean, error = mean_and_error(found)
    toward = mean if alternative == "greater" else -mean
    if math.isinf(error) or (error == 0.0 and toward <= 0.0):
        return 1.0, 0.0
    if error == 0.0:
        return 0.0, -math.inf
    p, log_p = t_sf(toward / error, len(found.values) - 1)
    return float(p), float(log_p)


def interval_beside(
    low: float, high: float, margin: float, alpha: float, found: OneSided, smallest: float
) -> tuple[float, float]:
    """An interval inside the margin on the sides whose test rejects at alpha, and not inside on the others.

    Without ties at an end nothing moves.
    """
    high = min(high, margin - smallest) if found.b <= alpha else max(high, margin)
    low = max(low, smallest - margin) if found.a <= alpha else min(low, -margin)
    return min(low, high), max(low, high)
