"""Share of problems solved within a time: an area per algorithm, its curve with its band, the others grey behind."""

import math
from collections.abc import Sequence
from dataclasses import replace

from bakeoff.errors import plain
from bakeoff.figures.geometry.metrics import printable, short_labels, text_width
from bakeoff.figures.geometry.notes import Key, Look, captioned, draw_keys, mark_keys, mark_of
from bakeoff.figures.geometry.plot_frame import PlotFrame
from bakeoff.figures.geometry.primitives import (
    LABEL,
    MARGIN,
    MEDIUM_MM,
    POINTS_PER_MM,
    SMALL,
    Drawing,
    Item,
    Point,
    Polygon,
    Stroke,
    Text,
    Width,
    width_of,
)
from bakeoff.means.run_means import CLAIMS
from bakeoff.numerals import in_percent, percent, power_of_ten, significant
from bakeoff.wings.curves.runtimes.statistics import Runtimes

MOST = 12  # areas; of more algorithms one area has the curves of all
MARKED = 8  # of them with marks: those that solved most
LOOKS: tuple[Look, ...] = (
    *(("circle", True, "black"), ("square", True, "accent"), ("up", False, "black"), ("down", True, "accent")),
    *(("circle", False, "accent"), ("square", False, "black"), ("up", True, "accent"), ("down", False, "black")),
)
_PER_LINE = 5  # marks on each curve
_NARROWEST = 19 * POINTS_PER_MM  # an area with its gap
_GAP = 8.0
_HEAD = 10.0  # the name above an area
_RATIO = 0.8
_LINES = 6  # other algorithms; of more, the least and the most that they solved
_NEAR = 0.6  # points between two steps that are drawn
_BEGIN = 0.02  # the time axis begins where some algorithm has solved this share


