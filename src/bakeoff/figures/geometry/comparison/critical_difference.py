"""The critical difference diagram: algorithms on an axis of mean ranks, best at the left (Demšar 2006, Fig. 1).

Bars join algorithms that were not shown to differ. A group that is no interval of the ranking gets a dot on each
member and a thin dashed line across the others: a solid bar never passes an algorithm outside its group.
"""

from dataclasses import dataclass

from bakeoff.figures.geometry.axis import Axis, axis_title, draw_axis
from bakeoff.figures.geometry.comparison.bars import LEVEL, ambiguous, draw_groups, levels_of
from bakeoff.figures.geometry.comparison.comparison_view import ComparisonView
from bakeoff.figures.geometry.comparison.legend import comparison_drawing, control_keys, group_keys, verdict_mark
from bakeoff.figures.geometry.metrics import text_width
from bakeoff.figures.geometry.primitives import LABEL, MARGIN, SMALL, Anchor, Drawing, Item, Stroke, Text
from bakeoff.numerals import as_rank

MOST = 24  # algorithms; more leaders and bars cannot be followed by eye
_PITCH = 9.0  # from label to label
_MOST_LEVELS = 10
_MARK = 7.0  # room of a verdict mark
_STUB = 4.0  # the shortest level part of a leader


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gutters:
    """Where the names end on the left and begin on the right, and the axis between them."""

    left: float
    right: float
    axis: Axis


def cd_diagram(view: ComparisonView, width: float) -> Drawing | None:
    """The diagram, or None: too many algorithms, names that do not fit, or ambiguous groups."""
    if view.k > MOST:
        return None
    gutters = _gutters(view, width)
    if gutters is None or ambiguous(view, gutters.axis):
        return None
    levels = levels_of(view, gutters.axis)
    if len(levels) > _MOST_LEVELS:
        return None
    items, y = _head(view, gutters.axis, width)
    bars, below = draw_groups(view, gutters.axis, levels, y) if view.control is None else _interval(view, gutters, y)
    labels, below = _labels(view, gutters, y, below)
    items += labels + bars  # bars over leaders
    keys = control_keys(view) if view.control is not None else group_keys(view)
    return comparison_drawing("line", view, items, keys, below + 2, width)


def _gutters(view: ComparisonView, width: float) -> _Gutters | None:
    """The longest axis for which every algorithm lies between the names at the left and those at the right.

    With s points for the whole axis, low end at L and the algorithms at L + f·s: L ≥ margin, L + s ≤ width −
    margin, L + f_first·s ≥ left gutter, L + f_last·s ≤ right gutter. The four bounds on s follow by elimination.
    """
    half = (view.k + 1) // 2
    rooms = [_room(view, i) for i in range(view.k)]
    left, right = MARGIN + max(rooms[:half]), width - MARGIN - max(rooms[half:])
    low, high = _limits(view)
    first, last = ((view.values[i] - low) / (high - low) for i in (0, -1))
    # a tick's number is centred on the axis' end
    margin = MARGIN + text_width(f"{high:.0f}" if low == 1 else f"{high:.1f}", SMALL) / 2
    edge = width - margin
    bounds = [edge - margin]
    bounds += [(right - margin) / last] if last > 0 else []
    bounds += [(edge - left) / (1 - first)] if first < 1 else []
    bounds += [(right - left) / (last - first)] if last > first else []
    length = min(bounds)
    if right < left or length < max(0.3 * width, 4.0 * (view.k - 1)):
        return None
    start = (max(margin, left - first * length) + min(edge - length, right - last * length)) / 2
    return _Gutters(left=left, right=right, axis=Axis(low=low, high=high, left=start, right=start + length))


def _limits(view: ComparisonView) -> tuple[float, float]:
    """The axis' ends: 1 to k for mean ranks; for aligned ranks the range of the data, a little widened."""
    low, high = view.values[0], view.values[-1]
    if view.ranking in ("friedman", "quade"):
        return 1.0, float(view.k)
    pad = max(0.05 * (high - low), 0.02 * abs(high), 0.5)
    return low - pad, high + pad


def _room(view: ComparisonView, i: int) -> float:
    """Points a label takes: name, column of mean ranks, and the mark where there is a control, up to its leader."""
    mark = _MARK if view.control is not None else 0.0
    return text_width(view.labels[i], LABEL, i == view.control) + _value_width(view) + 6.0 + mark + _STUB


