"""Joint statements of many algorithms as a list: of each, how many it is better and worse than, and a matrix of all."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bakeoff.analyses.compare.figure.comparison_view import BETTER, WORSE
from bakeoff.analyses.compare.figure.matrix import draw_matrix
from bakeoff.figures.geometry.metrics import text_width
from bakeoff.figures.geometry.notes import Key, draw_keys
from bakeoff.figures.geometry.primitives import LABEL, MARGIN, SMALL, Drawing, Item, Text
from bakeoff.figures.geometry.rows import SHORTEST_NAME, SMALLEST_CELL, Names, draw_entry
from bakeoff.wings.bayes.analysis.figure.blocks import Order
from bakeoff.wings.bayes.analysis.figure.dominance_graph import statements_drawing

_KEYS = [
    Key(words="row better than column", cell="accent"),
    Key(words="row worse", cell="light"),
    Key(words="no statement", cell="white"),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    pitch: float
    names: Names
    counts: tuple[float, float]  # right edges of the two columns
    matrix: float
    cell: float  # 0: no room for the matrix


def dominance_list(order: Order, width: float) -> Drawing:
    """A row per algorithm, the one with the most statements in its favour first; equal ones in column order."""
    better, worse = order.stated.sum(axis=1), order.stated.sum(axis=0)
    best_first = sorted(range(order.k), key=lambda i: int(worse[i] - better[i]))
    plan = _plan(order, width)
    top = MARGIN + 14.0
    items: list[Item] = [
        Text(x=x, y=top - 3, text=word, anchor="end", role="column title")
        for x, word in zip(plan.counts, ("better than", "worse than"), strict=True)
    ]
    for row, i in enumerate(best_first):
        y = top + (row + 0.5) * plan.pitch + 0.34 * plan.names.size
        counts = list(zip(plan.counts, (str(better[i]), str(worse[i])), strict=True))
        items += draw_entry(plan.names, row, order.names[i], order.labels[i], y, counts)
    if plan.cell:
        names = tuple(order.names[i] for i in best_first)
        items += draw_matrix(names, _verdicts(order, best_first), plan.matrix, top, plan.cell, plan.pitch)
    keys, below = draw_keys(_KEYS if plan.cell else [], top + order.k * plan.pitch + 4, width)
    why = "Too many algorithms, or lines, for a graph"
    table = "." if plan.cell else ": counts of the accepted statements; who exactly is in the table."
    return statements_drawing("statements", order, items + keys, f" {why}{table}", below, width)


def _verdicts(order: Order, best_first: list[int]) -> npt.NDArray[np.int8]:
    stated = order.stated[np.ix_(best_first, best_first)]
    verdicts = np.zeros(stated.shape, dtype=np.int8)
    verdicts[stated.T] = WORSE
    verdicts[stated] = BETTER  # both only within a cycle, where a pair has but one direction
    return verdicts


def _plan(order: Order, width: float) -> _Plan:
    size, pitch = (SMALL, 7.6) if order.k > 60 else (LABEL, 9.0)
    names = MARGIN + text_width(str(order.k), SMALL) + 4
    counts = (text_width("better than", SMALL) + 6, text_width("worse than", SMALL) + 8)
    overhang = text_width(str(order.k), SMALL) / 2  # of the number over the matrix' last column
    free = width - MARGIN - overhang - names - sum(counts)
    longest = max(text_width(label, size) for label in order.labels)
    matrix = SMALLEST_CELL * order.k + 8 <= free - min(longest, SHORTEST_NAME)
    least = max(SMALLEST_CELL, min(3.0, 0.4 * free / order.k)) * order.k + 8 if matrix else 0.0
    length = min(longest, free - least)
    cell = min((free - length - 8) / order.k, pitch) if matrix else 0.0
    ends = (names + length + counts[0], names + length + sum(counts))
    shown = Names(left=names, right=names + length, size=size, labels=tuple(order.labels))
    return _Plan(pitch=pitch, names=shown, counts=ends, matrix=ends[1] + 8, cell=cell)
