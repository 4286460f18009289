"""The ranked list: a row per algorithm with its mean rank on an axis; for many algorithms, or long names.

Beside the rows stand the groups as bars (a dot on each member, dashed past others), and beyond about 25 algorithms
the matrix of all verdicts. With a control, a mark per row gives the verdict.
"""

from __future__ import annotations

from bakeoff.figures.geometry.axis import LABEL, MARGIN, SMALL, Axis
from bakeoff.figures.geometry.comparison.comparison_view import ComparisonView, caption, description, number, title
from bakeoff.figures.geometry.comparison.legend import control_keys, group_keys
from bakeoff.figures.geometry.comparison.matrix import draw_matrix, matrix_keys
from bakeoff.figures.geometry.comparison.rows import (
    COLUMN,
    Plan,
    draw_bands,
    draw_control_interval,
    draw_group,
    draw_head,
    draw_row,
)
from bakeoff.figures.geometry.metrics import text_width
from bakeoff.figures.geometry.notes import Key, draw_caption, draw_keys
from bakeoff.figures.geometry.primitives import Drawing

MATRIX_FROM = 25  # algorithms; below, the groups say everything
_SMALLEST_PLOT = 50.0
_SMALLEST_CELL = 0.9
_SHORTEST_NAME = 30.0


def ranked_list(view: ComparisonView, width: float, whole_names: bool) -> Drawing | None:
    """The list; None if ``whole_names`` is required and they do not fit."""
    plan = _plan(view, width, whole_names)
    if plan is None:
        return None
    cd = view.critical_difference
    low, high = _limits(view, 0.0 if cd is None else cd if view.control is not None else cd / 2)
    axis = Axis(low=low, high=high, left=plan.plot, right=plan.plot_end)
    top = MARGIN + 20.0

    def row_y(i: int) -> float:
        return top + 4.0 + (i + 0.5) * plan.pitch

    bottom = row_y(view.k - 1) + plan.pitch / 2
    items = draw_bands(view, plan, row_y) + draw_head(view, axis, top, width)
    items += draw_control_interval(view, axis, top, bottom)
    for i in range(view.k):
        items += draw_row(view, plan, axis, i, row_y(i))
    for c, column in enumerate(plan.columns):
        for group in column:
            items += draw_group(view, group, plan.bars + (c + 0.5) * COLUMN, row_y, plan.pitch)
    if plan.cell:
        items += draw_matrix(view, plan.matrix, top + 4.0, plan.cell, plan.pitch, row_y)
    keys, below = draw_keys(_keys(view, plan), bottom + 4, width)
    untold = view.control is None and view.decided < view.n_pairs and not plan.columns and not plan.cell
    words = caption(view) + (" Too narrow to show which differ: see the table, or draw it wider." if untold else "")
    notes, below = draw_caption(words, below, width)
    return Drawing(
        width=width,
        height=below + MARGIN,
        form="list",
        title=title(view),
        description=description(view),
        items=tuple(items + keys + notes),
    )


def _limits(view: ComparisonView, reach: float = 0.0) -> tuple[float, float]:
    """The range of the mean ranks with ``reach`` on either side, for lists, where resolution matters most."""
    low, high = view.values[0] - reach, view.values[-1] + reach
    pad = max(0.02 * (high - low), 0.1)
    return low - pad, high + pad


def _plan(view: ComparisonView, width: float, whole_names: bool) -> Plan | None:
    size, pitch = (SMALL, 7.6) if view.k > 60 else (LABEL, 9.0)
    names = MARGIN + text_width(str(view.k), SMALL) + 4
    value = text_width(number(max(view.values)), SMALL) + 6
    overhang = max(4.0, (value - 6) / 2 + 1)  # half of the number at the axis' end
    free = width - MARGIN - overhang - names - value - 5.0  # for names, plot, groups, and matrix
    columns, cell_least = _verdict_columns(view, width, free - _SHORTEST_NAME - _SMALLEST_PLOT)
    bars = len(columns) * COLUMN + 4 if columns else 0.0
    wanted = max(text_width(label, size, i == view.control) for i, label in enumerate(view.labels))
    room = free - bars - _SMALLEST_PLOT - (view.k * cell_least + 6 if cell_least else 0.0)
    if wanted > room and whole_names:
        return None
    length = min(wanted, max(room, _SHORTEST_NAME))
    rest = free - bars - length
    cell = min((rest - max(_SMALLEST_PLOT, 0.28 * rest) - 6) / view.k, pitch) if cell_least else 0.0
    plot = names + length + value + 5.0
    plot_end = plot + rest - (view.k * cell + 6 if cell else 0.0)
    return Plan(
        pitch=pitch,
        size=size,
        names=names,
        names_end=names + length,
        value_end=names + length + value,
        plot=plot,
        plot_end=plot_end,
        columns=tuple(tuple(column) for column in columns),
        bars=plot_end + overhang,
        matrix=plot_end + overhang + bars + 2,
        cell=cell,
    )


def _verdict_columns(view: ComparisonView, width: float, room: float) -> tuple[list[list[tuple[int, ...]]], float]:
    """The groups in columns, and the least width of a cell of the matrix (0: none), that ``room`` points allow."""
    cell = max(_SMALLEST_CELL, min(2.2, 0.3 * width / view.k))
    matrix = view.control is None and view.k >= MATRIX_FROM
    if matrix and view.k * cell + 6 > room:
        cell = _SMALLEST_CELL
        matrix = view.k * cell + 6 <= room
    if len(view.groups) > 2 * view.k:
        return [], cell if matrix else 0.0  # too many to be read as bars
    columns = _pack(view.groups)
    taken = len(columns) * COLUMN + 4
    fits = taken <= 0.12 * width and taken + view.k * cell + 6 <= room if matrix else taken <= room
    return (columns if fits else []), cell if matrix else 0.0


def _pack(groups: tuple[tuple[int, ...], ...]) -> list[list[tuple[int, ...]]]:
    """Groups in as few columns as a greedy pass needs."""
    columns: list[list[tuple[int, ...]]] = []
    for group in groups:
        for column in columns:
            if column[-1][-1] < group[0]:
                column.append(group)
                break
        else:
            columns.append([group])
    return columns


def _keys(view: ComparisonView, plan: Plan) -> list[Key]:
    if view.control is not None:
        return control_keys(view)
    keys = group_keys(view) if plan.columns else []
    if view.critical_difference is not None:
        keys.insert(0, Key(words="mean rank ± CD/2: different where the bars do not overlap", bar="rank"))
    return keys + (matrix_keys(view) if plan.cell else [])
