"""Parts of a ranked list: head, bands, rows, and the groups beside them."""

from dataclasses import dataclass
from itertools import pairwise

from bakeoff.analyses.compare.figure.comparison_view import ComparisonView, Group, stretches
from bakeoff.analyses.compare.figure.legend import verdict_mark
from bakeoff.figures.geometry.axis import Axis, axis_title, draw_axis
from bakeoff.figures.geometry.primitives import MARGIN, Item, Mark, Stroke
from bakeoff.figures.geometry.rows import Names, draw_entry
from bakeoff.numerals import as_rank

COLUMN = 4.6  # points from group bar to group bar


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Where the columns of the list begin and end, in points."""

    pitch: float
    names: Names
    value_end: float
    plot: float
    plot_end: float
    columns: list[list[Group]]
    bars: float
    matrix: float
    cell: float  # width of a cell of the matrix; 0: no matrix
    top: float  # of the first row

    def y(self, i: int) -> float:
        """The middle of row ``i``."""
        return self.top + (i + 0.5) * self.pitch


def draw_head(view: ComparisonView, axis: Axis, y: float, width: float) -> list[Item]:
    """The axis' title, and the axis at ``y``."""
    words = f"{view.axis_title} (best first)"
    if view.critical_difference is not None:
        words += f", CD = {as_rank(view.critical_difference)}"
    return [axis_title(axis, y, words, width - MARGIN), *draw_axis(axis, y)]


def draw_control_interval(view: ComparisonView, axis: Axis, top: float, bottom: float) -> list[Item]:
    """One critical difference to either side of the control: rows outside the two lines differ from it."""
    cd = view.critical_difference
    if view.control is None or cd is None:
        return []
    centre = view.values[view.control]
    left, right = axis.x(centre - cd), axis.x(centre + cd)
    y, about = top + 2.2, (view.names[view.control],)
    return [
        *(
            Stroke(x1=x, y1=top, x2=x, y2=bottom, width=0.5, colour="accent", role="interval end")
            for x in (left, right)
        ),
        Stroke(x1=left, y1=y, x2=right, y2=y, width=1.6, colour="accent", role="interval", about=about),
    ]


def draw_row(view: ComparisonView, plan: Plan, axis: Axis, i: int) -> list[Item]:
    """Position, name, mean rank, and its place on the axis."""
    x, y, about = axis.x(view.values[i]), plan.y(i), (view.names[i],)
    base, value = y + 0.34 * plan.names.size, (plan.value_end, as_rank(view.values[i]))
    items = draw_entry(plan.names, i, view.names[i], view.labels[i], base, [value], bold=i == view.control)
    items.append(Stroke(x1=axis.left, y1=y, x2=axis.right, y2=y, width=0.25, colour="light", role="guide"))
    if view.control is not None:
        return [*items, verdict_mark(view, i, x, y)]
    if view.critical_difference is not None:
        left, right = (x + side * view.critical_difference / 2 * axis.points_per_unit for side in (-1, 1))
        items.append(Stroke(x1=left, y1=y, x2=right, y2=y, width=1.0, colour="accent", role="interval", about=about))
    return [*items, Mark(x=x, y=y, radius=1.8, role="dot", about=about)]


def draw_group(view: ComparisonView, plan: Plan, group: Group, x: float) -> list[Item]:
    """A vertical bar over the rows of the members; across the rows of others only a thin dashed line."""
    about = tuple(view.names[i] for i in group)
    hint = f"not shown to differ: {', '.join(view.labels[i] for i in group)}" if len(group) <= 30 else ""
    reach = 0.32 * plan.pitch
    runs = [(plan.y(first) - reach, plan.y(last) + reach) for first, last in stretches(group)]
    items: list[Item] = [
        Stroke(x1=x, y1=top, x2=x, y2=bottom, width=2.2, role="group", about=about, hint=hint) for top, bottom in runs
    ]
    for (_, top), (bottom, _) in pairwise(runs):
        items.append(Stroke(x1=x, y1=top, x2=x, y2=bottom, width=0.6, dashed=True, role="gap", about=about, hint=hint))
    return items
