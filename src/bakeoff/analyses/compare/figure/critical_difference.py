"""The critical difference diagram: algorithms on an axis of mean ranks, best at the left (Demšar 2006, Fig. 1).

Bars join algorithms that were not shown to differ. A group that is no interval of the ranking gets a dot on each
member and a thin dashed line across the others: a solid bar never passes an algorithm outside its group.
"""

import math

from bakeoff.analyses.compare.figure.comparison_view import (
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
from bakeoff.figures.geometry.metrics import broken, text_width
from bakeoff.figures.geometry.primitives import LABEL, MARGIN, SMALL, Anchor, Drawing, Item, Mark, Stroke, Text
from bakeoff.numerals import as_rank

MOST = 24  # algorithms; more leaders and bars cannot be followed by eye
_PITCH = 9.0  # from label to label
_MOST_LEVELS = 10
_MARK = 7.0  # room of a verdict mark
_STUB = 4.0  # the shortest level part of a leader
_LEADING = 8.2  # between the lines of one name
_APART = 2.4  # more, around a name of several lines
_NAME_LIMITS = (math.inf, 0.36, 0.26)  # of the width, for a line of a name
_WIDE_AXIS = 0.6  # of the width: wide enough not to try further
_SHORTEST_AXIS = 0.3
LEVEL = 4.6  # points from bar to bar
_DISTINCT = 1.6  # a member and a non-member of a group closer than this cannot be told apart
_OVERSHOOT = 2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layout:
    """The axis, and where the labels stand: lines, side of the leader, and rows from the top, of each."""

    axis: Axis
    lines: tuple[tuple[str, ...], ...]
    sides: tuple[int, ...]  # -1: left of the leader
    columns: dict[int, float]  # by side: where the labels begin that have room there


def cd_diagram(view: ComparisonView, width: float) -> Drawing | None:
    """The diagram, or None: too many algorithms, names that do not fit, or ambiguous groups."""
    if view.k > MOST:
        return None
    layout = _layout(view, width)
    if layout is None or ambiguous(view, layout.axis):
        return None
    levels = levels_of(view, layout.axis)
    if len(levels) > _MOST_LEVELS:
        return None
    items, y = _head(view, layout.axis, width)
    if view.control is None:
        bars, below = draw_groups(view, layout.axis, levels, y)
    else:
        bars, below = _interval(view, layout.axis, y)
    labels, below = _labels(view, layout, y, below)
    items += labels + bars  # bars over leaders
    keys = control_keys(view) if view.control is not None else group_keys(view)
    return comparison_drawing("line", view, items, keys, below + 2, width)


def _layout(view: ComparisonView, width: float) -> _Layout | None:
    """The first layout whose axis takes most of the page, else the one with the longest axis.

    The better half of the names at the left and the others at the right, then with long names in several lines, then
    all of them at one side, each beside its own leader: that leaves the other side to the axis.
    """
    half = (view.k + 1) // 2
    halves, lefts, rights = (-1,) * half + (1,) * (view.k - half), (-1,) * view.k, (1,) * view.k
    layouts: list[_Layout] = []
    tried = [(halves, limit, aligned) for limit in _NAME_LIMITS for aligned in (True, False)]
    tried += [(side, limit, False) for side in (lefts, rights) for limit in _NAME_LIMITS]
    for sides, limit, aligned in tried:
        layout = _placed(view, width, sides, limit * width, aligned)
        if layout is not None and layout.axis.right - layout.axis.left >= _WIDE_AXIS * width:
            return layout
        layouts += [layout] if layout is not None else []
    return max(layouts, key=lambda layout: layout.axis.right - layout.axis.left, default=None)


def _placed(view: ComparisonView, width: float, sides: tuple[int, ...], limit: float, aligned: bool) -> _Layout | None:
    """The longest axis for which every label has room beside its leader; None if that is too short to be read.

    ``aligned``: the labels of a side end at one line, and every leader lies beyond it.

    With s points for the whole axis, its low end at L and algorithm i at L + f_i·s: labels at the left bound L + f_i·s
    from below, those at the right from above, and so do the page's edges with f = 0 and f = 1. Every pair of a lower
    and an upper bound bounds s (Fourier–Motzkin elimination of L).
    """
    bold = [i == view.control for i in range(view.k)]
    lines = tuple(tuple(broken(name, limit, LABEL, bold[i])) for i, name in enumerate(view.labels))
    rooms = [_room(view, lines[i], bold[i]) for i in range(view.k)]
    widest = {side: max((rooms[i] for i in range(view.k) if sides[i] == side), default=0.0) for side in (-1, 1)}
    if aligned:
        rooms = [widest[side] for side in sides]
    low, high = _limits(view)
    at = [(value - low) / (high - low) for value in view.values]
    # a tick's number is centred on the axis' end
    number = view.number(high) if view.sign else f"{high:.0f}" if low == 1 else f"{high:.1f}"
    margin = MARGIN + text_width(number, SMALL) / 2
    lower = [(0.0, margin), *((at[i], MARGIN + rooms[i]) for i in range(view.k) if sides[i] < 0)]
    upper = [(1.0, width - margin), *((at[i], width - MARGIN - rooms[i]) for i in range(view.k) if sides[i] > 0)]
    length = min((b - a) / (g - f) for f, a in lower for g, b in upper if g > f)
    first, last = max(a - f * length for f, a in lower), min(b - g * length for g, b in upper)
    if first > last + 1e-6 or length < max(_SHORTEST_AXIS * width, 4.0 * (view.k - 1)):
        return None
    start = (first + last) / 2
    axis = Axis(low=low, high=high, left=start, right=start + length, sign=view.sign)
    columns = {-1: MARGIN + widest[-1], 1: width - MARGIN - widest[1]}
    return _Layout(axis=axis, lines=lines, sides=sides, columns=columns)


def _limits(view: ComparisonView) -> tuple[float, float]:
    """The axis' ends: 1 to k for mean ranks; for aligned ranks and means the range of the data, a little widened."""
    low, high = view.values[0], view.values[-1]
    if view.sign:
        pad = 0.05 * (high - low or abs(high) or 1.0)
        return low - pad, high + pad
    ranking = view.comparison.ranking
    estimated = ranking == "skillings-mack" and low >= 1.0 and high <= view.k
    if ranking in ("friedman", "quade") or estimated:
        return 1.0, float(view.k)
    pad = max(0.05 * (high - low), 0.02 * abs(high), 0.5)
    return low - pad, high + pad


def _room(view: ComparisonView, lines: tuple[str, ...], bold: bool) -> float:
    """Points a label takes: name, column of mean ranks, and the mark where there is a control, up to its leader."""
    mark = _MARK if view.control is not None else 0.0
    return max(text_width(line, LABEL, bold) for line in lines) + _value_width(view) + 6.0 + mark + _STUB


def _value_width(view: ComparisonView) -> float:
    return max(text_width(view.number(value), SMALL) for value in (view.values if view.sign else view.values[-1:]))


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


def _interval(view: ComparisonView, axis: Axis, y: float) -> tuple[list[Item], float]:
    """One critical difference to either side of the control (Demšar's Figure 1(b)); nothing without one."""
    cd = view.critical_difference
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


def _labels(view: ComparisonView, layout: _Layout, axis_y: float, y: float) -> tuple[list[Item], float]:
    """Names with their mean ranks, outermost on top, and the leaders from the axis to them."""
    items: list[Item] = []
    bottom = y
    for side, outermost_first in ((-1, range(view.k)), (1, range(view.k - 1, -1, -1))):
        below = y + 0.5
        for i in outermost_first:
            if layout.sides[i] == side:
                height = _PITCH + (_LEADING * (n - 1) + _APART if (n := len(layout.lines[i])) > 1 else 0.0)
                items += _label(view, layout, i, axis_y, below + height / 2)
                below += height
        bottom = max(bottom, below)
    return items, bottom + 1.5


def _label(view: ComparisonView, layout: _Layout, i: int, axis_y: float, y: float) -> list[Item]:
    x, about, side = layout.axis.x(view.values[i]), (view.names[i],), layout.sides[i]
    left = side < 0
    one_sided = len(set(layout.sides)) == 1  # every label beside its own leader
    column = layout.columns[side] + side * _STUB
    edge = x + side * _STUB
    if not one_sided:
        edge = min(edge, column) if left else max(edge, column)
    items: list[Item] = [
        Stroke(x1=x, y1=axis_y, x2=x, y2=y, role="leader", about=about),
        Stroke(x1=x, y1=y, x2=edge, y2=y, role="leader", about=about),
    ]
    if view.control is not None:
        items.append(verdict_mark(view, i, edge + side * 2.5, y))
        edge += side * _MARK
    digits = _value_width(view)
    value_end = edge - 2.0 if left else edge + 2.0 + digits
    name_at = edge + side * (6.0 + digits)
    anchor: Anchor = "end" if left else "start"
    lines, bold = layout.lines[i], i == view.control
    hint = view.labels[i] if len(lines) > 1 else ""
    top = y + 2.4 - _LEADING * (len(lines) - 1) / 2
    value = view.number(view.values[i])
    items.append(Text(x=value_end, y=y + 2.3, text=value, anchor="end", colour="grey", role="value", about=about))
    for n, line in enumerate(lines):
        items.append(Text(x=name_at, y=top + n * _LEADING, text=line, size=LABEL, anchor=anchor, bold=bold,
                          role="label" if n == 0 else "label continued", about=about, hint=hint))  # fmt: skip
    return items


# --- bars that join algorithms not shown to differ ---------------------------------------------------------------


def ambiguous(view: ComparisonView, axis: Axis) -> bool:
    """Whether a member of some group lies too close to a non-member for a bar to separate them."""
    xs = [axis.x(value) for value in view.values]
    for group in view.groups:
        others = set(range(view.k)).difference(group)
        if any(abs(xs[i] - xs[j]) < _DISTINCT for i in group for j in others):
            return True
    return False


def levels_of(view: ComparisonView, axis: Axis) -> list[list[Group]]:
    """Groups by level, so that bars on one level do not touch."""
    xs = [axis.x(value) for value in view.values]
    return packed(view.groups, lambda last, first: xs[first] - xs[last] > 2 * _OVERSHOOT + 3)


def draw_groups(view: ComparisonView, axis: Axis, levels: list[list[Group]], y: float) -> tuple[list[Item], float]:
    """A row of bars per level, from ``y`` downwards, and the y where they end."""
    items: list[Item] = []
    for i, level in enumerate(levels):
        for group in level:
            items += _bar(view, axis, group, y + 5 + i * LEVEL)
    return items, y + 5 + len(levels) * LEVEL


def _bar(view: ComparisonView, axis: Axis, group: Group, y: float) -> list[Item]:
    xs = [axis.x(value) for value in view.values]
    runs = stretches(group)
    broken = len(runs) > 1  # a bar is extended into free space only, and not where it is broken
    ends = [
        (xs[first] - (0.0 if broken else _spare(xs, first, -1)), xs[last] + (0.0 if broken else _spare(xs, last, 1)))
        for first, last in runs
    ]
    items = group_bars(view, group, ends, lambda left, right, **look: Stroke(x1=left, y1=y, x2=right, y2=y, **look))
    hint = f"not shown to differ: {', '.join(view.labels[i] for i in group)}"
    if broken:
        items += [Mark(x=xs[i], y=y, radius=1.7, role="member", about=(view.names[i],), hint=hint) for i in group]
    return items


def _spare(xs: list[float], end: int, side: int) -> float:
    """The distance that a bar may extend past its last member without approaching the next algorithm."""
    beyond = end + side
    if not 0 <= beyond < len(xs):
        return _OVERSHOOT
    return min(_OVERSHOOT, abs(xs[beyond] - xs[end]) / 3)
