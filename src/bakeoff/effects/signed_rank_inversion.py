"""The shifts that Wilcoxon's signed-rank test does not reject, ties and zeros included.

At a shift θ the test looks at d − θ. Its ranks change only where θ is a Walsh average (d_i + d_j)/2: between two
neighbouring ones the p-value is constant, at each of them two differences tie or one becomes zero, and it is a value
of its own. So the places to look at are the Walsh averages and the gaps between them, from the outermost inwards until
one is not rejected: p rises towards the estimate nearly, not quite, monotonically, as the null given the ties changes
from place to place.

R⁺ − R⁻ is the number of Walsh averages above θ less that of those below (Tukey), whatever ties; only without ties is
the sum of the squared ranks Σ i², else it is less. So a bound of p is known at all places before anything is ranked,
and places beyond it are not looked at. Those that are likely to be looked at are ranked together, of many pairs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from bakeoff.dataclass import dataclass, field
from bakeoff.nulls.signed_rank import EXACT_LIMIT, signed_rank_null
from bakeoff.paired._wilcoxon import SignedRankSums, two_sided
from bakeoff.paired.differences import Differences
from bakeoff.paired.many_pairs import CHUNK, RowDifferences, summed
from bakeoff.ranks import Ints, tie_tolerance
from bakeoff.scores import Array
from bakeoff.special import ndtri

INVERTED = 150
"""Differences with ties or zeros up to which the test is inverted; beyond, the null without ties."""

_HUGE, _DOWN = 1e300, 2.0**-60

ABOVE_NORMAL = 3.1788
"""P(Σ ±r ≥ s) is at most this many times the normal distribution's for any r: Bentkus & Dzindzalieta (2015), Bernoulli
21."""

ABOVE_UNTIED, MANY = 1.2, 20
"""Where ties are few and differences more than ``MANY``, p is at most this many times the p without ties of the next
rank sum (found: 1.05 times). Places are many then, and the bound for any ranks is far too wide at small levels."""

FORESEEN = 50  # places of a pair ranked with those of others, about
AT_A_TIME = 16  # where more are looked at


def shifts_not_rejected(rows: RowDifferences, alphas: Sequence[float]) -> list[list[tuple[float, float]]]:
    """For each row and level the hull of all shifts whose two-sided p is above it; infinite where none is rejected.

    Infinite differences are ranked highest wherever θ is.
    """
    p, n = rows.values.shape
    hulls: list[list[tuple[float, float]]] = []
    step = max(1, CHUNK // (FORESEEN * n))
    for start in range(0, p, step):
        pairs = [Places.of(rows.row(i)) for i in range(start, min(start + step, p))]
        _rank([(pair, pair.foreseen(alphas)) for pair in pairs])
        hulls += [[pair.hull(alpha) for alpha in alphas] for pair in pairs]
    return hulls


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Places:
    """Where the p-value of a pair may differ: place 2i + 1 is the i-th Walsh average, 2i the gap before it."""

    differences: Differences
    unit: float  # of the differences
    points: Array  # the distinct Walsh averages
    shifts: Array  # one of each place
    sizes: Array  # at most |z| of each place
    middle: int  # near the place with the largest p
    sums: dict[int, SignedRankSums] = field(default_factory=dict)  # of the places ranked

    @classmethod
    def of(cls, differences: Differences) -> Places:
        finite, unit = np.abs(differences.values[np.isfinite(differences.values)]), 1.0
        if finite.max(initial=0.0) > _HUGE:  # ranks do not depend on the scale, sums beyond the largest float would
            differences, unit = Differences(values=differences.values * _DOWN, scales=differences.scales * _DOWN), _DOWN
        averages = walsh_averages(differences.values)
        points, widths, below = _distinct(averages, differences.scales)
        return cls(
            differences=differences,
            unit=unit,
            points=points,
            shifts=_with_gaps(points),
            sizes=_least_sizes(differences, points, widths, len(averages) - 2 * below),
            middle=2 * int(np.searchsorted(points, averages[len(averages) // 2])) if len(points) else 0,
        )

    @property
    def nearly_untied(self) -> bool:
        """Are ties few, so that the law without ties is a good guide?"""
        n = len(self.differences.values)
        return MANY < n <= EXACT_LIMIT and 4 * len(self.points) > n * (n + 1)

    def rejected(self, alpha: float) -> float:
        """The |z| beyond which p is not above ``alpha``."""
        if self.nearly_untied:
            return _untied_size(len(self.differences.values), alpha / (2.0 * ABOVE_UNTIED), 1)
        return -float(ndtri(alpha / (2.0 * ABOVE_NORMAL))) * (1.0 + 1e-9)

    def foreseen(self, alphas: Sequence[float]) -> Ints:
        """The places that are probably looked at."""
        needed = np.zeros(len(self.sizes), dtype=bool)
        for alpha in alphas:
            candidates = self.sizes <= self.rejected(alpha)
            if self.nearly_untied:
                likely = _untied_size(len(self.differences.values), alpha / 2.0, -1)
            else:
                likely = -0.85 * float(ndtri(alpha / 2.0))
            needed |= candidates & (self.sizes >= likely)
            needed[[candidates.argmax(), -1 - candidates[::-1].argmax()]] = True
        return np.flatnonzero(needed)

    def hull(self, alpha: float) -> tuple[float, float]:
        """From the first place with p above the level to the last; where all are rejected, the least rejected one."""
        if not len(self.points):
            return -math.inf, math.inf
        candidates = np.flatnonzero(self.sizes <= self.rejected(alpha))
        first, last = self._first_accepted(candidates, alpha), self._first_accepted(candidates[::-1], alpha)
        if first is None or last is None:
            around = range(max(0, self.middle - 3), min(len(self.shifts), self.middle + 4))
            first = last = max(around, key=self.pvalue)
        low = float(self.points[(first - 1) // 2]) if first else -math.inf
        high = float(self.points[last // 2]) if last < len(self.shifts) - 1 else math.inf
        return low / self.unit, high / self.unit

    def pvalue(self, place: int) -> float:
        """Two-sided p of the hypothesis that the differences are symmetric about the shift at this place."""
        if place not in self.sums:
            _rank([(self, np.array([place]))])
        return two_sided(self.sums[place])[0]

    def _first_accepted(self, candidates: Ints, alpha: float) -> int | None:
        limit = math.inf if self.nearly_untied else self.rejected(alpha)  # by the squares of the ranks as they are
        for i, place in enumerate(candidates.tolist()):
            if place not in self.sums:
                following = candidates[i : i + AT_A_TIME]
                _rank([(self, following[[one not in self.sums for one in following.tolist()]])])
            if abs(self.sums[place].zstatistic) <= limit and self.pvalue(place) > alpha:
                return int(place)
        return None


@lru_cache(maxsize=256)
def _untied_size(n: int, tail: float, steps: int) -> float:
    """|z| of the largest rank sum with at most this tail, and ``steps`` sums farther out, without ties."""
    cut = signed_rank_null(2 * np.arange(1, n + 1)).largest_sum(tail) // 2 - steps
    return (n * (n + 1) // 2 - 2 * cut) / _deviation(n)


def _deviation(n: int) -> float:
    """The standard deviation of R⁺ − R⁻ without ties."""
    return math.sqrt(n * (n + 1) * (2 * n + 1) / 6)


def _rank(unranked: Sequence[tuple[Places, Ints]]) -> None:
    """The rank sums of these places of pairs, which have as many problems each."""
    parts = [shifted(pair.differences, pair.shifts[places]) for pair, places in unranked]
    values, scales = np.concatenate([part.values for part in parts]), np.concatenate([part.scales for part in parts])
    sums = iter(summed(RowDifferences(values=values, scales=scales)))
    for pair, places in unranked:
        pair.sums.update(zip(places.tolist(), sums, strict=False))


def shifted(differences: Differences, shifts: Array) -> RowDifferences:
    """d − θ of each shift θ, exactly 0 where d and θ are tied."""
    values = differences.values - shifts[:, None]
    scales = np.maximum(differences.scales, np.abs(shifts)[:, None])
    zero = np.abs(values) <= tie_tolerance(scales)
    values[zero], scales[zero] = 0.0, 0.0
    return RowDifferences(values=values, scales=scales)


def _least_sizes(differences: Differences, points: Array, widths: Array, in_gaps: Ints) -> Array:
    """At most |z| of each place, from R⁺ − R⁻ in the gaps.

    Where rounding may move a tie to a neighbouring place, as found there. An odd zero is not ranked, which lowers all
    other ranks by one.
    """
    if not len(points):
        return np.zeros(1)
    least = np.empty(2 * len(points) + 1)
    least[::2], least[1::2] = np.abs(in_gaps), np.abs(in_gaps[1:] + in_gaps[:-1]) / 2
    slack, finest = (
        _slack(differences.scales),
        differences.scales[(differences.scales > 0.0) & np.isfinite(differences.scales)],
    )
    unsure = np.zeros(len(least), dtype=bool)
    unsure[1::2] = widths > float(tie_tolerance(finest).min(initial=slack)) / 2
    unsure[2:-2:2] = np.diff(points) <= 4.0 * slack
    if unsure.any():
        padded = np.pad(least, 2, constant_values=np.inf)
        near = np.lib.stride_tricks.sliding_window_view(padded, 5).min(axis=1)
        least[unsure] = near[unsure]
    d, n = np.sort(differences.values), len(differences.values)
    under, up_to = np.searchsorted(d, points - slack), np.searchsorted(d, points + slack)
    least[1::2] -= np.where(up_to > under, np.abs(n - up_to - under) + 1, 0)
    return least / _deviation(n)


def _with_gaps(points: Array) -> Array:
    """A shift in each gap, and each point, in ascending order."""
    shifts = np.zeros(2 * len(points) + 1)
    if len(points):
        before = np.concatenate(([points[0] - 1.0 - abs(points[0])], points))
        after = np.concatenate((points, [points[-1] + 1.0 + abs(points[-1])]))
        shifts[::2], shifts[1::2] = before / 2 + after / 2, points
    return shifts


def _distinct(averages: Array, scales: Array) -> tuple[Array, Array, Ints]:
    """The finite ones of ascending Walsh averages, of those that are equal on decimals the one nearest to 0, from
    either side; how far apart these are; and how many averages lie below each, and below infinity.
    """
    finite = np.flatnonzero(np.isfinite(averages))
    if not len(finite):
        return averages[finite], averages[finite], finite
    averages, below = averages[finite] + 0.0, int(finite[0])
    starts = np.flatnonzero(np.concatenate(([True], np.diff(averages) > _slack(scales))))
    first, last = averages[starts], averages[np.append(starts[1:], len(averages)) - 1]
    nearest = np.where(first > 0.0, first, np.where(last < 0.0, last, 0.0))
    return nearest, last - first, below + np.append(starts, len(averages))


def _slack(scales: Array) -> float:
    return float(tie_tolerance(np.array([scales[np.isfinite(scales)].max(initial=0.0)]))[0])


def agreeing(low: float, high: float, *, rejected: bool, direction: float, smallest: float) -> tuple[float, float]:
    """An interval without 0 where the test rejects it, and with 0 where it does not.

    ``direction`` is the sign of the difference found, ``smallest`` the least size that is no tie: the interval that
    reached to the other side of 0 begins there. One that lies on the other side altogether stays as it is.
    """
    if not rejected:
        return min(low, 0.0), max(high, 0.0)
    if low <= 0.0 <= high:
        if direction > 0.0 and high > 0.0:
            return min(smallest, high), high
        if direction < 0.0 and low < 0.0:
            return low, max(-smallest, low)
    return low, high


def smallest_difference(scales: Array) -> float:
    """The least size of a difference that is no tie."""
    finite = scales[np.isfinite(scales)]
    return float(tie_tolerance(finite).max()) if len(finite) else float(np.finfo(float).tiny)


def walsh_averages(values: Array) -> Array:
    """All finite (d_i + d_j)/2, i ≤ j, ascending; one of opposite infinities is none, and weighs on neither side."""
    halves = np.sort(values) / 2
    i, j = np.triu_indices(len(halves))
    with np.errstate(invalid="ignore"):
        averages = halves[i] + halves[j]
    return np.sort(averages[~np.isnan(averages)])
