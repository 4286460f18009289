"""The ranked list: a row per algorithm with its mean rank on an axis; for many algorithms, or long names.

Beside the rows stand the groups as bars (a dot on each member, dashed past others), and beyond about 25 algorithms
the matrix of all verdicts. With a control, a mark per row gives the verdict.
"""

from collections.abc import Iterator
from itertools import groupby

import numpy as np
import numpy.typing as npt

from bakeoff.analyses.compare.figure.comparison_view import (
    ALIKE,
    BETTER,
    UNKNOWN,
    WORSE,
    ComparisonView,
    Group,
    comparison_drawing,
    control_keys,
    group_bars,
    group_keys,
    packed,
    stretches,
    verdict_mark,
)
from bakeoff.dataclass import dataclass
from bakeoff.figures.geometry.axis import Axis, axis_title, draw_axis
from bakeoff.figures.geometry.metrics import text_width
from bakeoff.figures.geometry.notes import Key
from bakeoff.figures.geometry.primitives import LABEL, MARGIN, SMALL, Box, Colour, Drawing, Item, Mark, Stroke, Text
from bakeoff.figures.geometry.rows import SHORTEST_NAME, SMALLEST_CELL, Names, draw_bands, draw_entry
from bakeoff.numerals import as_rank

MATRIX_FROM = 25  # algorithms; below, the groups say everything
_SMALLEST_PLOT = 50.0
_AXIS = MARGIN + 20.0  # its y
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


def ranked_list(view: ComparisonView, width: float, whole_names: bool) -> Drawing | None:
    """The list; None if ``whole_names`` is required and they do not fit."""
    plan = _plan(view, width, whole_names)
    if plan is None:
        return None
    cd = view.critical_difference
    low, high = _limits(view, 0.0 if cd is None else cd if view.control is not None else cd / 2)
    axis = Axis(low=low, high=high, left=plan.plot, right=plan.plot_end, sign=view.sign)
    bottom = plan.y(view.k) - plan.pitch / 2
    bands_end = plan.bars + len(plan.columns) * COLUMN if plan.columns else plan.plot_end
    items = draw_bands(view.k, plan.top, plan.pitch, bands_end) + draw_head(view, axis, _AXIS, width)
    items += draw_control_interval(view, axis, _AXIS, bottom)
    for i in range(view.k):
        items += draw_row(view, plan, axis, i)
    for c, column in enumerate(plan.columns):
        for group in column:
            items += draw_group(view, plan, group, plan.bars + (c + 0.5) * COLUMN)
    if plan.cell:
        items += draw_matrix(view.names, view.verdicts, plan.matrix, plan.top, plan.cell, plan.pitch)
    untold = view.control is None and view.decided < view.n_pairs and not plan.columns and not plan.cell
    more = " Too narrow to show which differ: see the table, or draw the figure wider." if untold else ""
    return comparison_drawing("list", view, items, _keys(view, plan), bottom + 4, width, more)


def _limits(view: ComparisonView, reach: float) -> tuple[float, float]:
    """The range of the mean ranks with ``reach`` on either side, for lists, where resolution matters most."""
    low, high = view.values[0] - reach, view.values[-1] + reach
    if view.sign:
        pad = 0.02 * (high - low or abs(high) or 1.0)
        return low - pad, high + pad
    pad = max(0.02 * (high - low), 0.1)
    return low - pad, high + pad


def _plan(view: ComparisonView, width: float, whole_names: bool) -> Plan | None:
    size, pitch = (SMALL, 7.6) if view.k > 60 else (LABEL, 9.0)
    names = MARGIN + text_width(str(view.k), SMALL) + 4
    numbers = view.values if view.sign else (max(view.values),)
    value = max(text_width(view.number(each), SMALL) for each in numbers) + 6
    overhang = max(4.0, (value - 6) / 2 + 1)  # half of the number at the axis' end
    free = width - MARGIN - overhang - names - value - 5.0  # for names, plot, groups, and matrix
    columns, cell_least = _verdict_columns(view, width, free - SHORTEST_NAME - _SMALLEST_PLOT)
    bars = len(columns) * COLUMN + 4 if columns else 0.0
    widest = max(text_width(label, size, i == view.control) for i, label in enumerate(view.labels))
    room = free - bars - _SMALLEST_PLOT - (view.k * cell_least + 6 if cell_least else 0.0)
    if widest > room and whole_names:
        return None
    length = min(widest, max(room, SHORTEST_NAME))
    rest = free - bars - length
    cell = min((rest - max(_SMALLEST_PLOT, 0.28 * rest) - 6) / view.k, pitch) if cell_least else 0.0
    plot = names + length + value + 5.0
    plot_end = plot + rest - (view.k * cell + 6 if cell else 0.0)
    return Plan(
        pitch=pitch,
        names=Names(left=names, right=names + length, size=size, labels=tuple(view.labels)),
        value_end=names + length + value,
        plot=plot,
        plot_end=plot_end,
        columns=columns,
        bars=plot_end + overhang,
        matrix=plot_end + overhang + bars + 2,
        cell=cell,
        top=_AXIS + 4.0,
    )


def _verdict_columns(view: ComparisonView, width: float, room: float) -> tuple[list[list[Group]], float]:
    """The groups in columns, and the least width of a cell of the matrix (0: none), that ``room`` points allow."""
    cell = max(SMALLEST_CELL, min(2.2, 0.3 * width / view.k))
    matrix = view.control is None and view.k >= MATRIX_FROM
    if matrix and view.k * cell + 6 > room:
        cell = SMALLEST_CELL
        matrix = view.k * cell + 6 <= room
    if len(view.groups) > 2 * view.k:
        return [], cell if matrix else 0.0  # too many to be read as bars
    columns = packed(view.groups, lambda last, first: last < first)
    taken = len(columns) * COLUMN + 4
    fits = taken <= 0.12 * width and taken + view.k * cell + 6 <= room if matrix else taken <= room
    return (columns if fits else []), cell if matrix else 0.0


