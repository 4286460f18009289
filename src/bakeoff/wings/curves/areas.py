"""Marks and legends of many lines, beside the small areas that all drawings share."""

from collections.abc import Sequence

from bakeoff.figures.geometry.areas import (
    TOP as TOP,
    Area as Area,
    Sizes as Sizes,
    area_frames as area_frames,
    draw_area_axes as draw_area_axes,
)
from bakeoff.figures.geometry.notes import Key, Look, draw_keys, mark_keys
from bakeoff.figures.geometry.primitives import Item

MARKS: tuple[Look, ...] = (
    *(("circle", True, "black"), ("square", True, "accent"), ("up", False, "black"), ("down", True, "accent")),
    *(("circle", False, "accent"), ("square", False, "black"), ("up", True, "accent"), ("down", False, "black")),
)
MARKED = len(MARKS)  # algorithms with a mark of their own; the others are thin lines
PER_LINE = 5  # marks on each curve
BEHIND = 12  # algorithms; of more, one curve alone stands for all behind each
PAGE = 600.0  # points: all rows are on one page, unless areas would be too low to read


def draw_legend(words: Sequence[str], others: int, y: float, width: float) -> tuple[list[Item], float]:
    """The marks with their words, and how many lines have none; and where the legend ends."""
    more = [Key(words=f"{others} others", cell="light")] if others > 0 else []
    return draw_keys([*mark_keys(words, MARKS), *more], y, width)
