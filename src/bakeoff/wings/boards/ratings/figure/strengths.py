"""Log strengths of the Bradley–Terry model with their intervals, the strongest on top."""

import numpy as np

from bakeoff.errors import plain
from bakeoff.figures.geometry.metrics import printable
from bakeoff.figures.geometry.primitives import Drawing, Width
from bakeoff.figures.geometry.rows import LISTED, Forest, ForestRow, check_first, draw_forest, rows_left_out
from bakeoff.numerals import decimals, percent
from bakeoff.wings.boards.ratings.statistics import Ratings


def draw_ratings(result: Ratings, width_mm: Width) -> Drawing:
    """Of the result of ``bo.ratings``; the reference is 0 and has no interval."""
    level = percent(1 - result.alpha)
    caption = (
        f"Log strengths, each with its own {level} interval; ranks with simultaneous confidence {level}. Filled and "
        "bold: may be the strongest."
    )

    def row(i: int) -> ForestRow:
        least, most = result.rank_intervals[i].tolist()
        name = result.algorithms[i]
        low, high = (None, None) if name == result.reference else result.intervals[i].tolist()
        return ForestRow(
            name=name,
            value=float(result.strengths[i]),
            low=low,
            high=high,
            words=str(least) if least == most else f"{least}–{most}",
            filled=least == 1,
            bold=least == 1,
        )

    reference = result.reference
    order = np.argsort(-result.strengths, kind="stable").tolist()
    zero = "all of them sum to 0" if reference is None else f"{printable(reference)} is 0"
    numbers = "; ".join(f"{plain(result.algorithms[i])} {decimals(float(result.strengths[i]), 3)}" for i in order[:20])
    forest = Forest(
        rows=tuple(row(i) for i in order[:LISTED]),
        unit=f"log strength; {zero}",
        caption=caption + rows_left_out(len(order), "algorithms") + check_first(result.cautions),
        equal=None if reference is None else 0.0,
        column="rank",
        title="Log strengths with intervals",
        spoken=f"{numbers}.",
    )
    return draw_forest(forest, width_mm)
