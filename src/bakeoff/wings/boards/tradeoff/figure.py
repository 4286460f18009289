"""The first two metrics as a plane: means with their intervals, numbered; what is shown of each in the list below.

The scale of a metric is logarithmic if its margin is a percentage, so that equal ratios are equally long.
"""

import math
from collections.abc import Mapping, Sequence

from bakeoff.dataclass import dataclass
from bakeoff.errors import plain
from bakeoff.figures.geometry.axis import multiples
from bakeoff.figures.geometry.metrics import ELLIPSIS, printable, short_labels, shorten, text_width
from bakeoff.figures.geometry.notes import captioned
from bakeoff.figures.geometry.plot_frame import PlotFrame, draw_x_axis, draw_y_axis, plot_frame, widened
from bakeoff.figures.geometry.primitives import (
    LABEL,
    MARGIN,
    MEDIUM_MM,
    SMALL,
    Anchor,
    Colour,
    Drawing,
    Item,
    Mark,
    Point,
    Shape,
    Stroke,
    Text,
    Width,
    overlap,
    width_of,
)
from bakeoff.numerals import percent, score, significant
from bakeoff.wings.boards.tradeoff.statistics import Position, Tradeoff

_WIDE = 0.7  # decades: of less, round numbers at equal steps are ticks enough


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricScale:
    """From ``low`` to ``high``, of logarithms to base 10 if ``log``."""

    low: float
    high: float
    log: bool

    def at(self, value: float) -> float:
        """Where a value lies, between ``low`` and ``high``."""
        return math.log10(value) if self.log else value

    def ticks(self, most: int) -> list[tuple[float, str]]:
        """At most ``most`` round numbers."""
        return [(self.at(value), significant(value, 6)) for value in self._round(most)]

    def _round(self, most: int) -> list[float]:
        if not self.log:
            return multiples(self.low, self.high, most)
        if self.high - self.low < _WIDE:
            powers = multiples(10.0**self.low, 10.0**self.high, most)
            return [value for value in powers if value > 0]
        exponents = range(math.floor(self.low), math.ceil(self.high) + 1)
        for digits in ((1, 2, 5), (1, 3), (1,)):
            powers = [digit * 10.0**e for e in exponents for digit in digits]
            inside = [value for value in powers if self.low <= math.log10(value) <= self.high]
            if len(inside) <= most:
                return inside
        return inside[:: math.ceil(len(inside) / most)]


def metric_scale(values: Sequence[float], log: bool) -> MetricScale:
    """The scale of all that is drawn, with some room."""
    ends = [math.log10(value) for value in (min(values), max(values))] if log else [min(values), max(values)]
    low, high = widened(ends[0], ends[1], 0.06)
    return MetricScale(low=low, high=high, log=log)


_ROW = 10.0
_FEW = 15  # algorithms; of more the intervals are left out, which would cover the marks
_MOST = 40  # numbered
_DIRECT, _NAME = 5, 80.0  # so few algorithms have names of at most so many points beside their marks, and no key
_X_APART, _Y_TICKS = 34.0, 6
_SHAPES: dict[str, tuple[Shape, bool, Colour]] = {
    "frontier": ("circle", True, "accent"),
    "cannot tell": ("circle", False, "black"),
    "dominated": ("cross", True, "grey"),
}
_OFFSETS = (
    *((5.0, -3.0), (5.0, 7.5), (-5.0, -3.0), (-5.0, 7.5), (0.0, -6.0), (0.0, 11.0), (6.0, 2.3), (-6.0, 2.3)),
    *((9.0, -8.0), (9.0, 13.0), (-9.0, -8.0), (-9.0, 13.0), (0.0, -13.0), (0.0, 18.0), (14.0, 2.3), (-14.0, 2.3)),
)
_CLEAR = 8.5  # points from the middle of a number to a mark or another number


