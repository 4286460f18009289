"""The first two metrics as a plane: means with their intervals, numbered; what is shown of each in the list below."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bakeoff.errors import plain
from bakeoff.figures.geometry.metrics import printable, shorten, text_width
from bakeoff.figures.geometry.notes import captioned
from bakeoff.figures.geometry.plot_frame import PlotFrame, draw_x_axis, draw_y_axis, left_margin, plot_frame, widened
from bakeoff.figures.geometry.primitives import (
    LABEL,
    MARGIN,
    SMALL,
    Anchor,
    Colour,
    Drawing,
    Item,
    Mark,
    Shape,
    Stroke,
    Text,
)
from bakeoff.figures.geometry.widths import MEDIUM_MM, Width, width_of
from bakeoff.numerals import percent, score

if TYPE_CHECKING:
    from bakeoff.tradeoffs import Position, Tradeoff

_ROW = 10.0
_FEW = 15  # algorithms; of more the intervals are left out, which would cover the marks
_SHAPES: dict[str, tuple[Shape, bool, Colour]] = {
    "frontier": ("circle", True, "accent"),
    "cannot tell": ("circle", False, "black"),
    "dominated": ("cross", True, "grey"),
}
_OFFSETS = ((5.0, -3.0), (5.0, 7.5), (-5.0, -3.0), (-5.0, 7.5), (0.0, -6.0), (0.0, 11.0), (12.0, 2.3), (-12.0, 2.3))


def draw_tradeoff(found: Tradeoff, width_mm: Width) -> Drawing:
    """Of the result of ``bo.tradeoff``; of three or more metrics, the first two."""
    width = width_of(width_mm, MEDIUM_MM)
    names = list(found.metrics)[:2]
    rows = sorted(found.positions, key=lambda p: p.means[0].mean)  # numbers rise from left to right
    few = len(rows) <= _FEW
    logs = [found.margins[name].endswith("%") for name in names]
    ends = [[end for p in rows for end in (p.means[j].mean, *(p.means[j].interval if few else ()))] for j in (0, 1)]
    (x_low, x_high), (y_low, y_high) = (widened(min(each), max(each), 0.06) for each in ends)
    left = max(left_margin(y_low, y_high), MARGIN + 20)
    frame = plot_frame((x_low, x_high), (y_low, y_high), width, min(0.62 * width, 260.0), left=left)
    titles = [
        f"{printable(name)} ({'geometric ' if log else ''}mean, {found.metrics[name].better} is better)"
        for name, log in zip(names, logs, strict=True)
    ]
    room = frame.right - MARGIN
    items: list[Item] = [
        *draw_x_axis(frame, shorten(titles[0], frame.right - frame.left, LABEL)),
        *draw_y_axis(frame, shorten(titles[1], room, LABEL)),
    ]
    if few:
        items += [stroke for p in rows for stroke in _intervals(frame, p)]
    placed: list[tuple[float, float]] = [(frame.x(p.means[0].mean), frame.y(p.means[1].mean)) for p in rows]
    marks = list(placed)
    for i, p in enumerate(rows):
        x, y = marks[i]
        shape, filled, colour = _SHAPES[p.state]
        hint = (
            f"{plain(p.algorithm)}: {names[0]} {score(p.means[0].mean)}, {names[1]} {score(p.means[1].mean)}, {p.state}"
        )
        about = (p.algorithm,)
        items.append(Mark(x=x, y=y, shape=shape, radius=2.4, filled=filled, colour=colour, role="estimate",
                          about=about, hint=hint))  # fmt: skip
        dx, dy = _free(x, y, placed)
        placed.append((x + dx, y + dy - 2.3))
        anchor: Anchor = "start" if dx > 0 else "end" if dx < 0 else "middle"
        items.append(Text(x=x + dx, y=y + dy, text=str(i + 1), anchor=anchor, bold=p.state == "frontier",
                          role="number", about=about, hint=hint))  # fmt: skip
    bottom = frame.bottom + 32
    listed, bottom = _list(rows, width, bottom)
    items += listed
    level = percent(1 - found.alpha)
    parts = ["Filled, bold: on the frontier; crosses: dominated; open circles: cannot tell."]
    parts.append(f"Lines: {level} interval of each mean by itself." if few else "Intervals are in the table.")
    if len(found.metrics) > 2:
        parts.append(f"The first two of {len(found.metrics)} metrics; what is shown is about all of them.")
    caption = " ".join(parts)
    said = "; ".join(f"{plain(p.algorithm)} {p.state}" for p in rows[:20])
    return captioned(
        items, caption, bottom, width, form="tradeoff", title="Two metrics", description=f"{caption} {said}."
    )


def _intervals(frame: PlotFrame, p: Position) -> list[Item]:
    (x1, x2), (y1, y2) = p.means[0].interval, p.means[1].interval
    x, y = frame.x(p.means[0].mean), frame.y(p.means[1].mean)
    about = (p.algorithm,)
    return [
        Stroke(x1=frame.x(x1), y1=y, x2=frame.x(x2), y2=y, width=0.9, colour="tint3", role="interval", about=about),
        Stroke(x1=x, y1=frame.y(y1), x2=x, y2=frame.y(y2), width=0.9, colour="tint3", role="interval", about=about),
    ]


def _free(x: float, y: float, placed: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Where a number is furthest from marks and other numbers, the first place that is far enough."""

    def room(offset: tuple[float, float]) -> float:
        at = x + offset[0], y + offset[1] - 2.3
        return min((math.dist(at, other) for other in placed if other != (x, y)), default=math.inf)

    return next((offset for offset in _OFFSETS if room(offset) >= 9.0), max(_OFFSETS, key=room))


def _list(rows: Sequence[Position], width: float, top: float) -> tuple[list[Item], float]:
    """Number and name of each, column by column."""
    longest = max(text_width(f"{len(rows)}  {printable(p.algorithm)}", SMALL) * 1.08 for p in rows) + 12
    columns = max(1, min(len(rows), int((width - 2 * MARGIN) // longest)))
    height = math.ceil(len(rows) / columns)
    each = (width - 2 * MARGIN) / columns
    items: list[Item] = []
    for i, p in enumerate(rows):
        x, y = MARGIN + each * (i // height), top + _ROW * (i % height + 0.5)
        bold, about = p.state == "frontier", (p.algorithm,)
        colour: Colour = "grey" if p.state == "dominated" else "black"
        items.append(Text(x=x + 10, y=y, text=str(i + 1), anchor="end", bold=bold, colour=colour, role="number",
                          about=about))  # fmt: skip
        name = shorten(printable(p.algorithm), (each - 18) / 1.08, SMALL)
        items.append(Text(x=x + 14, y=y, text=name, bold=bold, colour=colour, role="name", about=about))
    return items, top + _ROW * height + 4
