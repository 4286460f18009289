"""scikit-posthocs' ``critical_difference_diagram()``: mean ranks, and bars from a matrix of p-values."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from bakeoff.cautions import caution_of
from bakeoff.checks import positive, probability
from bakeoff.errors import ParameterError, listing
from bakeoff.figures.drawing import Drawing
from bakeoff.migrate.delivery import warn
from bakeoff.migrate.rank_diagram import MATPLOTLIB, diagram_of
from bakeoff.packages import optional

ROLES = {"markers": (), "elbows": ("leader",), "labels": ("label", "label continued"), "crossbars": ("group", "member")}
"""What scikit-posthocs calls the parts of its diagram -> what this one calls them."""


def critical_difference_diagram(
    ranks: Mapping[Any, float],
    sig_matrix: Any,
    *,
    cd: float | None = None,
    alpha: float = 0.05,
    ax: Any = None,
    **styles: Any,
) -> dict[str, list[Any]]:
    """Draw mean ranks with bars over algorithms whose p-values are above alpha, with the arguments of scikit-posthocs.

    The diagram is bakeoff's: rank 1 at the left, mean ranks beside the names. ``bo.diagram(bo.compare(scores))`` draws
    it from the scores, so that table, text and diagram agree.

    Parameters
    ----------
    ranks : dict or Series
        Mean rank of each algorithm, 1 is best.
    sig_matrix : DataFrame
        p-values, as the functions here return them.
    cd : float, optional
        Also draw a bar of this length.
    alpha : float
        A pair whose p is at most alpha differs.
    ax : Axes, optional
        Of matplotlib; default: the current ones.
    **styles
        ``label_fmt_left``, ``color_palette`` and the others are taken and not used: ``peer-drawing``.

    Returns
    -------
    dict
        Artists by "markers" (none), "elbows", "labels", "crossbars".

    Examples
    --------
    >>> from bakeoff.migrate import critical_difference_diagram, posthoc_nemenyi_friedman
    >>> p = posthoc_nemenyi_friedman([[1, 2, 3], [1, 3, 2], [1, 2, 3], [1, 2, 3], [2, 1, 3], [1, 2, 3]])
    >>> artists = critical_difference_diagram({0: 1.17, 1: 2.0, 2: 2.83}, p)
    >>> [text.get_text() for text in artists["labels"]]
    ['0', '1', '2']
    """
    level = probability("alpha", alpha)
    names = list(ranks.keys())
    unknown = sorted(set(styles) - STYLES)
    if unknown:
        raise ParameterError(f"unknown: {listing(map(repr, unknown))}", parameter="styles")
    if not hasattr(sig_matrix, "loc") or set(sig_matrix.index) != set(names) or set(sig_matrix.columns) != set(names):
        rule = f"must be a square data frame of the algorithms in ranks: {listing(map(str, names))}"
        raise ParameterError(rule, parameter="sig_matrix")
    values = np.array([float(ranks[name]) for name in names])
    if len(values) < 2 or not np.isfinite(values).all():
        raise ParameterError("must be two or more finite mean ranks", parameter="ranks")
    p = np.asarray(sig_matrix.loc[names, names].to_numpy(), dtype=np.float64)
    if not np.allclose(p, p.T, rtol=1e-9, atol=0.0):  # NaN neither
        raise ParameterError("must be symmetric, with a p-value for every pair", parameter="sig_matrix")
    differ = (np.minimum(p, p.T) <= level) & ~np.eye(len(names), dtype=bool)
    texts = [name for name in sorted(styles) if styles[name]]
    if texts:
        warn([caution_of("peer-drawing", "critical-difference-diagram", given=", ".join(texts))])
    axes = ax if ax is not None else optional("matplotlib.pyplot", MATPLOTLIB).gca()
    width_mm = max(60.0, 25.4 * axes.get_window_extent().width / axes.figure.dpi)
    bar = None if cd is None else positive("cd", cd)
    how = f"; pairs with p ≤ {level:g} differ, as given"
    return _drawn(diagram_of(values, [str(name) for name in names], differ, how, bar, None, width_mm), axes)


STYLES = {
    *("label_fmt_left", "label_fmt_right", "label_props", "marker_props", "elbow_props", "crossbar_props"),
    *("color_palette", "text_h_margin", "left_only", "hue", "hue_order"),
}


def _drawn(drawing: Drawing, axes: Any) -> dict[str, list[Any]]:
    """Draw, and sort the artists by what they show."""
    before = set(map(id, axes.get_children()))
    drawing.draw(axes)
    shown = sorted((a for a in axes.get_children() if id(a) not in before), key=lambda a: a.get_zorder())
    roles = [getattr(item, "role", "") for item in drawing.items]
    artists = dict(zip(shown[1:], roles, strict=True))  # the first is the page
    return {part: [a for a, role in artists.items() if role in of] for part, of in ROLES.items()}
