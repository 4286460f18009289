"""The compiled twin of ``positions.adjusted_on_line``: the same cases, one threshold after the other.

Imported only through ``bakeoff.accelerator``. Tables are indexed as there: a < b the wanted pair, [s..e] a block that
overhangs C on the left, [f..q] one on the right.
"""

from typing import Any

import numpy as np
from numba import njit

NEVER = -(10**12)


@njit(cache=True)
def adjusted(thresholds: Any, weights: Any, additive: bool, lives: Any, best: Any, one: float) -> None:
    """Raise ``best`` (k, k), upper triangle, to max over t of t · (most pairs within blocks, a and b together).

    ``weights[m]`` is what the count m multiplies by (or adds, for logarithms). First contiguous blocks at every
    threshold, then, from the highest threshold down, overhanging blocks where they could still raise something.
    """
    k, count = len(lives), len(thresholds)
    reach, back = np.empty(k, np.int64), np.empty(k, np.int64)
    prefix, suffix = np.empty(k + 1, np.int64), np.empty(k + 1, np.int64)
    most, from_right = np.empty((k, k), np.int64), np.empty((k, k), np.int64)
    needed = np.empty((k, k), np.bool_)
    for t in range(count):
        _reaches(lives, t, reach, back)
        _optima(reach, back, prefix, suffix)
        _contiguous(thresholds[t], weights, additive, reach, prefix, suffix, most, best)
    for t in range(count - 1, -1, -1):
        _reaches(lives, t, reach, back)
        _optima(reach, back, prefix, suffix)
        p, top = thresholds[t], prefix[k]
        bound = p + weights[top] if additive else p * weights[top]
        if top == 0 or not _mark(best, min(one, bound), reach, needed):
            continue
        most[:] = NEVER
        for b in range(k - 1):
            if needed[back[b] : b, b].any():
                _overhang_right(b, back, prefix, suffix, needed, from_right[b], most)
        for a in range(1, k):
            if needed[a, a + 1 : reach[a] + 1].any():
                _overhang_left(a, reach, prefix, suffix, needed, from_right, most)
        for a in range(k):
            for b in range(a + 1, reach[a] + 1):
                if needed[a, b] and most[a, b] > 0:
                    weight = weights[most[a, b]]
                    best[a, b] = max(best[a, b], p + weight if additive else p * weight)


@njit(cache=True)
def _pairs(n: int) -> int:
    return n * (n - 1) // 2


@njit(cache=True)
def _reaches(lives: Any, t: int, reach: Any, back: Any) -> None:
    """The last and the first element that may share a block with each one."""
    k = len(lives)
    r = 0
    for i in range(k):
        r = max(r, i)
        while r + 1 < k and lives[i, r + 1] > t:
            r += 1
        reach[i] = r
    left = k - 1
    for i in range(k - 1, -1, -1):
        left = min(left, i)
        while left > 0 and lives[i, left - 1] > t:
            left -= 1
        back[i] = left


@njit(cache=True)
def _optima(reach: Any, back: Any, prefix: Any, suffix: Any) -> None:
    """Most pairs within contiguous blocks among the first i elements, and among those from i on."""
    k = len(reach)
    prefix[0] = 0
    for i in range(1, k + 1):
        best = NEVER
        for first in range(back[i - 1], i):
            best = max(best, prefix[first] + _pairs(i - first))
        prefix[i] = best
    suffix[k] = 0
    for i in range(k - 1, -1, -1):
        best = NEVER
        for last in range(i, reach[i] + 1):
            best = max(best, suffix[last + 1] + _pairs(last - i + 1))
        suffix[i] = best


@njit(cache=True)
def _mark(best: Any, bound: float, reach: Any, needed: Any) -> bool:
    """Which pairs the unconstrained optimum could still raise below 1."""
    any_marked = False
    for a in range(len(reach)):
        for b in range(a + 1, reach[a] + 1):
            needed[a, b] = best[a, b] < bound
            any_marked |= needed[a, b]
    return any_marked


