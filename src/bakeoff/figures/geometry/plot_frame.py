"""A plotted area with two linear axes: round ticks and axis names."""

from collections.abc import Iterable, Sequence

from bakeoff.dataclass import dataclass
from bakeoff.figures.geometry.axis import multiples
from bakeoff.figures.geometry.metrics import text_width
from bakeoff.figures.geometry.notes import captioned
from bakeoff.figures.geometry.primitives import LABEL, MARGIN, SMALL, Drawing, Item, Point, Stroke, Text
from bakeoff.numerals import power_of_ten, significant

_Y_TICKS = 6  # at most
_FINER = 4  # more ticks on a narrow x axis, until there are two: one number is no scale

Ticks = Sequence[tuple[float, str]]
"""Where on the axis, and what is said there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotFrame:
    """Values to points; y upwards."""

    low_x: float
    high_x: float
    low_y: float
    high_y: float
    left: float
    right: float
    top: float
    bottom: float

    def x(self, value: float) -> float:
        return self.left + (value - self.low_x) / (self.high_x - self.low_x) * (self.right - self.left)

    def y(self, value: float) -> float:
        return self.bottom - (value - self.low_y) / (self.high_y - self.low_y) * (self.bottom - self.top)

    def points(self, path: Iterable[tuple[float, float]]) -> tuple[Point, ...]:
        """The points of a line through these values."""
        return tuple((self.x(float(x)), self.y(float(y))) for x, y in path)


def widened(low: float, high: float, share: float = 0.04) -> tuple[float, float]:
    """The range with some room on either side; a range around a single value."""
    if high > low:
        pad = share * (high - low)
        return low - pad, high + pad
    pad = abs(low) * 0.1 or 1.0
    return low - pad, high + pad


def plot_frame(
    x: tuple[float, float],
    y: tuple[float, float],
    width: float,
    height: float,
    left: float | None = None,
    right: float | None = None,
    top: float = MARGIN + LABEL + 5,
) -> PlotFrame:
    """``height`` is that of the plotted area, ``left`` and ``right`` its edges (default: room for numbers)."""
    left = left_margin(*y) if left is None else left
    right = width - MARGIN - 10 if right is None else right
    return PlotFrame(
        low_x=x[0], high_x=x[1], low_y=y[0], high_y=y[1], left=left, right=right, top=top, bottom=top + height
    )


def left_margin(low: float, high: float) -> float:
    """Where the plotted area begins: right of the numbers of a y axis from ``low`` to ``high``."""
    widest = max((text_width(significant(tick, 6), SMALL) for tick in multiples(low, high, _Y_TICKS)), default=0.0)
    return MARGIN + widest + 6


def draw_x_axis(
    frame: PlotFrame, name: str, scale: float = 1.0, apart: float = 30.0, ticks: Ticks | None = None
) -> list[Item]:
    """Below the area, with ticks ``apart`` points apart or more; ``scale`` multiplies the numbers (100: percent)."""
    middle = (frame.left + frame.right) / 2
    items: list[Item] = [
        Stroke(x1=frame.left, y1=frame.bottom, x2=frame.right, y2=frame.bottom, width=0.8, role="axis"),
        Text(x=middle, y=frame.bottom + 20, text=name, size=LABEL, anchor="middle", role="axis name"),
    ]
    if ticks is None:
        most = max(2, int((frame.right - frame.left) // apart))
        tried = (multiples(frame.low_x, frame.high_x, most + more) for more in range(_FINER))
        values = next((values_there for values_there in tried if len(values_there) > 1), [])
        ticks = [(value, significant(value * scale, 6)) for value in values]
    for value, shown in ticks:
        x = frame.x(value)
        items.append(Stroke(x1=x, y1=frame.bottom, x2=x, y2=frame.bottom + 3, role="tick"))
        if shown:
            items.append(Text(x=x, y=frame.bottom + 10, text=shown, anchor="middle", role="tick label"))
    return items


def draw_y_axis(frame: PlotFrame, name: str, powers: bool = False, ticks: Ticks | None = None) -> list[Item]:
    """At the left, with its name above; ``powers``: heights are logarithms to base 10."""
    items: list[Item] = [
        Stroke(x1=frame.left, y1=frame.bottom, x2=frame.left, y2=frame.top, width=0.8, role="axis"),
        Text(x=MARGIN, y=MARGIN + LABEL - 1, text=name, size=LABEL, role="axis name"),
    ]
    if ticks is None:
        values = [v for v in multiples(frame.low_y, frame.high_y, _Y_TICKS) if not powers or v.is_integer()]
        ticks = [(v, _power(round(v)) if powers else significant(v, 6)) for v in values]
    for value, shown in ticks:
        y = frame.y(value)
        items.append(Stroke(x1=frame.left - 3, y1=y, x2=frame.left, y2=y, role="tick"))
        items.append(Text(x=frame.left - 5, y=y + 2.3, text=shown, anchor="end", role="tick label"))
    return items


def _power(exponent: int) -> str:
    return significant(10.0**exponent, 1) if abs(exponent) <= 4 else power_of_ten(exponent)


def draw_no_difference(frame: PlotFrame, value: float) -> Item:
    """The dashed line where neither is better."""
    x = frame.x(value)
    return Stroke(x1=x, y1=frame.top - 2, x2=x, y2=frame.bottom, colour="grey", dashed=True, role="no difference")


def finished_plot(
    frame: PlotFrame, items: Sequence[Item], caption: str, width: float, *, form: str, title: str, spoken: str = ""
) -> Drawing:
    """The drawing of ``items`` with the caption below the x axis."""
    return captioned(items, caption, frame.bottom + 26, width, form=form, title=title, spoken=spoken)
