"""The figures of a report as its look wants them."""

from typing import Any

from bakeoff.figures import diagram
from bakeoff.figures.geometry.notes import uncaptioned
from bakeoff.figures.geometry.primitives import Drawing
from bakeoff.figures.writing import highlighted
from bakeoff.report.appearance import Appearance


def picture_of(result: Any, look: Appearance, kind: str | None = None) -> Drawing:
    """The diagram of ``result``; a figure without the highlighted algorithm (a plot of one pair) stays as it is."""
    drawing: Drawing = diagram(result, kind, width_mm=look.width_mm)
    if look.highlight is not None and any(item.about == (look.highlight,) for item in drawing.items):
        drawing = highlighted(drawing, look.highlight)
    return drawing if look.caption else uncaptioned(drawing)
