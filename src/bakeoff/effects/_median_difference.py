"""The median difference between two algorithms, with the interval of the sign test."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from bakeoff.checks import probability
from bakeoff.dataclass import dataclass
from bakeoff.effects._hodges_lehmann import interval_cautions
from bakeoff.nulls.tails import binomial_sf
from bakeoff.paired.alternatives import PairShiftResult
from bakeoff.paired.differences import Differences, defined_differences
from bakeoff.scores import Better
from bakeoff.scores.two_samples import TwoSamples, rows_of_two
from bakeoff.takes_table import of_two

_NAME = "The median difference"


@dataclass(frozen=True, slots=True, kw_only=True)
class MedianDifferenceResult(PairShiftResult):
    """Result of :func:`bakeoff.median_difference`."""


@of_two
def median_difference(
    scores: TwoSamples,
    a: str | int | npt.ArrayLike,
    b: str | int | None = None,
    confidence_level: float = 0.95,
    *,
    better: Better | None = None,
) -> MedianDifferenceResult:
    """By how much is a better than b on the middle problem, and how sure is that?

    Use it with ``bo.sign_test``, and wherever differences are skewed: unlike ``bo.hodges_lehmann`` it assumes
    nothing of their shape. For symmetric differences it is less precise.

    Parameters
    ----------
    scores : Scores
        A table (n_problems, n_algorithms), of which cell means over runs are used; or the sample x of a.
    a : str or int
        The first algorithm, by name or column; or the sample y of b, or one number.
    b : str or int, optional
        The second algorithm; absent with two samples.
    better : {"lower", "higher"}, optional
        Only in ``bo.median_difference(x, y, better="lower")``: x are the scores of a and y those of b, one per problem.
    confidence_level : float
        Two-sided.

    Returns
    -------
    MedianDifferenceResult
        ``.estimate``, ``.low``, ``.high`` in score units, positive where a is better whatever the direction of the
        scores, and ``.achieved_confidence``.

    Raises
    ------
    InfiniteScoreError
        Equal infinite scores on one problem have no difference; the message names the problem. Other infinite
        differences count as the largest, and one end of the interval may be infinite.
    ParameterError
        A confidence level outside (0, 1).

    Notes
    -----
    The interval runs from the (c+1)-th smallest to the (c+1)-th largest difference, c the largest with P(Bin(n, ½) ≤ c)
    ≤ (1 − level)/2, both included: Thompson (1936). It covers the median with at least the level for any independent
    differences, more often with ties. Without a difference of 0, 0 lies outside exactly if ``bo.sign_test`` gives p ≤ 1
    − level. With such differences the test may reject although the interval holds 0: a median of 0 does not make wins
    as frequent as losses. If even the whole range does not reach the level (n < 6 at 0.95), it is the interval, with
    its achieved confidence and a caution.

    Examples
    --------
    >>> import bakeoff as bo
    >>> result = bo.median_difference(bo.datasets.load("demsar_2006"), "C4.5+m", "C4.5")  # Demšar (2006), Table 2
    >>> round(result.estimate, 4), round(result.low, 4), round(result.high, 4)
    (0.008, 0.0, 0.033)
    """
    scores, i, j = rows_of_two(scores, a, b, better)
    level = probability("confidence_level", confidence_level)
    differences = defined_differences(scores, i, j, _NAME)
    n = scores.n_problems
    _, achieved = median_cut(n, level)
    estimate, low, high = median_with_interval(differences, level)
    return MedianDifferenceResult(
        a=scores.algorithms[i],
        b=scores.algorithms[j],
        estimate=estimate,
        low=low,
        high=high,
        confidence_level=level,
        achieved_confidence=achieved,
        zeros=int(np.sum(differences.values == 0)),
        n_problems=n,
        n_dropped=len(scores.dropped),
        cautions=interval_cautions(n, level, achieved, "median"),
    )


def median_with_interval(differences: Differences, level: float) -> tuple[float, float, float]:
    """The median, and the differences with ``cut`` others beyond them on either side."""
    d = np.sort(differences.values)
    n = len(d)
    cut, _ = median_cut(n, level)
    lower, upper = float(d[(n - 1) // 2]), float(d[n // 2])
    estimate = 0.0 if lower == -upper else 0.5 * lower + 0.5 * upper  # of opposite infinities too
    return estimate + 0.0, float(d[cut]) + 0.0, float(d[n - 1 - cut]) + 0.0


@lru_cache(maxsize=256)
def median_cut(n: int, level: float) -> tuple[int, float]:
    """The number of differences to leave out on either side, and the confidence achieved."""
    tail = (1 - level) / 2 * (1 + 1e-12)  # (1 − 0.95)/2 is not 0.025 in binary
    low, high = -1, n // 2 + 1  # P(Bin ≤ low) ≤ tail < P(Bin ≤ high)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if binomial_sf(n - middle, n)[0] <= tail else (low, middle)
    cut = max(low, 0)
    return cut, max(0.0, 1.0 - 2.0 * binomial_sf(n - cut, n)[0])
