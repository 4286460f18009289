"""The axis of τ: logarithmic for ratios and for distances of several orders, else linear."""

import math
from dataclasses import dataclass

import numpy as np

from bakeoff.figures.geometry.axis import multiples
from bakeoff.figures.geometry.metrics import text_width
from bakeoff.figures.geometry.primitives import SMALL
from bakeoff.numerals import power_of_ten, significant
from bakeoff.wings.curves.profile.statistics import Profile
from bakeoff.wings.curves.profile.statistics.distances import direction_of

_WIDE = {
    "difference": 100.0,
    "data": 10.0,
    "score": 100.0,
}  # positive distances that span more than this have a logarithmic axis
_ENDS = (2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 1000.0)  # of ratios; beyond, who is near the best is known


@dataclass(frozen=True, slots=True, kw_only=True)
class TauScale:
    """τ to a place from 0 to 1. ``zero``: a logarithmic axis whose left end stands for 0."""

    low: float
    high: float
    log: bool
    zero: bool
    sign: float = 1.0  # −1: the place of τ is that of −τ

    @property
    def left(self) -> float:
        """The place at the left end: numbers grow to the right."""
        return 0.0 if self.sign > 0 else 1.0

    def beyond(self, tau: float) -> bool:
        return self.sign * tau > self.high + 1e-9 * abs(self.high)

    def place(self, tau: float) -> float:
        """Values beyond the ends are at the ends."""
        tau *= self.sign
        if tau <= self.low:
            return 0.0
        if self.log:
            return min(1.0, math.log(tau / self.low) / math.log(self.high / self.low))
        return min(1.0, (tau - self.low) / (self.high - self.low))

    def ticks(self, width: float) -> list[tuple[float, str]]:
        """Values and their labels, as many as ``width`` points hold."""
        if not self.log:
            most = max(2, int(width // 28))
            values = [self.sign * value for value in multiples(self.low, self.high, most)]
            return [(value + 0.0, significant(value + 0.0, 4)) for value in values]
        first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
        values = [10.0**e for e in range(first, last + 1)]
        if last - first < 2:
            finer = [d * 10.0**e for e in range(first - 1, last + 1) for d in (1.0, 2.0, 5.0)]
            values = [x for x in finer if self.low * (1 - 1e-9) <= x <= self.high * (1 + 1e-9)]
        labelled = [(x, "0" if self.zero and x <= self.low * (1 + 1e-9) else _label(x)) for x in values]
        for every in range(1, len(labelled)):
            kept = labelled[::every]
            if self._fit(kept, width):
                return kept
        return labelled[:1]

    def _fit(self, labelled: list[tuple[float, str]], width: float) -> bool:
        """Do the labels not touch each other? The first one begins at its tick, one at the right end ends there."""
        end = -math.inf
        for x, label in labelled:
            wide, at = text_width(label, SMALL), self.place(x) * width
            start = at if x <= self.low else at - wide if self.place(x) > 0.98 else at - wide / 2
            if start < end + 4:
                return False
            end = start + wide
        return True


def _label(value: float) -> str:
    exponent = round(math.log10(value))
    return significant(value, 2) if abs(exponent) <= 3 else power_of_ten(exponent)


def tau_scale(result: Profile) -> TauScale:
    """From the distances that occur."""
    finite = result.distances[np.isfinite(result.distances)]
    if result.form == "ratio":
        most = float(np.quantile(finite, 0.95)) if len(finite) else 2.0
        end = next((end for end in _ENDS if end >= most), _ENDS[-1])
        return TauScale(low=1.0, high=end, log=True, zero=False)
    if result.form == "score" and (
        not len(finite) or finite.min() <= 0 or finite.max() <= _WIDE["score"] * finite.min()
    ):
        low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
        sign = direction_of(result.scores, result.form)
        return TauScale(low=low, high=high if high > low else low + 1.0, log=False, zero=False, sign=sign)
    positive = finite[finite > 0]
    if not len(positive):
        return TauScale(low=0.0, high=1.0, log=False, zero=False)
    low, high = float(positive.min()), float(positive.max())
    if high > _WIDE[result.form] * low:
        bottom = 10.0 ** (math.floor(math.log10(low) + 1e-9) - (1 if result.form == "difference" else 0))
        return TauScale(low=bottom, high=high, log=True, zero=result.form == "difference")
    return TauScale(low=0.0, high=high, log=False, zero=False)
