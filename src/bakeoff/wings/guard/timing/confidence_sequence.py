"""The ratio of two times, with an interval that may be looked at after every round.

d_1, d_2, … are log ratios of the rounds. If each has the median θ, given the rounds before it, then the signs of
d_i − θ are fair coins, and e_n(θ) = 2^{W+L} B(1 + W, 1 + L) with W of them positive and L negative is an e-process: it
ever reaches t with probability at most 1/t (Ville's inequality). So the θ at which it has never reached t are a
confidence sequence of level 1 − 1/t (Howard and Ramdas 2022 on sequential quantiles). Nothing is assumed of the shape.
"""

import bisect
import math
from functools import lru_cache

from bakeoff import special


def log_e(wins: int, losses: int) -> float:
    """log e_n of the sign process: 2^{W+L} B(1 + W, 1 + L)."""
    return float((wins + losses) * math.log(2.0) + special.betaln(1.0 + wins, 1.0 + losses))


@lru_cache(maxsize=1 << 14)
def least_count(n: int, log_threshold: float) -> int:
    """The fewest losses out of n at which the evidence is below the threshold: the place of the interval's ends."""
    low, high = 0, n // 2  # at n/2 the evidence is below 1
    while low < high:
        middle = (low + high) // 2
        if log_e(n - middle, middle) < log_threshold:
            high = middle
        else:
            low = middle + 1
    return low


def fewest_rounds(log_threshold: float) -> int:
    """Rounds won all by one side that decide."""
    n = 1
    while log_e(n, 0) < log_threshold:
        n += 1
    return n


class ConfidenceSequence:
    """Log ratios are added one by one; ``low`` and ``high`` are ends of the intersection of all intervals so far."""

    def __init__(self, log_threshold: float) -> None:
        self.log_threshold = log_threshold
        self.values: list[float] = []  # as they came
        self.low, self.high = -math.inf, math.inf
        self.log_evidence = 0.0  # the largest so far, against a ratio of 1
        self.decided_after: int | None = None
        self.sides: set[int] = set()  # to which 0 has been excluded: 1 all above it, −1 all below it
        self._sorted: list[float] = []
        self._signs = [0, 0]

    def add(self, value: float) -> None:
        """One more round."""
        self.values.append(value)
        bisect.insort(self._sorted, value)
        if value:
            self._signs[value < 0] += 1
        self.log_evidence = max(self.log_evidence, log_e(*self._signs))
        n = len(self._sorted)
        count = least_count(n, self.log_threshold)
        if not count:
            return
        low, high = self._sorted[count - 1], self._sorted[n - count]
        self.low, self.high = max(self.low, low), min(self.high, high)
        if low > 0 or high < 0:
            self.sides.add(1 if low > 0 else -1)
            self.decided_after = self.decided_after or n

    @property
    def median(self) -> float:
        n = len(self._sorted)
        return (self._sorted[(n - 1) // 2] + self._sorted[n // 2]) / 2.0

    @property
    def empty(self) -> bool:
        """Whether no constant ratio agrees with all rounds."""
        return self.low > self.high

    @property
    def direction(self) -> int:
        """1: the median is above 0, −1: below, 0: not decided, or decided both ways as a changing ratio can be."""
        return next(iter(self.sides)) if len(self.sides) == 1 else 0

    def known(self, precision: float) -> bool:
        """Whether the ratio is known to a factor of 1 ± precision."""
        return not self.empty and self.high - self.low <= 2.0 * math.log1p(precision)
