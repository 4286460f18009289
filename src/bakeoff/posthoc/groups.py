"""Groups of algorithms that are mutually not different: the maximal cliques of the "not different" graph.

For z tests on ranks with a single-step correction these are intervals of the ranking, as in a critical
difference diagram; with other tests and corrections they need not be, and are then reported as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bakeoff.errors import TooLargeError

MAX_GROUPS = 10_000


def maximal_groups(alike: npt.NDArray[np.bool_], best_first: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """All maximal sets of mutually ``alike`` algorithms, members and sets best first.

    ``alike`` is a symmetric (k, k) table. Bron–Kerbosch with Tomita's pivot, on integer bit sets.
    Raises TooLargeError beyond ``MAX_GROUPS`` sets: such a list explains nothing to anybody.
    """
    k = len(best_first)
    table = alike[np.ix_(best_first, best_first)]
    neighbours = [sum(1 << j for j in range(k) if j != i and table[i, j]) for i in range(k)]
    cliques: list[int] = []
    _extend(0, (1 << k) - 1, 0, neighbours, cliques)
    members = sorted(tuple(_bits(clique)) for clique in cliques)
    return tuple(tuple(best_first[i] for i in clique) for clique in members)


def _extend(clique: int, candidates: int, done: int, neighbours: list[int], found: list[int]) -> None:
    if not candidates and not done:
        found.append(clique)
        if len(found) > MAX_GROUPS:
            raise TooLargeError(f"more than {MAX_GROUPS} maximal groups of algorithms that are not different")
        return
    pivot = max(_bits(candidates | done), key=lambda v: (candidates & neighbours[v]).bit_count())
    for v in _bits(candidates & ~neighbours[pivot]):
        bit = 1 << v
        _extend(clique | bit, candidates & neighbours[v], done & neighbours[v], neighbours, found)
        candidates &= ~bit
        done |= bit


def _bits(mask: int) -> list[int]:
    positions = []
    while mask:
        low = mask & -mask
        positions.append(low.bit_length() - 1)
        mask ^= low
    return positions
