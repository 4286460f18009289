"""A power curve: power against effect or problems, or the effect found against problems.

The wanted power is a dashed line; a dot marks where the curve reaches it.
"""

from bakeoff.figures.geometry.metrics import text_width
from bakeoff.figures.geometry.plot_frame import (
    PlotFrame,
    draw_x_axis,
    draw_y_axis,
    finished_plot,
    left_margin,
    plot_frame,
)
from bakeoff.figures.geometry.primitives import (
    LABEL,
    MARGIN,
    SMALL,
    Anchor,
    Drawing,
    Item,
    Mark,
    Polygon,
    Stroke,
    Text,
    Width,
    width_of,
)
from bakeoff.numerals import decimals, significant
from bakeoff.plan import PowerCurve

_NAMES = {
    "effect size": "effect size d",
    "problems": "number of problems",
    "clusters": "number of clusters",
    "power": "power",
}
_HEIGHT = 0.55  # of the plotted area, in its width


def draw_curve(curve: PowerCurve, width_mm: Width) -> Drawing:
    """Draw the result of ``bo.plan.curve``."""
    width = width_of(width_mm)
    frame = _frame(curve, width)
    items = [
        *draw_y_axis(frame, _y_name(curve)),
        *draw_x_axis(frame, _NAMES[curve.x_name], apart=28.0),
        *_wanted(curve, frame),
        _line(curve, frame),
        *_mark(curve, frame),
    ]
    points = [(significant(curve.x[i], 3), significant(curve.y[i], 3)) for i in (0, -1)]
    ends = [f"{curve.y_name} {y} at {curve.x_name} {x}" for x, y in points]
    title = f"{curve.y_name.capitalize()} against {_NAMES[curve.x_name]}"
    spoken = f"The curve runs from {ends[0]} to {ends[1]}."
    return finished_plot(frame, items, curve.summary, width, form="curve", title=title, spoken=spoken)


def _frame(curve: PowerCurve, width: float) -> PlotFrame:
    low_x, high_x = float(curve.x[0]), float(curve.x[-1])
    if high_x == low_x:
        low_x, high_x = low_x - 1, high_x + 1
    high_y = 1.0 if curve.y_name == "power" else float(curve.y.max()) * 1.05
    left = left_margin(0.0, high_y)
    right = width - MARGIN - text_width(significant(high_x, 3), SMALL) / 2
    return plot_frame((low_x, high_x), (0.0, high_y), width, _HEIGHT * (right - left), left=left, right=right)


def _y_name(curve: PowerCurve) -> str:
    if curve.y_name == "power":
        return "power"
    return f"effect size d detected with power {curve.wanted_power:g}"


def _wanted(curve: PowerCurve, frame: PlotFrame) -> list[Item]:
    if curve.y_name != "power":
        return []
    y = frame.y(curve.wanted_power)
    return [Stroke(x1=frame.left, y1=y, x2=frame.right, y2=y, colour="grey", dashed=True, role="wanted power")]


def _line(curve: PowerCurve, frame: PlotFrame) -> Item:
    points = frame.points(zip(curve.x, curve.y, strict=True))
    if len(points) == 1:
        return Mark(x=points[0][0], y=points[0][1], radius=1.4, role="curve")
    return Polygon(points=points, edge="accent", width=1.2, role="curve")


def _mark(curve: PowerCurve, frame: PlotFrame) -> list[Item]:
    """The dot, and its value near the axis, clear of the curve."""
    if curve.mark is None or not frame.low_x <= curve.mark[0] <= frame.high_x:
        return []
    x, y = frame.x(curve.mark[0]), frame.y(curve.mark[1])
    words = (
        significant(curve.mark[0], 3)
        if curve.x_name in ("problems", "clusters")
        else f"d = {decimals(curve.mark[0], 3)}"
    )
    room = x + 6 + text_width(words, LABEL) < frame.right
    anchor: Anchor = "start" if room else "end"
    at = x + 5 if room else x - 5
    return [
        Stroke(x1=x, y1=y, x2=x, y2=frame.bottom, colour="light", dashed=True, role="drop"),
        Mark(x=x, y=y, radius=2.4, colour="accent", role="mark"),
        Text(x=at, y=frame.bottom - 5, text=words, size=LABEL, anchor=anchor, bold=True, role="mark label"),
    ]
