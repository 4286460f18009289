"""Mean scores along the budget, with simultaneous bands; and interquartile curves, a panel for each area."""

import math
from collections.abc import Callable

import numpy as np

from bakeoff.dataclass import dataclass, replace
from bakeoff.figures.geometry.axis import multiples
from bakeoff.figures.geometry.metrics import pair_labels, printable, short_labels, text_width
from bakeoff.figures.geometry.notes import Key, captioned, draw_keys, mark_of
from bakeoff.figures.geometry.plot_frame import PlotFrame, draw_x_axis, draw_y_axis, left_margin, plot_frame, widened
from bakeoff.figures.geometry.primitives import (
    COLUMN_MM,
    LABEL,
    MARGIN,
    MEDIUM_MM,
    SMALL,
    Anchor,
    Box,
    Drawing,
    Item,
    Point,
    Polygon,
    Stroke,
    Text,
    Width,
    width_of,
)
from bakeoff.means.run_means import CLAIMS
from bakeoff.numerals import percent, plain, power_of_ten, significant
from bakeoff.scores import Array
from bakeoff.wings.curves.areas import (
    BEHIND,
    MARKED,
    MARKS,
    PAGE,
    PER_LINE,
    Sizes,
    area_frames,
    draw_area_axes,
    draw_legend,
)
from bakeoff.wings.curves.curves.statistics import CurvePair, Curves
from bakeoff.wings.curves.curves.statistics.budgets import budget_text

FEW, STRIPS = 6, 12  # pairs: so many are all drawn, and of one algorithm so many
_SIZES = Sizes(least=92.0, apart=10.0, ratio=0.7, widest=150.0, lowest=26.0, page=PAGE)
_HEIGHT = 0.55  # of the curves' area, in its width
_STRIP, _BAR = 13.0, 4.0
_LEAST, _MOST = 0.04, 0.12  # of the axis: the last budget, which stands for what follows it


def draw_curves(result: Curves, width_mm: Width) -> Drawing:
    """Draw the result of ``bo.curves``."""
    width = width_of(width_mm)
    order = result.ranked
    chosen = _chosen(result, order)
    means = result.means
    low, high = widened(float(means.min()), float(means.max()))
    ticks = score_powers(low, high) if result.table.scale == "log" else None
    left = left_margin(low, high) if ticks is None else MARGIN + max(text_width(s, SMALL) for _, s in ticks) + 6
    right = width - MARGIN - text_width(budget_text(float(result.t[-1])), SMALL) / 2
    x = position_of(result, result.t)
    reach = reach_of(x.tolist())
    frame = plot_frame(reach, (low, high), width, _HEIGHT * (right - left), left=left, right=right)
    thin: list[Item] = []
    lines: list[Item] = []
    for j in reversed(order):
        line = _line(result, frame, x, means[j], j, chosen)
        (lines if j in chosen else thin).extend(line)
    what = plain((result.scores if ticks is None else result.table).metric or "score")
    named = f"mean {what}" if ticks is None else f"geometric mean of {what}"
    items: list[Item] = [*draw_y_axis(frame, named, ticks=ticks), *_x_axis(result, frame), *thin, *lines]
    names = result.table.algorithms
    shown, _ = short_labels([names[j] for j in chosen], width - 2 * MARGIN - 20, SMALL)
    legend, end = draw_legend(shown, len(order) - len(chosen), frame.bottom + 26, width)
    strips, end, drawn = _strips(result, frame, end + 4, order)
    caption = _caption(result, drawn)
    verdicts = " ".join(f"{printable(p.a)} and {printable(p.b)}: {p.verdict}." for p in result.pairs[:40])
    return captioned(
        [*items, *legend, *strips],
        caption,
        end,
        width,
        form="curves",
        title="Mean curves and where they differ",
        spoken=verdicts,
    )


def score_powers(low: float, high: float) -> list[tuple[float, str]]:
    """Heights are logarithms to base 10: the scores they stand for, powers of ten where two or more are in sight."""
    whole = range(math.ceil(low), math.floor(high) + 1)
    if len(whole) < 2:
        return [(v, significant(10.0**v, 2)) for v in multiples(low, high, 5) if low <= v <= high]
    step = math.ceil(len(whole) / 6)
    return [(v, power_of_ten(v) if abs(v) > 2 else significant(10.0**v, 1)) for v in whole if v % step == 0]


