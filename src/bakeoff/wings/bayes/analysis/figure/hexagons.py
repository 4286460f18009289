"""Hexagonal binning of draws in the plane, shaded by highest-density content."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bakeoff.figures.geometry.primitives import Point

Array = npt.NDArray[np.float64]

BANDS = (0.95, 0.75, 0.5, 0.25)  # lightest first: cells beyond the densest 95 % of the draws have the lightest shade


def hexagons(x: Array, y: Array, spacing: float) -> tuple[Array, npt.NDArray[np.int64]]:
    """Centres (m, 2) of the cells that hold a draw, and how many each holds.

    The centres are two rectangular lattices, each shifted by half a cell against the other; a draw belongs to the
    nearer of its two candidates.
    """
    height = spacing * 3**0.5
    u, v = x / spacing, y / height
    even = np.stack([np.round(u), np.round(v)], axis=1)
    odd = np.stack([np.floor(u) + 0.5, np.floor(v) + 0.5], axis=1)
    place = np.stack([u, v], axis=1)
    scale = np.array([spacing, height])
    nearer = (((place - even) * scale) ** 2).sum(axis=1) <= (((place - odd) * scale) ** 2).sum(axis=1)
    doubled = np.where(nearer[:, None], 2 * even, 2 * odd).astype(np.int64)
    cells, counts = np.unique(doubled, axis=0, return_counts=True)
    return cells / 2 * scale, counts


def shades(counts: npt.NDArray[np.int64]) -> list[int]:
    """0 (sparse) to 4 (dense) per cell: 4 where the denser cells hold less than a quarter of all draws."""
    order = np.argsort(-counts, kind="stable")
    before = np.empty(len(counts))
    before[order] = (np.cumsum(counts[order]) - counts[order]) / counts.sum()
    # cells that hold equally many are equally dense
    first = {int(c): float(before[i]) for i, c in reversed(list(zip(order, counts[order], strict=True)))}
    return [sum(first[int(c)] < band for band in BANDS) for c in counts]


def hexagon(centre: Sequence[float], spacing: float) -> list[Point]:
    """The corners of a cell, point upwards."""
    cx, cy = float(centre[0]), float(centre[1])
    r = spacing / 3**0.5
    half = spacing / 2
    return [(cx, cy - r), (cx + half, cy - r / 2), (cx + half, cy + r / 2), (cx, cy + r), (cx - half, cy + r / 2),
            (cx - half, cy - r / 2)]  # fmt: skip


def clipped(polygon: Sequence[Point], border: Sequence[Point]) -> list[Point]:
    """The part of a convex ``polygon`` inside a convex ``border`` given clockwise on the page (y downwards)."""
    kept = list(polygon)
    for (x1, y1), (x2, y2) in zip(border, (*border[1:], border[0]), strict=True):
        sides = [(x2 - x1) * (y - y1) - (y2 - y1) * (x - x1) for x, y in kept]
        cut: list[Point] = []
        for i, (point, side) in enumerate(zip(kept, sides, strict=True)):
            before, was = kept[i - 1], sides[i - 1]
            if (side >= 0) != (was >= 0):
                t = was / (was - side)
                cut.append((before[0] + t * (point[0] - before[0]), before[1] + t * (point[1] - before[1])))
            if side >= 0:
                cut.append(point)
        kept = cut
    return kept
