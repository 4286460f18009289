"""Which diagram: the critical difference diagram while it can be read, else the ranked list; and how wide."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.figures.geometry.facts import Facts, facts_of
from bakeoff.figures.geometry.line import MOST, line_diagram
from bakeoff.figures.geometry.primitives import POINTS_PER_MM, Drawing
from bakeoff.figures.geometry.ranked import ranked_list

if TYPE_CHECKING:
    from bakeoff.comparison import Comparison

COLUMN_MM, MEDIUM_MM, PAGE_MM = 80.0, 120.0, 180.0  # one column of a journal, one and a half, two
_NARROWEST_MM, _WIDEST_MM = 60.0, 2000.0


def choose(comparison: Comparison, width_mm: float | None) -> Drawing:
    """The first form and width, from narrow to wide, in which every name is whole; else shortened names."""
    if not all(hasattr(comparison, name) for name in ("mean_ranks", "pairs", "groups", "critical_difference")):
        raise WrongTypeError(
            f"comparison must be the result of bakeoff.compare; got {type(comparison).__name__}. "
            "Call bo.compare(scores) first."
        )
    facts = facts_of(comparison)
    widths = [w * POINTS_PER_MM for w in (_widths(facts) if width_mm is None else [_checked(width_mm)])]
    for width in widths:
        drawing = line_diagram(facts, width) or ranked_list(facts, width, whole_names=True)
        if drawing is not None:
            return drawing
    shortened = ranked_list(facts, widths[-1], whole_names=False)
    assert shortened is not None
    return shortened


def _widths(facts: Facts) -> list[float]:
    """Widths to try: a column for a dozen algorithms, more for more; a list without matrix needs no more."""
    k = facts.k
    if k <= 12 or (k > MOST and facts.control is not None):
        return [COLUMN_MM, MEDIUM_MM, PAGE_MM]
    return [MEDIUM_MM, PAGE_MM] if k <= MOST else [PAGE_MM]


def _checked(width_mm: float) -> float:
    try:
        width = float(width_mm)
    except (TypeError, ValueError):
        width = math.nan
    if not _NARROWEST_MM <= width <= _WIDEST_MM:
        raise ParameterError(
            f"width_mm must be a number of millimetres from {_NARROWEST_MM:g} to {_WIDEST_MM:g}; got {width_mm!r}. "
            "A journal's column is about 80, a page 180; leave it out to let the diagram choose."
        )
    return width
