"""Bars under the axis that join algorithms not shown to differ."""

from itertools import pairwise

from bakeoff.analyses.compare.figure.comparison_view import ComparisonView, Group, packed, stretches
from bakeoff.figures.geometry.axis import Axis
from bakeoff.figures.geometry.primitives import Item, Mark, Stroke

LEVEL = 4.6  # points from bar to bar
_APART = 1.6  # a member and a non-member of a group closer than this cannot be told apart
_OVERSHOOT = 2.0


def ambiguous(view: ComparisonView, axis: Axis) -> bool:
    """Whether a member of some group lies too close to a non-member for a bar to separate them."""
    xs = [axis.x(value) for value in view.values]
    for group in view.groups:
        others = set(range(view.k)).difference(group)
        if any(abs(xs[i] - xs[j]) < _APART for i in group for j in others):
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
    about = tuple(view.names[i] for i in group)
    hint = f"not shown to differ: {', '.join(view.labels[i] for i in group)}"
    runs = stretches(group)
    broken = len(runs) > 1
    items: list[Item] = []
    for first, last in runs:
        # extended into free space only, and not where the bar is broken
        left = xs[first] - (0.0 if broken else _spare(xs, first, -1))
        right = xs[last] + (0.0 if broken else _spare(xs, last, 1))
        if right > left:
            items.append(Stroke(x1=left, y1=y, x2=right, y2=y, width=2.2, role="group", about=about, hint=hint))
    for (_, last), (first, _) in pairwise(runs):
        left, right = xs[last], xs[first]
        items.append(Stroke(x1=left, y1=y, x2=right, y2=y, width=0.6, dashed=True, role="gap", about=about, hint=hint))
    if broken:
        items += [Mark(x=xs[i], y=y, radius=1.7, role="member", about=(view.names[i],), hint=hint) for i in group]
    return items


def _spare(xs: list[float], end: int, side: int) -> float:
    """How far a bar may extend past its last member without approaching the next algorithm."""
    beyond = end + side
    if not 0 <= beyond < len(xs):
        return _OVERSHOOT
    return min(_OVERSHOOT, abs(xs[beyond] - xs[end]) / 3)