def reach_of(x: list[float]) -> tuple[float, float]:
    """The reach of the axis: to the next budget after the last, within limits."""
    if x[-1] <= x[0]:
        return x[0] - 1, x[0] + 1
    wide = x[-1] - x[0]
    return x[0], x[-1] + min(max(x[-1] - x[-2], _LEAST * wide), _MOST * wide)


def _chosen(result: Curves, order: list[int]) -> list[int]:
    """Those with marks: the best by area, and the control."""
    chosen = order[:MARKED]
    if result.control is not None:
        column = result.scores.index(result.control)
        if column not in chosen:
            chosen = [column, *chosen[:-1]]
    return chosen


def position_of(result: Curves, t: Array) -> Array:
    return np.log10(t) if result.table.spacing == "log" else np.asarray(t, dtype=np.float64)


def _line(result: Curves, frame: PlotFrame, x: Array, y: Array, j: int, chosen: list[int]) -> list[Item]:
    """Steps: a score stands until the next budget."""
    about = (result.table.algorithms[j],)
    points: list[tuple[float, float]] = []
    for at, height in zip(x.tolist(), y.tolist(), strict=True):
        here = (frame.x(at), frame.y(height))
        if points and abs(here[1] - points[-1][1]) < 0.05 and at != x[-1]:
            continue  # flat so far
        if points and here[0] - points[-1][0] > 0.05:
            points.append((here[0], points[-1][1]))
        points.append(here)
    points.append((frame.right, points[-1][1]))
    if j not in chosen:
        return [Polygon(points=tuple(points), edge="light", width=0.5, role="curve", about=about)]
    i = chosen.index(j)
    items: list[Item] = [Polygon(points=tuple(points), edge=MARKS[i][2], width=0.8, role="curve", about=about)]
    share = (i + 0.5) / len(chosen)
    for step in range(PER_LINE):
        place = x[0] + (step + share) / PER_LINE * (x[-1] - x[0])
        index = max(0, int(np.searchsorted(x, place + 1e-12, side="right")) - 1)
        mark = mark_of(MARKS[i], frame.x(float(place)), frame.y(float(y[index])))
        hint = f"{printable(about[0])} at {budget_text(float(result.t[index]))}"
        items.append(replace(mark, role="mark", about=about, hint=hint))
    return items


def _x_axis(result: Curves, frame: PlotFrame) -> list[Item]:
    """Ticks at 1, 2 and 5 times powers of ten, or at the powers alone; linear ones as everywhere."""
    ticks = []
    taken, room = -math.inf, max(12.0, text_width(budget_text(float(result.t[-1])), SMALL) / 2 + 1)
    for value in _ticks(result, frame):
        place, shown = float(position_of(result, np.array([value]))[0]), budget_text(value)
        x, half = frame.x(place), text_width(shown, SMALL) / 2
        fits = x - half > taken + 4 and x + half <= frame.right + room
        ticks.append((place, shown if fits else ""))
        taken = x + half if fits else taken
    return draw_x_axis(frame, plain(result.table.budget_name), ticks=ticks)


