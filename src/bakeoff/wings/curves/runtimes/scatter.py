"""Two algorithms, a mark per problem: the time of one against that of the other, both axes logarithmic."""

import math
from collections.abc import Callable

import numpy as np

from bakeoff.errors import plain
from bakeoff.figures.geometry.metrics import printable, shorten, text_width
from bakeoff.figures.geometry.plot_frame import PlotFrame, Ticks, draw_x_axis, draw_y_axis, finished_plot, plot_frame
from bakeoff.figures.geometry.primitives import (
    LABEL,
    MARGIN,
    SMALL,
    Drawing,
    Item,
    Mark,
    Polygon,
    Stroke,
    Width,
    width_of,
)
from bakeoff.numerals import count, power_of_ten, significant
from bakeoff.scores import Array
from bakeoff.wings.curves.runtimes.figure import draw_cactus
from bakeoff.wings.curves.runtimes.quantiles import draw_points
from bakeoff.wings.curves.runtimes.statistics import Runtimes
from bakeoff.wings.curves.runtimes.statistics.order import tolerance_of

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
    caps = [] if result.cap is None else [result.cap] if isinstance(result.cap, float) else list(result.cap)
    shown = [*times[np.isfinite(times) & (times > 0)].tolist(), *caps]
    low, high = math.log10(min(shown, default=1.0)), math.log10(max(shown, default=10.0))
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    low -= 0.03 * (high - low)
    end = high + 2 * _EDGE * (high - low)
    left = MARGIN + text_width(UNSOLVED, SMALL) + 8
    right = width - MARGIN - text_width(UNSOLVED, SMALL) / 2
    frame = plot_frame((low, end), (low, end), width, right - left, left=left, right=right)
    unit = f" ({printable(result.scores.unit)})" if result.scores.unit else ""
    room = right - left - text_width(unit, LABEL)
    names = [f"{shorten(printable(name), room, LABEL)}{unit}" for name in (pair.a, pair.b)]
    beyond = high + _EDGE * (high - low)
    lost = bool(np.isposinf(times).any())
    ticks = _ticks(frame, high, beyond if lost else None)
    items: list[Item] = [*_lines(result, frame, high), *draw_y_axis(frame, names[1], ticks=ticks)]
    items += draw_x_axis(frame, names[0], ticks=ticks)
    for problem, (x, y) in zip(result.scores.problems, times.tolist(), strict=True):
        at = [beyond if t == math.inf else math.log10(t) if t > 0 else low for t in (x, y)]
        hint = ", ".join(f"{plain(n)} {_time(t)}" for n, t in zip((pair.a, pair.b), (x, y), strict=True))
        solved = math.isfinite(x) and math.isfinite(y)
        items.append(Mark(x=frame.x(at[0]), y=frame.y(at[1]), radius=1.6, filled=solved, colour="accent",
                          role="problem", about=(problem,), hint=f"{plain(problem)}: {hint}"))  # fmt: skip
    spoken = f"{plain(pair.a)} is faster on {count(pair.wins, 'problem')}, {plain(pair.b)} on {pair.losses}."
    caption, title = _caption(result, times, lost), "Times of two algorithms"
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


def _ticks(frame: PlotFrame, high: float, beyond: float | None) -> Ticks:
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


def _lines(result: Runtimes, frame: PlotFrame, high: float) -> list[Item]:
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


def _caption(result: Runtimes, times: Array, lost: bool) -> str:
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
