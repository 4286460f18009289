"""Which diagram of a comparison, and how wide: the first form and width in which every name is whole."""

from __future__ import annotations

from bakeoff.comparison import Comparison
from bakeoff.figures.geometry.comparison.comparison_view import ComparisonView, comparison_view
from bakeoff.figures.geometry.comparison.critical_difference import MOST, cd_diagram
from bakeoff.figures.geometry.comparison.ranked_list import ranked_list
from bakeoff.figures.geometry.primitives import POINTS_PER_MM, Drawing
from bakeoff.figures.geometry.widths import COLUMN_MM, MEDIUM_MM, PAGE_MM, Width


def draw_comparison(comparison: Comparison, width_mm: Width) -> Drawing:
    """The critical difference diagram while it can be read, else the ranked list."""
    view = comparison_view(comparison)
    widths = [w * POINTS_PER_MM for w in (_widths(view) if width_mm is None else [width_mm])]
    for width in widths:
        drawing = cd_diagram(view, width) or ranked_list(view, width, whole_names=True)
        if drawing is not None:
            return drawing
    shortened = ranked_list(view, widths[-1], whole_names=False)
    assert shortened is not None
    return shortened


def _widths(view: ComparisonView) -> list[float]:
    """Widths to try: a column for a dozen algorithms, more for more; a list without matrix needs no more."""
    k = view.k
    if k <= 12 or (k > MOST and view.control is not None):
        return [COLUMN_MM, MEDIUM_MM, PAGE_MM]
    return [MEDIUM_MM, PAGE_MM] if k <= MOST else [PAGE_MM]
