"""The ranked list: a row per algorithm with its mean rank on an axis; for many algorithms, or long names.

Beside the rows stand the groups as bars (a dot on each member, dashed past others), and beyond about 25 algorithms
the matrix of all verdicts. With a control, a mark per row gives the verdict.
"""

from bakeoff.analyses.compare.figure.comparison_view import ComparisonView, Group, packed
from bakeoff.analyses.compare.figure.legend import comparison_drawing, control_keys, group_keys
from bakeoff.analyses.compare.figure.matrix import draw_matrix, matrix_keys
from bakeoff.analyses.compare.figure.rows import COLUMN, Plan, draw_control_interval, draw_group, draw_head, draw_row
from bakeoff.figures.geometry.axis import Axis
from bakeoff.figures.geometry.metrics import text_width
from bakeoff.figures.geometry.notes import Key
from bakeoff.figures.geometry.primitives import LABEL, MARGIN, SMALL, Drawing
from bakeoff.figures.geometry.rows import SHORTEST_NAME, SMALLEST_CELL, Names, draw_bands
from bakeoff.numerals import as_rank

MATRIX_FROM = 25  # algorithms; below, the groups say everything
_SMALLEST_PLOT = 50.0
_AXIS = MARGIN + 20.0  # its y


def ranked_list(view: ComparisonView, width: float, whole_names: bool) -> Drawing | None:
    """The list; None if ``whole_names`` is required and they do not fit."""
    plan = _plan(view, width, whole_names)
    if plan is None:
        return None
    cd = view.critical_difference
    low, high = _limits(view, 0.0 if cd is None else cd if view.control is not None else cd / 2)
    axis = Axis(low=low, high=high, left=plan.plot, right=plan.plot_end)
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
    pad = max(0.02 * (high - low), 0.1)
    return low - pad, high + pad


def _plan(view: ComparisonView, width: float, whole_names: bool) -> Plan | None:
    size, pitch = (SMALL, 7.6) if view.k > 60 else (LABEL, 9.0)
    names = MARGIN + text_width(str(view.k), SMALL) + 4
    value = text_width(as_rank(max(view.values)), SMALL) + 6
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
