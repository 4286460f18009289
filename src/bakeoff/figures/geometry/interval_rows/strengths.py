"""Log strengths of the Bradley–Terry model with their intervals, the strongest on top."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from bakeoff.bayes.statements.wording import chance
from bakeoff.errors import plain
from bakeoff.figures.geometry.interval_rows.forest import (
    LISTED,
    Forest,
    ForestRow,
    check_first,
    draw_forest,
    rows_left_out,
)
from bakeoff.figures.geometry.metrics import printable
from bakeoff.figures.geometry.primitives import Drawing
from bakeoff.figures.geometry.widths import Width
from bakeoff.numerals import decimals, percent

if TYPE_CHECKING:
    from bakeoff.bayes import StrengthPosterior
    from bakeoff.bradley_terry import Ratings


def draw_ratings(found: Ratings, width_mm: Width) -> Drawing:
    """Of the result of ``bo.ratings``; the reference is 0 and has no interval."""
    level = percent(1 - found.alpha)
    caption = (
        f"Log strengths, each with its own {level} interval; ranks with simultaneous confidence {level}. Filled and "
        "bold: may be the strongest."
    )

    def row(i: int) -> ForestRow:
        least, most = found.rank_intervals[i].tolist()
        name = found.algorithms[i]
        low, high = (None, None) if name == found.reference else found.intervals[i].tolist()
        return ForestRow(
            name=name,
            value=float(found.strengths[i]),
            low=low,
            high=high,
            words=str(least) if least == most else f"{least}–{most}",
            filled=least == 1,
            bold=least == 1,
        )

    return _drawn(found, found.reference, row, caption, "rank", width_mm)


def draw_strength_posterior(found: StrengthPosterior, width_mm: Width) -> Drawing:
    """Of the result of ``bo.bayes.bradley_terry``."""
    caption = (
        f"Posterior means of log strengths with {percent(1 - found.gamma)} intervals. P(strongest): that its strength "
        "is the largest."
    )

    def row(i: int) -> ForestRow:
        low, high = found.intervals[i].tolist()
        words = chance(float(found.p_best[i]), exact=False)
        return ForestRow(name=found.algorithms[i], value=float(found.strengths[i]), low=low, high=high, words=words)

    return _drawn(found, None, row, caption, "P(strongest)", width_mm)


def _drawn(
    found: Ratings | StrengthPosterior,
    reference: str | None,
    row: Callable[[int], ForestRow],
    caption: str,
    column: str,
    width_mm: Width,
) -> Drawing:
    order = np.argsort(-found.strengths, kind="stable").tolist()
    zero = "all of them sum to 0" if reference is None else f"{printable(reference)} is 0"
    said = "; ".join(f"{plain(found.algorithms[i])} {decimals(float(found.strengths[i]), 3)}" for i in order[:20])
    forest = Forest(
        rows=tuple(row(i) for i in order[:LISTED]),
        overall=None,
        unit=f"log strength; {zero}",
        percent=False,
        caption=caption + rows_left_out(len(order), "algorithms") + check_first(found.cautions),
        equal=None if reference is None else 0.0,
        column=column,
        title="Log strengths with intervals",
        said=f"{said}.",
    )
    return draw_forest(forest, width_mm)
