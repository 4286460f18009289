"""Groups of algorithms that are mutually not different: the maximal cliques of the "not different" graph.

For z tests on ranks with a single-step correction these are intervals of the ranking, as in a critical
difference diagram; with other tests and corrections they need not be, and are then reported as they are.
"""

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from bakeoff.errors import TooLargeError
from bakeoff.scores.pair_family import OfTwo

MAX_GROUPS = 10_000


def maximal_groups(alike: npt.NDArray[np.bool_], best_first: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """All maximal sets of mutually ``alike`` algorithms, members and sets best first.

    ``alike`` is a symmetric (k, k) table. Raises TooLargeError beyond ``MAX_GROUPS`` sets: such a list explains
    nothing to anybody.
    """
    table = alike[np.ix_(best_first, best_first)]
    intervals = _intervals(table)
    groups: Sequence[Sequence[int]] = _cliques(table) if intervals is None else intervals
    return tuple(tuple(best_first[i] for i in group) for group in groups)


def _intervals(table: npt.NDArray[np.bool_]) -> list[range] | None:
    """The groups, if each algorithm is alike exactly to those up to a place that never moves back; else None."""
    k = len(table)
    upper = table | np.tri(k, dtype=bool)
    ends = np.where(upper.all(axis=1), k, upper.argmin(axis=1))
    if (upper.sum(axis=1) != ends).any() or (np.diff(ends) < 0).any():
        return None
    starts = np.flatnonzero(np.diff(ends, prepend=0) > 0)
    return [range(int(start), int(ends[start])) for start in starts]


def _cliques(table: npt.NDArray[np.bool_]) -> list[list[int]]:
    """Bron–Kerbosch with Tomita's pivot, on integer bit sets and a stack."""
    k = len(table)
    bits = [1 << j for j in range(k)]
    neighbours = [
        sum(bit for bit, ok in zip(bits, row, strict=True) if ok) & ~own
        for own, row in zip(bits, table.tolist(), strict=True)
    ]
    cliques: list[int] = []
    stack = [(0, (1 << k) - 1, 0)]
    while stack:
        clique, candidates, done = stack.pop()
        if not candidates:
            cliques += [] if done else [clique]
            if len(cliques) > MAX_GROUPS:
                raise TooLargeError(f"more than {MAX_GROUPS} maximal groups of algorithms that are not different")
            continue
        pivot = max(_bits(candidates | done), key=lambda v: (candidates & neighbours[v]).bit_count())
        for v in _bits(candidates & ~neighbours[pivot]):
            bit = bits[v]
            stack.append((clique | bit, candidates & neighbours[v], done & neighbours[v]))
            candidates &= ~bit
            done |= bit
    return sorted(_bits(clique) for clique in cliques)


def _bits(mask: int) -> list[int]:
    positions = []
    while mask:
        low = mask & -mask
        positions.append(low.bit_length() - 1)
        mask ^= low
    return positions


# What decided pairs say of the places of all algorithms.


def rank_intervals(algorithms: Sequence[str], pairs: Iterable[OfTwo]) -> dict[str, tuple[int, int]]:
    """{name: (1 + number shown to be better, k − number shown to be worse)}.

    Where no pair is wrongly decided, all true ranks lie within: their coverage is that of the family (Klein, Wright and
    Wieczorek 2020).
    """
    better, worse = dict.fromkeys(algorithms, 0), dict.fromkeys(algorithms, 0)
    for pair in pairs:
        if pair.verdict in ("a better", "b better"):
            first, second = (pair.a, pair.b) if pair.verdict == "a better" else (pair.b, pair.a)
            worse[first] += 1
            better[second] += 1
    return {name: (1 + better[name], len(algorithms) - worse[name]) for name in algorithms}


def rank_words(ranks: Sequence[int]) -> str:
    """``2–4``, or ``3`` of one place."""
    best, worst = ranks
    return str(best) if best == worst else f"{best}–{worst}"
