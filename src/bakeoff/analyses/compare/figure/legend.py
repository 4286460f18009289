"""Marks for verdicts against a control, legend entries, and what stands around every diagram of a comparison."""

from bakeoff.analyses.compare.figure.comparison_view import (
    ALIKE,
    BETTER,
    UNKNOWN,
    WORSE,
    ComparisonView,
    caption,
    description,
    stretches,
    title,
)
from bakeoff.figures.geometry.metrics import shorten
from bakeoff.figures.geometry.notes import Key, captioned, draw_keys
from bakeoff.figures.geometry.primitives import SMALL, Drawing, Item, Mark, Shape


def verdict_mark(view: ComparisonView, position: int, x: float, y: float, radius: float = 2.0) -> Mark:
    """The verdict on one algorithm against the control, coded by shape."""
    shape, filled, _ = _style(view, position)
    return Mark(x=x, y=y, shape=shape, filled=filled, radius=radius, role="verdict", about=(view.names[position],))


def _style(view: ComparisonView, position: int) -> tuple[Shape, bool, str]:
    assert view.control is not None
    control = shorten(view.labels[view.control], 90.0, SMALL)
    if position == view.control:
        return "square", True, "control"
    styles: dict[int, tuple[Shape, bool, str]] = {
        WORSE: ("up", True, f"better than {control}"),
        BETTER: ("down", True, f"worse than {control}"),
        ALIKE: ("circle", False, f"not shown to differ from {control}"),
        UNKNOWN: ("cross", True, f"cannot be told apart from {control}"),
    }
    return styles[int(view.verdicts[view.control, position])]


def control_keys(view: ComparisonView) -> list[Key]:
    """The marks in use, in the order control, better, worse, undecided; and the interval around the control."""
    used = {_style(view, i) for i in range(view.k)}
    order: tuple[Shape, ...] = ("square", "up", "down", "circle", "cross")
    keys = [
        Key(words=words, mark=Mark(x=0, y=0, shape=shape, filled=filled, role="key"))
        for shape, filled, words in sorted(used, key=lambda style: order.index(style[0]))
    ]
    return keys if view.critical_difference is None else [*keys, Key(words="control ± CD", bar="interval")]


def group_keys(view: ComparisonView) -> list[Key]:
    """What the bars mean, and their dashes where there are any."""
    if not view.groups:
        return []
    broken = any(len(stretches(group)) > 1 for group in view.groups)
    return [
        Key(words="joined: not shown to differ" + (" (dashed: skips those between)" if broken else ""), bar="group")
    ]


def comparison_drawing(
    form: str, view: ComparisonView, items: list[Item], keys: list[Key], y: float, width: float, more: str = ""
) -> Drawing:
    """The drawing of ``items``, with legend and caption (and ``more``) from ``y`` downwards."""
    legend, below = draw_keys(keys, y, width)
    return captioned(
        items + legend, caption(view) + more, below, width, form=form, title=title(view), description=description(view)
    )
