"""Parts of a ranked list: head, bands, rows, and the groups beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from bakeoff.figures.geometry.axis import MARGIN, SMALL, Axis, draw_axis
from bakeoff.figures.geometry.comparison.comparison_view import ComparisonView, number, stretches
from bakeoff.figures.geometry.comparison.legend import verdict_mark
from bakeoff.figures.geometry.metrics import shorten, text_width
from bakeoff.figures.geometry.primitives import Box, Item, Line, Mark, Text

COLUMN = 4.6  # points from group bar to group bar
_BAND = 5  # rows per band; every second band is shaded


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Where the columns of the list begin and end, in points."""

    pitch: float
    size: float
    names: float  # left edge of the names
    names_end: float
    value_end: float
    plot: float
    plot_end: float
    columns: tuple[tuple[tuple[int, ...], ...], ...]  # groups, packed
    bars: float
    matrix: float
    cell: float  # width of a cell of the matrix; 0: no matrix


def draw_head(view: ComparisonView, axis: Axis, y: float, width: float) -> list[Item]:
    """The axis' title, and the axis at ``y``."""
    words = f"{view.axis_title} (best first)"
    if view.critical_difference is not None:
        words += f", CD = {number(view.critical_difference)}"
    half = text_width(words, SMALL) / 2
    centre = min(max((axis.left + axis.right) / 2, MARGIN + half), width - MARGIN - half)
    title = Text(x=centre, y=y - 14, text=words, size=SMALL, anchor="middle", role="axis title")
    return [title, *draw_axis(axis, y)]


def draw_bands(view: ComparisonView, plan: Plan, row_y: Callable[[int], float]) -> list[Item]:
    """Alternate blocks of five rows shaded, in long lists."""
    if view.k <= 3 * _BAND:
        return []
    end = plan.bars + len(plan.columns) * COLUMN if plan.columns else plan.plot_end
    bands: list[Item] = []
    for first in range(_BAND, view.k, 2 * _BAND):
        last = min(first + _BAND, view.k) - 1
        y = row_y(first) - plan.pitch / 2
        height = row_y(last) + plan.pitch / 2 - y
        bands.append(Box(x=MARGIN, y=y, width=end - MARGIN, height=height, fill="pale", role="band"))
    return bands


def draw_control_interval(view: ComparisonView, axis: Axis, top: float, bottom: float) -> list[Item]:
    """One critical difference to either side of the control: rows outside the two lines differ from it."""
    cd = view.critical_difference
    if view.control is None or cd is None:
        return []
    centre = view.values[view.control]
    left, right = axis.x(centre - cd), axis.x(centre + cd)
    about = (view.names[view.control],)
    items: list[Item] = [
        Line(x1=x, y1=top, x2=x, y2=bottom, width=0.5, colour="accent", role="interval end") for x in (left, right)
    ]
    across = Line(
        x1=left, y1=top + 2.2, x2=right, y2=top + 2.2, width=1.6, colour="accent", role="interval", about=about
    )
    return [*items, across]


def draw_row(view: ComparisonView, plan: Plan, axis: Axis, i: int, y: float) -> list[Item]:
    """Position, name, mean rank, and its place on the axis."""
    about = (view.names[i],)
    whole, bold = view.labels[i], i == view.control
    name = shorten(whole, plan.names_end - plan.names, plan.size, bold)
    base = y + 0.34 * plan.size
    x = axis.x(view.values[i])
    items: list[Item] = [
        Text(x=plan.names - 4, y=base, text=str(i + 1), size=SMALL, anchor="end", colour="grey", role="position"),
        Text(
            x=plan.names,
            y=base,
            text=name,
            size=plan.size,
            bold=bold,
            role="label",
            about=about,
            hint=whole if name != whole else "",
        ),
        Text(
            x=plan.value_end,
            y=base,
            text=number(view.values[i]),
            size=SMALL,
            anchor="end",
            colour="grey",
            role="value",
            about=about,
        ),
        Line(x1=axis.left, y1=y, x2=axis.right, y2=y, width=0.25, colour="light", role="guide"),
    ]
    if view.control is not None:
        return [*items, verdict_mark(view, i, x, y)]
    if view.critical_difference is not None:
        half = view.critical_difference / 2 * axis.points_per_unit
        items.append(
            Line(x1=x - half, y1=y, x2=x + half, y2=y, width=1.0, colour="accent", role="interval", about=about)
        )
    return [*items, Mark(x=x, y=y, radius=1.8, role="dot", about=about)]


def draw_group(
    view: ComparisonView, group: tuple[int, ...], x: float, row_y: Callable[[int], float], pitch: float
) -> list[Item]:
    """A vertical bar over the rows of the members; across the rows of others only a thin dashed line."""
    about = tuple(view.names[i] for i in group)
    hint = f"not shown to differ: {', '.join(view.labels[i] for i in group)}" if len(group) <= 30 else ""
    reach = 0.32 * pitch
    runs = stretches(group)
    items: list[Item] = [
        Line(
            x1=x,
            y1=row_y(first) - reach,
            x2=x,
            y2=row_y(last) + reach,
            width=2.2,
            role="group",
            about=about,
            hint=hint,
        )
        for first, last in runs
    ]
    for (_, last), (first, _) in pairwise(runs):
        top, bottom = row_y(last) + reach, row_y(first) - reach
        items.append(Line(x1=x, y1=top, x2=x, y2=bottom, width=0.6, dashed=True, role="gap", about=about, hint=hint))
    return items
