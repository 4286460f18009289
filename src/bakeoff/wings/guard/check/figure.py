"""By how much each problem of a new build is worse, with the margin; regressions on top.

Ratios lie on a logarithmic axis, which ends at four margins to either side: what lies beyond has an arrow, and an
estimate there its number.
"""

import math

from bakeoff.errors import ParameterError
from bakeoff.figures.geometry.axis import multiples
from bakeoff.figures.geometry.metrics import printable
from bakeoff.figures.geometry.plot_frame import Ticks, widened
from bakeoff.figures.geometry.primitives import Drawing, Width
from bakeoff.figures.geometry.rows import LISTED, Forest, ForestRow, check_first, draw_forest
from bakeoff.numerals import percent, score, significant
from bakeoff.wings.guard.check.statistics import Check, CheckRow
from bakeoff.wings.guard.check.statistics.cautions import signed_effect
from bakeoff.wings.guard.check.statistics.results import SUITE, in_order, margin_words

_MARGINS = 4.0  # to either side of no change
_NARROW = math.log(4.0)  # an axis of ratios that is shorter has round percentages at equal steps
_RATIOS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)


def draw_check(result: Check, width_mm: Width) -> Drawing:
    """Draw the result of ``bo.check``, in the order of its table."""
    ordered = in_order(result.rows)
    measured = [row for row in ordered if row.effect is not None]
    if not measured:
        rule = "there is no change to draw, because nothing was measured in new; write .md, .html or .json"
        raise ParameterError(rule)
    drawn = ordered if len(ordered) <= LISTED else measured[:LISTED]
    ratio = result.scale == "ratio"
    margin = margin_words(result)
    what = "of the mean over problems" if result.level == SUITE else "for one problem"
    caption = (
        f"By how much new is worse, with one-sided bounds of {percent(1 - result.alpha)} each, {what}. Dashed line: no "
        f"change; solid line: the margin, {margin}. Filled and bold: REGRESSED."
    )
    if len(drawn) < len(ordered):
        caption += f" The first {len(drawn)} of {len(ordered)} rows with a measurement, as in the table."
    elif len(measured) < len(drawn):
        caption += " Without a mark: nothing was measured in new."
    metric = f" in {printable(result.scores.metric)}" if result.scores.metric else ""
    ends = _ends(result, drawn)
    forest = Forest(
        rows=tuple(_row(result, row, ends) for row in drawn),
        unit=f"worse by{', in percent' if ratio else metric}; left of 0: better",
        caption=caption + check_first(result.cautions),
        margin=(_place(result, result.margin), f"margin {margin}"),
        reach=ends,
        ticks=_ticks(*ends) if ratio else None,
        column="verdict",
        title="Changes with intervals",
        spoken="; ".join(f"{row.problem} {row.verdict}" for row in drawn[:20]) + ".",
    )
    return draw_forest(forest, width_mm)


def _place(result: Check, effect: float) -> float:
    """The place on the axis: the logarithm of a ratio."""
    if result.scale != "ratio":
        return effect
    return math.log1p(effect) if effect > -1.0 else -math.inf


def _ends(result: Check, rows: list[CheckRow]) -> tuple[float, float]:
    """Where the axis ends: no change, the margin, and what was measured lie on it, as far as four margins."""
    most = _MARGINS * max((_place(result, row.margin) for row in rows if math.isfinite(row.margin)), default=0.0)
    values = [x for row in rows for x in (row.effect, *((row.interval or ()) if row.pvalue is not None else ()))]
    places = [_place(result, x) for x in values if x is not None]
    if most > 0.0:
        places = [min(max(place, -most), most) for place in places]
    places = [place for place in places if math.isfinite(place)]
    return widened(min(0.0, *places), max(_place(result, result.margin), 0.0, *places))


def _ticks(low: float, high: float) -> Ticks:
    """Percentages at their places on an axis of logarithms."""
    narrow = high - low < _NARROW
    values = multiples(math.expm1(low), math.expm1(high), 7) if narrow else [ratio - 1.0 for ratio in _RATIOS]
    placed = [(math.log1p(value), significant(100.0 * value, 6)) for value in values if value > -1.0]
    return [(place, text) for place, text in placed if low <= place <= high]


def _row(result: Check, row: CheckRow, ends: tuple[float, float]) -> ForestRow:
    name = row.problem if len(result.against) == 1 else f"{row.problem} ({row.against})"
    if row.margin != result.margin:
        name += f" (margin {margin_words(result, row.margin)})"
    low, high = row.interval if row.interval is not None and row.pvalue is not None else (None, None)
    words = row.verdict.upper() + (", improved" if row.improved else ", accepted" if row.accepted else "")
    value, low, high = (None if x is None else _place(result, x) for x in (row.effect, low, high))
    if row.effect is not None and value is not None and not ends[0] <= value <= ends[1]:
        words += f", {signed_effect(row.effect, result.scale == 'ratio')}"
    return ForestRow(
        name=name,
        value=value,
        low=low,
        high=high,
        words=words,
        filled=row.verdict == "regressed",
        bold=row.verdict == "regressed",
        hint="" if row.effect is None else f"{name}: {score(row.effect)}",
    )
