"""Mean curves over the budget, and below them where which of two algorithms is shown to be better."""

import math
from dataclasses import replace

import numpy as np

from bakeoff.figures.geometry.axis import multiples
from bakeoff.figures.geometry.metrics import pair_labels, printable, short_labels, text_width
from bakeoff.figures.geometry.notes import Key, Look, captioned, draw_keys, mark_keys, mark_of
from bakeoff.figures.geometry.plot_frame import PlotFrame, draw_x_axis, draw_y_axis, left_margin, plot_frame, widened
from bakeoff.figures.geometry.primitives import (
    MARGIN,
    SMALL,
    Box,
    Drawing,
    Item,
    Polygon,
    Stroke,
    Text,
    Width,
    width_of,
)
from bakeoff.means.run_means import CLAIMS
from bakeoff.numerals import plain, power_of_ten, significant
from bakeoff.scores import Array
from bakeoff.wings.curves.curves.statistics import CurvePair, Curves
from bakeoff.wings.curves.curves.statistics.segments import budget_text

NAMED = 8  # algorithms with a mark of their own; the others are thin lines
FEW, STRIPS = 6, 12  # pairs: so many are all drawn, and of one algorithm so many
MARKS: tuple[Look, ...] = (
    ("circle", True, "black"),
    ("square", True, "accent"),
    ("up", False, "black"),
    ("down", True, "accent"),
    ("circle", False, "accent"),
    ("square", False, "black"),
    ("up", True, "accent"),
    ("down", False, "black"),
)
_HEIGHT = 0.55  # of the curves' area, in its width
_STRIP, _BAR = 13.0, 4.0
_PER_LINE = 5  # marks on each curve
_LEAST, _MOST = 0.04, 0.12  # of the axis: the last budget, which stands for what follows it


def draw_curves(result: Curves, width_mm: Width) -> Drawing:
    """Of the result of ``bo.curves``."""
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
    keys = mark_keys(shown, MARKS)
    if len(chosen) < len(order):
        keys.append(Key(words=f"{len(order) - len(chosen)} others", cell="light"))
    legend, end = draw_keys(keys, frame.bottom + 26, width)
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
    """Of the axis: to the next budget after the last, within limits."""
    if x[-1] <= x[0]:
        return x[0] - 1, x[0] + 1
    wide = x[-1] - x[0]
    return x[0], x[-1] + min(max(x[-1] - x[-2], _LEAST * wide), _MOST * wide)


def _chosen(result: Curves, order: list[int]) -> list[int]:
    """Those with marks: the best by area, and the control."""
    chosen = order[: NAMED if len(order) > NAMED else len(order)]
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
    for step in range(_PER_LINE):
        place = x[0] + (step + share) / _PER_LINE * (x[-1] - x[0])
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
    """With few pairs all of them; else those of the control, or of the best by area, whose name is the second value."""
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
