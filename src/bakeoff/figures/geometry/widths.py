"""Widths of a diagram: the one asked for, else the columns of a journal, in points."""

from collections.abc import Callable, Sequence

from bakeoff.figures.geometry.primitives import POINTS_PER_MM, Drawing

COLUMN_MM, MEDIUM_MM, PAGE_MM = 80.0, 120.0, 180.0  # one column of a journal, one and a half, two

Width = float | None  # in millimetres; None: the diagram chooses


def widths(width_mm: Width, usual: Sequence[float] = (COLUMN_MM, MEDIUM_MM, PAGE_MM)) -> list[float]:
    """In points: the width asked for, else the usual ones, narrowest first."""
    return [width * POINTS_PER_MM for width in (usual if width_mm is None else (width_mm,))]


def width_of(width_mm: Width, usual: float = COLUMN_MM) -> float:
    """In points: the width asked for, else the usual one."""
    return widths(width_mm, (usual,))[0]


def narrowest(draw: Callable[[float, bool], Drawing | None], tried: list[float]) -> Drawing:
    """The first width in which ``draw`` can show whole names (True); else the last one, with shortened names."""
    for width in tried:
        drawing = draw(width, True)
        if drawing is not None:
            return drawing
    shortened = draw(tried[-1], False)
    assert shortened is not None
    return shortened
