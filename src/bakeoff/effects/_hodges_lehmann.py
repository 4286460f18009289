"""Hodges–Lehmann: the size of the difference between two algorithms, in score units, with an interval."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import ndtr, ndtri

from bakeoff.checks import probability
from bakeoff.effects.walsh_averages import walsh_order_statistics
from bakeoff.errors import Caution, counted
from bakeoff.nulls.signed_rank import EXACT_LIMIT, signed_rank_null
from bakeoff.paired.differences import paired_differences
from bakeoff.paired.result import PairResult
from bakeoff.scores import Array, Scores, check_scores

_NAME = "The Hodges–Lehmann estimate"


@dataclass(frozen=True, slots=True, kw_only=True)
class HodgesLehmannResult(PairResult):
    """What :func:`bakeoff.hodges_lehmann` returns."""

    estimate: float  # positive when a is better, in score units
    low: float
    high: float
    confidence_level: float  # asked for
    achieved_confidence: float  # of [low, high], at least the level unless a caution says otherwise
    method: str  # "exact" or "normal": how the interval was found
    zeros: int  # problems without a difference


def hodges_lehmann(scores: Scores, a: str | int, b: str | int, confidence_level: float = 0.95) -> HodgesLehmannResult:
    """By how much is a better than b on a typical problem, and how certain is that?

    Use it beside ``bo.wilcoxon``, whose estimate and interval it is: the shift that balances the two rank sums,
    and all shifts that the test would not reject. Not when problems differ in scale: no one number describes them all.

    Parameters
    ----------
    scores : Scores
        (n_problems, n_algorithms); cell means over runs are used.
    a, b : str or int
        The two algorithms.
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
        An infinite score has no difference; the message names the cell.
    ParameterError
        A confidence level outside (0, 1).

    Notes
    -----
    The estimate is the median of the n(n+1)/2 Walsh averages (d_i + d_j)/2, i ≤ j; the interval runs from the
    (c+1)-th smallest to the (c+1)-th largest, c the largest with P(W ≤ c) ≤ (1 − level)/2 under the exact null of the
    signed-rank sum without ties (normal approximation with continuity correction beyond 1000 problems): Hodges &
    Lehmann (1963). It assumes differences symmetric about their centre. With ties or zeros it covers at least as
    often. If even all Walsh averages do not reach the level (n < 6 at 0.95), the interval is their whole range, the
    achieved confidence is stated, and a caution says so.

    Examples
    --------
    >>> import bakeoff as bo
    >>> result = bo.hodges_lehmann(bo.datasets.load("demsar_2006"), "C4.5+m", "C4.5")  # Demšar (2006), Table 2
    >>> round(result.estimate, 4), round(result.low, 4), round(result.high, 4)
    (0.013, 0.003, 0.0275)
    """
    scores = check_scores(scores)
    level = probability("confidence_level", confidence_level)
    i, j = scores.pair(a, b)
    found = paired_differences(scores, i, j, _NAME)
    n = scores.n_problems
    cut, achieved, method = interval_cut(n, level)
    estimate, low, high = shift_with_interval(found.values, cut)
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
        zeros=int(np.sum(found.values == 0)),
        n_dropped=len(scores.dropped),
        cautions=interval_cautions(n, level, achieved),
    )


def shift_with_interval(differences: Array, cut: int) -> tuple[float, float, float]:
    """Median of the Walsh averages, and those with ``cut`` others beyond them on either side."""
    last = len(differences) * (len(differences) + 1) // 2 - 1
    places = (last // 2, (last + 1) // 2, cut, last - cut)
    lower, upper, low, high = walsh_order_statistics(differences, places)
    return 0.5 * lower + 0.5 * upper + 0.0, low + 0.0, high + 0.0


@lru_cache(maxsize=256)
def interval_cut(n: int, level: float) -> tuple[int, float, str]:
    """How many Walsh averages to leave out on either side, the confidence achieved, and by which method."""
    tail = (1 - level) / 2 * (1 + 1e-12)  # (1 − 0.95)/2 is not 0.025 in binary
    if n <= EXACT_LIMIT:
        null = signed_rank_null(2 * np.arange(1, n + 1))
        cut = max(null.largest_sum(tail) // 2, 0)
        return cut, max(0.0, 1 - 2 * null.tail(2 * cut)[0]), "exact"
    mean, sd = n * (n + 1) / 4, math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
    cut = max(math.floor(mean + float(ndtri(tail)) * sd - 0.5), 0)
    return cut, 1 - 2 * float(ndtr((cut + 0.5 - mean) / sd)), "normal"


def interval_cautions(n: int, level: float, achieved: float) -> tuple[Caution, ...]:
    if achieved >= level * (1 - 1e-12):
        return ()
    return (
        Caution(
            code="interval-below-level",
            text=f"With {counted(n, 'problem')} no interval of Walsh averages reaches {level:g} confidence: "
            f"this one, their whole range, has {achieved:.4g}.",
            reference="Hodges & Lehmann (1963), Ann. Math. Statist. 34, 598–611",
        ),
    )
