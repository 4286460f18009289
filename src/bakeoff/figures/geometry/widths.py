"""Widths of a diagram: the one asked for, else the columns of a journal, in points."""

from __future__ import annotations

from collections.abc import Iterator

from bakeoff.figures.geometry.primitives import POINTS_PER_MM

COLUMN_MM, MEDIUM_MM, PAGE_MM = 80.0, 120.0, 180.0  # one column of a journal, one and a half, two

Width = float | None  # in millimetres; None: the diagram chooses


def common_widths(width_mm: Width) -> Iterator[float]:
    """In points: the width asked for, else from a column to a page."""
    for width in (COLUMN_MM, MEDIUM_MM, PAGE_MM) if width_mm is None else (width_mm,):
        yield width * POINTS_PER_MM


def medium_width(width_mm: Width) -> float:
    """In points: the width asked for, else one and a half columns."""
    return (MEDIUM_MM if width_mm is None else width_mm) * POINTS_PER_MM
