"""The figures of an experiment: differences with intervals, a normal QQ plot, and bootstrapped means."""

import math

import numpy as np
import numpy.typing as npt

from bakeoff import numerals
from bakeoff.dataclass import dataclass
from bakeoff.figures.geometry.axis import multiples
from bakeoff.figures.geometry.metrics import printable, shorten
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
    Box,
    Drawing,
    Item,
    Mark,
    Polygon,
    Stroke,
    Width,
    width_of,
)
from bakeoff.figures.geometry.rows import Forest, ForestRow, draw_forest
from bakeoff.plan.differences import Kind
from bakeoff.wings.run._run import RunResult
from bakeoff.wings.run.analysis.results import PairEffect
from bakeoff.wings.run.design.settings import Question

# Differences of a run with intervals: of two algorithms a row per problem, of more a row per pair.


MOST = 1000  # rows; beyond, every m-th problem is drawn
_FARTHEST = 300.0  # of a logarithm on the axis
_NARROW = math.log(4.0)  # an axis of ratios that is shorter has round ratios at equal steps
_RATIOS = tuple(m * 10.0**e for e in range(-9, 10) for m in (1.0, 2.0, 5.0))


def draw_run(result: RunResult, width_mm: Width) -> Drawing:
    """Draw the result of ``bo.run``."""
    return draw_forest(forest_of(result), width_mm)


def forest_of(result: RunResult) -> Forest:
    """Problems of one pair with ±1.96 standard errors, or the pairs with the intervals of their effects."""
    analysis = result.analysis
    if len(analysis.pairs) > 1:
        return _of_pairs(result)
    pair, kind = analysis.pair, analysis.question.kind
    rows = []
    known = sorted(((e.difference, e) for e in result.estimates if e.difference is not None), key=lambda one: one[0])
    step = 1 + max(len(known) - 1, 0) // MOST
    for difference, e in known[::step]:
        low = high = None
        if e.standard_error is not None:
            low, high = difference - 1.96 * e.standard_error, difference + 1.96 * e.standard_error
        rows.append(
            ForestRow(name=e.problem, value=difference, low=low, high=high, hint=_hint(e.problem, difference, kind))
        )
    whose = "Each problem's" if step == 1 else f"Every {step}th problem's"
    caption = f"{whose} {kind.noun} with ±1.96 standard errors"
    effect = pair.effect
    overall = None
    if effect is not None and effect.kind != "share of wins":
        overall = _effect_row(effect.kind, effect, kind)
        caption += f"; at the top, the {effect.kind} with its {100 * effect.confidence_level:g} % interval"
    start = f"{_unit(analysis.question)}; right of {kind.equal:g}: "
    null = _null_line(analysis.question)
    reach, ticks = _ratios(kind, [row for row in (*rows, overall) if row is not None], null)
    return Forest(
        rows=tuple(rows),
        overall=overall,
        margin=null,
        unit=f"{start}{shorten(printable(pair.a), 90.0, LABEL)} is better",
        percent=kind.relative,
        caption=f"{caption}.{_tested(analysis.question)}",
        reach=reach,
        ticks=ticks,
    )


def _of_pairs(result: RunResult) -> Forest:
    question, kind = result.analysis.question, result.analysis.question.kind
    effects = [(f"{p.a} – {p.b}", p.effect) for p in result.analysis.pairs if p.effect is not None]
    caption = f"Effect of each pair with its own interval.{_tested(question)}"
    if any(effect.kind == "share of wins" for _, effect in effects):
        by = "" if question.about_equality else f" by more than {question.null_words}"
        rows = [ForestRow(name=name, value=e.estimate, low=e.low, high=e.high) for name, e in effects]
        unit = f"share of problems won by the first{by}"
        return Forest(rows=tuple(rows), unit=unit, caption=caption, equal=0.5, reach=(0.0, 1.0))
    rows = [_effect_row(name, effect, kind) for name, effect in effects]
    null = _null_line(question)
    reach, ticks = _ratios(kind, rows, null)
    return Forest(
        rows=tuple(rows),
        margin=null,
        unit=f"{_unit(question)}; right of {kind.equal:g}: the first is better",
        percent=kind.relative,
        caption=caption,
        reach=reach,
        ticks=ticks,
    )


def _unit(question: Question) -> str:
    return f"{question.kind.noun}{' in percent' if question.kind.relative else ''}"


def _tested(question: Question) -> str:
    return "" if question.about_equality else f" Tested against {question.null_words}."


def _null_line(question: Question) -> tuple[float, str] | None:
    """The null value, where that is not the place of equality."""
    return None if question.about_equality else (question.null_difference, question.null_words)


def _effect_row(name: str, effect: PairEffect, kind: Kind) -> ForestRow:
    """At its place on the axis, where ratios are logarithms."""
    value, low, high = map(kind.difference, (effect.estimate, effect.low, effect.high))
    return ForestRow(name=name, value=value, low=low, high=high, hint=_hint(name, value, kind))


