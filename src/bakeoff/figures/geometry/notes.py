"""The lines under a diagram: the legend of the marks in use, and the caption."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bakeoff.figures.geometry.axis import MARGIN, SMALL
from bakeoff.figures.geometry.comparison.comparison_view import ALIKE, BETTER, UNKNOWN, WORSE, Facts, stretches
from bakeoff.figures.geometry.metrics import shorten, text_width, wrap
from bakeoff.figures.geometry.primitives import Box, Colour, Item, Line, Mark, Shape, Text

LEADING = 8.2  # points from line to line
_GAP = 9.0  # between two entries of a legend
_KEY = 8.0  # room of a mark before its words


def verdict_mark(facts: Facts, position: int, x: float, y: float, radius: float = 2.0) -> Mark:
    """What is known of one algorithm against the control: the shape says it, in black."""
    shape, filled, _ = _style(facts, position)
    return Mark(x=x, y=y, shape=shape, filled=filled, radius=radius, role="verdict", about=(facts.names[position],))


def _style(facts: Facts, position: int) -> tuple[Shape, bool, str]:
    assert facts.control is not None
    control = shorten(facts.labels[facts.control], 90.0, SMALL)
    if position == facts.control:
        return "square", True, "control"
    styles: dict[int, tuple[Shape, bool, str]] = {
        WORSE: ("up", True, f"better than {control}"),
        BETTER: ("down", True, f"worse than {control}"),
        ALIKE: ("circle", False, f"not shown to differ from {control}"),
        UNKNOWN: ("cross", True, f"cannot be told apart from {control}"),
    }
    return styles[int(facts.verdicts[facts.control, position])]


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One entry of a legend: a mark, a bar, or a cell of the matrix, and its words."""

    words: str
    mark: Mark | None = None
    bar: Literal["", "interval", "rank", "group"] = ""
    cell: Colour | None = None
    struck: bool = False


def control_keys(facts: Facts) -> list[Key]:
    """The marks that occur, in the order control, better, worse, undecided; and the interval around the control."""
    used = {_style(facts, i) for i in range(facts.k)}
    order: tuple[Shape, ...] = ("square", "up", "down", "circle", "cross")
    keys = [
        Key(words=words, mark=Mark(x=0, y=0, shape=shape, filled=filled, role="key"))
        for shape, filled, words in sorted(used, key=lambda style: order.index(style[0]))
    ]
    return keys if facts.critical_difference is None else [*keys, Key(words="control ± CD", bar="interval")]


def group_keys(facts: Facts) -> list[Key]:
    """What the bars mean, and their dashes where there are any."""
    if not facts.groups:
        return []
    broken = any(len(stretches(group)) > 1 for group in facts.groups)
    return [Key(words="joined: not shown to differ" + (" (dashed: past others)" if broken else ""), bar="group")]


def draw_keys(keys: list[Key], y: float, width: float) -> tuple[list[Item], float]:
    """The legend from ``y`` downwards in as many lines as it needs; and where it ends."""
    items: list[Item] = []
    x, line = MARGIN, y
    for key in keys:
        words = shorten(key.words, width - 2 * MARGIN - _KEY, SMALL)
        needed = _KEY + text_width(words, SMALL)
        if x > MARGIN and x + needed > width - MARGIN:
            x, line = MARGIN, line + LEADING
        items += _key_shape(key, x, line + 0.5 * LEADING)
        items.append(Text(x=x + _KEY, y=line + 0.5 * LEADING + 2.3, text=words, size=SMALL, role="legend"))
        x += needed + _GAP
    return items, line + LEADING if keys else y


def _key_shape(key: Key, x: float, y: float) -> list[Item]:
    if key.mark is not None:
        mark = key.mark
        return [Mark(x=x + 3, y=y, shape=mark.shape, filled=mark.filled, radius=2.0, role="key")]
    if key.bar == "group":
        return [Line(x1=x, y1=y, x2=x + 6, y2=y, width=2.2, role="key")]
    if key.bar:
        bar = Line(x1=x, y1=y, x2=x + 6, y2=y, width=1.4, colour="accent", role="key")
        return [bar, Mark(x=x + 3, y=y, radius=1.4, role="key")] if key.bar == "rank" else [bar]
    items: list[Item] = [Box(x=x, y=y - 2.5, width=6, height=5, fill=key.cell or "white", edge="grey", role="key")]
    if key.struck:
        items.append(Line(x1=x, y1=y, x2=x + 6, y2=y, width=0.7, colour="grey", dashed=True, role="key"))
    return items


def draw_caption(text: str, y: float, width: float) -> tuple[list[Item], float]:
    """The caption from ``y`` downwards; and where it ends."""
    items: list[Item] = []
    for line in wrap(text, width - 2 * MARGIN, SMALL):
        items.append(Text(x=MARGIN, y=y + 6, text=line, size=SMALL, colour="grey", role="caption"))
        y += LEADING
    return items, y
