"""Small areas side by side with their axes: one for each algorithm, the others behind it in grey."""

import math
from collections.abc import Iterable
from typing import NamedTuple

from bakeoff.figures.geometry.plot_frame import PlotFrame, Ticks
from bakeoff.figures.geometry.primitives import LABEL, MARGIN, Anchor, Item, Stroke, Text

TOP = MARGIN + LABEL + 5
_TITLE = 10.0  # points above an area


class Area(NamedTuple):
    """``first`` of its row, where the numbers of heights stand; ``last`` of its column, above those of the axis."""

    frame: PlotFrame
    first: bool
    last: bool


class Sizes(NamedTuple):
    """Points of areas; the height is ``ratio`` of the width, or of the ``widest``."""

    least: float  # width
    apart: float
    ratio: float
    widest: float
    lowest: float = 0.0
    page: float = math.inf


def area_frames(
    k: int, x: tuple[float, float], y: tuple[float, float], left: float, room: float, sizes: Sizes, top: float = TOP
) -> list[Area]:
    """Areas in rows."""
    least, apart, ratio, widest, lowest, page = sizes
    across = max(1, min(k, int((room + apart) // (least + apart))))
    rows = math.ceil(k / across)
    across = math.ceil(k / rows)  # the last row is as full as it can be
    size = (room - (across - 1) * apart) / across
    tall = max(lowest, min(ratio * min(size, widest), page / rows - _TITLE - 6))
    areas = []
    for i in range(k):
        row, column = divmod(i, across)
        at, above = left + column * (size + apart), top + _TITLE + row * (tall + _TITLE + 6)
        frame = PlotFrame(
            low_x=x[0], high_x=x[1], low_y=y[0], high_y=y[1], left=at, right=at + size, top=above, bottom=above + tall
        )
        areas.append(Area(frame, column == 0, i + across >= k))
    return areas


def draw_area_axes(frame: PlotFrame, below: Iterable[tuple[float, str, Anchor]], beside: Ticks) -> list[Item]:
    """Both axes, with ticks at these points ``below`` and at these heights ``beside``; texts may be empty."""
    items: list[Item] = [
        Stroke(x1=frame.left, y1=frame.bottom, x2=frame.right, y2=frame.bottom, role="axis"),
        Stroke(x1=frame.left, y1=frame.bottom, x2=frame.left, y2=frame.top, role="axis"),
    ]
    for x, text, anchor in below:
        items.append(Stroke(x1=x, y1=frame.bottom, x2=x, y2=frame.bottom + 2.5, role="tick"))
        if text:
            items.append(Text(x=x, y=frame.bottom + 10, text=text, anchor=anchor, role="tick label"))
    for value, text in beside:
        y = frame.y(value)
        items.append(Stroke(x1=frame.left - 2.5, y1=y, x2=frame.left, y2=y, role="tick"))
        if text:
            items.append(Text(x=frame.left - 4, y=y + 2.3, text=text, anchor="end", role="tick label"))
    return items
