"""The posterior of one pair: draws in a triangle of hexagons, a corner per outcome, or a density on a line.

A draw is a possible population of problems, plotted by its three shares in barycentric coordinates: a better,
practically equivalent, b better. Dashed lines bound the regions in which each share is the largest. Without a region
of equivalence, the share of b is drawn as a density on a line.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bakeoff.errors import counted
from bakeoff.figures.geometry.axis import Axis, axis_title, draw_axis
from bakeoff.figures.geometry.metrics import printable, shorten
from bakeoff.figures.geometry.notes import Key, captioned, draw_keys
from bakeoff.figures.geometry.primitives import (
    LABEL,
    MARGIN,
    TINTS,
    Anchor,
    Drawing,
    Item,
    Point,
    Polygon,
    Stroke,
    Text,
)
from bakeoff.wings.bayes import SignedRankPosterior
from bakeoff.wings.bayes.statements.wording import chance_phrase

# Hexagonal binning of draws in the plane, shaded by highest-density content.


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


CELLS = 40  # along a side
_BINS = 80
_KEYS = [
    Key(words=words, cell=tint)
    for words, tint in zip(("densest 25 % of the draws", "50 %", "75 %", "95 %", "all"), reversed(TINTS), strict=True)
]


def shares_diagram(posterior: SignedRankPosterior, width: float) -> Drawing:
    """The triangle, or the strip where nothing counts as equivalent."""
    return _triangle(posterior, width) if posterior.rope > 0 else _strip(posterior, width)


def _triangle(posterior: SignedRankPosterior, width: float) -> Drawing:
    top = MARGIN + 2.4 * LABEL + 3
    left, right = MARGIN + 8.0, width - MARGIN - 8.0
    base = top + (right - left) * 3**0.5 / 2
    corners = ((left, base), ((left + right) / 2, top), (right, base))  # a better, equivalent, b better
    items = _cells(np.asarray(posterior.draws, dtype=float), corners, (right - left) / CELLS)
    cx, cy = (sum(x for x, _ in corners) / 3, sum(y for _, y in corners) / 3)
    for i, (x, y) in enumerate(corners):
        nx, ny = corners[(i + 1) % 3]
        items.append(Stroke(x1=cx, y1=cy, x2=(x + nx) / 2, y2=(y + ny) / 2, dashed=True, width=0.7, role="border"))
        items.append(Stroke(x1=x, y1=y, x2=nx, y2=ny, width=0.8, role="side"))
    words = _chances(posterior)[1]
    items += _words(corners[1][0], MARGIN + LABEL, "middle", "practically equivalent", words, width, ())
    items += _names(posterior, base, width)
    keys, below = draw_keys(_KEYS, base + 2.4 * LABEL + 8, width)
    more = "P: the probability that this share is the largest; dashed lines: two shares are equal."
    return _drawing("triangle", posterior, items + keys, more, below, width)


def _chances(posterior: SignedRankPosterior) -> list[str]:
    """The chances of a better, practically equivalent, b better."""
    exact = posterior.method == "exact"
    return [chance_phrase(float(share), exact=exact) for share in posterior.shares]


def _cells(draws: Array, corners: tuple[Point, Point, Point], spacing: float) -> list[Item]:
    """Hexagons over the draws, the lightest first, cut at the triangle's sides."""
    place = draws[:, (0, 1, 2)] @ np.array(corners)
    origin = np.array(corners[0])
    centres, counts = hexagons(place[:, 0] - origin[0], place[:, 1] - origin[1], spacing)
    levels = shades(counts)
    items: list[Item] = []
    for i in sorted(range(len(levels)), key=levels.__getitem__):
        outline = clipped(hexagon(centres[i] + origin, spacing), corners)
        if len(outline) > 2:
            tint = TINTS[levels[i]]
            # the edge in the same colour, or neighbours show a seam
            items.append(Polygon(points=tuple(outline), fill=tint, edge=tint, width=0.2, role="cell"))
    return items


