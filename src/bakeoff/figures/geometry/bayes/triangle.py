"""The posterior of one pair with a region of practical equivalence: draws in a triangle, a corner per outcome.

A draw is a possible population of problems, plotted by its three shares in barycentric coordinates: a better,
practically equivalent, b better. Dashed lines bound the regions in which each share is the largest. Without a region
of equivalence, the share of b is drawn as a density on a line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bakeoff.bayes.statements.wording import chance_phrase
from bakeoff.figures.geometry.axis import LABEL, MARGIN, SMALL, Axis, draw_axis
from bakeoff.figures.geometry.bayes.hexagons import Array, Point, clipped, hexagon, hexagons, shades
from bakeoff.figures.geometry.metrics import printable, shorten
from bakeoff.figures.geometry.notes import Key, draw_caption, draw_keys
from bakeoff.figures.geometry.primitives import TINTS, Anchor, Drawing, Item, Line, Polygon, Text

if TYPE_CHECKING:
    from bakeoff.bayes import SignedRankPosterior

CELLS = 40  # along a side
_BINS = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """What is drawn of a pair; ``draws`` holds shares (better, equivalent, worse) that sum to 1."""

    a: str
    b: str
    draws: Array
    probabilities: tuple[float, float, float]
    exact: bool  # else shares of draws
    rope: float
    caption: str


def shares_of(posterior: SignedRankPosterior) -> Shares:
    """Read the result of ``bayes.signed_rank``."""
    draws = np.asarray(posterior.draws, dtype=float)
    n = posterior.n_problems
    rope = f"practically equivalent: within ±{posterior.rope:g}; " if posterior.rope else ""
    return Shares(
        a=printable(posterior.a),
        b=printable(posterior.b),
        draws=draws,
        probabilities=(float(posterior.p_better), float(posterior.p_equivalent), float(posterior.p_worse)),
        exact=posterior.method == "exact",
        rope=float(posterior.rope),
        caption=f"Bayesian signed-rank test on {n} problem{'' if n == 1 else 's'}, {posterior.n_draws} draws; {rope}"
        f"prior strength {posterior.prior_strength:g}.",
    )


def shares_diagram(posterior: SignedRankPosterior, width: float) -> Drawing:
    """The triangle, or the strip where nothing counts as equivalent."""
    shares = shares_of(posterior)
    return _triangle(shares, width) if shares.rope > 0 else _strip(shares, width)


def _triangle(shares: Shares, width: float) -> Drawing:
    top = MARGIN + 2.4 * LABEL + 3
    left, right = MARGIN + 8.0, width - MARGIN - 8.0
    base = top + (right - left) * 3**0.5 / 2
    corners = ((left, base), ((left + right) / 2, top), (right, base))  # a better, equivalent, b better
    items = _cells(shares.draws, corners, (right - left) / CELLS)
    centre = (sum(x for x, _ in corners) / 3, sum(y for _, y in corners) / 3)
    for i, (x, y) in enumerate(corners):
        nx, ny = corners[(i + 1) % 3]
        items.append(
            Line(x1=centre[0], y1=centre[1], x2=(x + nx) / 2, y2=(y + ny) / 2, dashed=True, width=0.7, role="border")
        )
        items.append(Line(x1=x, y1=y, x2=nx, y2=ny, width=0.8, role="side"))
    p = shares.probabilities
    words = chance_phrase(p[1], exact=shares.exact)
    items += _words(corners[1][0], MARGIN + LABEL, "middle", "practically equivalent", words, width, ())
    items += _names(shares, base, width)
    keys, below = draw_keys(_keys(), base + 2.4 * LABEL + 8, width)
    notes, below = draw_caption(
        f"{shares.caption} P: that this share is the largest; dashed, where two are equal.", below, width
    )
    return _drawing("triangle", shares, width, below, items + keys + notes)


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


def _keys() -> list[Key]:
    words = ("densest 25 % of the draws", "50 %", "75 %", "95 %", "all")
    return [Key(words=word, cell=tint) for word, tint in zip(words, reversed(TINTS), strict=True)]


def _names(shares: Shares, y: float, width: float) -> list[Item]:
    """What the left and the right end mean."""
    ends: tuple[tuple[float, Anchor, str, float], ...] = (
        (MARGIN, "start", shares.a, shares.probabilities[0]),
        (width - MARGIN, "end", shares.b, shares.probabilities[2]),
    )
    items: list[Item] = []
    for x, anchor, name, p in ends:
        words = chance_phrase(p, exact=shares.exact)
        items += _words(x, y + LABEL + 3, anchor, f"{name} better", words, width, (name,))
    return items


def _words(
    x: float, y: float, anchor: Anchor, words: str, probability: str, width: float, about: tuple[str, ...]
) -> list[Item]:
    """Two lines: what, and how probable."""
    short = shorten(words, width / 2 - MARGIN - 4 if about else width - 2 * MARGIN, LABEL)
    if about and short != words:  # keep the word, shorten the name
        short = shorten(about[0], width / 2 - MARGIN - 32, LABEL) + " better"
    hint = words if short != words else ""
    return [
        Text(x=x, y=y, text=short, size=LABEL, anchor=anchor, role="label", about=about, hint=hint),
        Text(
            x=x,
            y=y + 1.25 * LABEL,
            text=probability,
            size=LABEL,
            anchor=anchor,
            bold=True,
            role="probability",
            about=about,
        ),
    ]


def _strip(shares: Shares, width: float) -> Drawing:
    """The density of b's share from 0 (a better everywhere) to 1."""
    top, bottom = MARGIN + 20.0, MARGIN + 100.0
    axis = Axis(low=0.0, high=1.0, left=MARGIN + 6, right=width - MARGIN - 6)
    shown = shares.draws[:, 2] + shares.draws[:, 1] / 2
    counts = np.histogram(np.clip(shown, 0.0, 1.0), bins=_BINS, range=(0.0, 1.0))[0]
    heights = counts / max(1, counts.max()) * (bottom - top - 6)
    outline: list[Point] = [(axis.left, bottom)]
    for i, height in enumerate(heights):
        outline += [(axis.x(i / _BINS), bottom - height), (axis.x((i + 1) / _BINS), bottom - height)]
    outline.append((axis.right, bottom))
    half = axis.x(0.5)
    title = "share in favour of the right-hand algorithm"
    items: list[Item] = [
        Text(x=width / 2, y=MARGIN + 6, text=title, size=SMALL, anchor="middle", role="axis title"),
        *draw_axis(axis, top),
        Polygon(points=tuple(outline), fill="tint2", edge="accent", width=0.7, role="density"),
        Line(x1=half, y1=top, x2=half, y2=bottom, dashed=True, width=0.7, role="border"),
        Line(x1=axis.left, y1=bottom, x2=axis.right, y2=bottom, width=0.8, role="side"),
        *_names(shares, bottom, width),
    ]
    notes, below = draw_caption(
        f"{shares.caption} P: that more than half is in favour (dashed: one half).",
        bottom + 2.4 * LABEL + 8,
        width,
    )
    return _drawing("strip", shares, width, below, items + notes)


def _drawing(form: str, shares: Shares, width: float, below: float, items: list[Item]) -> Drawing:
    p = [chance_phrase(share, exact=shares.exact) for share in shares.probabilities]
    parts = [f"{shares.a} better: {p[0]}.", f"{shares.b} better: {p[2]}."]
    if form == "triangle":
        parts.insert(1, f"Practically equivalent (within ±{shares.rope:g}): {p[1]}.")
    return Drawing(
        width=width,
        height=below + MARGIN,
        form=form,
        title=f"Posterior of {shares.a} against {shares.b}",
        description=" ".join([*parts, shares.caption]),
        items=tuple(items),
    )