def _ticks(result: Curves, frame: PlotFrame) -> list[float]:
    if result.table.spacing == "linear":
        return multiples(frame.low_x, frame.high_x, max(2, int((frame.right - frame.left) // 34)))
    decades = frame.high_x - frame.low_x
    steps = (1, 2, 5) if decades <= 2 else (1, 3) if decades <= 3 else (1,)
    if decades < 0.5:
        return [v for v in multiples(10**frame.low_x, 10**frame.high_x, 5) if v > 0]
    powers = range(math.floor(frame.low_x), math.ceil(frame.high_x) + 1)
    found_ticks = [s * 10.0**e for e in powers for s in steps]
    return [v for v in found_ticks if frame.low_x - 1e-9 <= math.log10(v) <= frame.high_x + 1e-9]


def _shown_pairs(result: Curves, order: list[int]) -> tuple[list[CurvePair], str]:
    """Return all of a few pairs; else those of the control, or of the best by area, whose name is the second value."""
    if result.control is None and len(result.pairs) <= FEW:
        return list(result.pairs), ""
    name = result.control or result.table.algorithms[order[0]]
    place = {result.table.algorithms[j]: i for i, j in enumerate(order)}
    own = [pair for pair in result.pairs if name in (pair.a, pair.b)]
    own.sort(key=lambda pair: place[pair.b if pair.a == name else pair.a])
    return own[:STRIPS], name


def _strips(result: Curves, frame: PlotFrame, top: float, order: list[int]) -> tuple[list[Item], float, int]:
    """A line per pair: dark where the first is better, light with an edge where the second is."""
    drawn, name = _shown_pairs(result, order)
    room = frame.right - frame.left
    named_alone = bool(name) and text_width(printable(name), SMALL) <= 0.5 * room
    first = f"{printable(name)} better" if named_alone else "first better"
    second = "the other better" if named_alone else "second better"
    items, top = draw_keys([Key(words=first, cell="accent"), Key(words=second, cell="tint1")], top, frame.right)
    y = top + 2
    named = [(pair.b, pair.a) if pair.b == name else (pair.a, pair.b) for pair in drawn]
    for pair, names, label in zip(drawn, named, pair_labels(named, room, SMALL)[0], strict=True):
        turned = pair.b == name
        items.append(Text(x=frame.left, y=y + 6, text=label, role="pair", about=names, hint=pair.verdict))
        bar = y + 8 + _BAR / 2
        items.append(Stroke(x1=frame.left, y1=bar, x2=frame.right, y2=bar, colour="light", role="range"))
        for s in pair.segments:
            after = result.t[result.t > s.high][:1]  # a step lasts until the next budget
            x1 = max(frame.left, frame.x(float(position_of(result, np.array([s.low]))[0])) - 0.6)
            x2 = frame.x(float(position_of(result, after)[0])) if len(after) else frame.right
            dark = (s.better == "a") != turned
            box = Box(
                x=x1,
                y=y + 8,
                width=x2 - x1,
                height=_BAR,
                fill="accent" if dark else "tint1",
                edge="accent" if dark else "black",
                role="shown",
                about=names,
                hint=pair.verdict,
            )
            items.append(box)
        y += _STRIP
    return items, y + 3, len(drawn)


def _caption(result: Curves, drawn: int) -> str:
    lower = "Lower" if result.table.better == "lower" else "Higher"
    left_out = len(result.pairs) - drawn
    more = f" {left_out} other pairs are not drawn." if left_out else ""
    return (
        f"{lower} is better. Bars: differences shown at all budgets and in all pairs at once, family-wise α = "
        f"{result.alpha:g}{CLAIMS[result.over]}.{more}"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class InterquartileAreas:
    """The interquartile means of curves."""

    curves: Curves


def diagrams(result: Curves) -> dict[str, Callable[[Curves, Width], Drawing]]:
    """Those of a result, by name; interquartile means where they were asked for."""
    drawers: dict[str, Callable[[Curves, Width], Drawing]] = {"curves": draw_curves}
    if result.interquartile:
        drawers["interquartile"] = lambda curves, width: draw_along(InterquartileAreas(curves=curves), width)
    return drawers


def draw_along(plot: InterquartileAreas, width_mm: Width) -> Drawing:
    """The best at the end first."""
    result, better = plot.curves, -1.0 if plot.curves.table.better == "higher" else 1.0
    listed = sorted(result.interquartile, key=lambda curve: better * float(curve.mean[-1]))
    k, x = len(listed), position_of(result, result.t)
    width = width_of(width_mm, COLUMN_MM if k <= 4 else MEDIUM_MM)
    low, high = _range([curve.mean for curve in listed], [end for c in listed for end in (c.band_low, c.band_high)])
    powers = score_powers(low, high) if result.table.scale == "log" else None
    left = left_margin(low, high) if powers is None else MARGIN + max(text_width(s, SMALL) for _, s in powers) + 6
    room = width - left - MARGIN - text_width(budget_text(float(result.t[-1])), SMALL) / 2
    areas = area_frames(k, reach_of(x.tolist()), (low, high), left, room, _SIZES)
    best = np.max if better < 0 else np.min
    behind = [curve.mean for curve in listed] if k <= BEHIND else [best([curve.mean for curve in listed], axis=0)]
    name = f"interquartile mean of {plain(result.table.metric or 'score')}"
    items: list[Item] = [Text(x=MARGIN, y=MARGIN + LABEL - 1, text=name, size=LABEL, role="axis name")]
    titles, key = short_labels([curve.algorithm for curve in listed], areas[0].frame.right - left - 1, SMALL, bold=True)
    for curve, title, (frame, first, last) in zip(listed, titles, areas, strict=True):
        about = (curve.algorithm,)
        items.append(
            Text(
                x=frame.left + 1, y=frame.top - 3, text=title, bold=True, role="name", about=about, hint=curve.algorithm
            )
        )
        lower, upper = (_path(frame, x, np.clip(end, low, high)) for end in (curve.band_low, curve.band_high))
        items.append(Polygon(points=(*upper, *reversed(lower)), fill="tint1", role="band", about=about))
        items += [
            Polygon(points=tuple(_path(frame, x, y)), edge="light", width=0.5, role="other curve") for y in behind
        ]
        items += _axes(result, frame, last, first, powers)
        hint = (
            f"{plain(curve.algorithm)}: {significant(float(curve.mean[-1]), 3)} at {budget_text(float(result.t[-1]))}"
        )
        path = tuple(_path(frame, x, curve.mean))
        items.append(Polygon(points=path, edge="accent", width=1.2, role="curve", about=about, hint=hint))
    unit, bottom = plain(result.table.budget_name), areas[-1].frame.bottom
    items.append(Text(x=left + room / 2, y=bottom + 20, text=unit, size=LABEL, anchor="middle", role="axis name"))
    others = "the others" if k <= BEHIND else "the best of all at each budget"
    whole = f" Grey: {others}." if k > 1 else ""
    caption = (
        f"Interquartile mean of all runs at each budget, of each algorithm with its simultaneous "
        f"{percent(1 - result.alpha)} band for other runs of these problems.{whole}{key}"
    )
    ends = "; ".join(f"{plain(c.algorithm)} {significant(float(c.mean[-1]), 3)}" for c in listed[:20])
    return captioned(items, caption, bottom + 26, width, form="curves", title="Interquartile means along the budget",
                     spoken=f"At the end: {ends}.")  # fmt: skip


def _range(means: list[Array], ends: list[Array]) -> tuple[float, float]:
    """All means, and bands as far as they are not far away from them."""
    low, high = min(float(m.min()) for m in means), max(float(m.max()) for m in means)
    room = 0.5 * (high - low) or abs(low) or 1.0
    lowest, highest = min(float(e.min()) for e in ends), max(float(e.max()) for e in ends)
    return widened(max(lowest, low - room), min(highest, high + room))


def _path(frame: PlotFrame, x: Array, y: Array) -> list[Point]:
    """Steps: a score stands until the next budget."""
    points: list[Point] = []
    for at, height in zip(x.tolist(), y.tolist(), strict=True):
        if points:
            points.append((frame.x(at), points[-1][1]))
        points.append((frame.x(at), frame.y(height)))
    return [*points, (frame.right, points[-1][1])]


def _axes(
    result: Curves, frame: PlotFrame, numbers: bool, values: bool, powers: list[tuple[float, str]] | None
) -> list[Item]:
    """``numbers`` below, ``values`` at the left."""
    budgets = result.t[[0, -1]] if len(result.t) > 1 else result.t
    places = [frame.x(at) for at in position_of(result, budgets).tolist()]
    below: list[tuple[float, str, Anchor]] = []
    for x, text in zip(places, map(budget_text, budgets.tolist()), strict=True):
        fits = x == places[0] or places[-1] - places[0] > text_width(text, SMALL) + 12
        below.append((x, text if numbers and fits else "", "middle"))
    few = 5 if frame.bottom - frame.top > 50 else 3
    inside = [(v, significant(v, 6)) for v in multiples(frame.low_y, frame.high_y, few)] if powers is None else powers
    return draw_area_axes(frame, below, [(value, text if values else "") for value, text in inside])
