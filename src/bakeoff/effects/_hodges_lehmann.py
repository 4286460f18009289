"""Hodges–Lehmann: the size of the difference between two algorithms, in score units, with an interval."""

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.checks import probability
from bakeoff.dataclass import dataclass
from bakeoff.effects.signed_rank_inversion import (
    INVERTED,
    agreeing,
    shifts_not_rejected,
    smallest_difference,
    walsh_averages,
)
from bakeoff.effects.walsh_averages import walsh_order_statistics
from bakeoff.errors import Caution, InfiniteScoreError, counted
from bakeoff.nulls.signed_rank import EXACT_LIMIT, signed_rank_null
from bakeoff.paired._wilcoxon import two_sided
from bakeoff.paired.alternatives import PairShiftResult
from bakeoff.paired.differences import Differences, defined_differences
from bakeoff.paired.many_pairs import RowDifferences, summed
from bakeoff.ranks import tie_tolerance
from bakeoff.scores import Array, Better
from bakeoff.scores.two_samples import TwoSamples, rows_of_two
from bakeoff.special import ndtr, ndtri
from bakeoff.takes_table import of_two

Ends = tuple[float, float]
_NAME = "The Hodges–Lehmann estimate"


@dataclass(frozen=True, slots=True, kw_only=True)
class HodgesLehmannResult(PairShiftResult):
    """Result of :func:`bakeoff.hodges_lehmann`."""

    method: str  # "exact" or "normal": how the interval was found


@of_two
def hodges_lehmann(
    scores: TwoSamples,
    a: str | int | npt.ArrayLike,
    b: str | int | None = None,
    confidence_level: float = 0.95,
    *,
    better: Better | None = None,
) -> HodgesLehmannResult:
    """By how much is a better than b on a typical problem, and how certain is that?

    Use it with ``bo.wilcoxon``, whose estimate and interval it is: the shift that balances the two rank sums, and
    the shifts that the test does not reject. Not when problems differ in scale: no one number describes them all; nor
    for skewed differences, whose pseudomedian is not their median (``bo.median_difference``).

    Parameters
    ----------
    scores : Scores
        A table (n_problems, n_algorithms), of which cell means over runs are used; or the sample x of a.
    a : str or int
        The first algorithm, by name or column; or the sample y of b, or one number.
    b : str or int, optional
        The second algorithm; absent with two samples.
    better : {"lower", "higher"}, optional
        Only in ``bo.hodges_lehmann(x, y, better="lower")``: x are the scores of a and y those of b, one per problem.
    confidence_level : float
        Two-sided.

    Returns
    -------
    HodgesLehmannResult
        ``.estimate``, ``.low``, ``.high`` in score units, positive where a is better whatever the direction of the
        scores, and ``.achieved_confidence``.

    Raises
    ------
    InfiniteScoreError
        Equal infinite scores on one problem have no difference; the message names the cell. Other infinite
        differences count as the largest, and one end of the interval may be infinite.
    ParameterError
        A confidence level outside (0, 1).

    Notes
    -----
    The estimate is the median of the n(n+1)/2 Walsh averages (d_i + d_j)/2, i ≤ j (Hodges & Lehmann 1963). Without ties
    the interval runs from the (c+1)-th smallest to the (c+1)-th largest. Here c is the largest with P(W ≤ c) ≤ (1 −
    level)/2 under the null of ``bo.wilcoxon``. With ties or zeros (to 150 problems) every shift is tested given the
    ties that it makes. 0 lies outside exactly if bo.wilcoxon gives p ≤ 1 − level. An end that only the verdict moved
    off 0 is the least size that is no tie. It assumes differences symmetric about their centre. If even all Walsh
    averages do not reach the level (n < 6 at 0.95), the interval is their range, with the achieved confidence and a
    caution.

    Examples
    --------
    >>> import bakeoff as bo
    >>> result = bo.hodges_lehmann(bo.datasets.load("demsar_2006"), "C4.5+m", "C4.5")  # Demšar (2006), Table 2
    >>> round(result.estimate, 4), round(result.low, 4), round(result.high, 4)
    (0.013, 0.003, 0.0275)
    """
    scores, i, j = rows_of_two(scores, a, b, better)
    level = probability("confidence_level", confidence_level)
    differences = defined_differences(scores, i, j, _NAME)
    n = scores.n_problems
    _, achieved, method = interval_cut(n, level)
    estimate, low, high = shift_with_interval(differences, level)
    return HodgesLehmannResult(
        a=scores.algorithms[i],
        b=scores.algorithms[j],
        estimate=estimate,
        low=low,
        high=high,
        confidence_level=level,
        achieved_confidence=achieved,
        method=method,
        n_problems=n,
        zeros=int(np.sum(differences.values == 0)),
        n_dropped=len(scores.dropped),
        cautions=interval_cautions(n, level, achieved),
    )