def draw_cactus(result: Runtimes, width_mm: Width) -> Drawing:
    """Draw the result of ``bo.runtimes``."""
    width = width_of(width_mm, MEDIUM_MM)
    rows = sorted(result.estimates, key=lambda e: (-e.solved, e.mean_rank))
    if len(rows) > MOST:
        return _one_area(result, [e.algorithm for e in rows], width)
    left = MARGIN + text_width("100 %", SMALL) + 6
    room = width - MARGIN - left - 2
    columns = min(len(rows), max(1, int((room + _GAP) // (_NARROWEST + _GAP))))
    columns = math.ceil(len(rows) / math.ceil(len(rows) / columns))  # rows of equal length
    wide = (room - (columns - 1) * _GAP) / columns
    high = min(_RATIO * wide, 100.0)
    low_x, high_x = _limits(result)
    bottom_row = (len(rows) - 1) // columns
    items: list[Item] = []
    end = 0.0
    top = MARGIN + LABEL + 4
    items.append(Text(x=MARGIN, y=MARGIN + LABEL - 1, text="problems solved", size=LABEL, role="axis name"))
    titles, key = short_labels([e.algorithm for e in rows], wide, SMALL, bold=True)
    for i, e in enumerate(rows):
        row, column = divmod(i, columns)
        x, y = left + column * (wide + _GAP), top + _HEAD + row * (high + _HEAD + 6)
        frame = PlotFrame(
            low_x=low_x, high_x=high_x, low_y=0.0, high_y=1.0, left=x, right=x + wide, top=y, bottom=y + high
        )
        last = row == bottom_row or i + columns >= len(rows)
        items += _area(result, e.algorithm, titles[i], frame, numbers=column == 0, times=last)
        end = max(end, frame.bottom)
    unit = f" ({printable(result.scores.unit)})" if result.scores.unit else ""
    middle = left + room / 2
    items.append(Text(x=middle, y=end + 20, text=f"time{unit}", size=LABEL, anchor="middle", role="axis name"))
    level = percent(1 - result.alpha)
    behind = "the range of the others" if len(result.estimates) > _LINES + 1 else "the others"
    caption = (
        f"Share of problems solved within a time. Band: {level} for the whole curve of that algorithm"
        f"{CLAIMS[result.over]}. Grey: {behind}."
    )
    if isinstance(result.cap, float):
        caption += " Vertical line: the cap."
    caption += key
    n = result.scores.n_problems
    shares = "; ".join(f"{plain(e.algorithm)} {in_percent(e.solved / n)}" for e in rows)
    return captioned(
        items, caption, end + 26, width, form="cactus", title="Problems solved within a time", spoken=f"{shares}."
    )


def _one_area(result: Runtimes, names: list[str], width: float) -> Drawing:
    """The cactus plot: the curves of those that solved most with marks, all others grey, without bands."""
    left, top = MARGIN + text_width("100 %", SMALL) + 6, MARGIN + LABEL + 6
    low, high = _limits(result)
    right = width - MARGIN - 2
    frame = PlotFrame(low_x=low, high_x=high, low_y=0.0, high_y=1.0, left=left, right=right, top=top,
                      bottom=top + 0.5 * (right - left))  # fmt: skip
    items: list[Item] = [Text(x=MARGIN, y=MARGIN + LABEL - 1, text="problems solved", size=LABEL, role="axis name")]
    for i, name in reversed(list(enumerate(names))):
        line, about = _steps(result, frame, result.curves.share[name]), (name,)
        if i >= MARKED:
            items.append(Polygon(points=line, edge="light", width=0.5, role="other", about=about))
            continue
        hint = f"{plain(name)}: {in_percent(result.curves.share[name][-1])} solved"
        items.append(Polygon(points=line, edge=LOOKS[i][2], width=0.9, role="line", about=about, hint=hint))
        for step in range(_PER_LINE):
            x = left + (step + (i + 0.5) / MARKED) / _PER_LINE * (right - left)
            y = next((y for at, y in reversed(line) if at <= x), line[0][1])
            if x <= line[-1][0]:
                items.append(replace(mark_of(LOOKS[i], x, y), role="mark", about=about, hint=hint))
    items += [*_cap(result, frame), *_axes(frame, numbers=True, times=True)]
    unit = f" ({printable(result.scores.unit)})" if result.scores.unit else ""
    items.append(Text(x=(left + right) / 2, y=frame.bottom + 20, text=f"time{unit}", size=LABEL, anchor="middle",
                      role="axis name"))  # fmt: skip
    shown, key = short_labels(names[:MARKED], width - 2 * MARGIN - 20, SMALL)
    keys = [*mark_keys(shown, LOOKS), Key(words=f"{len(names) - MARKED} others", cell="light")]
    legend, end = draw_keys(keys, frame.bottom + 26, width)
    caption = (
        f"Share of problems solved within a time. With marks: the {MARKED} of {len(names)} algorithms that solved the "
        f"most; grey: the others.{' Vertical line: the cap.' if isinstance(result.cap, float) else ''}{key}"
    )
    n = result.scores.n_problems
    solved = {e.algorithm: e.solved for e in result.estimates}
    shares = "; ".join(f"{plain(name)} {in_percent(solved[name] / n)}" for name in names[:20])
    title = "Problems solved within a time"
    return captioned([*items, *legend], caption, end, width, form="cactus", title=title, spoken=f"{shares}.")


def _cap(result: Runtimes, frame: PlotFrame) -> list[Item]:
    if not isinstance(result.cap, float):
        return []
    x = frame.x(math.log10(result.cap))
    return [Stroke(x1=x, y1=frame.top, x2=x, y2=frame.bottom, colour="grey", dashed=True, width=0.5, role="cap")]


def _limits(result: Runtimes) -> tuple[float, float]:
    """Logarithms to base 10 of the shortest and the longest time shown."""
    shares = zip(*result.curves.share.values(), strict=True)
    times = [t for t, share in zip(result.curves.times, shares, strict=True) if t > 0 and max(share) >= _BEGIN]
    caps = [] if result.cap is None else [result.cap] if isinstance(result.cap, float) else list(result.cap)
    low, high = min([*times, *caps], default=1.0), max([*times, *caps], default=10.0)
    if high <= low:
        low, high = low / 2, high * 2
    pad = 0.03 * math.log10(high / low)
    return math.log10(low) - pad, math.log10(high) + pad


def _area(result: Runtimes, name: str, title: str, frame: PlotFrame, *, numbers: bool, times: bool) -> list[Item]:
    about = (name,)
    items: list[Item] = [
        Text(x=frame.left, y=frame.top - 3, text=title, bold=True, role="name", about=about, hint=name)
    ]
    lower = _steps(result, frame, result.curves.lower(name).tolist())
    upper = _steps(result, frame, result.curves.upper(name).tolist())
    items.append(Polygon(points=(*upper, *reversed(lower)), fill="tint1", role="band", about=about))
    items += [Polygon(points=edge, edge="tint3", width=0.4, role="band edge", about=about) for edge in (lower, upper)]
    behind = {other: share for other, share in result.curves.share.items() if other != name}
    ranged = len(behind) > _LINES
    if ranged:
        ranges = {"least": min, "most": max}
        behind = {key: tuple(map(end, zip(*behind.values(), strict=True))) for key, end in ranges.items()}
    for other, share in behind.items():
        line = _steps(result, frame, share)
        items.append(Polygon(points=line, edge="light", width=0.5, dashed=ranged, role="other", about=(other,)))
    items += _cap(result, frame)
    hint = f"{plain(name)}: {in_percent(result.curves.share[name][-1])} solved"
    line = _steps(result, frame, result.curves.share[name])
    items.append(Polygon(points=line, edge="accent", width=1.3, role="line", about=about, hint=hint))
    items += _axes(frame, numbers, times)
    return items


def _steps(result: Runtimes, frame: PlotFrame, shares: Sequence[float]) -> tuple[Point, ...]:
    """A curve that rises at each time and is level between; what is left of the area is at its edge."""
    height = frame.y(shares[0] if result.curves.times[0] == 0 else 0.0)
    points: list[Point] = []
    for t, share in zip(result.curves.times, shares, strict=True):
        x = frame.left if t <= 0 else frame.x(math.log10(t))
        if x <= frame.left:
            height = frame.y(share)
            continue
        if points and x - points[-1][0] < _NEAR:
            points[-1] = points[-1][0], frame.y(share)
        else:
            points += [(x, height), (x, frame.y(share))]
        height = frame.y(share)
    first = points[0][1] if points else height
    end = frame.right if not isinstance(result.cap, float) else min(frame.right, frame.x(math.log10(result.cap)))
    return ((frame.left, first), *points, (end, height))


def _axes(frame: PlotFrame, numbers: bool, times: bool) -> list[Item]:
    items: list[Item] = [
        Stroke(x1=frame.left, y1=frame.bottom, x2=frame.right, y2=frame.bottom, width=0.6, role="axis"),
        Stroke(x1=frame.left, y1=frame.top, x2=frame.left, y2=frame.bottom, width=0.6, role="axis"),
    ]
    for share in (0.0, 0.5, 1.0):
        y = frame.y(share)
        items.append(Stroke(x1=frame.left - 2, y1=y, x2=frame.left, y2=y, role="tick"))
        if numbers:
            shown = in_percent(share)
            items.append(Text(x=frame.left - 4, y=y + 2.3, text=shown, anchor="end", role="tick label"))
    first, last = math.ceil(frame.low_x), math.floor(frame.high_x)
    step = max(1, math.ceil((last - first + 1) * 18 / (frame.right - frame.left)))
    for exponent in range(last, first - 1, -step):
        x = frame.x(exponent)
        items.append(Stroke(x1=x, y1=frame.bottom, x2=x, y2=frame.bottom + 2, role="tick"))
        shown = significant(10.0**exponent, 1) if abs(exponent) <= 2 else power_of_ten(exponent)
        half = text_width(shown, SMALL) / 2
        if times and x - half >= frame.left - 5 and x + half <= frame.right + 4:
            items.append(Text(x=x, y=frame.bottom + 9, text=shown, anchor="middle", role="tick label"))
    return items
