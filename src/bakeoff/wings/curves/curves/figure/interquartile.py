"""Interquartile means along the budget with their bands: an area for each algorithm, in front of the others."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from bakeoff.figures.geometry.axis import multiples
from bakeoff.figures.geometry.metrics import short_labels, text_width
from bakeoff.figures.geometry.notes import captioned
from bakeoff.figures.geometry.plot_frame import PlotFrame, left_margin, widened
from bakeoff.figures.geometry.primitives import (
    COLUMN_MM,
    LABEL,
    MARGIN,
    MEDIUM_MM,
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
from bakeoff.numerals import percent, plain, significant
from bakeoff.scores import Array
from bakeoff.wings.curves.curves.figure.means import draw_curves, position_of, reach_of, score_powers
from bakeoff.wings.curves.curves.statistics import Curves
from bakeoff.wings.curves.curves.statistics.segments import budget_text

BEHIND = 12  # algorithms; of more, the best at each budget alone stands behind each
_ACROSS, _APART, _TITLE = 92.0, 10.0, 10.0  # points: an area at least, between two, above one
_PAGE, _LOWEST = 600.0, 26.0  # points: all rows are on one page, unless areas would be too low to read


@dataclass(frozen=True, slots=True, kw_only=True)
class InterquartileAreas:
    """The interquartile means of curves."""

    curves: Curves


def diagrams(result: Curves) -> dict[str, Callable[[Curves, Width], Drawing]]:
    """Those of a result, by name; interquartile means where they were asked for."""
    drawers: dict[str, Callable[[Curves, Width], Drawing]] = {"curves": draw_curves}
    if result.interquartile:
        drawers["interquartile"] = lambda curves, width: draw_along(InterquartileAreas(curves=curves), width)
    return drawers


def draw_along(plot: InterquartileAreas, width_mm: Width) -> Drawing:
    """The best at the end first."""
    result, better = plot.curves, -1.0 if plot.curves.table.better == "higher" else 1.0
    listed = sorted(result.interquartile, key=lambda curve: better * float(curve.mean[-1]))
    k, x = len(listed), position_of(result, result.t)
    width = width_of(width_mm, COLUMN_MM if k <= 4 else MEDIUM_MM)
    low, high = _range([curve.mean for curve in listed], [end for c in listed for end in (c.band_low, c.band_high)])
    powers = score_powers(low, high) if result.table.scale == "log" else None
    left = left_margin(low, high) if powers is None else MARGIN + max(text_width(s, SMALL) for _, s in powers) + 6
    room = width - left - MARGIN - text_width(budget_text(float(result.t[-1])), SMALL) / 2
    across = max(1, min(k, int((room + _APART) // (_ACROSS + _APART))))
    rows = math.ceil(k / across)
    across = math.ceil(k / rows)  # the last row is as full as it can be
    size = (room - (across - 1) * _APART) / across
    tall = max(_LOWEST, min(0.7 * min(size, 150.0), _PAGE / rows - _TITLE - 6))
    best = np.max if better < 0 else np.min
    behind = [curve.mean for curve in listed] if k <= BEHIND else [best([curve.mean for curve in listed], axis=0)]
    name = f"interquartile mean of {plain(result.table.metric or 'score')}"
    items: list[Item] = [Text(x=MARGIN, y=MARGIN + LABEL - 1, text=name, size=LABEL, role="axis name")]
    titles, key = short_labels([curve.algorithm for curve in listed], size - 1, SMALL, bold=True)
    bottom = 0.0
    for i, (curve, title) in enumerate(zip(listed, titles, strict=True)):
        row, column = divmod(i, across)
        at, top = left + column * (size + _APART), MARGIN + LABEL + 5 + _TITLE + row * (tall + _TITLE + 6)
        reach = reach_of(x.tolist())
        frame = PlotFrame(
            low_x=reach[0],
            high_x=reach[1],
            low_y=low,
            high_y=high,
            left=at,
            right=at + size,
            top=top,
            bottom=top + tall,
        )
        bottom = max(bottom, frame.bottom)
        about = (curve.algorithm,)
        items.append(Text(x=at + 1, y=top - 3, text=title, bold=True, role="name", about=about, hint=curve.algorithm))
        lower, upper = (_path(frame, x, np.clip(end, low, high)) for end in (curve.band_low, curve.band_high))
        items.append(Polygon(points=(*upper, *reversed(lower)), fill="tint1", role="band", about=about))
        items += [
            Polygon(points=tuple(_path(frame, x, y)), edge="light", width=0.5, role="other curve") for y in behind
        ]
        items += _axes(result, frame, i + across >= k, column == 0, powers)
        hint = (
            f"{plain(curve.algorithm)}: {significant(float(curve.mean[-1]), 3)} at {budget_text(float(result.t[-1]))}"
        )
        path = tuple(_path(frame, x, curve.mean))
        items.append(Polygon(points=path, edge="accent", width=1.2, role="curve", about=about, hint=hint))
    unit = plain(result.table.budget_name)
    items.append(Text(x=left + room / 2, y=bottom + 20, text=unit, size=LABEL, anchor="middle", role="axis name"))
    others = "the others" if k <= BEHIND else "the best of all at each budget"
    whole = f" Grey: {others}." if k > 1 else ""
    caption = (
        f"Interquartile mean of all runs at each budget, of each algorithm with its simultaneous "
        f"{percent(1 - result.alpha)} band for other runs of these problems.{whole}{key}"
    )
    ends = "; ".join(f"{plain(c.algorithm)} {significant(float(c.mean[-1]), 3)}" for c in listed[:20])
    return captioned(items, caption, bottom + 26, width, form="curves", title="Interquartile means along the budget",
                     spoken=f"At the end: {ends}.")  # fmt: skip


def _range(means: list[Array], ends: list[Array]) -> tuple[float, float]:
    """All means, and bands as far as they are not far away from them."""
    low, high = min(float(m.min()) for m in means), max(float(m.max()) for m in means)
    room = 0.5 * (high - low) or abs(low) or 1.0
    lowest, highest = min(float(e.min()) for e in ends), max(float(e.max()) for e in ends)
    return widened(max(lowest, low - room), min(highest, high + room))


def _path(frame: PlotFrame, x: Array, y: Array) -> list[Point]:
    """Steps: a score stands until the next budget."""
    points: list[Point] = []
    for at, height in zip(x.tolist(), y.tolist(), strict=True):
        if points:
            points.append((frame.x(at), points[-1][1]))
        points.append((frame.x(at), frame.y(height)))
    return [*points, (frame.right, points[-1][1])]


def _axes(
    result: Curves, frame: PlotFrame, numbers: bool, values: bool, powers: list[tuple[float, str]] | None
) -> list[Item]:
    """``numbers`` below, ``values`` at the left."""
    items: list[Item] = [
        Stroke(x1=frame.left, y1=frame.bottom, x2=frame.right, y2=frame.bottom, role="axis"),
        Stroke(x1=frame.left, y1=frame.bottom, x2=frame.left, y2=frame.top, role="axis"),
    ]
    ends, places = (result.t[[0, -1]] if len(result.t) > 1 else result.t).tolist(), []
    for budget in ends:
        x, text = frame.x(float(position_of(result, np.array([budget]))[0])), budget_text(budget)
        places.append(x)
        items.append(Stroke(x1=x, y1=frame.bottom, x2=x, y2=frame.bottom + 2.5, role="tick"))
        if numbers and (x == places[0] or places[-1] - places[0] > text_width(text, SMALL) + 12):
            items.append(Text(x=x, y=frame.bottom + 10, text=text, anchor="middle", role="tick label"))
    few = 5 if frame.bottom - frame.top > 50 else 3
    inside = [(v, significant(v, 6)) for v in multiples(frame.low_y, frame.high_y, few)] if powers is None else powers
    for value, text in inside:
        y = frame.y(value)
        items.append(Stroke(x1=frame.left - 2.5, y1=y, x2=frame.left, y2=y, role="tick"))
        if values:
            items.append(Text(x=frame.left - 4, y=y + 2.3, text=text, anchor="end", role="tick label"))
    return items
