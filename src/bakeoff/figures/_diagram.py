"""The diagram of any result."""

from __future__ import annotations

from collections.abc import Sequence

from bakeoff.figures.dispatch import draw
from bakeoff.figures.drawing import Drawing, as_drawing
from bakeoff.figures.writing import highlighted


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
