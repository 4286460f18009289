"""Linear axes: where a value lies, and round ticks whose numbers do not touch."""

import math

from bakeoff.dataclass import dataclass
from bakeoff.figures.geometry.metrics import text_width
from bakeoff.figures.geometry.primitives import MARGIN, SMALL, Item, Stroke, Text
from bakeoff.numerals import decimals as fixed

_STEPS = (1.0, 2.0, 5.0)  # times powers of ten: round numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """A linear scale: ``low`` is drawn at ``left``, ``high`` at ``right``.

    ``sign``: 0 of ranks, whose numbers are 0.1 apart or more; 1 of scores; −1 of minus the scores, so that the best are
    at the left where higher is better.
    """

    low: float
    high: float
    left: float
    right: float
    sign: int = 0

    @property
    def points_per_unit(self) -> float:
        return (self.right - self.left) / (self.high - self.low)

    def x(self, value: float) -> float:
        return self.left + (value - self.low) * self.points_per_unit


def ticks(axis: Axis, size: float = SMALL) -> tuple[list[float], list[float], int]:
    """Values of the numbered ticks, of the small ones, and the decimals the numbers need."""
    step, decimals = _step(axis, size)
    start = 1.0 if step == 2 and axis.low == 1 and not axis.sign else math.ceil(axis.low / step - 1e-9) * step
    major = _grid(start, step, axis.high)
    if step > 2 and axis.low == 1 and not axis.sign:
        major.insert(0, 1.0)
    fine = step / 2 if step <= 1 or axis.sign else 1.0 if axis.points_per_unit >= 2.5 else step
    minor = _grid(math.ceil(axis.low / fine - 1e-9) * fine, fine, axis.high)
    return major, [value for value in minor if value not in major], decimals


def _step(axis: Axis, size: float) -> tuple[float, int]:
    """The smallest of 0.1, 0.2, 0.5, 1, 2, 5, 10, … whose numbers have room."""
    whole = axis.low == 1 and not axis.sign
    finest = math.floor(math.log10(axis.high - axis.low)) - 1 if axis.sign else -1
    for exponent in range(0 if whole else finest, 9):
        for digit in (1, 2, 5):
            step = digit * 10.0**exponent
            decimals = max(0, -exponent)
            widest = max(text_width(fixed(end, decimals), size) for end in (axis.low, axis.high))
            if step * axis.points_per_unit >= widest + 4:
                return step, decimals
    return axis.high - axis.low, 0


def _grid(start: float, step: float, high: float) -> list[float]:
    count = math.floor((high - start) / step + 1e-9)
    return [start + i * step for i in range(count + 1)]


def multiples(low: float, high: float, most: int) -> list[float]:
    """Round numbers from low to high, at most ``most`` of them."""
    span = (high - low) / max(most, 1)
    power = math.floor(math.log10(span))
    step = next(s * 10.0**e for e in (power, power + 1) for s in _STEPS if s * 10.0**e >= span * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [float(f"{i * step:.12g}") for i in range(first, last + 1)]


def axis_title(axis: Axis, y: float, words: str, right: float) -> Item:
    """Over the middle of the axis at ``y``, as far as there is room up to ``right``."""
    half = text_width(words, SMALL) / 2
    centre = min(max((axis.left + axis.right) / 2, MARGIN + half), right - half)
    return Text(x=centre, y=y - 14, text=words, anchor="middle", role="axis title")


def draw_axis(axis: Axis, y: float) -> list[Item]:
    """The line at ``y`` with ticks and numbers above it (about 12 points high)."""
    major, minor, decimals = ticks(axis)
    items: list[Item] = [Stroke(x1=axis.left, y1=y, x2=axis.right, y2=y, width=0.8, role="axis")]
    items += [_tick(axis.x(value), y, 1.8) for value in minor]
    for value in major:
        x = axis.x(value)
        items.append(_tick(x, y, 3.2))
        items.append(
            Text(x=x, y=y - 5, text=fixed((axis.sign or 1) * value, decimals), anchor="middle", role="tick label")
        )
    return items


def _tick(x: float, y: float, length: float) -> Item:
    return Stroke(x1=x, y1=y - length, x2=x, y2=y, role="tick")