@njit(cache=True)
def _contiguous(
    p: float, weights: Any, additive: bool, reach: Any, prefix: Any, suffix: Any, most: Any, best: Any
) -> None:
    """Case 1: raise ``best`` by max over l ≤ a, r ≥ b of prefix(l) + C(r−l+1, 2) + suffix(r+1)."""
    for a in range(len(reach)):
        before = reach[a - 1] if a > 0 else -1
        block = NEVER
        for b in range(reach[a], a, -1):
            block = max(block, prefix[a] + _pairs(b - a + 1) + suffix[b + 1])
            if b <= before:
                block = max(block, most[a - 1, b])
            most[a, b] = block
            weight = weights[block]
            best[a, b] = max(best[a, b], p + weight if additive else p * weight)


@njit(cache=True)
def _overhang_right(b: int, back: Any, prefix: Any, suffix: Any, needed: Any, without_b: Any, most: Any) -> None:
    """Case 3 for every wanted a; ``without_b`` (f) is kept for case 4."""
    low = back[b]
    behind = NEVER
    ahead = np.full(b - low, NEVER)
    for f in range(low, b + 1):
        lacks_b, lacks_both = NEVER, NEVER
        for q in range(b + 1, len(back)):
            if back[q] > f:
                break
            lacks_b = max(lacks_b, suffix[q + 1] + _pairs(q - f))
            lacks_both = max(lacks_both, suffix[q + 1] + _pairs(q - f - 1))
        without_b[f] = lacks_b
        body, both = NEVER, NEVER
        for a in range(low, f):
            # C = [l..f) + {b}, l ≤ a < f
            body = max(body, prefix[a] + _pairs(f - a + 1))
            ahead[a - low] = max(ahead[a - low], lacks_b + body)
            both = max(both, prefix[a] + _pairs(f - a + 2))
        if f < b:
            # C = [l..f) + {a, b}, f ≤ a
            behind = max(behind, lacks_both + max(both, prefix[f] + 1))
            if needed[f, b]:
                most[f, b] = max(most[f, b], behind)
    for a in range(low, b):
        if needed[a, b]:
            most[a, b] = max(most[a, b], ahead[a - low])


@njit(cache=True)
def _overhang_left(a: int, reach: Any, prefix: Any, suffix: Any, needed: Any, from_right: Any, most: Any) -> None:
    """Cases 2 and 4 for every wanted b."""
    high, k = reach[a], len(reach)
    behind = NEVER
    ahead, inner = np.full(high - a + 1, NEVER), np.full(high - a + 1, NEVER)
    for e in range(high, a - 1, -1):
        lacks_a, lacks_both = NEVER, NEVER
        for s in range(a - 1, -1, -1):
            if reach[s] < e:
                break
            lacks_a = max(lacks_a, prefix[s] + _pairs(e - s))
            lacks_both = max(lacks_both, prefix[s] + _pairs(e - s - 1))
        body, both = NEVER, NEVER
        for b in range(high, e, -1):
            # C = {a} + (e..r], e < b ≤ r
            body = max(body, suffix[b + 1] + _pairs(b - e + 1))
            ahead[b - a] = max(ahead[b - a], lacks_a + body)
            both = max(both, suffix[b + 1] + _pairs(b - e + 2))
            inner[b - a] = max(inner[b - a], lacks_a + _pairs(b - e + 1))
        if e > a:
            # C = {a, b} + (e..r], b ≤ e
            behind = max(behind, lacks_both + max(both, suffix[e + 1] + 1))
            if needed[a, e]:
                most[a, e] = max(most[a, e], behind)
    for b in range(a + 1, high + 1):
        if needed[a, b]:
            best = ahead[b - a]
            if b < k - 1:
                # C = {a} + (e..f) + {b}, e < f ≤ b
                for f in range(a + 1, b + 1):
                    best = max(best, inner[f - a] + from_right[b, f])
            most[a, b] = max(most[a, b], best)
