"""Forest plot: estimates with intervals, one row each, and the line of no difference; the overall estimate on top.

Of two algorithms the rows are problems, ordered by their difference; of more, the pairs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bakeoff.figures.geometry.metrics import printable, shorten, text_width
from bakeoff.figures.geometry.plot_frame import (
    PlotFrame,
    draw_no_difference,
    draw_x_axis,
    finished_plot,
    plot_frame,
    widened,
)
from bakeoff.figures.geometry.primitives import LABEL, MARGIN, SMALL, Drawing, Item, Mark, Polygon, Stroke, Text
from bakeoff.figures.geometry.widths import COLUMN_MM, MEDIUM_MM, Width, width_of
from bakeoff.numerals import score

if TYPE_CHECKING:
    from bakeoff.running.results import RunResult

NAMED = 60  # rows; beyond, they are too low for names
_PITCH = 9.0
MOST = 1000  # beyond, every m-th row is drawn
_TALLEST = 300.0
_LONGEST = 0.4  # of the width: names


@dataclass(frozen=True, slots=True, kw_only=True)
class ForestRow:
    """One row; ``low`` and ``high`` are None where only the estimate is known."""

    name: str
    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forest:
    """``overall`` is drawn as a diamond, if there is one."""

    rows: tuple[ForestRow, ...]
    overall: ForestRow | None
    unit: str
    percent: bool
    caption: str
    equal: float = 0.0  # where neither is better
    reach: tuple[float, float] | None = None  # of the axis; None: as the estimates need
    title: str = "Estimated differences with intervals"


def draw_run(result: RunResult, width_mm: Width) -> Drawing:
    """Of the result of ``bo.run``."""
    return draw_forest(forest_of(result), width_mm)


def draw_forest(forest: Forest, width_mm: Width) -> Drawing:
    """Also of rows that are no result of a run."""
    named = len(forest.rows) <= NAMED
    width = width_of(width_mm, MEDIUM_MM if named else COLUMN_MM)
    rows = [*([] if forest.overall is None else [forest.overall]), *forest.rows]
    pitch = _PITCH if named else _TALLEST / len(rows)
    names = [shorten(printable(r.name), _LONGEST * width, SMALL) if named else "" for r in rows]
    left = MARGIN + max((text_width(n, SMALL) for n in names), default=0.0) + 8
    frame = plot_frame(forest.reach or _limits(rows), (0.0, 1.0), width, pitch * (len(rows) + 0.5), left=left)
    items: list[Item] = [
        *draw_x_axis(frame, forest.unit, 100.0 if forest.percent else 1.0),
        draw_no_difference(frame, forest.equal),
    ]
    for i, (row, name) in enumerate(zip(rows, names, strict=True)):
        y = frame.top + pitch * (i + 0.5)
        over_all = row is forest.overall
        items += _diamond(frame, row, y) if over_all else _row(frame, row, y, named)
        if name:
            items.append(Text(x=left - 6, y=y + 2.3, text=name, anchor="end", bold=over_all, role="name",
                              about=(row.name,), hint=row.name))  # fmt: skip
    above = sum(r.value > forest.equal for r in forest.rows)
    said = f"{forest.caption} {above} of {len(forest.rows)} estimates are above {forest.equal:g}."
    return finished_plot(frame, items, forest.caption, width, form="forest", title=forest.title, description=said)


def forest_of(result: RunResult) -> Forest:
    """Problems of one pair with ±1.96 standard errors, or the pairs with the intervals of their effects."""
    found, percent = result.analysis, result.analysis.question.differences == "percent"
    unit = "difference in percent" if percent else "difference"
    if len(found.pairs) > 1:
        rows = [
            ForestRow(name=f"{p.a} – {p.b}", value=p.effect.estimate, low=p.effect.low, high=p.effect.high)
            for p in found.pairs
            if p.effect is not None
        ]
        share = any(p.effect is not None and p.effect.kind == "share of wins" for p in found.pairs)
        return Forest(
            rows=tuple(rows),
            overall=None,
            unit="share of problems won by the first" if share else f"{unit}; right of 0: the first is better",
            percent=percent and not share,
            caption="Effect of each pair with its own interval.",
            equal=0.5 if share else 0.0,
            reach=(0.0, 1.0) if share else None,
        )
    pair = found.pair
    rows = []
    known = sorted(((e.difference, e) for e in result.estimates if e.difference is not None), key=lambda one: one[0])
    step = 1 + max(len(known) - 1, 0) // MOST
    for difference, e in known[::step]:
        low = high = None
        if e.standard_error is not None:
            low, high = difference - 1.96 * e.standard_error, difference + 1.96 * e.standard_error
        rows.append(ForestRow(name=e.problem, value=difference, low=low, high=high))
    whose = "Each problem's" if step == 1 else f"Every {step}th problem's"
    caption = f"{whose} difference with ±1.96 standard errors"
    effect = pair.effect
    overall = None
    if effect is not None and effect.kind != "share of wins":
        overall = ForestRow(name=effect.kind, value=effect.estimate, low=effect.low, high=effect.high)
        caption += f"; at the top, the {effect.kind} with its {100 * effect.confidence_level:g} % interval"
    return Forest(
        rows=tuple(rows),
        overall=overall,
        unit=f"{unit}; right of 0: {shorten(printable(pair.a), 90.0, LABEL)} is better",
        percent=percent,
        caption=f"{caption}.",
    )


def _limits(rows: list[ForestRow]) -> tuple[float, float]:
    """All finite ends, and 0."""
    ends = [v for r in rows for v in (r.value, r.low, r.high) if v is not None and abs(v) < 1e300]
    return widened(min([0.0, *ends]), max([0.0, *ends]))


def _within(frame: PlotFrame, value: float) -> float:
    """Values beyond the axis are drawn at its end."""
    return min(max(value, frame.low_x), frame.high_x)


def _row(frame: PlotFrame, row: ForestRow, y: float, named: bool) -> list[Item]:
    items: list[Item] = []
    if row.low is not None and row.high is not None:
        x1, x2 = (frame.x(_within(frame, v)) for v in (row.low, row.high))
        items.append(Stroke(x1=x1, y1=y, x2=x2, y2=y, colour="tint3", width=1.2 if named else 0.5, role="interval"))
    x = frame.x(_within(frame, row.value))
    radius = 1.6 if named else 0.8
    hint = f"{row.name}: {score(row.value)}"
    mark = Mark(x=x, y=y, radius=radius, colour="accent", role="estimate", about=(row.name,), hint=hint)
    return [*items, mark]


def _diamond(frame: PlotFrame, row: ForestRow, y: float) -> list[Item]:
    assert row.low is not None
    assert row.high is not None
    x1, x2 = (frame.x(_within(frame, v)) for v in (row.low, row.high))
    middle = frame.x(_within(frame, row.value))
    points = ((x1, y), (middle, y - 3.2), (x2, y), (middle, y + 3.2))
    return [Polygon(points=points, fill="black", role="overall", about=(row.name,), hint=f"{score(row.value)}")]
