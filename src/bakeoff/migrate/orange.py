"""Orange's ``compute_CD`` and ``graph_ranks``, which it removed after 3.33."""

from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.checks import choice, positive, probability, whole
from bakeoff.errors import ParameterError
from bakeoff.migrate.delivery import warn
from bakeoff.migrate.rank_diagram import figure_of, rank_diagram
from bakeoff.posthoc import critical_difference
from bakeoff.scores import Array

MISPRINTED = {(9, 0.05, "bonferroni-dunn"): 2.724}
"""(k, alpha, test): what Orange had copied from Demšar's Table 5(b); the z is 2.734 (errata M2)."""


def compute_CD(avranks: Sequence[float], n: int, alpha: str | float = "0.05", test: str = "nemenyi") -> float:
    """How far apart must mean ranks be to differ significantly? With the arguments of Orange.

    The number is Orange's to the digits of its table, but for nine algorithms, Bonferroni–Dunn and 0.05, where the
    table had a misprint (``peer-misprint``). Any level and any number of algorithms will do.

    Parameters
    ----------
    avranks : sequence of float
        Mean ranks; only their number counts.
    n : int
        Number of data sets.
    alpha : str or float
        "0.05" or "0.1" in Orange; here any level, as text or number.
    test : {"nemenyi", "bonferroni-dunn"}
        All pairs, or all against one.

    Returns
    -------
    float
        The critical difference.

    Examples
    --------
    >>> from bakeoff.migrate import compute_CD
    >>> round(compute_CD([1.9, 3.2, 2.8, 3.3], 30), 3)  # the documentation of Orange: 0.856
    0.856
    """
    choice("test", test, ("nemenyi", "bonferroni-dunn"))
    level, k, n = _level(alpha), len(_ranks(avranks)), whole("n", n, 1)
    cd = critical_difference(k, n, level, "nemenyi" if test == "nemenyi" else "bonferroni-dunn")
    if (k, level, test) in MISPRINTED:
        q = MISPRINTED[k, level, test]
        theirs = q * (k * (k + 1) / (6.0 * n)) ** 0.5
        warn([caution_of("peer-misprint", q=q, theirs=theirs, cd=cd)])
    return cd


def graph_ranks(
    avranks: Sequence[float],
    names: Sequence[str],
    cd: float | None = None,
    cdmethod: int | None = None,
    lowv: float | None = None,
    highv: float | None = None,
    width: float = 6,
    textspace: float = 1,
    reverse: bool = False,
    filename: str | PathLike[str] | None = None,
    **kwargs: Any,
) -> None:
    """Draw a critical difference diagram from mean ranks, into a new figure of pyplot, with the arguments of Orange.

    The diagram is bakeoff's: rank 1 at the left, the axis from 1 to k, mean ranks beside the names. Without scores it
    cannot say what was measured; ``bo.diagram(bo.compare(scores))`` can.

    Parameters
    ----------
    avranks, names : sequences
        Mean ranks of the algorithms, 1 is best, and their names.
    cd : float, optional
        The critical difference, from :func:`compute_CD`. Without one nothing is joined.
    cdmethod : int, optional
        Place of the control, which is given one critical difference to either side; else all pairs.
    lowv, highv, reverse, textspace
        Taken and not used (a warning says so where they would change something): ``peer-drawing``.
    width : float
        In inches, at least 2.4.
    filename : path, optional
        Written, too: .svg .png .pdf .tex.
    **kwargs
        None is known.

    Returns
    -------
    None
        The figure is pyplot's current one.

    Examples
    --------
    >>> from bakeoff.migrate import compute_CD, graph_ranks
    >>> ranks = [1.9, 3.2, 2.8, 3.3]
    >>> graph_ranks(ranks, ["tree", "bayes", "knn", "svm"], cd=compute_CD(ranks, 30), width=6)
    """
    if kwargs:
        raise ParameterError(f"unknown: {', '.join(map(repr, kwargs))}", parameter="kwargs")
    values = _ranks(avranks)
    if len(names) != len(values):
        raise ParameterError(f"must be one for each of {len(values)} mean ranks; got {len(names)}", parameter="names")
    control = None if cdmethod is None else whole("cdmethod", cdmethod, 0, len(values) - 1)
    known = None if cd is None else positive("cd", cd)
    options = {"lowv": lowv, "highv": highv, "reverse": reverse or None}
    unused = [name for name, value in options.items() if value is not None]
    if unused:
        warn([caution_of("peer-drawing", "orange", unused=", ".join(unused))])
    inches = positive("width", width)
    drawing = rank_diagram(values, names, known, control, 25.4 * inches)
    figure_of(drawing, inches)
    if filename is not None:
        drawing.save(filename)


def _ranks(avranks: Sequence[float]) -> Array:
    values = np.asarray(avranks, dtype=np.float64)
    if values.ndim != 1 or len(values) < 2 or not np.isfinite(values).all():
        raise ParameterError("must be two or more finite mean ranks", parameter="avranks")
    return values


def _level(alpha: str | float) -> float:
    try:
        return probability("alpha", float(alpha) if isinstance(alpha, str) else alpha)
    except ValueError:
        rule = f"must be a level between 0 and 1, as 0.05 or '0.05'; got {alpha!r}"
        raise ParameterError(rule, parameter="alpha") from None
