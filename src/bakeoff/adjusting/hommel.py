"""Hommel's correction: closed testing with Simes's test of every intersection, in O(m log m).

Simes's p-value of the i largest p-values is S_i = min over r of i·p_(m−i+r)/r, that is i times the smallest slope
from the point (m−i, 0) to the points (q, p_(q)): a tangent to their lower convex hull. The adjusted p-value is
min over i of max(i·p, max over l > i of S_l). Hommel (1988); Derrac et al. (2011), figure 1 is the quadratic form.
"""

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from bakeoff.adjusting.arithmetic import Arithmetic
from bakeoff.scores import Array

Index = npt.NDArray[np.intp]


def closed_simes(p: Array, on: Arithmetic) -> Array:
    """p in increasing order -> adjusted p, the same for equal p."""
    m = len(p)
    worst = np.full(m + 1, on.zero)  # worst[i] = max over l > i of S_l
    worst[:m] = np.maximum.accumulate(_simes(p, on)[::-1])[::-1]
    sizes = np.arange(1, m + 1)
    # i·p rises with i and worst[i] falls: the minimum of their maximum is where they cross
    # (times 2^60, so that a quotient of denormal numbers is not rounded to 0)
    crossing = on.times(worst[1:], 2.0**60 / sizes)
    first = m - np.searchsorted(crossing[::-1], on.times(p, 2.0**60), side="right")
    best = np.full(m, np.inf)
    for step in (-1, 0, 1):  # the neighbours too: the quotient above was rounded
        size = np.clip(first + 1 + step, 1, m)
        best = np.minimum(best, np.maximum(on.times(p, size), worst[size]))
    return best


def _simes(p: Array, on: Arithmetic) -> Array:
    """S_1 … S_m."""
    m = len(p)
    with np.errstate(over="ignore"):
        corner = _lower_hull(p, on)
    v, w = corner[:-1], corner[1:]
    with np.errstate(divide="ignore"):
        # where the line through two neighbouring corners meets 0: left of it the left corner is the tangent point
        zero = (v + 1) - (w - v) / on.excess(p[w], p[v])
    # from each of these points on the next corner is touched; starts 0 … m − 1, turned round to S_1 … S_m
    steps = np.clip(np.ceil(np.maximum.accumulate(zero)), 0, m).astype(np.intp)
    touched = np.repeat(corner, np.diff(steps, prepend=0, append=m))[::-1]
    size = np.arange(1, m + 1)
    return on.times(p[touched], size / (touched + 1 - m + size))


def _lower_hull(p: Array, on: Arithmetic) -> Index:
    """Indices of the corners of the lower convex hull of (index, p), p increasing; equal p: the last.

    A point above a chord between any two others is no corner. Chords between neighbours first; when they stop
    paying, wide ones; at last, point after point. Only then neighbours suffice: a chain convex everywhere is a hull.
    """
    keep = np.append(np.flatnonzero(p[1:] != p[:-1]), len(p) - 1)
    for _ in range(60):
        shorter = _under_chords(p, keep, 1, on)
        if len(shorter) == len(keep):
            return keep
        width = len(shorter) // 2 if 10 * len(shorter) > 9 * len(keep) else 1
        while width > 1:
            shorter = _under_chords(p, shorter, width, on)
            width //= 4
        keep = shorter
    return _chain(p, keep, on)


def _under_chords(p: Array, points: Index, width: int, on: Arithmetic) -> Index:
    """Without the points on or above the chord between those ``width`` places before and after them."""
    if len(points) <= 2 * width:
        return points
    inner = _below_chord(p, points[: -2 * width], points[width:-width], points[2 * width :], on)
    ends = np.ones(width, dtype=bool)
    under: Index = points[np.concatenate((ends, inner, ends))]
    return under


def _chain(p: Array, points: Index, on: Arithmetic) -> Index:
    """The same, one point after the other."""
    hull: list[int] = []
    for w in points.tolist():
        while len(hull) > 1 and not _below_chord(p, hull[-2], hull[-1], w, on):
            hull.pop()
        hull.append(w)
    return np.array(hull, dtype=np.intp)


def _below_chord(p: Array, u: Any, v: Any, w: Any, on: Arithmetic) -> Any:
    """Whether the point v lies strictly below the chord from u to w; only quotients of p-values are needed."""
    rise = on.excess(p[w], p[v]) * (v - u)  # may overflow: infinitely steep is right, the other side is at most w − v
    return cast(Any, -on.excess(p[u], p[v]) * (w - v) < rise)
