"""The diagram of any result, as ``bo.diagram`` returns it."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING

from bakeoff.dataclass import dataclass, fields
from bakeoff.errors import plain
from bakeoff.figures.backends.svg import to_svg
from bakeoff.figures.dispatch import draw
from bakeoff.figures.geometry import primitives
from bakeoff.figures.writing import highlighted, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# What ``bo.diagram`` returns: the shapes of a diagram, and where they can be put.


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


# The diagram of any result.


def diagram(
    result: object,
    kind: str | None = None,
    *,
    width_mm: float | None = None,
    highlight: str | Sequence[str] | None = None,
) -> Drawing:
    """Draw a result: who ranks where, which differences were shown, what is probable.

    Use it to see or publish a result: everything drawn is read from it, so diagram, table and text agree. That of a
    comparison shows neither the scores nor the size of differences in score units; the report has both.
    docs/guides/diagrams.md says which diagram each result gets and how to read it.

    Parameters
    ----------
    result : Reportable
        What an analysis returned (``bo.compare``, ``bo.evaluate``, ``bo.run``, …), or ``bo.bayes.compare``,
        ``.rank_probabilities`` and ``.signed_rank``.
    kind : str, optional
        Default: the one that can be read. Of a comparison ``"line"`` (critical difference diagram) or ``"list"``
        (ranked list); of ``bo.evaluate`` ``"means"`` or ``"differences"``; of
        ``bo.runtimes`` ``"solved"`` or, of two algorithms, ``"scatter"``; of ``bo.bayes.overview`` ``"statements"``,
        ``"ridges"`` or, of two algorithms, ``"triangle"``.
    width_mm : float, optional
        Width in millimetres, 60 to 2000. Default, of a comparison: the first of 80 (a journal's column), 120 and 180 in
        which every name fits; with more than 12 algorithms, from 120. Of rows with intervals: 120.
    highlight : str or sequence of str, optional
        Algorithms to emphasise.

    Returns
    -------
    Drawing
        ``.save(path)`` writes .svg .png .pdf or .tex, ``.draw(ax)`` draws into Axes of matplotlib; a notebook shows it.
        Equal mean ranks stay in column order.

    Raises
    ------
    WrongTypeError, ParameterError, UnknownNameError
        ``result`` cannot be drawn, or not as this ``kind``; a width out of range; a name that is not in the diagram.

    Examples
    --------
    The mean ranks of Demšar (2006), Table 6, from the printed AUCs:

    >>> import bakeoff as bo
    >>> bo.diagram(bo.compare(bo.datasets.load("demsar_2006"), posthoc="nemenyi"), highlight="C4.5+m")
    <Drawing: line, 80 × 33 mm, 4 algorithms by mean rank, compared with each other>
    """
    drawing = draw(result, width_mm, kind)
    return as_drawing(drawing if highlight is None else highlighted(drawing, highlight))
