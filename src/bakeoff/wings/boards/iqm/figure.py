"""Interquartile means with their intervals, the best on top."""

from bakeoff.errors import plain
from bakeoff.figures.geometry.metrics import printable
from bakeoff.figures.geometry.primitives import Drawing, Width
from bakeoff.figures.geometry.rows import LISTED, Forest, ForestRow, check_first, draw_forest, rows_left_out
from bakeoff.numerals import equal_decimals, percent
from bakeoff.wings.boards.iqm.statistics import AggregateEstimate, InterquartileMean


def draw_interquartile(result: InterquartileMean, width_mm: Width) -> Drawing:
    """Draw the result of ``bo.interquartile_mean``, on the scale of the scores."""
    sign = -1 if result.scores.better == "higher" else 1
    ordered = sorted(result.estimates, key=lambda each: sign * each.iqm)
    worse = {
        pair.b if pair.verdict == "a better" else pair.a for pair in result.pairs if pair.verdict.endswith("better")
    }
    words = equal_decimals([each.iqm for each in ordered])
    rows = [_row(each, text, each.algorithm not in worse) for each, text in zip(ordered[:LISTED], words, strict=False)]
    metric = f" of {printable(result.scores.metric)}" if result.scores.metric else ""
    caption = (
        f"Interquartile mean of each with its own {percent(1 - result.alpha)} interval, best on top. Filled and bold: "
        "no other one is shown to be better; overlapping intervals are not that test."
    )
    if any(row.low is None for row in rows):
        caption += " Without an interval: the middle half of its runs is one value."
    numbers = "; ".join(f"{plain(each.algorithm)} {text}" for each, text in zip(ordered[:20], words, strict=False))
    forest = Forest(
        rows=tuple(rows),
        unit=f"interquartile mean{metric}; {result.scores.better} is better",
        caption=caption + rows_left_out(len(ordered), "algorithms") + check_first(result.cautions),
        equal=None,
        column="IQM",
        title="Interquartile means with intervals",
        spoken=f"{numbers}.",
    )
    return draw_forest(forest, width_mm)


def _row(each: AggregateEstimate, words: str, filled: bool) -> ForestRow:
    low, high = each.interval if each.interval[0] < each.interval[1] else (None, None)
    return ForestRow(name=each.algorithm, value=each.iqm, low=low, high=high, words=words, filled=filled, bold=filled)
