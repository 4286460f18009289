"""What ``bo.diagram`` returns: the shapes of a diagram, and where they can be put."""

from __future__ import annotations

from dataclasses import dataclass, fields
from os import PathLike
from typing import TYPE_CHECKING

from bakeoff.errors import plain
from bakeoff.figures.backends.svg import to_svg
from bakeoff.figures.geometry import primitives
from bakeoff.figures.writing import save

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Drawing(primitives.Drawing):
    """A diagram: ``save`` it, ``draw`` it into Axes of matplotlib, or let a notebook show it.

    Attributes
    ----------
    width, height : float
        In points (1/72 inch); ``width_mm`` and ``height_mm`` in millimetres.
    form : str
        "line" (critical difference diagram), "list" (ranked list), "statements" (who is better than whom, jointly),
        "ridges" (posterior mean ranks), "triangle" and "strip" (shares of one pair), "forest", "race", "curve", …
    title : str
        One line.
    description : str
        The diagram in words, for screen readers.
    items : tuple
        The shapes, in drawing order.
    """

    def save(self, path: str | PathLike[str]) -> None:
        """Write a file; the suffix picks the format: .svg .png .pdf .tex."""
        save(self, path)

    def draw(self, ax: Axes | None = None) -> Axes:
        """Draw into Axes of matplotlib, scaled to fit; their limits are set and their frame is hidden.

        Axes as wide as ``width_mm`` show the text at its own size: 7 and 8 points. Give the figure its size before.
        Without ``ax``: into those of a new figure of the drawing's size. Returns the Axes.
        """
        from bakeoff.figures.backends import matplotlib  # only where it draws

        axes: Axes = matplotlib.draw_on(self, matplotlib.new_axes(self) if ax is None else ax)
        return axes

    def _repr_svg_(self) -> str:
        """For notebooks."""
        return to_svg(self)

    def __repr__(self) -> str:
        return f"<Drawing: {self.form}, {self.width_mm:.0f} × {self.height_mm:.0f} mm, {plain(self.title)}>"


def as_drawing(shapes: primitives.Drawing) -> Drawing:
    """The same shapes, for users."""
    return Drawing(**{field.name: getattr(shapes, field.name) for field in fields(shapes)})
