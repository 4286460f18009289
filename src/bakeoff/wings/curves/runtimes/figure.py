"""Shares of problems solved within a time; times to points; and two algorithms against each other.

Of solved problems an area per algorithm shows its curve with its band, the others grey behind. The score-based quantile
plot shows the time within which an algorithm solves what gives so many points (Beyer 2013): a curve begins at the sum
of the points of its wrong answers, which are below 0, and each solved run, the fastest first, takes it to the right by
its points. It ends at the total: further to the right is better, lower is faster. The scatter has a mark per problem:
the time of one algorithm against that of the other, both axes logarithmic.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from bakeoff.errors import plain
from bakeoff.figures.geometry.metrics import printable, short_labels, shorten, text_width
from bakeoff.figures.geometry.notes import captioned, mark_of
from bakeoff.figures.geometry.plot_frame import (
    PlotFrame,
    Ticks,
    draw_x_axis,
    draw_y_axis,
    finished_plot,
    plot_frame,
    widened,
)
from bakeoff.figures.geometry.primitives import (
    LABEL,
    MARGIN,
    MEDIUM_MM,
    POINTS_PER_MM,
    SMALL,
    Drawing,
    Item,
    Mark,
    Point,
    Polygon,
    Stroke,
    Text,
    Width,
    width_of,
)
from bakeoff.means.run_means import CLAIMS
from bakeoff.numerals import count, in_percent, percent, power_of_ten, score, significant
from bakeoff.scores import Array
from bakeoff.wings.curves.areas import BEHIND, MARKED, MARKS, PER_LINE, Sizes, area_frames, draw_legend
from bakeoff.wings.curves.runtimes.statistics import Runtimes
from bakeoff.wings.curves.runtimes.statistics.order import points_of, run_points, tolerance_of

MOST = BEHIND  # areas; of more algorithms one area has the curves of all
_SIZES = Sizes(least=19 * POINTS_PER_MM, apart=8.0, ratio=0.8, widest=125.0)
_LINES = 6  # other algorithms; of more, the least and the most that they solved
_NEAR = 0.6  # points between two steps that are drawn
_BEGIN = 0.02  # the time axis begins where some algorithm has solved this share


def draw_cactus(result: Runtimes, width_mm: Width) -> Drawing:
    """Draw the result of ``bo.runtimes``."""
    width = width_of(width_mm, MEDIUM_MM)
    rows = sorted(result.estimates, key=lambda e: (-e.solved, e.mean_rank))
    if len(rows) > MOST:
        return _one_area(result, [e.algorithm for e in rows], width)
    left = MARGIN + text_width("100 %", SMALL) + 6
    room = width - MARGIN - left - 2
    areas = area_frames(len(rows), _limits(result), (0.0, 1.0), left, room, _SIZES, MARGIN + LABEL + 4)
    items: list[Item] = [_solved_axis()]
    names = [e.algorithm for e in rows]
    titles, key = short_labels(names, areas[0].frame.right - left, SMALL, bold=True)
    for name, title, (frame, first, last) in zip(names, titles, areas, strict=True):
        items += _area(result, name, title, frame, numbers=first, times=last)
    items.append(_time_axis(result, left + room / 2, end := areas[-1].frame.bottom))
    level = percent(1 - result.alpha)
    behind = "the range of the others" if len(result.estimates) > _LINES + 1 else "the others"
    caption = (
        f"Share of problems solved within a time. Band: {level} for the whole curve of that algorithm"
        f"{CLAIMS[result.over]}. Grey: {behind}."
    )
    if isinstance(result.cap, float):
        caption += " Vertical line: the cap."
    caption += key
    return _captioned_cactus(result, items, caption, end + 26, width, names)


def _captioned_cactus(
    result: Runtimes, items: list[Item], caption: str, end: float, width: float, names: list[str]
) -> Drawing:
    n, solved = result.scores.n_problems, {e.algorithm: e.solved for e in result.estimates}
    shares = "; ".join(f"{plain(name)} {in_percent(solved[name] / n)}" for name in names[:20])
    title = "Problems solved within a time"
    return captioned(items, caption, end, width, form="cactus", title=title, spoken=f"{shares}.")


def _solved_axis() -> Text:
    return Text(x=MARGIN, y=MARGIN + LABEL - 1, text="problems solved", size=LABEL, role="axis name")


def _time_axis(result: Runtimes, middle: float, bottom: float) -> Text:
    name = f"time{_unit(result)}"
    return Text(x=middle, y=bottom + 20, text=name, size=LABEL, anchor="middle", role="axis name")


def _unit(result: Runtimes) -> str:
    return f" ({printable(result.scores.unit)})" if result.scores.unit else ""


def _lines_with_marks(
    lines: Mapping[str, tuple[Point, ...]],
    hints: Mapping[str, str],
    places: Callable[[int, tuple[Point, ...]], Iterable[Point]],
) -> list[Item]:
    """A line for each name, the first ones above with marks at these places, the others grey."""
    items: list[Item] = []
    for i, (name, line) in reversed(list(enumerate(lines.items()))):
        about = (name,)
        if i >= MARKED:
            items.append(Polygon(points=line, edge="light", width=0.5, role="other", about=about))
            continue
        hint = hints[name]
        items.append(Polygon(points=line, edge=MARKS[i][2], width=0.9, role="line", about=about, hint=hint))
        marks = (mark_of(MARKS[i], *place) for place in places(i, line))
        items += [replace(mark, role="mark", about=about, hint=hint) for mark in marks]
    return items


def _one_area(result: Runtimes, names: list[str], width: float) -> Drawing:
    """The cactus plot: the curves of those that solved most with marks, all others grey, without bands."""
    left, top = MARGIN + text_width("100 %", SMALL) + 6, MARGIN + LABEL + 6
    low, high = _limits(result)
    right = width - MARGIN - 2
    frame = plot_frame((low, high), (0.0, 1.0), width, 0.5 * (right - left), left, right, top)

    def places(i: int, line: tuple[Point, ...]) -> Iterator[Point]:
        for step in range(PER_LINE):
            x = left + (step + (i + 0.5) / MARKED) / PER_LINE * (right - left)
            if x <= line[-1][0]:
                yield x, next((y for at, y in reversed(line) if at <= x), line[0][1])

    lines = {name: _steps(result, frame, result.curves.share[name]) for name in names}
    items: list[Item] = [
        _solved_axis(),
        *_lines_with_marks(lines, {name: _solved(result, name) for name in names}, places),
    ]
    items += [*_cap(result, frame), *_axes(frame, numbers=True, times=True)]
    items.append(_time_axis(result, (left + right) / 2, frame.bottom))
    shown, key = short_labels(names[:MARKED], width - 2 * MARGIN - 20, SMALL)
    legend, end = draw_legend(shown, len(names) - MARKED, frame.bottom + 26, width)
    caption = (
        f"Share of problems solved within a time. With marks: the {MARKED} of {len(names)} algorithms that solved the "
        f"most; grey: the others.{' Vertical line: the cap.' if isinstance(result.cap, float) else ''}{key}"
    )
    return _captioned_cactus(result, [*items, *legend], caption, end, width, names)


def _solved(result: Runtimes, name: str) -> str:
    return f"{plain(name)}: {in_percent(result.curves.share[name][-1])} solved"


def _caps(result: Runtimes) -> list[float]:
    return [] if result.cap is None else [result.cap] if isinstance(result.cap, float) else list(result.cap)


def _cap(result: Runtimes, frame: PlotFrame) -> list[Item]:
    if not isinstance(result.cap, float):
        return []
    x = frame.x(math.log10(result.cap))
    return [Stroke(x1=x, y1=frame.top, x2=x, y2=frame.bottom, colour="grey", dashed=True, width=0.5, role="cap")]


def _limits(result: Runtimes) -> tuple[float, float]:
    """Logarithms to base 10 of the shortest and the longest time shown."""
    shares = zip(*result.curves.share.values(), strict=True)
    times = [t for t, share in zip(result.curves.times, shares, strict=True) if t > 0 and max(share) >= _BEGIN]
    caps = _caps(result)
    low, high = min([*times, *caps], default=1.0), max([*times, *caps], default=10.0)
    if high <= low:
        low, high = low / 2, high * 2
    pad = 0.03 * math.log10(high / low)
    return math.log10(low) - pad, math.log10(high) + pad


def _area(result: Runtimes, name: str, title: str, frame: PlotFrame, *, numbers: bool, times: bool) -> list[Item]:
    about = (name,)
    items: list[Item] = [
        Text(x=frame.left, y=frame.top - 3, text=title, bold=True, role="name", about=about, hint=name)
    ]
    lower = _steps(result, frame, result.curves.lower(name).tolist())
    upper = _steps(result, frame, result.curves.upper(name).tolist())
    items.append(Polygon(points=(*upper, *reversed(lower)), fill="tint1", role="band", about=about))
    items += [Polygon(points=edge, edge="tint3", width=0.4, role="band edge", about=about) for edge in (lower, upper)]
    behind = {other: share for other, share in result.curves.share.items() if other != name}
    ranged = len(behind) > _LINES
    if ranged:
        ranges = {"least": min, "most": max}
        behind = {key: tuple(map(end, zip(*behind.values(), strict=True))) for key, end in ranges.items()}
    for other, share in behind.items():
        line = _steps(result, frame, share)
        items.append(Polygon(points=line, edge="light", width=0.5, dashed=ranged, role="other", about=(other,)))
    items += _cap(result, frame)
    line, hint = _steps(result, frame, result.curves.share[name]), _solved(result, name)
    items.append(Polygon(points=line, edge="accent", width=1.3, role="line", about=about, hint=hint))
    items += _axes(frame, numbers, times)
    return items


def _steps(result: Runtimes, frame: PlotFrame, shares: Sequence[float]) -> tuple[Point, ...]:
    """A curve that rises at each time and is level between; what is left of the area is at its edge."""
    height = frame.y(shares[0] if result.curves.times[0] == 0 else 0.0)
    points: list[Point] = []
    for t, share in zip(result.curves.times, shares, strict=True):
        x = frame.left if t <= 0 else frame.x(math.log10(t))
        if x <= frame.left:
            height = frame.y(share)
            continue
        if points and x - points[-1][0] < _NEAR:
            points[-1] = points[-1][0], frame.y(share)
        else:
            points += [(x, height), (x, frame.y(share))]
        height = frame.y(share)
    first = points[0][1] if points else height
    end = frame.right if not isinstance(result.cap, float) else min(frame.right, frame.x(math.log10(result.cap)))
    return ((frame.left, first), *points, (end, height))


def _axes(frame: PlotFrame, numbers: bool, times: bool) -> list[Item]:
    items: list[Item] = [
        Stroke(x1=frame.left, y1=frame.bottom, x2=frame.right, y2=frame.bottom, width=0.6, role="axis"),
        Stroke(x1=frame.left, y1=frame.top, x2=frame.left, y2=frame.bottom, width=0.6, role="axis"),
    ]
    for share in (0.0, 0.5, 1.0):
        y = frame.y(share)
        items.append(Stroke(x1=frame.left - 2, y1=y, x2=frame.left, y2=y, role="tick"))
        if numbers:
            shown = in_percent(share)
            items.append(Text(x=frame.left - 4, y=y + 2.3, text=shown, anchor="end", role="tick label"))
    first, last = math.ceil(frame.low_x), math.floor(frame.high_x)
    step = max(1, math.ceil((last - first + 1) * 18 / (frame.right - frame.left)))
    for exponent in range(last, first - 1, -step):
        x = frame.x(exponent)
        items.append(Stroke(x1=x, y1=frame.bottom, x2=x, y2=frame.bottom + 2, role="tick"))
        shown = significant(10.0**exponent, 1) if abs(exponent) <= 2 else power_of_ten(exponent)
        half = text_width(shown, SMALL) / 2
        if times and x - half >= frame.left - 5 and x + half <= frame.right + 4:
            items.append(Text(x=x, y=frame.bottom + 9, text=shown, anchor="middle", role="tick label"))
    return items


# --- times to points

_APART = 0.5  # points between two steps that are drawn
Path = list[tuple[float, float]]


def draw_solved(result: Runtimes, width_mm: Width) -> Drawing:
    """The usual diagram: by points where runs have any."""
    return (draw_cactus if result.points is None else draw_points)(result, width_mm)


def quantile_paths(result: Runtimes) -> dict[str, Path]:
    """Return (points, time) by algorithm after each solved run, the first from the sum of the points below 0."""
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
    ticks = _time_ticks(low, high)
    left = MARGIN + max(text_width(words, SMALL) for _, words in ticks) + 6
    frame = plot_frame(widened(min(0.0, *ends), max(ends)), (low, high), width, 0.55 * width, left=left)
    items: list[Item] = []
    if min(ends) < 0:
        zero = frame.x(0.0)
        items.append(Stroke(x1=zero, y1=frame.top, x2=zero, y2=frame.bottom, colour="grey", width=0.5, role="zero"))
    for cap in caps:
        y = frame.y(math.log10(cap))
        items.append(
            Stroke(x1=frame.left, y1=y, x2=frame.right, y2=y, colour="grey", dashed=True, width=0.5, role="cap")
        )
    lines = {
        e.algorithm: tuple(
            (frame.x(x), frame.y(math.log10(t) if t > 0 else low)) for x, t in _stairs(paths[e.algorithm])
        )
        for e in rows
    }
    items += _lines_with_marks(
        {name: _thinned(line) for name, line in lines.items()},
        {e.algorithm: f"{plain(e.algorithm)}: {score(e.points or 0.0)} points" for e in rows},
        lambda i, line: [line[at] for at in np.linspace(0, len(line) - 1, 3).round().astype(int).tolist()],
    )
    items += [*draw_y_axis(frame, f"time{_unit(result)}", ticks=ticks), *draw_x_axis(frame, "points")]
    shown, key = short_labels([e.algorithm for e in rows[:MARKED]], width - 2 * MARGIN - 60, SMALL)
    words = [f"{label}: {score(e.points or 0.0)}" for label, e in zip(shown, rows, strict=False)]
    legend, end = draw_legend(words, len(rows) - MARKED, frame.bottom + 26, width)
    each = ", ".join(f"{plain(word)} {score(worth)}" for word, worth in (points_of(result.points) or {}).items())
    caption = (
        f"Time within which solved runs, the fastest first, give so many points ({each}). A curve begins at the points "
        f"of wrong answers and ends at the total.{' Dashed: the cap.' if caps else ''}{key}"
    )
    spoken = "; ".join(f"{plain(e.algorithm)} {score(e.points or 0.0)}" for e in rows[:20])
    return captioned(
        [*items, *legend], caption, end, width, form="quantile", title="Time to points", spoken=f"{spoken}."
    )


def _time_ticks(low: float, high: float) -> Ticks:
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
    """Leave out points next to the last one drawn."""
    kept = [line[0]]
    kept += [p for p in line[1:-1] if math.dist(p, kept[-1]) >= _APART]
    return (*kept, line[-1])


# --- two algorithms

_STEPS = 60  # of a curved line
_EDGE = 0.06  # share of an axis beyond the last time, where unsolved problems stand
UNSOLVED = "unsolved"


def diagrams(result: Runtimes) -> dict[str, Callable[[Runtimes, Width], Drawing]]:
    """Those of a result, by name; the scatter where there is one pair."""
    drawers: dict[str, Callable[[Runtimes, Width], Drawing]] = {"solved": draw_cactus}
    if result.points is not None:
        drawers["quantile"] = draw_points
    if len(result.pairs) == 1:
        drawers["scatter"] = draw_scatter
    return drawers


def draw_scatter(result: Runtimes, width_mm: Width) -> Drawing:
    """Draw the result of ``bo.runtimes`` with one pair: its second algorithm upwards, its first to the right."""
    width, pair = width_of(width_mm), result.pairs[0]
    places = [result.scores.index(name) for name in (pair.a, pair.b)]
    times = _medians(result.run_times.times[:, places])
    shown = [*times[np.isfinite(times) & (times > 0)].tolist(), *_caps(result)]
    low, high = math.log10(min(shown, default=1.0)), math.log10(max(shown, default=10.0))
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    low -= 0.03 * (high - low)
    end = high + 2 * _EDGE * (high - low)
    left = MARGIN + text_width(UNSOLVED, SMALL) + 8
    right = width - MARGIN - text_width(UNSOLVED, SMALL) / 2
    frame = plot_frame((low, end), (low, end), width, right - left, left=left, right=right)
    unit = _unit(result)
    room = right - left - text_width(unit, LABEL)
    names = [f"{shorten(printable(name), room, LABEL)}{unit}" for name in (pair.a, pair.b)]
    beyond = high + _EDGE * (high - low)
    lost = bool(np.isposinf(times).any())
    ticks = _scatter_ticks(frame, high, beyond if lost else None)
    items: list[Item] = [*_scatter_lines(result, frame, high), *draw_y_axis(frame, names[1], ticks=ticks)]
    items += draw_x_axis(frame, names[0], ticks=ticks)
    for problem, (x, y) in zip(result.scores.problems, times.tolist(), strict=True):
        at = [beyond if t == math.inf else math.log10(t) if t > 0 else low for t in (x, y)]
        hint = ", ".join(f"{plain(n)} {_time(t)}" for n, t in zip((pair.a, pair.b), (x, y), strict=True))
        solved = math.isfinite(x) and math.isfinite(y)
        items.append(Mark(x=frame.x(at[0]), y=frame.y(at[1]), radius=1.6, filled=solved, colour="accent",
                          role="problem", about=(problem,), hint=f"{plain(problem)}: {hint}"))  # fmt: skip
    spoken = f"{plain(pair.a)} is faster on {count(pair.wins, 'problem')}, {plain(pair.b)} on {pair.losses}."
    caption, title = _scatter_caption(result, times, lost), "Times of two algorithms"
    return finished_plot(frame, items, caption, width, form="scatter", title=title, spoken=spoken)


def _medians(times: Array) -> Array:
    """(n, 2) of the runs (n, 2, r) of each; infinite where half or more were not solved."""
    ordered = np.sort(times, axis=2)  # missing runs last
    n = (~np.isnan(times)).sum(axis=2)
    upper = np.take_along_axis(ordered, (n // 2)[..., None], axis=2)[..., 0]
    lower = np.take_along_axis(ordered, ((n - 1) // 2)[..., None], axis=2)[..., 0]
    return np.asarray(lower / 2 + upper / 2)


def _time(t: float) -> str:
    return UNSOLVED if t == math.inf else significant(t, 3)


def _scatter_ticks(frame: PlotFrame, high: float, beyond: float | None) -> Ticks:
    first, last = math.ceil(frame.low_x), math.floor(high)
    step = max(1, math.ceil((last - first + 1) * 24 / (frame.right - frame.left)))
    exponents = range(first, last + 1, step)
    powers = [(float(e), significant(10.0**e, 1) if abs(e) <= 3 else power_of_ten(e)) for e in exponents]
    if len(powers) < 2:
        powers = [(x, significant(10.0**x, 2)) for x in (frame.low_x + 0.1 * (high - frame.low_x), high)]
    if beyond is None:
        return powers
    near = text_width(UNSOLVED, SMALL) / 2 + 8
    clear = [(x, word if frame.x(beyond) - frame.x(x) > near else "") for x, word in powers]
    return [*clear, (beyond, UNSOLVED)]


def _scatter_lines(result: Runtimes, frame: PlotFrame, high: float) -> list[Item]:
    """Equal times, the tolerance on either side, and the cap on either axis."""
    low = frame.low_x
    items: list[Item] = []
    if result.ties is not None:
        equal = tolerance_of(result.ties)
        assert equal is not None
        times = np.linspace(low, high, _STEPS)
        most = np.minimum(np.log10(equal.reach(10.0**times)), frame.high_y)
        for path in (list(zip(times, most, strict=True)), list(zip(most, times, strict=True))):
            points = frame.points(path)
            items.append(Polygon(points=points, edge="light", width=0.6, dashed=True, role="equal within"))
    items.append(Polygon(points=frame.points([(low, low), (high, high)]), edge="grey", width=0.6, role="equal times"))
    if isinstance(result.cap, float):
        cap = math.log10(result.cap)
        x, y, left, bottom = frame.x(cap), frame.y(cap), frame.x(low), frame.y(low)
        for x1, y1, x2, y2 in ((left, y, frame.x(frame.high_x), y), (x, bottom, x, frame.y(frame.high_y))):
            items.append(Stroke(x1=x1, y1=y1, x2=x2, y2=y2, colour="grey", dashed=True, width=0.5, role="cap"))
    return items


def _scatter_caption(result: Runtimes, times: Array, lost: bool) -> str:
    pair = result.pairs[0]
    runs = "" if result.scores.runs is None else ", the median of its runs"
    caption = f"A mark per problem{runs}: above the line {plain(pair.a)} is faster, below {plain(pair.b)}."
    if result.ties is not None:
        caption += " Between the pale dashed lines their times are equal."
    if lost:
        caption += " Open: not solved by both."
    if isinstance(result.cap, float):
        caption += " Level and upright dashed lines: the cap."
    if (times == 0).any():
        caption += " Times of 0 stand at the edge."
    return caption
