"""Posterior mean ranks: a density per algorithm, best first; overlap shows how uncertain the ranking is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bakeoff.bayes.statements.wording import chance, with_chance
from bakeoff.figures.geometry.axis import LABEL, MARGIN, SMALL, Axis, draw_axis
from bakeoff.figures.geometry.bayes.hexagons import Array, Point
from bakeoff.figures.geometry.metrics import printable, shorten, text_width
from bakeoff.figures.geometry.notes import draw_caption
from bakeoff.figures.geometry.primitives import Box, Drawing, Item, Line, Polygon, Text

if TYPE_CHECKING:
    from bakeoff.bayes import RankPosterior

MANY = 40  # algorithms; beyond, rows are lower and only the place is numbered
_SMALLEST_PLOT = 130.0
_SHORTEST_NAME = 30.0
_BAND = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Ridges:
    """What is drawn, best posterior mean rank first."""

    names: tuple[str, ...]
    labels: tuple[str, ...]
    means: tuple[float, ...]
    p_best: tuple[float, ...]
    edges: Array  # (m + 1,) of the bins
    densities: Array  # (k, m)
    caption: str

    @property
    def k(self) -> int:
        return len(self.names)


def ridges_of(ranks: RankPosterior) -> Ridges:
    """Read the result of ``bayes.rank_probabilities``; equal mean ranks stay in column order."""
    means = [float(x) for x in ranks.mean_ranks]
    order = sorted(range(len(means)), key=means.__getitem__)
    n = ranks.n_problems
    return Ridges(
        names=tuple(ranks.algorithms[j] for j in order),
        labels=tuple(printable(ranks.algorithms[j]) for j in order),
        means=tuple(means[j] for j in order),
        p_best=tuple(float(ranks.p_best[j]) for j in order),
        edges=_bins(np.asarray(ranks.grid, dtype=float)),
        densities=np.asarray(ranks.ridges, dtype=float)[order],
        caption=f"{len(means)} algorithms on {n} problem{'' if n == 1 else 's'}, {ranks.n_draws} draws; prior "
        f"strength {ranks.prior_strength:g}.",
    )


def _bins(grid: Array) -> Array:
    """The edges between the equally spaced middles of ``grid``."""
    step = float(grid[1] - grid[0])
    return np.append(grid - step / 2, grid[-1] + step / 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    pitch: float
    size: float
    names: float
    names_end: float
    value_end: float
    axis: Axis
    best_end: float


def ridge_diagram(ranks: RankPosterior, width: float, whole_names: bool) -> Drawing | None:
    """The ridges; None if ``whole_names`` is required and they do not fit."""
    ridges = ridges_of(ranks)
    plan = _plan(ridges, width, whole_names)
    if plan is None:
        return None
    rise = 1.7 * plan.pitch  # of the highest density, into the rows above
    top = MARGIN + 20.0

    def base(i: int) -> float:
        return top + rise + 2.0 + i * plan.pitch

    bottom = base(ridges.k - 1) + 2.0
    items = _head(plan, top) + _bands(ridges, plan, base, width)
    scale = rise / _tallest(ridges)
    for i in range(ridges.k):
        items += _row(ridges, plan, i, base(i), scale)
    items += [_mean(ridges, plan, i, base(i)) for i in range(ridges.k)]  # over the ridges
    words = (
        f"{ridges.caption} Each ridge: the posterior of one algorithm's mean rank (1 is best), the mark its mean; "
        "P best: that its mean rank is the lowest of all."
    )
    notes, below = draw_caption(words, bottom + 2, width)
    return Drawing(
        width=width,
        height=below + MARGIN,
        form="ridges",
        title=f"Posterior mean ranks of {ridges.k} algorithms",
        description=_description(ridges),
        items=tuple(items + notes),
    )


def _plan(ridges: Ridges, width: float, whole_names: bool) -> _Plan | None:
    size, pitch = (SMALL, 7.6) if ridges.k > MANY else (LABEL, 11.0)
    names = MARGIN + text_width(str(ridges.k), SMALL) + 4
    value = text_width(f"{max(ridges.means):.2f}", SMALL) + 6
    best = text_width("< 0.001", SMALL) + 6
    wanted = max(text_width(label, size) for label in ridges.labels)
    free = width - MARGIN - names - value - best - 12.0
    room = free - _SMALLEST_PLOT
    if wanted > room and whole_names:
        return None
    length = min(wanted, max(room, _SHORTEST_NAME))
    left = names + length + value + 6.0
    low, high = _limits(ridges)
    axis = Axis(low=low, high=high, left=left, right=width - MARGIN - best - 6.0)
    return _Plan(
        pitch=pitch,
        size=size,
        names=names,
        names_end=names + length,
        value_end=names + length + value,
        axis=axis,
        best_end=width - MARGIN,
    )


def _limits(ridges: Ridges) -> tuple[float, float]:
    """The range of the bins that hold a draw, slightly widened."""
    held = np.flatnonzero(ridges.densities.sum(axis=0))
    low, high = float(ridges.edges[held[0]]), float(ridges.edges[held[-1] + 1])
    low, high = min(low, ridges.means[0]), max(high, ridges.means[-1])
    pad = max(0.02 * (high - low), 0.3 - (high - low))  # at least 0.3 wide, also where a mean rank is constant
    return low - pad, high + pad


def _tallest(ridges: Ridges) -> float:
    """The density drawn at full height: the largest, but at most 2.5 times the median peak."""
    peaks = np.sort(ridges.densities.max(axis=1))
    return float(min(peaks[-1], 2.5 * peaks[len(peaks) // 2])) or 1.0


def _head(plan: _Plan, y: float) -> list[Item]:
    words = "posterior mean rank (best first)"
    half = text_width(words, SMALL) / 2
    centre = min(max((plan.axis.left + plan.axis.right) / 2, MARGIN + half), plan.best_end - 30 - half)
    return [
        Text(x=centre, y=y - 14, text=words, size=SMALL, anchor="middle", role="axis title"),
        Text(x=plan.best_end, y=y - 5, text="P best", size=SMALL, anchor="end", role="column title"),
        *draw_axis(plan.axis, y),
    ]


def _bands(ridges: Ridges, plan: _Plan, base: Callable[[int], float], width: float) -> list[Item]:
    """Alternate blocks of five rows shaded, in long lists."""
    if ridges.k <= 3 * _BAND:
        return []
    bands: list[Item] = []
    for first in range(_BAND, ridges.k, 2 * _BAND):
        last = min(first + _BAND, ridges.k) - 1
        y = base(first) - plan.pitch + 2.0
        height = base(last) + 2.0 - y
        bands.append(Box(x=MARGIN, y=y, width=width - 2 * MARGIN, height=height, fill="pale", role="band"))
    return bands


def _row(ridges: Ridges, plan: _Plan, i: int, y: float, scale: float) -> list[Item]:
    """Place, name, mean, density, P(best)."""
    about, whole = (ridges.names[i],), ridges.labels[i]
    name = shorten(whole, plan.names_end - plan.names, plan.size)
    mean = f"{ridges.means[i]:.2f}"
    full = whole if name != whole else ""
    hint = f"{whole}: mean rank {mean}, best {with_chance(ridges.p_best[i], exact=False)}"
    line = y - 0.5
    items: list[Item] = [
        Text(x=plan.names - 4, y=line, text=str(i + 1), size=SMALL, anchor="end", colour="grey", role="position"),
        Text(x=plan.names, y=line, text=name, size=plan.size, role="label", about=about, hint=full),
        Text(x=plan.value_end, y=line, text=mean, size=SMALL, anchor="end", colour="grey", role="value", about=about),
        Line(x1=plan.axis.left, y1=y, x2=plan.axis.right, y2=y, width=0.25, colour="light", role="guide"),
    ]  # fmt: skip
    outline = _outline(ridges, plan.axis, i, y, scale, 2.4 * plan.pitch)
    if outline:
        items.append(
            Polygon(points=outline, fill="tint2", edge="accent", width=0.6, role="ridge", about=about, hint=hint)
        )
    best = chance(ridges.p_best[i], exact=False)
    items.append(Text(x=plan.best_end, y=line, text=best, size=SMALL, anchor="end", role="best", about=about))
    return items


def _mean(ridges: Ridges, plan: _Plan, i: int, y: float) -> Item:
    x = plan.axis.x(ridges.means[i])
    return Line(x1=x, y1=y - 0.45 * plan.pitch, x2=x, y2=y, width=1.0, role="mean", about=(ridges.names[i],))


def _outline(ridges: Ridges, axis: Axis, i: int, y: float, scale: float, limit: float) -> tuple[Point, ...]:
    """The density over the baseline ``y``: through the middles of the bins, from the first that holds a draw."""
    row = ridges.densities[i]
    held = np.flatnonzero(row)
    if not held.size:
        return ()
    first, last = int(held[0]), int(held[-1])
    middles = (ridges.edges[:-1] + ridges.edges[1:]) / 2
    points: list[Point] = [(axis.x(float(ridges.edges[first])), y)]
    points += [(axis.x(float(middles[b])), y - min(limit, float(row[b]) * scale)) for b in range(first, last + 1)]
    points.append((axis.x(float(ridges.edges[last + 1])), y))
    return tuple(points)


def _description(ridges: Ridges) -> str:
    rows = [
        f"{i + 1}. {label} {mean:.2f} (best {with_chance(p, exact=False)})"
        for i, (label, mean, p) in enumerate(zip(ridges.labels, ridges.means, ridges.p_best, strict=True))
    ]
    return f"Posterior mean ranks, best first: {'; '.join(rows)}. {ridges.caption}"
