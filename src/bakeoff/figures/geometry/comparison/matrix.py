"""The matrix of verdicts beside a ranked list: row against column, best first, readable in grey."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Protocol

import numpy as np
import numpy.typing as npt

from bakeoff.figures.geometry.axis import SMALL
from bakeoff.figures.geometry.comparison.comparison_view import ALIKE, BETTER, UNKNOWN, WORSE
from bakeoff.figures.geometry.metrics import text_width
from bakeoff.figures.geometry.notes import Key
from bakeoff.figures.geometry.primitives import Box, Colour, Item, Line, Text

SELF = 3  # the diagonal
_FILL: dict[int, Colour] = {BETTER: "accent", WORSE: "light", ALIKE: "white", UNKNOWN: "white", SELF: "grey"}
_WORDS = {
    BETTER: "row better than column",
    WORSE: "row worse",
    ALIKE: "not shown to differ",
    UNKNOWN: "cannot tell",
}


class Verdicts(Protocol):
    """Anything with a verdict for every pair."""

    @property
    def k(self) -> int: ...
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def verdicts(self) -> npt.NDArray[np.int8]: ...


def draw_matrix(
    view: Verdicts, left: float, top: float, cell: float, pitch: float, row_y: Callable[[int], float]
) -> list[Item]:
    """k × k cells of ``cell`` × ``pitch`` points; row i has its middle at ``row_y(i)``, columns are numbered.

    Neighbouring cells with the same verdict are one box: 200 algorithms stay a small picture.
    """
    right = left + view.k * cell
    bottom = row_y(view.k - 1) + pitch / 2
    items: list[Item] = []
    for i in range(view.k):
        y = row_y(i) - pitch / 2
        for verdict, start, stop in _runs(view, i):
            if _FILL[verdict] != "white":
                items.append(_cells(view, i, verdict, left + start * cell, y, (stop - start) * cell, pitch))
            elif verdict == UNKNOWN:
                x1, x2, mid = left + start * cell + 0.3, left + stop * cell - 0.3, row_y(i)
                items.append(
                    Line(x1=x1, y1=mid, x2=x2, y2=mid, width=0.7, colour="grey", dashed=True, role="cannot tell")
                )
    items += _grid(view.k, left, top, right, bottom, cell, pitch)
    return items + _numbers(view.k, left, top, cell)


def _runs(view: Verdicts, i: int) -> Iterator[tuple[int, int, int]]:
    row = [int(v) for v in view.verdicts[i]]
    row[i] = SELF
    start = 0
    for verdict, run in groupby(row):
        stop = start + sum(1 for _ in run)
        yield verdict, start, stop
        start = stop


def _cells(view: Verdicts, i: int, verdict: int, x: float, y: float, width: float, height: float) -> Box:
    about = (view.names[i],)
    return Box(x=x, y=y, width=width, height=height, fill=_FILL[verdict], role="cells", about=about)


def _grid(k: int, left: float, top: float, right: float, bottom: float, cell: float, pitch: float) -> list[Item]:
    """Hairlines between cells where they are wide enough, else every tenth; and the frame."""
    every = 1 if cell >= 3 else 5 if cell >= 1.8 else 10
    lines: list[Item] = []
    for i in range(every, k, every):
        x, y = left + i * cell, top + i * pitch
        lines.append(Line(x1=x, y1=top, x2=x, y2=bottom, width=0.25, colour="light", role="grid"))
        lines.append(Line(x1=left, y1=y, x2=right, y2=y, width=0.25, colour="light", role="grid"))
    frame = [
        (left, top, right, top),
        (left, bottom, right, bottom),
        (left, top, left, bottom),
        (right, top, right, bottom),
    ]
    for x1, y1, x2, y2 in frame:
        lines.append(Line(x1=x1, y1=y1, x2=x2, y2=y2, width=0.5, colour="grey", role="frame"))
    return lines


def _numbers(k: int, left: float, top: float, cell: float) -> list[Item]:
    """Positions over the columns: all of them, or 1 and every 5th, 10th, …, as there is room."""
    room = text_width(str(k), SMALL) + 2
    step = next(s for s in (1, 5, 10, 20, 50, 100, 1000, 10**9) if s * cell >= room)
    shown = [j for j in range(1, k + 1) if j % step == 0 or (j == 1 and (step - 1) * cell >= room)]
    return [
        Text(x=left + (j - 0.5) * cell, y=top - 3, text=str(j), size=SMALL, anchor="middle", role="column number")
        for j in shown
    ]


def matrix_keys(view: Verdicts) -> list[Key]:
    """What the shades mean; only those that occur, "row worse" with "row better"."""
    used = {int(v) for i in range(view.k) for v, _, _ in _runs(view, i)}
    return [
        Key(words=_WORDS[verdict], cell=_FILL[verdict], struck=verdict == UNKNOWN)
        for verdict in (BETTER, WORSE, ALIKE, UNKNOWN)
        if verdict in used
    ]
