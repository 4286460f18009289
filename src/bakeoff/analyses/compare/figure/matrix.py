"""The matrix of verdicts beside a ranked list: row against column, best first, readable in grey."""

from collections.abc import Iterator
from itertools import groupby

import numpy as np
import numpy.typing as npt

from bakeoff.analyses.compare.figure.comparison_view import ALIKE, BETTER, UNKNOWN, WORSE
from bakeoff.figures.geometry.metrics import text_width
from bakeoff.figures.geometry.notes import Key
from bakeoff.figures.geometry.primitives import SMALL, Box, Colour, Item, Stroke, Text

SELF = 3  # the diagonal
_FILL: dict[int, Colour] = {BETTER: "accent", WORSE: "light", ALIKE: "white", UNKNOWN: "white", SELF: "grey"}
Verdicts = npt.NDArray[np.int8]  # (k, k), of the row against the column
_WORDS = {BETTER: "row better than column", WORSE: "row worse", ALIKE: "not shown to differ", UNKNOWN: "cannot tell"}


def draw_matrix(
    names: tuple[str, ...], verdicts: Verdicts, left: float, top: float, cell: float, pitch: float
) -> list[Item]:
    """k × k cells of ``cell`` × ``pitch`` points; the columns are numbered.

    Neighbouring cells with the same verdict are one box: 200 algorithms stay a small picture.
    """
    k = len(names)
    right, bottom = left + k * cell, top + k * pitch
    items: list[Item] = []
    for i, name in enumerate(names):
        y = top + (i + 0.5) * pitch
        for verdict, start, stop in _runs(verdicts, i):
            x1, x2, fill = left + start * cell, left + stop * cell, _FILL[verdict]
            if verdict == UNKNOWN:
                x1, x2 = x1 + 0.3, x2 - 0.3  # apart from its neighbours
                items.append(
                    Stroke(x1=x1, y1=y, x2=x2, y2=y, width=0.7, colour="grey", dashed=True, role="cannot tell")
                )
            elif fill != "white":
                above, wide = y - pitch / 2, (stop - start) * cell
                items.append(Box(x=x1, y=above, width=wide, height=pitch, fill=fill, role="cells", about=(name,)))
    return items + _grid(k, left, top, right, bottom, cell, pitch) + _numbers(k, left, top, cell)


def _runs(verdicts: Verdicts, i: int) -> Iterator[tuple[int, int, int]]:
    """(verdict, start, stop) of every stretch of equal verdicts in row ``i``."""
    row = [int(v) for v in verdicts[i]]
    row[i] = SELF
    start = 0
    for verdict, run in groupby(row):
        stop = start + sum(1 for _ in run)
        yield verdict, start, stop
        start = stop


def _grid(k: int, left: float, top: float, right: float, bottom: float, cell: float, pitch: float) -> list[Item]:
    """Hairlines between cells where they are wide enough, else every tenth; and the frame."""
    every = 1 if cell >= 3 else 5 if cell >= 1.8 else 10
    lines: list[Item] = []
    for i in range(every, k, every):
        x, y = left + i * cell, top + i * pitch
        lines.append(Stroke(x1=x, y1=top, x2=x, y2=bottom, width=0.25, colour="light", role="grid"))
        lines.append(Stroke(x1=left, y1=y, x2=right, y2=y, width=0.25, colour="light", role="grid"))
    corners = (left, top), (right, top), (left, bottom), (right, bottom)
    for a, b in ((0, 1), (2, 3), (0, 2), (1, 3)):
        (x1, y1), (x2, y2) = corners[a], corners[b]
        lines.append(Stroke(x1=x1, y1=y1, x2=x2, y2=y2, width=0.5, colour="grey", role="frame"))
    return lines


def _numbers(k: int, left: float, top: float, cell: float) -> list[Item]:
    """Positions over the columns: all of them, or 1 and every 5th, 10th, …, as there is room."""
    room = text_width(str(k), SMALL) + 2
    step = next(s for s in (1, 5, 10, 20, 50, 100, 1000, 10**9) if s * cell >= room)
    shown = [j for j in range(1, k + 1) if j % step == 0 or (j == 1 and (step - 1) * cell >= room)]
    return [
        Text(x=left + (j - 0.5) * cell, y=top - 3, text=str(j), anchor="middle", role="column number") for j in shown
    ]


def matrix_keys(verdicts: Verdicts) -> list[Key]:
    """What the shades mean; only those that occur, "row worse" with "row better"."""
    used = {int(v) for i in range(len(verdicts)) for v, _, _ in _runs(verdicts, i)}
    return [
        Key(words=_WORDS[verdict], cell=_FILL[verdict], struck=verdict == UNKNOWN)
        for verdict in (BETTER, WORSE, ALIKE, UNKNOWN)
        if verdict in used
    ]
