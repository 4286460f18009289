"""Histories of benchmarks below each other: a dot per version, the level of each segment, a line at each step."""

from dataclasses import replace

import numpy as np

from bakeoff.figures.geometry.metrics import printable, short_labels
from bakeoff.figures.geometry.plot_frame import PlotFrame, draw_x_axis, finished_plot, plot_frame, widened
from bakeoff.figures.geometry.primitives import (
    MARGIN,
    MEDIUM_MM,
    SMALL,
    Drawing,
    Item,
    Mark,
    Stroke,
    Text,
    Width,
    width_of,
)
from bakeoff.numerals import significant
from bakeoff.wings.guard.history.statistics import ChangePoints
from bakeoff.wings.guard.history.statistics._change_points import run_medians

MOST = 8  # histories; those with the clearest change
_HEIGHT, _GAP = 46.0, 16.0
_NUMBERS = 38.0  # of the axis at the left


def draw_history(result: ChangePoints, width_mm: Width) -> Drawing:
    """The changed benchmarks first, by p-value."""
    width = width_of(width_mm, MEDIUM_MM)
    table = run_medians(result.scores)
    shown = sorted(range(len(result.series)), key=lambda i: (_pvalue(result, i), i))[:MOST]
    total = result.scores.n_algorithms
    reach = widened(0.0, float(max(total - 1, 1)), 0.02)
    whole = plot_frame(reach, (0.0, 1.0), width, len(shown) * (_HEIGHT + _GAP), left=MARGIN + _NUMBERS)
    items: list[Item] = []
    titles, key = short_labels([result.series[i].problem for i in shown], whole.right - whole.left, SMALL, bold=True)
    for place, i in enumerate(shown):
        top = whole.top + place * (_HEIGHT + _GAP)
        values = table[i]
        low, high = widened(float(np.nanmin(values)), float(np.nanmax(values)), 0.08)
        frame = replace(whole, low_y=low, high_y=high, top=top, bottom=top + _HEIGHT)
        items += _panel(result, i, titles[place], values.tolist(), frame)
    (first, last), _ = short_labels([result.scores.algorithms[j] for j in (0, -1)], 70.0, SMALL)
    items += draw_x_axis(whole, f"version, from {first} (0) to {last} ({total - 1})")
    more = len(result.series) - len(shown)
    caption = "Dots: versions. Lines: medians of the levels; dashed: the first version of a new level." + (
        f" {more} more benchmarks are not drawn." if more else ""
    )
    caption += key
    changes = f"{len(result.steps)} changes of level in {len({step.problem for step in result.steps})} benchmarks."
    return finished_plot(whole, items, caption, width, form="history", title="Histories of benchmarks", spoken=changes)


def _pvalue(result: ChangePoints, i: int) -> float:
    pvalue = result.series[i].pvalue
    return 2.0 if pvalue is None else pvalue


def _panel(result: ChangePoints, i: int, title: str, values: list[float], frame: PlotFrame) -> list[Item]:
    series, names = result.series[i], result.scores.algorithms
    items: list[Item] = [
        Text(x=frame.left, y=frame.top - 3, text=title, bold=True, role="name", about=(series.problem,)),
        Stroke(x1=frame.left, y1=frame.bottom, x2=frame.left, y2=frame.top, width=0.6, role="axis"),
    ]
    for value in (min(v for v in values if v == v), max(v for v in values if v == v)):
        y = frame.y(value)
        items.append(Text(x=frame.left - 4, y=y + 2.3, text=significant(value, 4), anchor="end", role="tick label"))
    for step in result.steps:
        if step.problem == series.problem:
            x = frame.x(step.place - 0.5)
            items.append(Stroke(x1=x, y1=frame.top, x2=x, y2=frame.bottom, colour="grey", dashed=True, role="step",
                                about=(series.problem, step.version), hint=printable(step.version)))  # fmt: skip
    radius = 1.3 if len(values) <= 100 else 0.8
    for j, value in enumerate(values):
        if value == value:
            hint = f"{printable(names[j])}: {significant(value, 4)}"
            items.append(Mark(x=frame.x(j), y=frame.y(value), radius=radius, colour="tint4", role="value",
                              about=(series.problem, names[j]), hint=hint))  # fmt: skip
    for first, last, median in series.segments:
        x1 = max(frame.left, frame.x(names.index(first) - 0.3))  # beside the axis stand the numbers
        x2, y = min(frame.right, frame.x(names.index(last) + 0.3)), frame.y(median)
        items.append(Stroke(x1=x1, y1=y, x2=x2, y2=y, width=1.4, role="level", hint=significant(median, 4)))
    return items
