"""Ties are decided on decimals: 0.3 − 0.2 and 0.2 − 0.1 are the same difference, though not in binary.

Derived quantities (differences, aligned observations, ranges, cell means over runs) are tied when they differ by no
more than ``TIE_ULPS`` units in the last place of the largest score that entered either of them. Values are sorted;
a value joins a group while it is tied with the group's first member.
"""

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

    Equal values are always in one group, with the smallest of their tolerances, so the groups do not depend on the
    order of the input.
    """
    order = np.argsort(values)
    ordered = values[order]
    new = np.ones(len(values), dtype=bool)
    new[1:] = ordered[1:] != ordered[:-1]
    firsts = np.flatnonzero(new)
    v = ordered[firsts]
    t = np.minimum.reduceat(tie_tolerance(scales, ulps)[order], firsts)
    starts = _group_starts(v, t)
    labels = np.empty(len(values), dtype=np.int64)
    labels[order] = (np.cumsum(starts) - 1)[np.cumsum(new) - 1]
    return labels


def _group_starts(v: Array, t: Array) -> npt.NDArray[np.bool_]:
    """Which distinct sorted values begin a group. A stretch tied with its first value throughout is one group,
    as rounding makes them; only others need the rule value by value.
    """
    starts = np.ones(len(v), dtype=bool)
    stretches = _stretches(v, t)
    if not len(stretches):
        return starts
    first = np.repeat(stretches[:, 0], stretches[:, 1] - stretches[:, 0])
    member = first + np.arange(len(first)) - np.searchsorted(first, first)
    apart = v[member] - v[first] > np.maximum(t[first], t[member])
    starts[member] = member == first
    for lo in np.unique(first[apart]).tolist():
        hi = lo + int(np.searchsorted(first, lo, side="right") - np.searchsorted(first, lo))
        group = lo
        for i in range(lo + 1, hi):
            starts[i] = v[i] - v[group] > max(t[group], t[i])
            if starts[i]:
                group = i
    return starts


def tie_tolerance(scales: Array, ulps: int | None = None) -> Array:
    """The distance within which a quantity made from scores as large as ``scales`` is tied; 0 if infinite.

    0 as well of subnormal scores: their units are no small share of them, and their differences are exact.
    """
    rounded = np.isfinite(scales) & (scales >= np.finfo(np.float64).tiny)
    units = np.spacing(np.where(rounded, np.minimum(scales, _BELOW_LARGEST), 1.0))
    return (TIE_ULPS if ulps is None else ulps) * np.where(rounded, units, 0.0)


def all_equal(values: Array, scales: Array, roundings: float = 1.5) -> bool:
    """Are derived quantities one and the same number?

    They are if they differ by no more than the smallest of their tolerances, or if one number lies within
    ``roundings`` units in the last place of the scores behind each of them (a difference of two scores is off by 1.5
    units at most). One large score does not make the differences of the others equal.
    """
    if float(values.max() / 2 - values.min() / 2) <= float(tie_tolerance(scales).min()) / 2:  # no overflow
        return True
    slack = tie_tolerance(scales) * (roundings / TIE_ULPS)
    return bool((values - slack).max() <= (values + slack).min())


def refuse_overflow(derived: Array, method: str) -> None:
    """Differences of scores near the largest float are infinite: say so instead of ranking them."""
    if not np.isfinite(derived).all():
        raise OverflowingScoreError(f"{method}: scores are too large to subtract (beyond 1e308); rescale the table")


def _stretches(v: Array, t: Array) -> Ints:
    """(s, 2) from and to, where distinct sorted values might be tied.

    Between i and i+1 nothing is tied if no earlier value reaches v[i+1] and no later one reaches back to v[i].
    """
    with np.errstate(invalid="ignore", over="ignore"):
        reach = np.maximum.accumulate(v + t)[:-1]
        back = np.minimum.accumulate((v - t)[::-1])[::-1][1:]
        linked = (reach >= v[1:]) | (back <= v[:-1])
    edges = np.flatnonzero(np.diff(np.concatenate(([0], linked.astype(np.int8), [0]))))
    return np.stack([edges[::2], edges[1::2] + 1], axis=1).astype(np.int64)
