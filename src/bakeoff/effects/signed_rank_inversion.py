"""The shifts that Wilcoxon's signed-rank test does not reject, ties and zeros included.

At a shift θ the test looks at d − θ. Its ranks change only where θ is a Walsh average (d_i + d_j)/2: between two
neighbouring ones the p-value is constant, at each of them two differences tie or one becomes zero, and it is a value
of its own. So the places to look at are the Walsh averages and the gaps between them. Beyond the estimate p falls
nearly, not quite, monotonically: the null given the ties changes from place to place. A bisection finds one end of the
shifts not rejected, and the places beyond it are looked at until p is clearly below the level.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bakeoff.paired._wilcoxon import signed_rank_sums, two_sided
from bakeoff.paired.differences import Differences
from bakeoff.ranks import tie_tolerance
from bakeoff.scores import Array

INVERTED = 150
"""Differences with ties or zeros up to which the test is inverted (0.2 s); beyond, the null without ties."""

_HUGE, _DOWN = 1e300, 2.0**-60

CLEARLY, IN_A_ROW = 0.6, 8  # beyond so many places with p below this share of the level nothing is looked at


def shifts_not_rejected(found: Differences, alpha: float) -> tuple[float, float]:
    """The hull of all shifts whose two-sided p is above ``alpha``; infinite where no shift is rejected on that side.

    Infinite differences are ranked highest wherever θ is.
    """
    finite = np.abs(found.values[np.isfinite(found.values)])
    if finite.max(initial=0.0) > _HUGE:  # ranks do not depend on the scale, sums beyond the largest float would
        smaller = Differences(values=found.values * _DOWN, scales=found.scales * _DOWN)
        low, high = shifts_not_rejected(smaller, alpha)
        return low / _DOWN, high / _DOWN
    averages = walsh_averages(found.values)
    points = _distinct(averages[np.isfinite(averages)] + 0.0, found.scales)
    n_places = 2 * len(points) + 1
    known: dict[int, float] = {}

    def p_at(place: int) -> float:
        if place not in known:
            known[place] = pvalue_at(found, points, place)
        return known[place]

    if not len(points):
        return -np.inf, np.inf
    middle = 2 * int(np.searchsorted(points, averages[len(averages) // 2]))  # near the place with the largest p
    centre = max(range(max(0, middle - 3), min(n_places, middle + 4)), key=p_at)
    first = _last_accepted(p_at, centre, 0, alpha)
    last = _last_accepted(p_at, centre, n_places - 1, alpha)
    # place 2i + 1 is point i, place 2i the gap before it
    low = -np.inf if first == 0 else points[first // 2] if first % 2 else points[first // 2 - 1]
    high = np.inf if last == n_places - 1 else points[last // 2]
    return float(low), float(high)


def pvalue_at(found: Differences, points: Array, place: int) -> float:
    """Two-sided p of the hypothesis that the differences are symmetric about the shift at ``place``."""
    if place % 2:
        shift = float(points[place // 2])
    else:
        before = points[place // 2 - 1] if place else points[0] - 1.0 - abs(points[0])
        after = points[place // 2] if place < 2 * len(points) else points[-1] + 1.0 + abs(points[-1])
        shift = float(before / 2 + after / 2)
    return two_sided(signed_rank_sums(shifted(found, shift)))[0]


def shifted(found: Differences, shift: float) -> Differences:
    """d − θ, exactly 0 where d and θ are tied."""
    if shift == 0.0:
        return found
    values, scales = found.values - shift, np.maximum(found.scales, abs(shift))
    zero = np.abs(values) <= tie_tolerance(scales)
    return Differences(values=np.where(zero, 0.0, values), scales=np.where(zero, 0.0, scales))


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


def _distinct(averages: Array, scales: Array) -> Array:
    """Ascending Walsh averages; of those that are equal on decimals the one nearest to 0, from either side."""
    if not len(averages):
        return averages
    slack = float(tie_tolerance(np.array([scales[np.isfinite(scales)].max(initial=0.0)]))[0])
    starts = np.flatnonzero(np.concatenate(([True], np.diff(averages) > slack)))
    first, last = averages[starts], averages[np.append(starts[1:], len(averages)) - 1]
    return np.where(first > 0.0, first, np.where(last < 0.0, last, 0.0))


def _last_accepted(p_at: Callable[[int], float], centre: int, end: int, alpha: float) -> int:
    """From the centre, accepted, towards the end: the farthest place that is accepted."""
    step = 1 if end > centre else -1
    if p_at(end) > alpha:
        return end
    inside, outside = centre, end
    while abs(outside - inside) > 1:
        middle = (inside + outside) // 2
        if p_at(middle) > alpha:
            inside = middle
        else:
            outside = middle
    place, clear = outside, 0
    while place != end and clear < IN_A_ROW:
        p = p_at(place)
        if p > alpha:
            inside = place
        clear = clear + 1 if p < CLEARLY * alpha else 0
        place += step
    return inside
