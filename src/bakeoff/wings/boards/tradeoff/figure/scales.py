"""The scale of a metric: logarithmic where its margin is a percentage, so that equal ratios are equally long."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from bakeoff.figures.geometry.axis import multiples
from bakeoff.figures.geometry.plot_frame import widened
from bakeoff.numerals import significant

_WIDE = 0.7  # decades: of less, round numbers at equal steps are ticks enough


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricScale:
    """From ``low`` to ``high``, of logarithms to base 10 if ``log``."""

    low: float
    high: float
    log: bool

    def at(self, value: float) -> float:
        """Where a value lies, between ``low`` and ``high``."""
        return math.log10(value) if self.log else value

    def ticks(self, most: int) -> list[tuple[float, str]]:
        """At most ``most`` round numbers."""
        return [(self.at(value), significant(value, 6)) for value in self._round(most)]

    def _round(self, most: int) -> list[float]:
        if not self.log:
            return multiples(self.low, self.high, most)
        if self.high - self.low < _WIDE:
            powers = multiples(10.0**self.low, 10.0**self.high, most)
            return [value for value in powers if value > 0]
        exponents = range(math.floor(self.low), math.ceil(self.high) + 1)
        for digits in ((1, 2, 5), (1, 3), (1,)):
            powers = [digit * 10.0**e for e in exponents for digit in digits]
            inside = [value for value in powers if self.low <= math.log10(value) <= self.high]
            if len(inside) <= most:
                return inside
        return inside[:: math.ceil(len(inside) / most)]


def metric_scale(values: Sequence[float], log: bool) -> MetricScale:
    """Of all that is drawn, with some room."""
    ends = [math.log10(value) for value in (min(values), max(values))] if log else [min(values), max(values)]
    low, high = widened(ends[0], ends[1], 0.06)
    return MetricScale(low=low, high=high, log=log)