def shift_with_interval(differences: Differences, level: float, inverted: bool = True) -> tuple[float, float, float]:
    """Median of the Walsh averages, and the shifts that the test at 1 − level does not reject."""
    cut, achieved, _ = interval_cut(len(differences.values), level)
    estimate, low, high = untied_shift(differences.values, cut)
    row = RowDifferences(values=differences.values[None], scales=differences.scales[None])
    if reaches(level, achieved) and maybe_tied(row.values, row.scales)[0]:
        (((low, high),),) = tied_intervals(row, [level], [[(low, high)]], inverted)
    return around(estimate, low, high)


def around(estimate: float, low: float, high: float) -> tuple[float, float, float]:
    """The interval holds its estimate: ends that are looked for among tied averages may be a rounding off."""
    if low == high:
        return estimate, estimate, estimate
    return estimate, min(low, estimate), max(high, estimate)


def untied_shift(values: Array, cut: int) -> tuple[float, float, float]:
    """Median of the Walsh averages, and those with ``cut`` others beyond them on either side."""
    return untied_shifts(values, [cut])[0]


def untied_shifts(values: Array, cuts: Sequence[int]) -> tuple[tuple[float, float, float], ...]:
    """The same with each cut."""
    if np.isposinf(values).any() and np.isneginf(values).any():
        averages = walsh_averages(values)
        last = len(averages) - 1
        lower, upper = averages[[last // 2, (last + 1) // 2]].tolist()
        ends = [float(averages[end]) for cut in cuts for end in (min(cut, last // 2), max(last - cut, last // 2))]
    else:
        last = len(values) * (len(values) + 1) // 2 - 1
        places = (last // 2, (last + 1) // 2, *(end for cut in cuts for end in (cut, last - cut)))
        lower, upper, *ends = walsh_order_statistics(values, places)
    middle = lower if lower == upper else 0.5 * lower + 0.5 * upper
    if math.isnan(middle):
        raise InfiniteScoreError(f"{_NAME}: half of the differences are infinite, to either side; there is no median")
    return tuple((middle + 0.0, low + 0.0, high + 0.0) for low, high in zip(ends[::2], ends[1::2], strict=True))


def tied_intervals(
    rows: RowDifferences, levels: Sequence[float], untied: Sequence[Sequence[Ends]], inverted: bool
) -> list[list[Ends]]:
    """The interval of each row at each level, given the ties and zeros that occurred; beyond the limit that without
    ties, which covers more often. Either way 0 lies inside exactly if the test does not reject it.
    """
    alphas = [(1.0 - level) * (1 + 1e-12) for level in levels]
    if inverted and rows.values.shape[1] <= INVERTED:
        untied = shifts_not_rejected(rows, alphas)
    intervals: list[list[Ends]] = []
    for sums, scales, ends in zip(summed(rows), rows.scales, untied, strict=True):
        p, smallest = two_sided(sums)[0], smallest_difference(scales)
        direction = sums.plus - sums.minus
        intervals.append(
            [
                agreeing(low, high, rejected=p <= alpha, direction=direction, smallest=smallest)
                for (low, high), alpha in zip(ends, alphas, strict=True)
            ]
        )
    return intervals


def maybe_tied(values: Array, scales: Array) -> npt.NDArray[np.bool_]:
    """(p,) may a row have zeros, sizes that tie, or infinite differences? Never False where it has."""
    sizes = np.sort(np.abs(values), axis=1)
    finite = np.where(np.isfinite(scales), scales, 0.0)
    slack = 2.0 * tie_tolerance(finite.max(axis=1))[:, None]
    with np.errstate(invalid="ignore"):
        near = ~(np.diff(sizes, axis=1) > slack)  # infinite ones leave NaN
    return np.asarray(near.any(axis=1) | (sizes[:, 0] == 0.0) | np.isinf(sizes[:, -1]))


def reaches(level: float, achieved: float) -> bool:
    return achieved >= level * (1 - 1e-12)


@lru_cache(maxsize=256)
def interval_cut(n: int, level: float) -> tuple[int, float, str]:
    """The number of Walsh averages to leave out on either side, the confidence achieved, and by which method."""
    tail = (1 - level) / 2 * (1 + 1e-12)  # (1 − 0.95)/2 is not 0.025 in binary
    if n <= EXACT_LIMIT:
        null = signed_rank_null(2 * np.arange(1, n + 1))
        cut = max(null.largest_sum(tail) // 2, 0)
        return cut, max(0.0, 1 - 2 * null.tail(2 * cut)[0]), "exact"
    mean, sd = n * (n + 1) / 4, math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    cut = max(math.floor(mean + float(ndtri(tail)) * sd), 0)
    return cut, 1 - 2 * float(ndtr((cut - mean) / sd)), "normal"


def interval_cautions(n: int, level: float, achieved: float, estimate: str = "hodges-lehmann") -> tuple[Caution, ...]:
    if reaches(level, achieved):
        return ()
    problems = counted(n, "problem")
    return (caution_of("interval-below-level", estimate, problems=problems, level=level, achieved=achieved),)
