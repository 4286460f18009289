"""Corrections of many families of the same size at once: (m, t) p-values, a column for each family."""

from collections.abc import Callable
from functools import lru_cache, wraps

import numpy as np

from bakeoff.adjusting.arithmetic import ORDINARY, Arithmetic, apply
from bakeoff.adjusting.methods import CONTROL_METHODS
from bakeoff.adjusting.shaffer import shaffer_steps
from bakeoff.scores import Array

# The corrections that order p-values, of many families at once.


def adjusted_columns(p: Array, method: str) -> Array:
    """``bo.adjust`` of each column."""
    correction = _closed_simes if method == "hommel" else CONTROL_METHODS[method].function
    return apply(correction, p, ORDINARY)


def _closed_simes(p: Array, on: Arithmetic) -> Array:
    """Hommel's: min over i of max(i·p, largest Simes p-value of more than i), p increasing along the columns."""
    m = len(p)
    best, worst = np.full_like(p, np.inf), np.zeros(p.shape[1:])
    for size in range(m, 0, -1):
        np.minimum(best, np.maximum(size * p, worst), out=best)
        share = size / np.arange(1.0, size + 1.0)
        np.maximum(worst, (p[m - size :] * share[:, None]).min(axis=0), out=worst)
    return best


def shaffer_columns(p: Array, k: int) -> Array:
    """Shaffer's static procedure for all pairs of k algorithms."""
    return apply(lambda ordered, on: shaffer_steps(ordered, on, k), p, ORDINARY)


# Bergmann and Hommel's and Shaffer's dynamic correction of many families at once, over sets of algorithms.
#
# The true hypotheses are the pairs within the blocks of a partition. A partition I has the value |I| · min{p in I}, and
# the adjusted p of a pair is the largest value among the partitions that keep it together. For a set S let g_S(c) be
# the largest min p of a partition of S with c pairs within blocks; then with the first algorithm of S in the block B
#
#     g_S(c) = max over B of min(min{p in B}, g_{S∖B}(c − |B|(|B| − 1)/2)),
#
# and the best partition with the block B has the value max over c of (|B|(|B| − 1)/2 + c) · min(min{p in B},
# g_{∖B}(c)). Shaffer's dynamic procedure multiplies the i-th smallest p by the largest c of all algorithms with g(c) ≥
# p.

HELD = 1 << 22
"""Numbers held at once (32 MB)."""


def _in_parts(work: Callable[[Array, int], Array]) -> Callable[[Array, int], Array]:
    """``work`` of (m, t) p-values of all pairs a < b, row by row, as many columns at a time as ``HELD`` allows."""

    @wraps(work)
    def of_columns(p: Array, k: int) -> Array:
        step = max(1, HELD // sum(_most_pairs(s) + 1 for s in range(1 << k)))
        parts = [work(p[:, start : start + step], k) for start in range(0, p.shape[1], step)]
        return np.concatenate(parts, axis=1) if parts else p

    return of_columns


@_in_parts
def shaffer_dynamic_columns(p: Array, k: int) -> Array:
    """(m, t) p-values adjusted by Shaffer's dynamic procedure."""
    best, _ = _best_partitions(p, k)

    def correction(ordered: Array, on: Arithmetic) -> Array:
        most = np.zeros_like(p)
        for count, lowest in enumerate(best[(1 << k) - 1]):  # ascending: the largest that holds stays
            most[lowest >= ordered] = count
        return ordered * most

    return apply(correction, p, ORDINARY)


def _best_partitions(p: Array, k: int) -> tuple[dict[int, Array], dict[int, Array]]:
    """g of each set, a row for each c, 0 where there is no such partition; and the least p within each block."""
    t = p.shape[1]
    lowest = {block: p[list(pairs)].min(axis=0) for block, pairs in _blocks(k).items()}
    best = {0: np.full((1, t), np.inf)}
    for s in range(1, 1 << k):
        best[s] = _best_of(s, best, lowest, t)
    return best, lowest


@_in_parts
def bergmann_hommel_columns(p: Array, k: int) -> Array:
    """(m, t) p-values adjusted by the procedure of Bergmann and Hommel."""
    best, lowest = _best_partitions(p, k)
    everything = (1 << k) - 1
    adjusted = np.zeros_like(p)
    for block, pairs in _blocks(k).items():
        rest = best[everything ^ block]
        counts = _most_pairs(block) + np.arange(len(rest), dtype=np.float64)
        value = (np.minimum(rest, lowest[block]) * counts[:, None]).max(axis=0)
        for pair in pairs:
            np.maximum(adjusted[pair], value, out=adjusted[pair])
    return np.clip(adjusted, p, 1.0)


def _best_of(s: int, best: dict[int, Array], lowest: dict[int, Array], t: int) -> Array:
    best_of_blocks = np.zeros((_most_pairs(s) + 1, t))
    first = s & -s
    others = s ^ first
    alone = best[others]
    best_of_blocks[: len(alone)] = alone
    more = others
    while more:
        block = first | more
        rest, start = best[s ^ block], _most_pairs(block)
        rows = best_of_blocks[start : start + len(rest)]
        np.maximum(rows, np.minimum(rest, lowest[block]), out=rows)
        more = (more - 1) & others
    return best_of_blocks


def _most_pairs(s: int) -> int:
    """Within the set whose members are the bits of ``s``."""
    size = s.bit_count()
    return size * (size - 1) // 2


@lru_cache(maxsize=16)
def _blocks(k: int) -> dict[int, tuple[int, ...]]:
    """The pairs within each set of at least two algorithms, by their place among all pairs."""
    place = {(a, b): i for i, (a, b) in enumerate((a, b) for a in range(k) for b in range(a + 1, k))}
    blocks = {}
    for block in range(1, 1 << k):
        members = [i for i in range(k) if block >> i & 1]
        if len(members) > 1:
            blocks[block] = tuple(place[a, b] for i, a in enumerate(members) for b in members[i + 1 :])
    return blocks