def _value_width(view: ComparisonView) -> float:
    return text_width(as_rank(view.values[-1]), SMALL)


def _head(view: ComparisonView, axis: Axis, width: float) -> tuple[list[Item], float]:
    """Critical difference, axis title and axis; and the axis' y."""
    items: list[Item] = []
    y = MARGIN
    cd = view.critical_difference
    if cd is not None:
        bar, y = _ruler(cd * axis.points_per_unit, f"CD = {as_rank(cd)}", y, width, axis.left)
        items += bar
    y += 20.0
    title = axis_title(axis, y, f"{view.axis_title} (best at the left)", width - MARGIN)
    return [*items, title, *draw_axis(axis, y)], y


def _ruler(length: float, words: str, y: float, width: float, left: float) -> tuple[list[Item], float]:
    """A bar as long as the critical difference, from the axis' beginning if it fits, with its number beside it."""
    room = text_width(words, SMALL) + 4
    text_y = y + 6
    if length + room + 2 * MARGIN > width:
        longer = Text(x=left, y=text_y, text=f"{words} (longer than this page)", role="CD label")
        return [longer], y + 9
    x = min(left, width - MARGIN - length - room)
    mid = text_y - 2.3
    ends = [Stroke(x1=e, y1=mid - 2, x2=e, y2=mid + 2, width=0.8, role="CD end") for e in (x, x + length)]
    return [
        Stroke(x1=x, y1=mid, x2=x + length, y2=mid, width=0.8, role="CD"),
        *ends,
        Text(x=x + length + 4, y=text_y, text=words, role="CD label"),
    ], y + 10


def _interval(view: ComparisonView, gutters: _Gutters, y: float) -> tuple[list[Item], float]:
    """One critical difference to either side of the control (Demšar's Figure 1(b)); nothing without one."""
    cd, axis = view.critical_difference, gutters.axis
    if cd is None or view.control is None:
        return [], y + 3
    centre, about = view.values[view.control], (view.names[view.control],)
    left, right = max(axis.x(centre - cd), axis.left), min(axis.x(centre + cd), axis.right)
    y += 5
    items: list[Item] = [
        Stroke(x1=left, y1=y, x2=right, y2=y, width=2.4, colour="accent", role="interval", about=about)
    ]
    for end in (centre - cd, centre + cd):  # an end beyond the axis stays open
        if axis.low <= end <= axis.high:
            x = axis.x(end)
            items.append(Stroke(x1=x, y1=y - 3, x2=x, y2=y + 3, width=1.0, colour="accent", role="interval end"))
    return items, y + LEVEL


def _labels(view: ComparisonView, gutters: _Gutters, axis_y: float, y: float) -> tuple[list[Item], float]:
    """Names with their mean ranks, outermost on top, and the leaders from the axis to them."""
    half = (view.k + 1) // 2
    items: list[Item] = []
    for i in range(view.k):
        row = i if i < half else view.k - 1 - i
        items += _label(view, gutters, i, i < half, axis_y, y + 5 + row * _PITCH)
    return items, y + 5 + (half - 1) * _PITCH + 6


def _label(view: ComparisonView, gutters: _Gutters, i: int, left: bool, axis_y: float, y: float) -> list[Item]:
    x, about = gutters.axis.x(view.values[i]), (view.names[i],)
    edge, side = (gutters.left - _STUB, -1) if left else (gutters.right + _STUB, 1)
    items: list[Item] = [
        Stroke(x1=x, y1=axis_y, x2=x, y2=y, role="leader", about=about),
        Stroke(x1=x, y1=y, x2=edge, y2=y, role="leader", about=about),
    ]
    if view.control is not None:
        items.append(verdict_mark(view, i, edge + side * 2.5, y))
        edge += side * _MARK
    column = _value_width(view)
    value_end = edge - 2.0 if left else edge + 2.0 + column
    name_at = edge + side * (6.0 + column)
    anchor: Anchor = "end" if left else "start"
    name, value, bold = view.labels[i], as_rank(view.values[i]), i == view.control
    return [
        *items,
        Text(x=value_end, y=y + 2.3, text=value, anchor="end", colour="grey", role="value", about=about),
        Text(x=name_at, y=y + 2.4, text=name, size=LABEL, anchor=anchor, bold=bold, role="label", about=about),
    ]
