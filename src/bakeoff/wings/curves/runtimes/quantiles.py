"""Score-based quantile plot: the time within which an algorithm solves what gives so many points (Beyer 2013).

A curve begins at the sum of the points of its wrong answers, which are below 0, and each solved run, the fastest first,
takes it to the right by its points. It ends at the total: further to the right is better, lower is faster.
"""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np

from bakeoff.errors import plain
from bakeoff.figures.geometry.metrics import printable, short_labels, text_width
from bakeoff.figures.geometry.notes import Key, captioned, draw_keys, mark_keys, mark_of
from bakeoff.figures.geometry.plot_frame import Ticks, draw_x_axis, draw_y_axis, plot_frame, widened
from bakeoff.figures.geometry.primitives import (
    MARGIN,
    MEDIUM_MM,
    SMALL,
    Drawing,
    Item,
    Point,
    Polygon,
    Stroke,
    Width,
    width_of,
)
from bakeoff.numerals import power_of_ten, score, significant
from bakeoff.wings.curves.runtimes.figure import LOOKS, MARKED, draw_cactus
from bakeoff.wings.curves.runtimes.statistics import Runtimes
from bakeoff.wings.curves.runtimes.statistics.order import points_of, run_points

_HIGH = 0.55  # of the width
_NEAR = 0.5  # points between two steps that are drawn
_PER_LINE = 3  # marks on each curve

Path = list[tuple[float, float]]


def draw_solved(result: Runtimes, width_mm: Width) -> Drawing:
    """The usual diagram: by points where runs have any."""
    return (draw_cactus if result.points is None else draw_points)(result, width_mm)


def quantile_paths(result: Runtimes) -> dict[str, Path]:
    """By algorithm (points, time): after each solved run, the first from the sum of the points below 0."""
    runs = result.run_times
    points = run_points(runs, points_of(result.points) or {})
    paths = {}
    for j, name in enumerate(result.scores.algorithms):
        solved = runs.solved[:, j]
        order = np.argsort(runs.times[:, j][solved], kind="stable")
        times, gains = runs.times[:, j][solved][order], points[:, j][solved][order]
        begin = math.fsum(points[:, j][~solved].tolist())
        reached = begin + np.cumsum(gains)
        paths[name] = [
            (begin, float(times[0]) if len(times) else 0.0),
            *zip(reached.tolist(), times.tolist(), strict=True),
        ]
    return paths


def draw_points(result: Runtimes, width_mm: Width) -> Drawing:
    """Draw the result of ``bo.runtimes`` with points: the best with marks, all others grey."""
    width, paths = width_of(width_mm, MEDIUM_MM), quantile_paths(result)
    rows = sorted(result.estimates, key=lambda e: (-(e.points or 0.0), e.mean_rank))
    caps = [result.cap] if isinstance(result.cap, float) else []
    heights = [t for path in paths.values() for _, t in path if t > 0] + caps
    low, high = widened(*(math.log10(end(heights, default=1.0)) for end in (min, max)))
    ends = [x for path in paths.values() for x, _ in path]
    ticks = _ticks(low, high)
    left = MARGIN + max(text_width(words, SMALL) for _, words in ticks) + 6
    frame = plot_frame(widened(min(0.0, *ends), max(ends)), (low, high), width, _HIGH * width, left=left)
    items: list[Item] = []
    if min(ends) < 0:
        zero = frame.x(0.0)
        items.append(Stroke(x1=zero, y1=frame.top, x2=zero, y2=frame.bottom, colour="grey", width=0.5, role="zero"))
    for cap in caps:
        y = frame.y(math.log10(cap))
        items.append(
            Stroke(x1=frame.left, y1=y, x2=frame.right, y2=y, colour="grey", dashed=True, width=0.5, role="cap")
        )
    for i, e in reversed(list(enumerate(rows))):
        name, about = e.algorithm, (e.algorithm,)
        line = tuple((frame.x(x), frame.y(math.log10(t) if t > 0 else low)) for x, t in _stairs(paths[name]))
        line = _thinned(line)
        if i >= MARKED:
            items.append(Polygon(points=line, edge="light", width=0.5, role="other", about=about))
            continue
        hint = f"{plain(name)}: {score(e.points or 0.0)} points"
        items.append(Polygon(points=line, edge=LOOKS[i][2], width=0.9, role="line", about=about, hint=hint))
        for at in np.linspace(0, len(line) - 1, _PER_LINE).round().astype(int).tolist():
            items.append(replace(mark_of(LOOKS[i], *line[at]), role="mark", about=about, hint=hint))
    unit = f" ({printable(result.scores.unit)})" if result.scores.unit else ""
    items += [*draw_y_axis(frame, f"time{unit}", ticks=ticks), *draw_x_axis(frame, "points")]
    shown, key = short_labels([e.algorithm for e in rows[:MARKED]], width - 2 * MARGIN - 60, SMALL)
    words = [f"{label}: {score(e.points or 0.0)}" for label, e in zip(shown, rows, strict=False)]
    others = [Key(words=f"{len(rows) - MARKED} others", cell="light")] if len(rows) > MARKED else []
    legend, end = draw_keys([*mark_keys(words, LOOKS), *others], frame.bottom + 26, width)
    each = ", ".join(f"{plain(word)} {score(worth)}" for word, worth in (points_of(result.points) or {}).items())
    caption = (
        f"Time within which solved runs, the fastest first, give so many points ({each}). A curve begins at the points "
        f"of wrong answers and ends at the total.{' Dashed: the cap.' if caps else ''}{key}"
    )
    spoken = "; ".join(f"{plain(e.algorithm)} {score(e.points or 0.0)}" for e in rows[:20])
    return captioned(
        [*items, *legend], caption, end, width, form="quantile", title="Time to points", spoken=f"{spoken}."
    )


def _ticks(low: float, high: float) -> Ticks:
    """Powers of ten; of a short axis their double and fivefold, too, or its ends."""
    powers = range(math.floor(low), math.ceil(high) + 1, max(1, int(high - low) // 6))
    for factors in ((1,), (1, 2, 5)):
        times = [factor * 10.0**power for power in powers for factor in factors]
        inside = [(math.log10(t), _in_words(t)) for t in times if low <= math.log10(t) <= high]
        if len(inside) > 2:
            return inside
    return inside if len(inside) > 1 else [(end, significant(10.0**end, 3)) for end in (low, high)]


def _in_words(time: float) -> str:
    exponent = math.log10(time)
    whole = abs(exponent - round(exponent)) < 1e-9
    return power_of_ten(round(exponent)) if whole and abs(exponent) > 4 else significant(time, 1)


def _stairs(path: Path) -> Path:
    """Level up to the points that a run gives, at its time."""
    stairs = [path[0]]
    for (before, _), (x, t) in pairwise(path):
        stairs += [(before, t), (x, t)]
    return stairs


def _thinned(line: tuple[Point, ...]) -> tuple[Point, ...]:
    """Without points next to the last one drawn."""
    kept = [line[0]]
    kept += [p for p in line[1:-1] if math.dist(p, kept[-1]) >= _NEAR]
    return (*kept, line[-1])
