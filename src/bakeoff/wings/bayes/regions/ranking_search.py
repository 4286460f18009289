"""All rankings with ties of a few algorithms, and their neighbours where there are too many to list.

A ranking is a row of doubled mid-ranks less k + 1, as whole numbers: lower is better.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from bakeoff.ranks import Ints, doubled_row_ranks
from bakeoff.scores import Array

LISTED = 8  # algorithms up to which all rankings are listed: 545 835 with ties
ALL_NEIGHBOURS = 20  # beyond that only neighbouring places are exchanged or tied
MOST_STEPS = 300

Judge = Callable[[Ints], Array]


@lru_cache(maxsize=2)
def all_rankings(k: int) -> Ints:
    """(m, k): 3, 13, 75, 541, 4683, 47293, 545835 for k = 2 … 8 (the Fubini numbers), each once."""
    levels = np.zeros((1, 1), dtype=np.int64)  # even numbers 0, 2, 4 …; odd ones are the gaps between them
    for _ in range(1, k):
        parts = []
        for top in np.unique(levels.max(axis=1)).tolist():
            some = levels[levels.max(axis=1) == top]
            for place in range(-1, top + 2):  # tied with a level, or in a gap
                parts.append(np.column_stack([some, np.full(len(some), place)]))
        levels = np.concatenate([_closed_up(part) for part in parts])
    rankings = doubled_row_ranks(levels.astype(np.float64)) - (k + 1)
    rankings.setflags(write=False)
    return rankings


def _closed_up(levels: Ints) -> Ints:
    """All rows have the last algorithm at the same place: if that is a gap, everything beyond it moves up."""
    place = int(levels[0, -1])
    if place % 2 == 0:
        return levels
    moved = levels + 2 * (levels > place)
    moved[:, -1] = place + 1
    return moved


def neighbours(ranking: Ints) -> Ints:
    """Rankings one step away: two algorithms exchanged, one tied with another, one put just behind another."""
    k = len(ranking)
    place = np.argsort(ranking, kind="stable")
    if k <= ALL_NEIGHBOURS:
        i, j = np.nonzero(~np.eye(k, dtype=bool))
    else:
        i = np.concatenate([place[:-1], place[1:]])
        j = np.concatenate([place[1:], place[:-1]])
    rows = np.arange(len(i))
    start = np.repeat(ranking[None, :].astype(np.float64), len(i), axis=0)
    tied, behind, swapped = start.copy(), start.copy(), start
    tied[rows, i] = ranking[j]
    behind[rows, i] = ranking[j] + 0.5
    swapped[rows, i], swapped[rows, j] = ranking[j], ranking[i]
    return doubled_row_ranks(np.concatenate([swapped, tied, behind])) - (k + 1)


def climb(start: Ints, judge: Judge) -> tuple[Ints, int]:
    """Step by step to the best neighbour, until none is better; and how many rankings were judged."""
    here, value, judged = start, float(judge(start[None, :])[0]), 1
    for _ in range(MOST_STEPS):
        around = neighbours(here)
        values = judge(around)
        judged += len(around)
        best = int(np.argmax(values))
        if not values[best] > value:
            break
        here, value = around[best], float(values[best])
    return here, judged


def starts(directions: list[Array], k: int, rng: np.random.Generator) -> list[Ints]:
    """The rankings along each direction; of few algorithms also against it, all tied, and three at random."""
    rows = list(directions)
    if k <= ALL_NEIGHBOURS:
        rows += [*(-direction for direction in directions), np.zeros(k), *rng.random((3, k))]
    return list(doubled_row_ranks(np.array(rows)) - (k + 1))
