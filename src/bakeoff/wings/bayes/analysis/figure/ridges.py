"""Posterior mean ranks: a density per algorithm, best first; overlap shows how uncertain the ranking is."""

import numpy as np

from bakeoff.dataclass import dataclass
from bakeoff.errors import counted
from bakeoff.figures.geometry.axis import Axis, axis_title, draw_axis
from bakeoff.figures.geometry.metrics import printable, text_width
from bakeoff.figures.geometry.notes import captioned
from bakeoff.figures.geometry.primitives import LABEL, MARGIN, SMALL, Drawing, Item, Point, Polygon, Stroke, Text
from bakeoff.figures.geometry.rows import SHORTEST_NAME, Names, draw_bands, draw_entry
from bakeoff.numerals import as_rank
from bakeoff.wings.bayes import RankPosterior
from bakeoff.wings.bayes.analysis.figure.triangle import Array
from bakeoff.wings.bayes.statements.wording import chance, with_chance

MANY = 40  # algorithms; beyond, rows are lower and only the place is numbered
_SMALLEST_PLOT = 130.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ridges:
    """The densities to draw, best posterior mean rank first."""

    names: tuple[str, ...]
    labels: tuple[str, ...]
    means: list[float]
    p_best: list[float]
    edges: Array  # (m + 1,) of the bins
    densities: Array  # (k, m)
    caption: str

    @property
    def k(self) -> int:
        return len(self.names)


def ridges_of(ranks: RankPosterior) -> Ridges:
    """Read the result of ``bayes.rank_probabilities``; equal mean ranks stay in column order."""
    order = np.argsort(ranks.mean_ranks, kind="stable")
    names = tuple(ranks.algorithms[j] for j in order)
    grid = np.asarray(ranks.grid, dtype=float)  # the equally spaced middles of the bins
    step = float(grid[1] - grid[0])
    return Ridges(
        names=names,
        labels=tuple(map(printable, names)),
        means=ranks.mean_ranks[order].tolist(),
        p_best=ranks.p_best[order].tolist(),
        edges=np.append(grid - step / 2, grid[-1] + step / 2),
        densities=np.asarray(ranks.ridges, dtype=float)[order],
        caption=f"{len(names)} algorithms on {counted(ranks.n_problems, 'problem')}, {ranks.n_draws} draws; prior "
        f"strength {ranks.prior_strength:g}.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Plan:
    pitch: float
    names: Names
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
    bases = [top + rise + 2.0 + i * plan.pitch for i in range(ridges.k)]
    items: list[Item] = [
        axis_title(plan.axis, top, "posterior mean rank (best first)", plan.best_end - 30),
        Text(x=plan.best_end, y=top - 5, text="P best", anchor="end", role="column title"),
        *draw_axis(plan.axis, top),
        *draw_bands(ridges.k, bases[0] + 2.0 - plan.pitch, plan.pitch, width - MARGIN),
    ]
    scale = rise / _tallest(ridges)
    for i, y in enumerate(bases):
        items += _row(ridges, plan, i, y, scale)
    for name, mean, y in zip(ridges.names, ridges.means, bases, strict=True):  # over the ridges
        x = plan.axis.x(mean)
        items.append(Stroke(x1=x, y1=y - 0.45 * plan.pitch, x2=x, y2=y, width=1.0, role="mean", about=(name,)))
    words = (
        f"{ridges.caption} Each ridge: the posterior of one algorithm's mean rank (1 is best); mark: its mean; P "
        "best: the probability that its mean rank is the lowest of all."
    )
    title = f"Posterior mean ranks of {ridges.k} algorithms"
    return captioned(items, words, bases[-1] + 4.0, width, form="ridges", title=title, description=_description(ridges))


def _plan(ridges: Ridges, width: float, whole_names: bool) -> _Plan | None:
    size, pitch = (SMALL, 7.6) if ridges.k > MANY else (LABEL, 11.0)
    names = MARGIN + text_width(str(ridges.k), SMALL) + 4
    value = text_width(as_rank(max(ridges.means)), SMALL) + 6
    best = text_width("< 0.001", SMALL) + 6
    widest = max(text_width(label, size) for label in ridges.labels)
    free = width - MARGIN - names - value - best - 12.0
    room = free - _SMALLEST_PLOT
    if widest > room and whole_names:
        return None
    length = min(widest, max(room, SHORTEST_NAME))
    left = names + length + value + 6.0
    low, high = _limits(ridges)
    axis = Axis(low=low, high=high, left=left, right=width - MARGIN - best - 6.0)
    return _Plan(
        pitch=pitch,
        names=Names(left=names, right=names + length, size=size, labels=tuple(ridges.labels)),
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


def _row(ridges: Ridges, plan: _Plan, i: int, y: float, scale: float) -> list[Item]:
    """Place, name, mean, density, P(best)."""
    name, label = ridges.names[i], ridges.labels[i]
    mean, best = as_rank(ridges.means[i]), chance(ridges.p_best[i], exact=False)
    items = draw_entry(plan.names, i, name, label, y - 0.5, [(plan.value_end, mean)])
    items.append(Stroke(x1=plan.axis.left, y1=y, x2=plan.axis.right, y2=y, width=0.25, colour="light", role="guide"))
    outline = _outline(ridges, plan.axis, i, y, scale, 2.4 * plan.pitch)
    if outline:
        hint = f"{label}: mean rank {mean}, best {with_chance(ridges.p_best[i], exact=False)}"
        items.append(Polygon(points=outline, fill="tint2", edge="accent", role="ridge", about=(name,), hint=hint))
    items.append(Text(x=plan.best_end, y=y - 0.5, text=best, anchor="end", role="best", about=(name,)))
    return items


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
        f"{i + 1}. {label} {as_rank(mean)} (best {with_chance(p, exact=False)})"
        for i, (label, mean, p) in enumerate(zip(ridges.labels, ridges.means, ridges.p_best, strict=True))
    ]
    return f"Posterior mean ranks, best first: {'; '.join(rows)}. {ridges.caption}"