def _hint(name: str, difference: float, kind: Kind) -> str:
    return f"{name}: {kind.written(kind.effect(difference))}" if kind.logs else ""


def _ratios(
    kind: Kind, rows: list[ForestRow], null: tuple[float, str] | None
) -> tuple[tuple[float, float] | None, Ticks | None]:
    """Where an axis of logarithms ends, and its ratios; None of another one."""
    if not kind.logs:
        return None, None
    ends = [x for row in rows for x in (row.value, row.low, row.high) if x is not None and abs(x) < _FARTHEST]
    ends += [0.0] if null is None else [0.0, null[0]]
    low, high = widened(min(ends), max(ends))
    values = multiples(math.exp(low), math.exp(high), 7) if high - low < _NARROW else _RATIOS
    placed = [(math.log(value), numerals.significant(value, 6)) for value in values if value > 0.0]
    ticks = [(place, text) for place, text in placed if low <= place <= high]
    return (low, high), ticks if len(ticks) > 1 else [(0.0, "1"), (high, numerals.significant(math.exp(high), 3))]


Array = npt.NDArray[np.float64]

_HEIGHT = 0.62  # of the plotted area, in its width
MOST_POINTS = 2000  # beyond, every m-th point is drawn


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantilePlot:
    """``ordered`` against ``normal_quantiles`` (n,): a straight line where the sample is normal."""

    normal_quantiles: Array
    ordered: Array
    caption: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MeansPlot:
    """Bootstrapped means, with the normal curve of the same mean and spread."""

    means: Array
    caption: str
    unit: str


def draw_quantiles(plot: QuantilePlot, width_mm: Width) -> Drawing:
    """Points, and the line through mean and standard deviation."""
    width = width_of(width_mm)
    x, y = plot.normal_quantiles, plot.ordered
    frame = plot_frame(
        widened(float(x[0]), float(x[-1])), widened(float(y[0]), float(y[-1])), width, _HEIGHT * (width - 40)
    )
    step = max(1, len(x) // MOST_POINTS)
    marks = [
        Mark(x=frame.x(float(q)), y=frame.y(float(v)), radius=1.3, colour="accent", role="point")
        for q, v in zip(x[::step], y[::step], strict=True)
    ]
    items = [*draw_y_axis(frame, "difference"), *draw_x_axis(frame, "normal quantile"), *_reference(frame, y), *marks]
    title = "Normal QQ plot of the differences"
    return finished_plot(frame, items, plot.caption, width, form="quantiles", title=title)


def _reference(frame: PlotFrame, y: Array) -> list[Item]:
    """The normal line, clipped to the area."""
    mean, sd = float(np.mean(y)), float(np.std(y, ddof=1)) if len(y) > 1 else 0.0
    if sd == 0:
        return []
    low = max(frame.low_x, (frame.low_y - mean) / sd)
    high = min(frame.high_x, (frame.high_y - mean) / sd)
    if low >= high:
        return []
    (x1, y1), (x2, y2) = frame.points((q, mean + sd * q) for q in (low, high))
    return [Stroke(x1=x1, y1=y1, x2=x2, y2=y2, colour="grey", dashed=True, role="normal line")]


def draw_means(plot: MeansPlot, width_mm: Width) -> Drawing:
    """Bars and the normal curve."""
    width = width_of(width_mm)
    counts, edges = np.histogram(plot.means, bins=30)
    share = counts / len(plot.means) / (edges[1] - edges[0])
    mean, sd = float(np.mean(plot.means)), float(np.std(plot.means, ddof=1))
    grid = np.linspace(edges[0], edges[-1], 81)
    curve = np.exp(-0.5 * ((grid - mean) / sd) ** 2) / (sd * np.sqrt(2 * np.pi)) if sd > 0 else np.zeros(81)
    high = float(max(share.max(), curve.max())) * 1.05
    frame = plot_frame((float(edges[0]), float(edges[-1])), (0.0, high), width, _HEIGHT * (width - 40), left=MARGIN + 6)
    bars = []
    for start, end, h in zip(edges[:-1].tolist(), edges[1:].tolist(), share.tolist(), strict=True):
        if h > 0:
            x, y = frame.x(start), frame.y(h)
            wide, high = frame.x(end) - x, frame.bottom - y
            bars.append(Box(x=x, y=y, width=wide, height=high, fill="tint2", edge="white", role="bar"))
    points = frame.points(zip(grid, curve, strict=True))
    line = Polygon(points=points, edge="black", width=0.9, dashed=True, role="normal curve")
    items = [*bars, *([line] if sd > 0 else []), *draw_x_axis(frame, plot.unit)]
    title = "Bootstrapped means of the differences"
    return finished_plot(frame, items, plot.caption, width, form="means", title=title)