def _names(posterior: SignedRankPosterior, y: float, width: float) -> list[Item]:
    """The meaning of the left and the right end."""
    better, _, worse = _chances(posterior)
    ends: tuple[tuple[float, Anchor, str, str], ...] = (
        (MARGIN, "start", printable(posterior.a), better),
        (width - MARGIN, "end", printable(posterior.b), worse),
    )
    items: list[Item] = []
    for x, anchor, name, words in ends:
        items += _words(x, y + LABEL + 3, anchor, f"{name} better", words, width, (name,))
    return items


def _words(
    x: float, y: float, anchor: Anchor, words: str, probability: str, width: float, about: tuple[str, ...]
) -> list[Item]:
    """Two lines: what, and how probable."""
    short = shorten(words, width / 2 - MARGIN - 4 if about else width - 2 * MARGIN, LABEL)
    if about and short != words:  # keep the word, shorten the name
        short = shorten(about[0], width / 2 - MARGIN - 32, LABEL) + " better"
    hint, below = words if short != words else "", y + 1.25 * LABEL
    return [
        Text(x=x, y=y, text=short, size=LABEL, anchor=anchor, role="label", about=about, hint=hint),
        Text(x=x, y=below, text=probability, size=LABEL, anchor=anchor, bold=True, role="probability", about=about),
    ]


def _strip(posterior: SignedRankPosterior, width: float) -> Drawing:
    """The density of b's share from 0 (a better everywhere) to 1."""
    top, bottom = MARGIN + 20.0, MARGIN + 100.0
    axis = Axis(low=0.0, high=1.0, left=MARGIN + 6, right=width - MARGIN - 6)
    draws = np.asarray(posterior.draws, dtype=float)
    shown = draws[:, 2] + draws[:, 1] / 2
    counts = np.histogram(np.clip(shown, 0.0, 1.0), bins=_BINS, range=(0.0, 1.0))[0]
    heights = counts / max(1, counts.max()) * (bottom - top - 6)
    outline: list[Point] = [(axis.left, bottom)]
    for i, height in enumerate(heights):
        outline += [(axis.x(i / _BINS), bottom - height), (axis.x((i + 1) / _BINS), bottom - height)]
    outline.append((axis.right, bottom))
    half = axis.x(0.5)
    items: list[Item] = [
        axis_title(axis, top, "share in favour of the right-hand algorithm", width - MARGIN),
        *draw_axis(axis, top),
        Polygon(points=tuple(outline), fill="tint2", edge="accent", width=0.7, role="density"),
        Stroke(x1=half, y1=top, x2=half, y2=bottom, dashed=True, width=0.7, role="border"),
        Stroke(x1=axis.left, y1=bottom, x2=axis.right, y2=bottom, width=0.8, role="side"),
        *_names(posterior, bottom, width),
    ]
    more = "P: the probability that more than half is in favour (dashed: one half)."
    return _drawing("strip", posterior, items, more, bottom + 2.4 * LABEL + 8, width)


def _drawing(
    form: str, posterior: SignedRankPosterior, items: list[Item], more: str, y: float, width: float
) -> Drawing:
    """The drawing of ``items``; its caption is that of the posterior and ``more``."""
    a, b = printable(posterior.a), printable(posterior.b)
    better, equivalent, worse = _chances(posterior)
    rope = f"within ±{posterior.rope:g}"
    caption = (
        f"Bayesian signed-rank test on {counted(posterior.n_problems, 'problem')}, {posterior.n_draws} draws; "
        f"{f'practically equivalent: {rope}; ' if posterior.rope else ''}prior strength {posterior.prior_strength:g}."
    )
    middle = f" Practically equivalent ({rope}): {equivalent}." if form == "triangle" else ""
    description = f"{a} better: {better}.{middle} {b} better: {worse}. {caption}"
    title = f"Posterior of {a} against {b}"
    return captioned(items, f"{caption} {more}", y, width, form=form, title=title, description=description)
