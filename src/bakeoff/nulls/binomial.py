"""What a count of successes says about their probability: an exact interval, and the error of a simulated share."""

from typing import Literal

import numpy as np
import numpy.typing as npt
from numpy.typing import ArrayLike
from scipy import special

Array = npt.NDArray[np.float64]


def clopper_pearson(
    count: int,
    trials: int,
    confidence_level: float = 0.99,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
) -> tuple[float, float]:
    """Interval for a probability of which ``count`` in ``trials`` were seen (Clopper & Pearson 1934).

    ``"greater"`` bounds it from below only, ``"less"`` from above only.
    """
    tail = (1.0 - confidence_level) / (2.0 if alternative == "two-sided" else 1.0)
    low, high = 0.0, 1.0
    if count and alternative != "less":
        low = float(special.betaincinv(count, trials - count + 1, tail))
    if count < trials and alternative != "greater":
        high = float(special.betaincinv(count + 1, trials - count, 1.0 - tail))
    return low, high


def share_error(share: ArrayLike, draws: ArrayLike) -> Array:
    """Standard error of a share of ``draws`` independent draws, after Jeffreys: not 0 where all draws agree.

    With the prior Beta(1/2, 1/2) the probability is Beta(a, b), a = p·N + 1/2, b = (1 − p)·N + 1/2; its standard
    deviation is √(ab/((a + b)²(a + b + 1))).
    """
    p, n = np.asarray(share, dtype=np.float64), np.asarray(draws, dtype=np.float64)
    a, b = p * n + 0.5, (1.0 - p) * n + 0.5
    return np.asarray(np.sqrt(a * b / ((a + b) ** 2 * (a + b + 1.0))), dtype=np.float64)


def drawn_share(count: ArrayLike, draws: ArrayLike, outcomes: int = 2) -> Array:
    """The probability of one of ``outcomes`` that ``count`` of ``draws`` showed: (count + 1/outcomes)/(draws + 1).

    As if one more draw had been divided evenly: shares add to 1, and none is 0 or 1, which no number of draws shows.
    """
    return np.asarray((np.asarray(count, dtype=np.float64) + 1.0 / outcomes) / (np.asarray(draws) + 1.0))
