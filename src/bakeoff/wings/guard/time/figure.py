"""Ratios of times with their intervals, a row per pair."""

from bakeoff.errors import ParameterError
from bakeoff.figures.geometry.plot_frame import widened
from bakeoff.figures.geometry.primitives import Drawing, Width
from bakeoff.figures.geometry.rows import LISTED, NAMED, Forest, ForestRow, draw_forest, rows_left_out
from bakeoff.numerals import percent
from bakeoff.wings.guard.timing import Timing

_BETWEEN = " : "


def draw_timing(result: Timing, width_mm: Width) -> Drawing:
    """Pairs that have an interval; the slower of two stands second."""
    rows = []
    for pair in result.pairs:
        if pair.ends is None or pair.ratio is None:
            continue
        shown = pair.turned if pair.ratio < 1.0 else pair
        names = shown.a, shown.b
        row = ForestRow(name=_BETWEEN.join(names), value=shown.ratio, low=shown.low, high=shown.high, pair=names)
        rows.append(row)
    if not rows:
        raise ParameterError("there is no interval to draw yet; measure more rounds, or write .md, .html or .json")
    ends = [1.0, *(end for row in rows for end in (row.low, row.high) if end is not None)]
    more = f" {len(result.pairs) - len(rows)} pairs have no interval." if len(rows) < len(result.pairs) else ""
    if len(rows) > NAMED:
        more += rows_left_out(len(rows), "pairs")
        rows = rows[:LISTED]
    forest = Forest(
        rows=tuple(rows),
        unit="times as fast: the first of a pair against the second",
        caption=(
            f"Dots: median ratio over {result.n_rounds} rounds. Lines: confidence sequences, which hold together with "
            f"probability {percent(1 - result.alpha)} at any number of rounds.{more}"
        ),
        between=_BETWEEN,
        equal=1.0,
        reach=widened(min(ends), max(ends)),
        title="Ratios of times with intervals",
    )
    return draw_forest(forest, width_mm)
