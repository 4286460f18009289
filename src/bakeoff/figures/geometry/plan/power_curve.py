"""A power curve: power against effect or problems, or the effect found against problems.

The wanted power is a dashed line; where the curve reaches it a dot says which value that takes.
"""

from __future__ import annotations

import math
from typing import Any

from bakeoff.figures.dispatch import Width, common_widths
from bakeoff.figures.geometry.axis import LABEL, MARGIN, SMALL
from bakeoff.figures.geometry.metrics import text_width
from bakeoff.figures.geometry.notes import draw_caption
from bakeoff.figures.geometry.primitives import Drawing, Item, Line, Mark, Polygon, Text

_NAMES = {"effect size": "effect size d", "problems": "number of problems", "power": "power"}
_HEIGHT = 0.55  # of the plotted area, in its width
_STEPS = (1.0, 2.0, 5.0)


class _Frame:
    """The plotted area: values to points."""

    def __init__(self, curve: Any, width: float) -> None:
        self.low_x, self.high_x = float(curve.x[0]), float(curve.x[-1])
        if self.high_x == self.low_x:
            self.low_x, self.high_x = self.low_x - 1, self.high_x + 1
        power = curve.y_name == "power"
        self.high_y = 1.0 if power else float(curve.y.max()) * 1.05
        self.y_ticks = [i / 5 for i in range(6)] if power else multiples(0.0, self.high_y, 6)
        widest = max(text_width(f"{tick:g}", SMALL) for tick in self.y_ticks)
        self.left, self.right = MARGIN + widest + 6, width - MARGIN - text_width(f"{self.high_x:.3g}", SMALL) / 2
        self.top = MARGIN + LABEL + 5
        self.bottom = self.top + _HEIGHT * (self.right - self.left)

    def x(self, value: float) -> float:
        return self.left + (value - self.low_x) / (self.high_x - self.low_x) * (self.right - self.left)

    def y(self, value: float) -> float:
        return self.bottom - value / self.high_y * (self.bottom - self.top)


def draw_curve(curve: Any, width_mm: Width) -> Drawing:
    """Of the result of ``bo.plan.curve``."""
    width = next(common_widths(width_mm))
    frame = _Frame(curve, width)
    items = [*_axes(curve, frame), *_wanted(curve, frame), _line(curve, frame), *_mark(curve, frame)]
    notes, below = draw_caption(curve.summary, frame.bottom + 26, width)
    return Drawing(
        width=width,
        height=below + MARGIN,
        form="curve",
        title=f"{curve.y_name.capitalize()} against {_NAMES[curve.x_name]}",
        description=f"{curve.summary} {_said(curve)}",
        items=(*items, *notes),
    )


def _said(curve: Any) -> str:
    ends = [f"{curve.y_name} {curve.y[i]:.3g} at {curve.x_name} {curve.x[i]:.3g}" for i in (0, -1)]
    return f"The curve runs from {ends[0]} to {ends[1]}."


def _axes(curve: Any, frame: _Frame) -> list[Item]:
    items: list[Item] = [
        Line(x1=frame.left, y1=frame.bottom, x2=frame.right, y2=frame.bottom, width=0.8, role="axis"),
        Line(x1=frame.left, y1=frame.bottom, x2=frame.left, y2=frame.top, width=0.8, role="axis"),
        Text(x=MARGIN, y=MARGIN + LABEL - 1, text=_y_name(curve), size=LABEL, role="axis name"),
        Text(
            x=(frame.left + frame.right) / 2,
            y=frame.bottom + 20,
            text=_NAMES[curve.x_name],
            size=LABEL,
            anchor="middle",
            role="axis name",
        ),
    ]
    for value in multiples(frame.low_x, frame.high_x, int((frame.right - frame.left) // 28)):
        x = frame.x(value)
        items.append(Line(x1=x, y1=frame.bottom, x2=x, y2=frame.bottom + 3, role="tick"))
        items.append(Text(x=x, y=frame.bottom + 10, text=f"{value:g}", size=SMALL, anchor="middle", role="tick label"))
    for value in frame.y_ticks:
        y = frame.y(value)
        items.append(Line(x1=frame.left - 3, y1=y, x2=frame.left, y2=y, role="tick"))
        items.append(Text(x=frame.left - 5, y=y + 2.3, text=f"{value:g}", size=SMALL, anchor="end", role="tick label"))
    return items


def _y_name(curve: Any) -> str:
    if curve.y_name == "power":
        return "power"
    return f"effect size d found with power {curve.wanted_power:g}"


def _wanted(curve: Any, frame: _Frame) -> list[Item]:
    if curve.y_name != "power":
        return []
    y = frame.y(curve.wanted_power)
    return [Line(x1=frame.left, y1=y, x2=frame.right, y2=y, colour="grey", dashed=True, role="wanted power")]


def _line(curve: Any, frame: _Frame) -> Item:
    points = tuple((frame.x(float(x)), frame.y(float(y))) for x, y in zip(curve.x, curve.y, strict=True))
    if len(points) == 1:
        return Mark(x=points[0][0], y=points[0][1], radius=1.4, role="curve")
    return Polygon(points=points, edge="accent", width=1.2, role="curve")


def _mark(curve: Any, frame: _Frame) -> list[Item]:
    """The dot, and its value on the axis, where the curve is not."""
    if curve.mark is None or not frame.low_x <= curve.mark[0] <= frame.high_x:
        return []
    x, y = frame.x(curve.mark[0]), frame.y(curve.mark[1])
    words = f"{curve.mark[0]:.3g}" if curve.x_name == "problems" else f"d = {curve.mark[0]:.3f}"
    room = x + 6 + text_width(words, LABEL) < frame.right
    return [
        Line(x1=x, y1=y, x2=x, y2=frame.bottom, colour="light", dashed=True, role="drop"),
        Mark(x=x, y=y, radius=2.4, colour="accent", role="mark"),
        Text(
            x=x + 5 if room else x - 5,
            y=frame.bottom - 5,
            text=words,
            size=LABEL,
            anchor="start" if room else "end",
            bold=True,
            role="mark label",
        ),
    ]


def multiples(low: float, high: float, most: int) -> list[float]:
    """Round numbers from low to high, at most ``most`` of them."""
    span = (high - low) / max(most, 1)
    power = math.floor(math.log10(span))
    step = next(s * 10.0**e for e in (power, power + 1) for s in _STEPS if s * 10.0**e >= span * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [float(f"{i * step:.12g}") for i in range(first, last + 1)]
