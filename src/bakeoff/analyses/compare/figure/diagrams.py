"""Which diagram of a comparison, and how wide: the first form and width in which every name is whole."""

from collections.abc import Callable
from functools import partial

from bakeoff.analyses.compare.figure.comparison_view import ComparisonView, comparison_view
from bakeoff.analyses.compare.figure.critical_difference import MOST, cd_diagram
from bakeoff.analyses.compare.figure.ranked_list import ranked_list
from bakeoff.analyses.compare.statistics import Comparison
from bakeoff.errors import ParameterError
from bakeoff.figures.geometry.primitives import (
    COLUMN_MM,
    MEDIUM_MM,
    PAGE_MM,
    POINTS_PER_MM,
    Drawing,
    Width,
    narrowest,
    widths,
)

_MOST_BROKEN = 6  # names of several lines in a critical difference diagram


def draw_comparison(comparison: Comparison, width_mm: Width) -> Drawing:
    """The critical difference diagram while it can be read, else the ranked list."""
    view = comparison_view(comparison)

    def draw(width: float, whole_names: bool) -> Drawing | None:
        line = cd_diagram(view, width) if whole_names else None
        return line if line is not None and not _staircase(line) else ranked_list(view, width, whole_names)

    return narrowest(draw, widths(width_mm, _usual(view)))


def _staircase(drawing: Drawing) -> bool:
    """Names of several lines below each other, which a list says in less room."""
    broken = {item.about for item in drawing.items if item.role == "label continued"}
    return len(broken) > _MOST_BROKEN or (bool(broken) and drawing.height > drawing.width)


def draw_line(comparison: Comparison, width_mm: Width) -> Drawing:
    """The critical difference diagram, or an error that says why not."""
    view = comparison_view(comparison)
    tried = widths(width_mm, [COLUMN_MM, MEDIUM_MM, PAGE_MM])
    for width in tried:
        drawing = cd_diagram(view, width)
        if drawing is not None:
            return drawing
    reason = f"it has room for {MOST} algorithms; there are {view.k}. Compare fewer"
    if view.k <= MOST:
        mm = tried[-1] / POINTS_PER_MM
        reason = f"at {mm:g} mm names or groups are too close together to read. Try width_mm={2 * mm:g}"
    raise ParameterError(f': no "line" can be drawn: {reason}, or kind="list"', parameter="kind")


def draw_list(comparison: Comparison, width_mm: Width) -> Drawing:
    """The ranked list."""
    view = comparison_view(comparison)
    return narrowest(partial(ranked_list, view), widths(width_mm, _usual(view)))


def _usual(view: ComparisonView) -> list[float]:
    """Widths to try: a column for a dozen algorithms, more for more; a list without matrix needs no more."""
    k = view.k
    if k <= 12 or (k > MOST and view.control is not None):
        return [COLUMN_MM, MEDIUM_MM, PAGE_MM]
    return [MEDIUM_MM, PAGE_MM] if k <= MOST else [PAGE_MM]


def diagrams(comparison: Comparison) -> dict[str, Callable[[Comparison, Width], Drawing]]:
    """Those that may be chosen, by name."""
    return {"line": draw_line, "list": draw_list}
