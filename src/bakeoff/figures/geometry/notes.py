"""Below a diagram: its legend and its caption."""

from collections.abc import Sequence
from typing import Literal, TypeVar

from bakeoff.dataclass import dataclass, replace
from bakeoff.figures.geometry.metrics import shorten, text_width, wrap
from bakeoff.figures.geometry.primitives import MARGIN, SMALL, Box, Colour, Drawing, Item, Mark, Shape, Stroke, Text

Drawing_ = TypeVar("Drawing_", bound=Drawing)

LEADING = 8.2  # points from line to line
_GAP = 9.0  # between two entries of a legend
_KEY = 8.0  # room of a mark before its words


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """An entry of a legend: a mark, a bar or a matrix cell, and its text."""

    words: str
    mark: Mark | None = None
    bar: Literal["", "interval", "rank", "group"] = ""
    cell: Colour | None = None
    struck: bool = False


Look = tuple[Shape, bool, Colour]
"""The look of the marks on a line: their shape, whether they are filled, and their colour."""


def mark_of(look: Look, x: float, y: float, radius: float = 2.0) -> Mark:
    shape, filled, colour = look
    return Mark(x=x, y=y, shape=shape, filled=filled, colour=colour, radius=radius)


def mark_keys(names: Sequence[str], looks: Sequence[Look], radius: float = 2.0) -> list[Key]:
    """A key for each name, with its mark."""
    return [Key(words=name, mark=mark_of(looks[i % len(looks)], 0.0, 0.0, radius)) for i, name in enumerate(names)]


def draw_keys(keys: list[Key], y: float, width: float) -> tuple[list[Item], float]:
    """The legend from ``y`` downwards, and the y where it ends."""
    items: list[Item] = []
    x, line = MARGIN, y
    for key in keys:
        words = shorten(key.words, width - 2 * MARGIN - _KEY, SMALL)
        needed = _KEY + text_width(words, SMALL)
        if x > MARGIN and x + needed > width - MARGIN:
            x, line = MARGIN, line + LEADING
        items += _key_shape(key, x, line + 0.5 * LEADING)
        items.append(Text(x=x + _KEY, y=line + 0.5 * LEADING + 2.3, text=words, role="legend"))
        x += needed + _GAP
    return items, line + LEADING if keys else y


def _key_shape(key: Key, x: float, y: float) -> list[Item]:
    if key.mark is not None:
        mark = key.mark
        return [replace(mark, x=x + 3, y=y, radius=2.0, role="key", about=(), hint="")]
    if key.bar == "group":
        return [Stroke(x1=x, y1=y, x2=x + 6, y2=y, width=2.2, role="key")]
    if key.bar:
        bar = Stroke(x1=x, y1=y, x2=x + 6, y2=y, width=1.4, colour="accent", role="key")
        return [bar, Mark(x=x + 3, y=y, radius=1.4, role="key")] if key.bar == "rank" else [bar]
    items: list[Item] = [Box(x=x, y=y - 2.5, width=6, height=5, fill=key.cell or "white", edge="grey", role="key")]
    if key.struck:
        items.append(Stroke(x1=x, y1=y, x2=x + 6, y2=y, width=0.7, colour="grey", dashed=True, role="key"))
    return items


def captioned(
    items: Sequence[Item],
    caption: str,
    y: float,
    width: float,
    *,
    form: str,
    title: str,
    spoken: str = "",
    description: str = "",
) -> Drawing:
    """The drawing of ``items`` with the caption from ``y`` downwards.

    A screen reader says the caption and then ``spoken``, or the ``description`` instead.
    """
    drawn = list(items)
    for line in wrap(caption, width - 2 * MARGIN, SMALL):
        drawn.append(Text(x=MARGIN, y=y + 6, text=line, colour="grey", role="caption"))
        y += LEADING
    return Drawing(
        width=width,
        height=y + MARGIN,
        form=form,
        title=title,
        items=tuple(drawn),
        description=description or f"{caption} {spoken}".strip(),
    )


def caption_of(drawing: Drawing) -> str:
    """The caption as one text."""
    return " ".join(item.text for item in drawing.items if isinstance(item, Text) and item.role == "caption")


def uncaptioned(drawing: Drawing_) -> Drawing_:
    """Without its caption, which stands at the foot: for documents that print captions themselves."""
    lines = [item.y for item in drawing.items if isinstance(item, Text) and item.role == "caption"]
    if not lines:
        return drawing
    items = tuple(item for item in drawing.items if item.role != "caption")
    return replace(drawing, items=items, height=min(lines) - 6 + MARGIN)
