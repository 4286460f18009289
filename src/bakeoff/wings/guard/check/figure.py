"""By how much each problem of a new build is worse, with the margin; regressions on top."""

from bakeoff.errors import ParameterError
from bakeoff.figures.geometry.metrics import printable
from bakeoff.figures.geometry.primitives import Drawing, Width
from bakeoff.figures.geometry.rows import LISTED, Forest, ForestRow, check_first, draw_forest
from bakeoff.numerals import percent
from bakeoff.wings.guard.check.statistics import Check, CheckRow
from bakeoff.wings.guard.check.statistics.results import SUITE, in_order, margin_words


def draw_check(result: Check, width_mm: Width) -> Drawing:
    """Draw the result of ``bo.check``, in the order of its table."""
    ordered = in_order(result.rows)
    measured = [row for row in ordered if row.effect is not None]
    if not measured:
        rule = "there is no change to draw, because nothing was measured in new; write .md, .html or .json"
        raise ParameterError(rule)
    drawn = ordered if len(ordered) <= LISTED else measured[:LISTED]
    ratio = result.scale == "ratio"
    margin = margin_words(result, result.margin)
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
    forest = Forest(
        rows=tuple(_row(result, row) for row in drawn),
        unit=f"worse by{', in percent' if ratio else metric}; left of 0: better",
        percent=ratio,
        caption=caption + check_first(result.cautions),
        margin=(result.margin, f"margin {margin}"),
        column="verdict",
        title="Changes with intervals",
        spoken="; ".join(f"{row.problem} {row.verdict}" for row in drawn[:20]) + ".",
    )
    return draw_forest(forest, width_mm)


def _row(result: Check, row: CheckRow) -> ForestRow:
    name = row.problem if len(result.against) == 1 else f"{row.problem} ({row.against})"
    if row.margin != result.margin:
        name += f" (margin {margin_words(result, row.margin)})"
    low, high = row.interval if row.interval is not None and row.pvalue is not None else (None, None)
    return ForestRow(
        name=name,
        value=row.effect,
        low=low,
        high=high,
        words=row.verdict.upper() + (", improved" if row.improved else ", accepted" if row.accepted else ""),
        filled=row.verdict == "regressed",
        bold=row.verdict == "regressed",
    )
