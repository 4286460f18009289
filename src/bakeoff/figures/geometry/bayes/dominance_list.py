"""Joint statements of many algorithms as a list: of each, how many it is better and worse than, and a matrix of all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bakeoff.figures.geometry.axis import LABEL, MARGIN, SMALL
from bakeoff.figures.geometry.bayes.blocks import Order
from bakeoff.figures.geometry.bayes.dominance_graph import in_words
from bakeoff.figures.geometry.comparison.comparison_view import BETTER, WORSE
from bakeoff.figures.geometry.comparison.matrix import draw_matrix
from bakeoff.figures.geometry.metrics import shorten, text_width
from bakeoff.figures.geometry.notes import Key, draw_caption, draw_keys
from bakeoff.figures.geometry.primitives import Drawing, Item, Text

_SHORTEST_NAME = 30.0
_SMALLEST_CELL = 0.9


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rows:
    """In the order of the list."""

    k: int
    names: tuple[str, ...]
    verdicts: npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    size: float
    pitch: float
    names: float
    length: float  # of the longest name shown
    counts: tuple[float, float]  # right edges of the two columns
    matrix: float
    cell: float  # 0: no room for the matrix


def dominance_list(order: Order, width: float) -> Drawing:
    """A row per algorithm, the one with the most statements in its favour first; equal ones in column order."""
    better, worse = order.stated.sum(axis=1), order.stated.sum(axis=0)
    best_first = sorted(range(order.k), key=lambda i: int(worse[i] - better[i]))
    rows = _rows(order, best_first)
    plan = _plan(order, width)
    top = MARGIN + 14.0

    def row_y(i: int) -> float:
        return top + (i + 0.5) * plan.pitch

    items: list[Item] = [
        Text(x=x, y=top - 3, text=word, size=SMALL, anchor="end", role="column title")
        for x, word in zip(plan.counts, ("better than", "worse than"), strict=True)
    ]
    for row, i in enumerate(best_first):
        items += _row(order, plan, row, i, row_y(row), (int(better[i]), int(worse[i])))
    if plan.cell:
        items += draw_matrix(rows, plan.matrix, top, plan.cell, plan.pitch, row_y)
    keys, below = draw_keys(_keys() if plan.cell else [], top + order.k * plan.pitch + 4, width)
    why = "Too many algorithms, or lines, for a graph"
    table = "." if plan.cell else ": counts of the accepted statements; who exactly is in the table."
    notes, below = draw_caption(f"{order.caption} {why}{table}", below, width)
    return Drawing(
        width=width,
        height=below + MARGIN,
        form="statements",
        title=f"Who is better than whom, {order.k} algorithms jointly",
        description=in_words(order),
        items=tuple(items + keys + notes),
    )


def _rows(order: Order, best_first: list[int]) -> _Rows:
    stated = order.stated[np.ix_(best_first, best_first)]
    verdicts = np.zeros(stated.shape, dtype=np.int8)
    verdicts[stated.T] = WORSE
    verdicts[stated] = BETTER  # both only within a cycle, where a pair has but one direction
    return _Rows(k=order.k, names=tuple(order.names[i] for i in best_first), verdicts=verdicts)


def _plan(order: Order, width: float) -> _Plan:
    size, pitch = (SMALL, 7.6) if order.k > 60 else (LABEL, 9.0)
    names = MARGIN + text_width(str(order.k), SMALL) + 4
    counts = (text_width("better than", SMALL) + 6, text_width("worse than", SMALL) + 8)
    overhang = text_width(str(order.k), SMALL) / 2  # of the number over the matrix' last column
    free = width - MARGIN - overhang - names - sum(counts)
    longest = max(text_width(label, size) for label in order.labels)
    matrix = _SMALLEST_CELL * order.k + 8 <= free - min(longest, _SHORTEST_NAME)
    least = max(_SMALLEST_CELL, min(3.0, 0.4 * free / order.k)) * order.k + 8 if matrix else 0.0
    length = min(longest, free - least)
    cell = min((free - length - 8) / order.k, pitch) if matrix else 0.0
    ends = (names + length + counts[0], names + length + sum(counts))
    return _Plan(size=size, pitch=pitch, names=names, length=length, counts=ends, matrix=ends[1] + 8, cell=cell)


def _row(order: Order, plan: _Plan, row: int, i: int, y: float, counts: tuple[int, int]) -> list[Item]:
    base, about = y + 0.34 * plan.size, (order.names[i],)
    name = shorten(order.labels[i], plan.length, plan.size)
    hint = order.labels[i] if name != order.labels[i] else ""
    numbers: list[Item] = [
        Text(x=x, y=base, text=str(n), size=SMALL, anchor="end", colour="grey", role="value", about=about)
        for x, n in zip(plan.counts, counts, strict=True)
    ]
    return [
        Text(x=plan.names - 4, y=base, text=str(row + 1), size=SMALL, anchor="end", colour="grey", role="position"),
        Text(x=plan.names, y=base, text=name, size=plan.size, role="label", about=about, hint=hint),
        *numbers,
    ]


def _keys() -> list[Key]:
    return [
        Key(words="row better than column", cell="accent"),
        Key(words="row worse", cell="light"),
        Key(words="no statement", cell="white"),
    ]
