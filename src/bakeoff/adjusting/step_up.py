"""Step-up corrections beyond Hochberg's: Hommel's closed testing, and Rom's exact critical values."""

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from bakeoff.adjusting.arithmetic import Arithmetic
from bakeoff.adjusting.classical import downwards, running_min_from_last
from bakeoff.errors import TooLargeError
from bakeoff.scores import Array

# Hommel's correction: closed testing with Simes's test of every intersection, in O(m log m).
#
# Simes's p-value of the i largest p-values is S_i = min over r of i·p_(m−i+r)/r, that is i times the smallest slope
# from the point (m−i, 0) to the points (q, p_(q)): a tangent to their lower convex hull. The adjusted p-value is
# min over i of max(i·p, max over l > i of S_l). Hommel (1988); Derrac et al. (2011), figure 1 is the quadratic form.

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


# Rom's step-up correction: Hochberg's with the critical values that exhaust the level under independence.
#
# c_1 = α and i·c_i = Σ_{j=1}^{i−1} α^j − Σ_{j=1}^{i−2} C(i,j)·c_{j+1}^{i−j}. Rom (1990). Derrac et al. (2011),
# eq. 15, and García et al. (2010), eq. 23, print C(i,k) for C(i,j).


LIMIT = 1000
"""Largest number of p-values for which the critical values were checked against 200-digit arithmetic."""

PRINTED_LEVEL = 0.05


def rom_exact(p: Array, on: Arithmetic) -> Array:
    """min over j ≥ i of the level α at which c_{m−j+1}(α) = p_j; 1 where no level reaches p_j.

    α/i ≤ c_i(α) ≤ −ln(1−α)/i, so the level lies between 1 − exp(−i·p) and i·p.
    """
    m = len(p)
    if m > LIMIT:
        raise TooLargeError(
            f"method 'rom' computes its critical values for at most {LIMIT} p-values; got {m}. "
            "Use 'hochberg' (nearly the same) or 'hommel' (at least as powerful as hochberg)."
        )
    index = np.broadcast_to(downwards(p), p.shape)
    upper = np.minimum(on.times(p, index), on.one)
    plain = np.minimum(on.plain(p), 1.0)
    # below 1e-20 the level is i·p to the last digit (the next term is smaller by the factor α/2);
    # a level whose lower bound is above the upper bound of a later one can never be the minimum
    lower = on.written(-np.expm1(-index * plain * (1 - 1e-12)))
    later = running_min_from_last(upper)
    open_ = (plain > 1e-20) & (index > 2) & (lower <= later)
    levels = upper.copy()
    levels[~open_ & (index > 2) & (plain > 1e-20)] = on.one
    solved = _levels if p.ndim == 1 else _levels_of_many
    levels[open_] = on.written(solved(plain[open_], index[open_].astype(np.intp)))
    return running_min_from_last(levels)


def rom_printed(p: Array, on: Arithmetic) -> Array:
    """min over j ≥ i of r_{m−j+1}·p_j with the papers' ratios: compatibility only, liberal.

    Both sums of the recursion stop one term early (r = 1, 2, 3, 3.814, 4.755, 5.705, 6.655, 7.606), and α/c_i at
    α = 0.05 is used at every level: neither the family-wise error nor the meaning of an adjusted p-value is kept.
    """
    m = len(p)
    if m > LIMIT:
        raise TooLargeError(f"method 'rom-printed' takes at most {LIMIT} p-values; got {m}. Use 'hochberg'.")
    ratios = PRINTED_LEVEL / critical_values(np.array([PRINTED_LEVEL]), m, early=1)[0]
    return running_min_from_last(on.times(p, ratios[::-1]))


def critical_values(alpha: Array, m: int, early: int = 0) -> Array:
    """(len(alpha), m): c_1 … c_m at each level; ``early`` terms are left out of both sums (the papers' slip).

    With r = i − j the terms C(i,r)·c_{i−r+1}^r fall faster than (2.8·i·c_i)^r/r!; those under 1e-20 are skipped.
    """
    c = np.zeros((len(alpha), m + 1))  # c[:, i] is c_i
    c[:, 1] = alpha
    powers = np.cumsum(alpha[:, None] ** np.arange(1, m + 1), axis=1)  # powers[:, i−1] = Σ_{j ≤ i} α^j
    choose = np.array([1.0, 2.0, 1.0])  # Pascal's row i: sums of positive numbers keep 16 digits
    for i in range(2, m + 1):
        c[:, i] = alpha / 2 if i == 2 else powers[:, i - 2 - early] / i
        last = i - 2 - early
        if last > 0:
            j = np.arange(max(1, i - _terms(i * c[:, i - 1].max())), last + 1)
            c[:, i] -= np.sum(choose[j] * c[:, j + 1] ** (i - j), axis=1) / i
        choose = np.concatenate(([1.0], choose[1:] + choose[:-1], [1.0]))
    return c[:, 1:]


def _terms(size: float) -> int:
    """The r at which (2.8·size)^r/r! falls under 1e-20."""
    term, r = 1.0, 0
    while term > 1e-20 or r < 2.8 * size:
        r += 1
        term *= 2.8 * size / r
    return r


def _levels(p: Array, index: Index) -> Array:
    """α with c_index(α) = p, 1 if there is none; p > 0 in increasing order."""
    levels = np.empty_like(p)
    for start in range(0, len(p), 32):  # neighbours need about the same number of terms
        part = slice(start, start + 32)
        levels[part] = _solve(p[part], index[part])
    return levels


def _levels_of_many(p: Array, index: Index) -> Array:
    """The same in any order, of many lists at once: each p and index is solved for once."""
    distinct, back = np.unique(p + 1j * index, return_inverse=True)
    return _levels(distinct.real, distinct.imag.astype(np.intp))[back]


def _solve(p: Array, index: Index) -> Array:
    """Ridders' method on ln c(α) − ln p between the two bounds of ``rom_exact``."""

    def gap(alpha: Array) -> Array:
        c = critical_values(alpha, int(index.max()))[np.arange(len(p)), index - 1]
        return np.log(c / p)

    # the bounds are rounded: step outside them, so that the signs differ
    low = -np.expm1(-index * p) * (1 - 1e-12)
    high = np.minimum(index * p * (1 + 1e-12), 1.0)
    at_low, at_high = gap(low), gap(high)
    none = at_high <= 0  # only possible at α = 1
    for _ in range(60):
        middle = (low + high) / 2
        at_middle = gap(middle)
        slope = np.sqrt(np.maximum(at_middle**2 - at_low * at_high, 1e-300))
        guess = np.clip(middle - (middle - low) * at_middle / slope, low, high)
        at_guess = gap(guess)
        for x, f in ((middle, at_middle), (guess, at_guess)):
            inside = (x >= low) & (x <= high)
            left, right = inside & (f < 0), inside & (f >= 0)
            low, at_low = np.where(left, x, low), np.where(left, f, at_low)
            high, at_high = np.where(right, x, high), np.where(right, f, at_high)
        done = (np.abs(at_guess) < 2e-15) | (high - low <= 4e-16 * high) | none
        if done.all():
            break
    return np.where(none, 1.0, np.where(np.abs(at_low) < np.abs(at_high), low, high))
