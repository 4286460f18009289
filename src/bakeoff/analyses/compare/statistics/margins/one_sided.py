"""Two one-sided tests of differences against a margin: is a not worse than b by the margin, and b not than a?

The margin is added to the differences, or taken from them, before anything is ranked, and ties are decided on decimals:
0.81 − 0.80 lies exactly at the margin 0.01. Such a problem speaks for neither side and is dropped by the signed-rank
test, as Wilcoxon did; its law is that of the signs given the ranks, ties included.

Of a mean the t-test asks, with two precautions where more than a fifth of the problems show no difference, because few
problems then carry the mean and the largest of them may not have been seen: fewer than 15 that differ show nothing, and
problems are added, on the far side of the margin, as large as the largest difference there is: two, and one more
whenever the error that a test may have is quartered, as with four times as many pairs. Where it is a fourth
of 0.05 or less, 18 must differ, and of fewer than 60 problems one more is added whenever that is halved. Simulated at
the margin (100 000 pairs a cell; exponential and lognormal (σ = 1) differences on 30 to 80 % of 20 to 120 problems; 1
to 45 independent pairs together at a nominal .05): false claims in at most .064 of tables, where t alone has .27 for
one pair, and two problems whatever the number of pairs .17 for 9 and .35 for 45. No such rule holds for any tail: with
lognormal differences of σ = 2 it was up to .24 with 30 problems, and .10 still with 400.

Scores of two values are tested by shares, exactly where that is quick.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from bakeoff.analyses.compare.statistics.incomplete.bounds import one_sided_bound
from bakeoff.dataclass import dataclass, replace
from bakeoff.effects.tied_means import SHARED, UNSEEN, few_differ, fewest_at, from_usual, with_unseen
from bakeoff.errors import ParameterError
from bakeoff.means.unit_mean import unit_mean
from bakeoff.paired._wilcoxon import SignedRankSums, one_sided
from bakeoff.paired.differences import Differences, beaten, doubled_signed_ranks
from bakeoff.paired.many_pairs import Columns, Pairs, RowDifferences, chunks_of, row_differences, summed
from bakeoff.paired.shares import share_pvalues
from bakeoff.ranks import tie_tolerance
from bakeoff.scores import Scores
from bakeoff.scores.margins import Margin

TESTS = ("wilcoxon", "t")
SMALL = 60
"""Problems below which many pairs need more that are unseen."""


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


NOTHING = OneSided(a=1.0, b=1.0, log_a=0.0, log_b=0.0)


def one_sided_tests(
    columns: Columns, pairs: Pairs, margin: float, test: str, error: float, free: int = 0
) -> list[OneSided]:
    """Test each pair of these finite scores; ``error``: the level of each test, if it is one of many; ``free``: further
    problems whose difference may be anything, which leave no mean."""
    if free and test == "t":
        return [NOTHING] * len(pairs)
    tests = list[OneSided]()
    for chunk in chunks_of(pairs, columns.costs.shape[1]):
        tests += _of_rows(row_differences(columns, chunk), margin, test, error, free)
    return tests


def _of_rows(differences: RowDifferences, margin: float, test: str, error: float, free: int) -> list[OneSided]:
    if test == "t":
        rows = [differences.row(i) for i in range(len(differences.values))]
        of_a, of_b = ([_mean_test(row, margin, side, error) for row in rows] for side in (1, -1))
    else:
        of_a = list(_ranked(moved(differences, margin), "greater", free))
        of_b = list(_ranked(moved(differences, -margin), "less", free))
    return [OneSided(a=a, b=b, log_a=log_a, log_b=log_b) for (a, log_a), (b, log_b) in zip(of_a, of_b, strict=True)]


def share_tests(
    scores: Scores, pairs: Pairs, margin: float, apart: float, free: int = 0, lost: tuple[int, int] = (0, 0)
) -> list[OneSided]:
    """Test each pair of a table of two values, ``apart`` from each other; of one value only nothing is known. Of
    ``free`` further problems so many are ``lost`` by the one that is to be shown not worse, a or b."""
    if apart == 0.0:
        return [NOTHING] * len(pairs)
    n, won = scores.n_problems + free, beaten(scores)
    counts = [(int(won[a, b]), int(won[b, a])) for a, b in pairs]
    of_a = share_pvalues([(wins, losses + lost[0]) for wins, losses in counts], n, margin / apart)
    of_b = share_pvalues([(losses, wins + lost[1]) for wins, losses in counts], n, margin / apart)
    return [OneSided(a=a, b=b, log_a=log_a, log_b=log_b) for (a, log_a), (b, log_b) in zip(of_a, of_b, strict=True)]


def distance(clustered: bool, values: tuple[float, float] | None, margin: Margin) -> float | None:
    """The distance of the two ``values`` of a table without clusters, in the unit of the margin, which must be smaller;
    0 where there is one value, None where there are more."""
    if clustered or values is None or (margin.relative and values[0] <= 0.0):
        return None
    low, high = values
    apart = math.log(high / low) if margin.relative else high - low
    if 0.0 < apart <= margin.value:
        rule = f"must be smaller than the distance of the two values that the scores have, {low:g} and {high:g}"
        raise ParameterError(f"{rule}: shares of them differ by no more; got {margin.given}", parameter="margin")
    return apart


def within_margin(test: OneSided, estimate: float, margin: float) -> OneSided:
    """No claim against the estimate: at the margin or beyond it nothing is shown on that side."""
    if abs(estimate) < margin * (1.0 - 1e-12):
        return test
    if estimate < 0.0:
        return replace(test, a=1.0, log_a=0.0) if test.a < 0.5 else test
    return replace(test, b=1.0, log_b=0.0) if test.b < 0.5 else test


def moved(rows: RowDifferences, by: float) -> RowDifferences:
    """d + by, exactly 0 where d and −by are tied."""
    values, scales = rows.values + by, np.maximum(rows.scales, abs(by))
    zero = np.abs(values) <= tie_tolerance(scales)
    values[zero], scales[zero] = 0.0, 0.0
    return RowDifferences(values=values, scales=scales)


def least_pvalue(n: int, test: str) -> float:
    """That n problems can give."""
    if test == "wilcoxon":
        return math.ldexp(1.0, -n)
    return 0.0 if n > 1 else 1.0


def _ranked(rows: RowDifferences, alternative: str, free: int) -> Iterator[tuple[float, float]]:
    if free:
        side = 1 if alternative == "greater" else -1
        return (one_sided_bound(side * doubled_signed_ranks(rows.row(i)), free) for i in range(len(rows.values)))
    positive = np.count_nonzero(rows.values > 0, axis=1).tolist()
    return (
        one_sided(without_zeros(sums, above), alternative) for sums, above in zip(summed(rows), positive, strict=True)
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


def unseen_beyond(error: float, n: int) -> int:
    """Problems that are added to a mean of ``n`` whose test may err so often: one more whenever that is quartered."""
    if n < SMALL and error < SHARED:
        return unseen_beyond(SHARED, n) + math.ceil(math.log2(SHARED / error) - 1e-9)
    return UNSEEN + max(0, math.ceil(math.log2(0.05 / error) / 2.0 - 1e-9))


def _mean_test(differences: Differences, margin: float, side: int, error: float) -> tuple[float, float]:
    """p of "``side`` times the mean is −``margin`` or less" and its logarithm; 1 without an error."""
    usual, rest = from_usual(differences)
    if few_differ(rest.values, fewest_at(error)) or unit_mean(rest.values, rest.scales).error == 0.0:
        return 1.0, 0.0
    seen = with_unseen(rest, side, unseen_beyond(error, len(rest.values)))
    shifted = moved(RowDifferences(values=seen.values[None], scales=seen.scales[None]), margin + side * usual).row(0)
    return unit_mean(shifted.values, shifted.scales).pvalue("greater")


def interval_beside(
    low: float, high: float, margin: float, alpha: float, test: OneSided, smallest: float
) -> tuple[float, float]:
    """An interval inside the margin on the sides whose test rejects at alpha, and not inside on the others.

    Without ties at an end nothing moves.
    """
    high = min(high, margin - smallest) if test.b <= alpha else max(high, margin)
    low = max(low, smallest - margin) if test.a <= alpha else min(low, -margin)
    return min(low, high), max(low, high)