def draw_tradeoff(result: Tradeoff, width_mm: Width) -> Drawing:
    """Draw the result of ``bo.tradeoff``; of three or more metrics, the first two."""
    width = width_of(width_mm, MEDIUM_MM)
    names = list(result.metrics)[:2]
    rows = sorted(result.positions, key=lambda p: p.means[0].mean)
    few = len(rows) <= _FEW
    logs = [result.margins[name].endswith("%") for name in names]
    ends = [[end for p in rows for end in (p.means[j].mean, *(p.means[j].interval if few else ()))] for j in (0, 1)]
    scales = [metric_scale(each, log) for each, log in zip(ends, logs, strict=True)]
    y_ticks = scales[1].ticks(_Y_TICKS)
    left = MARGIN + max(20.0, *(text_width(shown, SMALL) + 6 for _, shown in y_ticks))
    limits = [(scale.low, scale.high) for scale in scales]
    frame = plot_frame(limits[0], limits[1], width, min(0.62 * width, 260.0), left=left)
    titles = [
        f"{printable(name)} ({'geometric ' if log else ''}mean, {result.metrics[name].better} is better)"
        for name, log in zip(names, logs, strict=True)
    ]
    x_ticks = scales[0].ticks(max(2, int((frame.right - frame.left) // _X_APART)))
    items: list[Item] = [
        *draw_x_axis(frame, shorten(titles[0], frame.right - frame.left, LABEL), ticks=x_ticks),
        *draw_y_axis(frame, shorten(titles[1], frame.right - MARGIN, LABEL), ticks=y_ticks),
    ]
    if few:
        items += [stroke for p in rows for stroke in _intervals(frame, p, scales)]
    marks = [_place(frame, p, scales) for p in rows]
    numbered = _numbered(rows)
    named = [p for p in rows if p.algorithm in numbered]  # numbers rise from left to right
    numbers = {p.algorithm: i + 1 for i, p in enumerate(named)}
    for p, (x, y) in zip(rows, marks, strict=True):
        shape, filled, colour = _SHAPES[p.state]
        items.append(Mark(x=x, y=y, shape=shape, radius=2.4, filled=filled, colour=colour, role="estimate",
                          about=(p.algorithm,), hint=_hint(p, names)))  # fmt: skip
    short, _ = short_labels([p.algorithm for p in named], _NAME, SMALL, bold=True)
    direct = len(rows) <= _DIRECT and not any(ELLIPSIS in label or label[0] == "[" for label in short)
    if direct:
        items += _beside(frame, rows, marks, dict(zip(numbers, short, strict=True)), names)
    else:
        items += _numbers(frame, rows, marks, numbers, names)
    listed, bottom = _list([] if direct else named, width, frame.bottom + 32)
    items += listed
    level = percent(1 - result.alpha)
    parts = ["Filled, bold: on the frontier; crosses: dominated; open circles: cannot tell."]
    parts.append(f"Lines: {level} interval for each mean by itself." if few else "Intervals are in the table.")
    if len(named) < len(rows):
        parts.append(f"Without a number: {len(rows) - len(named)} of {len(rows)}, which are in the table.")
    if any(logs):
        parts.append("Logarithmic if the margin is a percentage.")
    if len(result.metrics) > 2:
        parts.append(f"The first two of {len(result.metrics)} metrics; the verdicts cover all of them.")
    caption = " ".join(parts)
    states = "; ".join(f"{plain(p.algorithm)} {p.state}" for p in rows[:20])
    return captioned(items, caption, bottom, width, form="tradeoff", title="Two metrics", spoken=f"{states}.")


def _hint(p: Position, names: Sequence[str]) -> str:
    means = ", ".join(f"{name} {score(p.means[j].mean)}" for j, name in enumerate(names))
    return f"{plain(p.algorithm)}: {means}, {p.state}"


def _numbered(rows: Sequence[Position]) -> set[str]:
    """All of few; of many those that are not dominated, and of very many the likeliest to be Pareto-optimal."""
    if len(rows) <= _FEW:
        return {p.algorithm for p in rows}
    left = sorted((p for p in rows if p.state != "dominated"), key=lambda p: (p.state != "frontier", -p.p_pareto))
    return {p.algorithm for p in left[:_MOST]}


def _place(frame: PlotFrame, p: Position, scales: Sequence[MetricScale]) -> tuple[float, float]:
    return frame.x(scales[0].at(p.means[0].mean)), frame.y(scales[1].at(p.means[1].mean))


def _intervals(frame: PlotFrame, p: Position, scales: Sequence[MetricScale]) -> list[Item]:
    x1, x2 = (frame.x(scales[0].at(end)) for end in p.means[0].interval)
    y1, y2 = (frame.y(scales[1].at(end)) for end in p.means[1].interval)
    x, y = _place(frame, p, scales)
    about = (p.algorithm,)
    return [
        Stroke(x1=x1, y1=y, x2=x2, y2=y, width=0.9, colour="tint3", role="interval", about=about),
        Stroke(x1=x, y1=y1, x2=x, y2=y2, width=0.9, colour="tint3", role="interval", about=about),
    ]


def _numbers(
    frame: PlotFrame, rows: Sequence[Position], marks: Sequence[Point], numbers: Mapping[str, int], names: Sequence[str]
) -> list[Item]:
    """Beside the marks; those of the frontier first, as they must be found."""
    placed = list(marks)
    items: list[Item] = []
    for i in sorted(range(len(rows)), key=lambda i: rows[i].state != "frontier"):
        p, (x, y) = rows[i], marks[i]
        if p.algorithm not in numbers:
            continue
        dx, dy = _free(frame, x, y, placed)
        anchor: Anchor = "start" if dx > 0 else "end" if dx < 0 else "middle"
        placed.append(_middle(x, y, dx, dy))
        items.append(Text(x=x + dx, y=y + dy, text=str(numbers[p.algorithm]), anchor=anchor,
                          bold=p.state == "frontier", role="number", about=(p.algorithm,),
                          hint=_hint(p, names)))  # fmt: skip
    return items


def _beside(
    frame: PlotFrame, rows: Sequence[Position], marks: Sequence[Point], short: Mapping[str, str], names: Sequence[str]
) -> list[Item]:
    """The name of each at its mark, at the first place that covers neither marks nor names."""
    taken = [(x - 3.0, y - 3.0, x + 3.0, y + 3.0) for x, y in marks]
    items: list[Item] = []
    for p, (x, y) in zip(rows, marks, strict=True):
        places = []
        for dx, dy in _OFFSETS:
            anchor: Anchor = "start" if dx > 0 else "end" if dx < 0 else "middle"
            places.append(Text(x=x + dx, y=y + dy, text=short[p.algorithm], anchor=anchor, bold=p.state == "frontier",
                               role="name", about=(p.algorithm,), hint=_hint(p, names)))  # fmt: skip
        inside = [t for t in places if t.box[0] > frame.left + 2 and t.box[2] < frame.right + 6] or places
        free = [t for t in inside if t.box[1] > frame.top and not any(overlap(t.box, other) for other in taken)]
        text = (free or inside)[0]
        taken.append(text.box)
        items.append(text)
    return items


def _middle(x: float, y: float, dx: float, dy: float) -> tuple[float, float]:
    """The middle of a number of two digits."""
    return x + dx + (4.0 if dx > 0 else -4.0 if dx < 0 else 0.0), y + dy - 2.3


def _free(frame: PlotFrame, x: float, y: float, placed: Sequence[Point]) -> tuple[float, float]:
    """Where a number is furthest from marks and other numbers, the first place that is far enough."""

    def room(offset: tuple[float, float]) -> float:
        at = _middle(x, y, *offset)
        if not (frame.left + 5 <= at[0] <= frame.right + 6 and frame.top <= at[1] <= frame.bottom - 5):
            return -1.0
        return min((math.dist(at, other) for other in placed if other != (x, y)), default=math.inf)

    return next((offset for offset in _OFFSETS if room(offset) >= _CLEAR), max(_OFFSETS, key=room))


def _list(rows: Sequence[Position], width: float, top: float) -> tuple[list[Item], float]:
    """Number and name of each, column by column."""
    if not rows:
        return [], top - 6
    longest = max(text_width(f"{len(rows)}  {printable(p.algorithm)}", SMALL, True) for p in rows) + 12
    if len(rows) > _FEW:
        longest = min(longest, (width - 2 * MARGIN) / 2)
    columns = max(1, min(len(rows), int((width - 2 * MARGIN) // longest)))
    height = math.ceil(len(rows) / columns)
    each = (width - 2 * MARGIN) / columns
    items: list[Item] = []
    names, _ = short_labels([p.algorithm for p in rows], each - 18, SMALL, bold=True)
    for i, (p, name) in enumerate(zip(rows, names, strict=True)):
        x, y = MARGIN + each * (i // height), top + _ROW * (i % height + 0.5)
        bold, about = p.state == "frontier", (p.algorithm,)
        colour: Colour = "grey" if p.state == "dominated" else "black"
        items.append(Text(x=x + 10, y=y, text=str(i + 1), anchor="end", bold=bold, colour=colour, role="number",
                          about=about))  # fmt: skip
        items.append(Text(x=x + 14, y=y, text=name, bold=bold, colour=colour, role="name", about=about))
    return items, top + _ROW * height + 4
