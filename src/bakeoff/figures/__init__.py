"""Diagrams of results: critical difference diagram, ranked list, matrix of verdicts; posteriors as graph and ridges.

``diagram`` draws into shapes; ``to_svg`` and ``to_tikz`` write them down, ``save`` puts them into a file.
matplotlib is imported only when a .png or .pdf is saved.
"""

from __future__ import annotations

from collections.abc import Callable
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
    from bakeoff.racing.results import RaceResult
    from bakeoff.running.results import RunResult

__all__ = ["SUFFIXES", "Drawing", "diagram", "save", "to_svg", "to_tikz"]


def diagram(
    result: Comparison | Overview | JointComparison | RankPosterior | SignedRankPosterior | RunResult | RaceResult,
    width_mm: float | None = None,
) -> Drawing:
    """Draw a result: who ranks where, which differences were shown, what is probable.

    Use it to see or publish a result: everything drawn is read from it, so diagram, table and text agree. Not for
    the scores themselves, nor for the size of differences in score units (the report has both).

    A comparison of up to 24 algorithms whose names have room gets a critical difference diagram (Demšar 2006,
    Figure 1; best at the left). Bars join algorithms that were not shown to differ; where such a group is no
    interval of the ranking it gets a dot on each member and a dashed line past the others. The critical difference
    is drawn only where the deciding correction has one (``nemenyi-range``; ``bonferroni``: one CD to either side of
    the control). With a control, a mark says of each algorithm: better, worse, not shown to differ, cannot tell.
    More algorithms, longer names, or groups that mean ranks too close together would blur get a ranked list, a
    row each, from 25 algorithms on with the matrix of all verdicts.

    Bayesian results: joint statements (``bo.bayes.compare``) become a dominance graph, the better above, a line where
    a statement is not implied by others, a dashed box where they go round in a circle; where lines could not be
    followed by eye, a list with the matrix of all statements. Ranks (``bo.bayes.rank_probabilities``) become ridges,
    a density of the posterior mean rank per algorithm. A pair (``bo.bayes.signed_rank``) becomes a triangle of the
    shares better, equivalent, worse; without a region of equivalence a density on a line. An overview is drawn as
    its joint statements, of two algorithms as its pair.

    A run (``bo.run``) becomes the differences of its problems with their intervals, or those of its pairs. A race
    (``bo.race``) becomes the evidence against each candidate over the evaluations spent; lines end where one left.

    Parameters
    ----------
    result : Comparison, Overview, JointComparison, RankPosterior, SignedRankPosterior, RunResult or RaceResult
        Of ``bo.compare``, ``bo.run``, ``bo.race``, ``bo.bayes.overview``, ``.compare``, ``.rank_probabilities`` or
        ``.signed_rank``.
    width_mm : float, optional
        Width in millimetres, 60 to 2000. Default: 80 (a journal's column) for up to 12 algorithms, else 120 or
        180, and wider before names are shortened.

    Returns
    -------
    Drawing
        Shapes in points, for ``to_svg``, ``to_tikz`` and ``save``. Equal mean ranks stay in column order.

    Raises
    ------
    WrongTypeError
        ``result`` is nothing that can be drawn.
    ParameterError
        ``width_mm`` is no number in its range.

    Notes
    -----
    Nothing is computed here, so ties and missing scores are as the result treated them.

    Examples
    --------
    The mean ranks of Demšar (2006), Table 6, here from the printed AUCs (in the paper two of them differ,
    having been ranked before rounding):

    >>> import bakeoff as bo
    >>> from bakeoff.figures import diagram
    >>> drawing = diagram(bo.compare(bo.datasets.load("demsar_2006"), posthoc="nemenyi-range"))
    >>> drawing.form, round(drawing.width_mm)
    ('line', 80)
    >>> [item.text for item in drawing.items if getattr(item, "role", "") == "CD label"]
    ['CD = 1.25']

    Which of them are better than which, jointly:

    >>> diagram(bo.bayes.compare(bo.datasets.load("demsar_2006"))).form
    'graph'
    """
    return draw(result, width_mm)


def save(drawing: Drawing, path: str | PathLike[str]) -> None:
    """Write a diagram to a file; the suffix picks the format: .svg .png .pdf .tex.

    Use .pdf or .tex (a ``tikzpicture`` for ``\\input``) in a paper, .svg on a page, .png (300 dpi) elsewhere. The
    file appears whole or not at all, and the same diagram gives the same bytes (.png and .pdf: with the same
    matplotlib and fonts). In .png and .pdf a character that no installed font has is drawn as ``?``; .svg and .tex
    leave the choice of fonts to whoever shows them.

    Raises
    ------
    ParameterError
        Another suffix, or a place that cannot be written to.
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
    writer = _WRITERS.get(target.suffix.lower())
    if writer is None:
        raise ParameterError(
            f"must end in one of {', '.join(SUFFIXES)} (the format of the diagram); got {str(path)!r}", parameter="path"
        )
    content = writer(drawing)
    try:
        write_bytes(target, content)
    except OSError as error:
        raise ParameterError(
            f"{str(path)!r} cannot be written: {error.strerror or error}. Choose a folder that exists and may be "
            "written to.",
            parameter="path",
        ) from None


def _svg(drawing: Drawing) -> bytes:
    return to_svg(drawing).encode()


def _tikz(drawing: Drawing) -> bytes:
    return to_tikz(drawing).encode()


def _png(drawing: Drawing) -> bytes:
    from bakeoff.figures.backends.matplotlib import to_bytes  # matplotlib only where it draws

    return to_bytes(drawing, "png")


def _pdf(drawing: Drawing) -> bytes:
    from bakeoff.figures.backends.matplotlib import to_bytes

    return to_bytes(drawing, "pdf")


_WRITERS: dict[str, Callable[[Drawing], bytes]] = {".svg": _svg, ".png": _png, ".pdf": _pdf, ".tex": _tikz}
SUFFIXES = tuple(_WRITERS)