def _keys(view: ComparisonView, plan: Plan) -> list[Key]:
    if view.control is not None:
        return control_keys(view)
    keys = group_keys(view) if plan.columns else []
    if view.critical_difference is not None:
        keys.insert(0, Key(words="mean rank ± CD/2: different if the bars do not overlap", bar="rank"))
    return keys + (matrix_keys(view.verdicts) if plan.cell else [])


# --- head, rows, groups ------------------------------------------------------------------------------------------


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
    base, value = y + 0.34 * plan.names.size, (plan.value_end, view.number(view.values[i]))
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
    reach = 0.32 * plan.pitch
    runs = [(plan.y(first) - reach, plan.y(last) + reach) for first, last in stretches(group)]
    return group_bars(view, group, runs, lambda top, bottom, **look: Stroke(x1=x, y1=top, x2=x, y2=bottom, **look))


# The matrix of verdicts beside the list: row against column, best first, readable in grey.


SELF = 3  # the diagonal
_FILL: dict[int, Colour] = {BETTER: "accent", WORSE: "light", ALIKE: "white", UNKNOWN: "white", SELF: "grey"}
Verdicts = npt.NDArray[np.int8]  # (k, k), of the row against the column
_WORDS = {BETTER: "row better than column", WORSE: "row worse", ALIKE: "not shown to differ", UNKNOWN: "cannot tell"}


def draw_matrix(
    names: tuple[str, ...], verdicts: Verdicts, left: float, top: float, cell: float, pitch: float
) -> list[Item]:
    """k × k cells of ``cell`` × ``pitch`` points; the columns are numbered.

    Neighbouring cells with the same verdict are one box: 200 algorithms stay a small picture.
    """
    k = len(names)
    right, bottom = left + k * cell, top + k * pitch
    items: list[Item] = []
    for i, name in enumerate(names):
        y = top + (i + 0.5) * pitch
        for verdict, start, stop in _runs(verdicts, i):
            x1, x2, fill = left + start * cell, left + stop * cell, _FILL[verdict]
            if verdict == UNKNOWN:
                x1, x2 = x1 + 0.3, x2 - 0.3  # apart from its neighbours
                items.append(
                    Stroke(x1=x1, y1=y, x2=x2, y2=y, width=0.7, colour="grey", dashed=True, role="cannot tell")
                )
            elif fill != "white":
                above, wide = y - pitch / 2, (stop - start) * cell
                items.append(Box(x=x1, y=above, width=wide, height=pitch, fill=fill, role="cells", about=(name,)))
    return items + _grid(k, left, top, right, bottom, cell, pitch) + _numbers(k, left, top, cell)


def _runs(verdicts: Verdicts, i: int) -> Iterator[tuple[int, int, int]]:
    """(verdict, start, stop) of every stretch of equal verdicts in row ``i``."""
    row = [int(v) for v in verdicts[i]]
    row[i] = SELF
    start = 0
    for verdict, run in groupby(row):
        stop = start + sum(1 for _ in run)
        yield verdict, start, stop
        start = stop


def _grid(k: int, left: float, top: float, right: float, bottom: float, cell: float, pitch: float) -> list[Item]:
    """Hairlines between cells where they are wide enough, else every tenth; and the frame."""
    every = 1 if cell >= 3 else 5 if cell >= 1.8 else 10
    lines: list[Item] = []
    for i in range(every, k, every):
        x, y = left + i * cell, top + i * pitch
        lines.append(Stroke(x1=x, y1=top, x2=x, y2=bottom, width=0.25, colour="light", role="grid"))
        lines.append(Stroke(x1=left, y1=y, x2=right, y2=y, width=0.25, colour="light", role="grid"))
    corners = (left, top), (right, top), (left, bottom), (right, bottom)
    for a, b in ((0, 1), (2, 3), (0, 2), (1, 3)):
        (x1, y1), (x2, y2) = corners[a], corners[b]
        lines.append(Stroke(x1=x1, y1=y1, x2=x2, y2=y2, width=0.5, colour="grey", role="frame"))
    return lines


def _numbers(k: int, left: float, top: float, cell: float) -> list[Item]:
    """Positions over the columns: all of them, or 1 and every 5th, 10th, …, as there is room."""
    room = text_width(str(k), SMALL) + 2
    step = next(s for s in (1, 5, 10, 20, 50, 100, 1000, 10**9) if s * cell >= room)
    shown = [j for j in range(1, k + 1) if j % step == 0 or (j == 1 and (step - 1) * cell >= room)]
    return [
        Text(x=left + (j - 0.5) * cell, y=top - 3, text=str(j), anchor="middle", role="column number") for j in shown
    ]


def matrix_keys(verdicts: Verdicts) -> list[Key]:
    """The legend of the shades; only of those that occur, "row worse" with "row better"."""
    used = {int(v) for i in range(len(verdicts)) for v, _, _ in _runs(verdicts, i)}
    return [
        Key(words=_WORDS[verdict], cell=_FILL[verdict], struck=verdict == UNKNOWN)
        for verdict in (BETTER, WORSE, ALIKE, UNKNOWN)
        if verdict in used
    ]
