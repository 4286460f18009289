"""Ties are decided on decimals: 0.3 − 0.2 and 0.2 − 0.1 are the same difference, though not in binary.

Derived quantities (differences, aligned observations, ranges, cell means over runs) are tied when they differ by no
more than ``TIE_ULPS`` units in the last place of the largest score that entered either of them. Values are sorted;
a value joins a group while it is tied with the group's first member.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from bakeoff.errors import OverflowingScoreError
from bakeoff.scores import Array

Ints = npt.NDArray[np.int64]

TIE_ULPS = 16
"""Tolerance for ties between derived quantities, in units in the last place of the largest score; 0: none."""

_BELOW_LARGEST = math.nextafter(np.finfo(np.float64).max, 0.0)  # the same unit; that of the largest itself overflows


def doubled_tied_ranks(values: Array, scales: Array, ulps: int | None = None) -> Ints:
    """(m,) twice the mid-ranks of derived quantities, tied within ``ulps`` of the scores behind them."""
    labels = tie_groups(values, scales, ulps)
    sizes = np.bincount(labels)
    last = np.cumsum(sizes)
    return (2 * last - sizes + 1)[labels].astype(np.int64)


def tie_groups(values: Array, scales: Array, ulps: int | None = None) -> Ints:
    """(m,) the group of each value, 0 for the lowest; members are tied with the first of their group.

    Equal values are always together, and the smallest of their tolerances speaks for them: so the groups do not
    depend on the order of the input.
    """
    order = np.argsort(values)
    ordered = values[order]
    new = np.ones(len(values), dtype=bool)
    new[1:] = ordered[1:] != ordered[:-1]
    firsts = np.flatnonzero(new)
    v = ordered[firsts]
    t = np.minimum.reduceat(tie_tolerance(scales, ulps)[order], firsts)
    starts = np.ones(len(v), dtype=bool)
    for lo, hi in _stretches(v, t):
        first = lo
        for i in range(lo + 1, hi):
            starts[i] = v[i] - v[first] > max(t[first], t[i])
            if starts[i]:
                first = i
    labels = np.empty(len(values), dtype=np.int64)
    labels[order] = (np.cumsum(starts) - 1)[np.cumsum(new) - 1]
    return labels


def tie_tolerance(scales: Array, ulps: int | None = None) -> Array:
    """The distance within which a quantity made from scores as large as ``scales`` is tied; 0 if infinite."""
    finite = np.isfinite(scales)
    units = np.spacing(np.where(finite, np.minimum(scales, _BELOW_LARGEST), 1.0))
    return (TIE_ULPS if ulps is None else ulps) * np.where(finite, units, 0.0)


def refuse_overflow(derived: Array, method: str) -> None:
    """Differences of scores near the largest float are infinite: say so instead of ranking them."""
    if not np.isfinite(derived).all():
        raise OverflowingScoreError(f"{method}: scores are too large to subtract (beyond 1e308); rescale the table")


def _stretches(v: Array, t: Array) -> list[tuple[int, int]]:
    """Where distinct sorted values might be tied: only these need the sequential rule.

    Between i and i+1 nothing is tied if no earlier value reaches v[i+1] and no later one reaches back to v[i].
    """
    if len(v) < 2:
        return []
    with np.errstate(invalid="ignore", over="ignore"):
        reach = np.maximum.accumulate(v + t)[:-1]
        back = np.minimum.accumulate((v - t)[::-1])[::-1][1:]
        linked = (reach >= v[1:]) | (back <= v[:-1])
    edges = np.flatnonzero(np.diff(np.concatenate(([0], linked.astype(np.int8), [0]))))
    return [(int(lo), int(hi) + 1) for lo, hi in zip(edges[::2], edges[1::2], strict=True)]
