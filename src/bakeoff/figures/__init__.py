"""Diagrams of results: critical difference diagrams, ranked lists, posteriors, races, power curves.

``diagram`` lays out shapes; ``to_svg`` and ``to_tikz`` write them as text, ``save`` as a file. matplotlib is imported
only to save a .png or .pdf.
"""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from bakeoff.errors import ParameterError
from bakeoff.figures.backends.svg import to_svg
from bakeoff.figures.backends.tikz import to_tikz
from bakeoff.figures.dispatch import draw
from bakeoff.figures.geometry.primitives import Drawing
from bakeoff.files import write_bytes

if TYPE_CHECKING:
    from bakeoff.bayes import JointComparison, Overview, RankPosterior, SignedRankPosterior
    from bakeoff.comparison import Comparison
    from bakeoff.plan import PowerCurve
    from bakeoff.racing.results import RaceResult
    from bakeoff.running.results import RunResult

__all__ = ["SUFFIXES", "Drawing", "diagram", "save", "to_svg", "to_tikz"]

SUFFIXES = (".svg", ".png", ".pdf", ".tex")


def diagram(
    result: Comparison
    | Overview
    | JointComparison
    | RankPosterior
    | SignedRankPosterior
    | RunResult
    | RaceResult
    | PowerCurve,
    width_mm: float | None = None,
) -> Drawing:
    """Draw a result: who ranks where, which differences were shown, what is probable.

    Use it to see or publish a result: everything drawn is read from it, so diagram, table and text agree. It shows
    neither the scores nor the size of differences in score units; the report has both. docs/diagrams.md says which
    diagram each result gets and how to read it: a critical difference diagram (``"line"``) or a ranked list
    (``"list"``) of a comparison; a dominance graph, ridges or a triangle of Bayesian results; intervals of a run;
    the evidence in a race; a power curve.

    Parameters
    ----------
    result : Comparison, RunResult, RaceResult, PowerCurve or a Bayesian result
        From ``bo.compare``, ``bo.run``, ``bo.race``, ``bo.plan.curve``, ``bo.bayes.overview``, ``.compare``,
        ``.rank_probabilities`` or ``.signed_rank``.
    width_mm : float, optional
        Width in millimetres, 60 to 2000. Default: the first of 80 (a journal's column), 120 and 180 in which every
        name fits; with more than 12 algorithms, from 120.

    Returns
    -------
    Drawing
        Shapes in points, for ``to_svg``, ``to_tikz`` and ``save``. Equal mean ranks stay in column order.

    Raises
    ------
    WrongTypeError
        ``result`` cannot be drawn.
    ParameterError
        ``width_mm`` is not a number in its range.

    Examples
    --------
    The mean ranks of Demšar (2006), Table 6, here from the printed AUCs (in the paper two of them differ,
    having been ranked before rounding):

    >>> import bakeoff as bo
    >>> from bakeoff.figures import diagram
    >>> drawing = diagram(bo.compare(bo.datasets.load("demsar_2006"), posthoc="nemenyi"))
    >>> drawing.form, round(drawing.width_mm)
    ('line', 80)
    >>> [item.text for item in drawing.items if getattr(item, "role", "") == "CD label"]
    ['CD = 1.25']

    >>> diagram(bo.bayes.compare(bo.datasets.load("demsar_2006"))).form
    'graph'
    """
    return draw(result, width_mm)


def save(drawing: Drawing, path: str | PathLike[str]) -> None:
    """Write a diagram to a file; the suffix picks the format: .svg .png .pdf .tex.

    Use .pdf or .tex (a ``tikzpicture`` for ``\\input``) in a paper, .svg on a web page, .png (300 dpi) elsewhere. The
    file is replaced atomically. The same diagram gives the same bytes (.png and .pdf: with the same matplotlib and
    fonts). In .png and .pdf, characters missing from all installed fonts become ``?``; .svg and .tex use the fonts of
    the viewer or document.

    Parameters
    ----------
    drawing : Drawing
        From ``diagram``.
    path : str or PathLike
        Where to write.

    Raises
    ------
    ParameterError
        Another suffix, or ``path`` cannot be written.
    MissingPackageError
        .png or .pdf without matplotlib.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import bakeoff as bo
    >>> from bakeoff.figures import diagram, save
    >>> drawing = diagram(bo.compare(bo.datasets.load("demsar_2006")))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "ranks.svg"
    ...     save(drawing, path)
    ...     path.read_text(encoding="utf-8")[:4]
    '<svg'
    """
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in SUFFIXES:
        raise ParameterError(
            f"must end in one of {', '.join(SUFFIXES)} (the format of the diagram); got {str(path)!r}", parameter="path"
        )
    content = file_content(drawing, suffix)
    try:
        write_bytes(target, content)
    except OSError as error:
        raise ParameterError(
            f"{str(path)!r} cannot be written: {error.strerror or error}. Choose a folder that exists and may be "
            "written to.",
            parameter="path",
        ) from None


def file_content(drawing: Drawing, suffix: str) -> bytes:
    """The content of a file with this suffix."""
    if suffix == ".svg":
        return to_svg(drawing).encode()
    if suffix == ".tex":
        return to_tikz(drawing).encode()
    from bakeoff.figures.backends import matplotlib  # only where it draws

    return matplotlib.to_bytes(drawing, "pdf" if suffix == ".pdf" else "png")
