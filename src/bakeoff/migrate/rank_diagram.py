"""A critical difference diagram from mean ranks alone, and a figure of pyplot, where the other tools leave theirs."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.analyses.compare.figure.comparison_view import BETTER, WORSE, ComparisonView
from bakeoff.analyses.compare.figure.diagrams import draw_view
from bakeoff.errors import plain
from bakeoff.figures.drawing import Drawing, as_drawing
from bakeoff.figures.geometry.metrics import printable
from bakeoff.numerals import as_rank
from bakeoff.packages import optional
from bakeoff.posthoc.groups import maximal_groups
from bakeoff.scores import Array

MATPLOTLIB = "this draws into a figure of matplotlib: pip install matplotlib, or bo.diagram(result).save('diagram.svg')"


def rank_diagram(
    mean_ranks: Array, names: Sequence[str], cd: float | None, control: int | None, width_mm: float
) -> Drawing:
    """Bars join mean ranks no further apart than ``cd``; with a control, its marks say who is."""
    apart = np.abs(mean_ranks[None, :] - mean_ranks[:, None]) > (np.inf if cd is None else cd)
    how = "" if cd is None else f"; a critical difference of {as_rank(cd)}, as given"
    return diagram_of(mean_ranks, names, None if cd is None else apart, how, cd, control, width_mm)


def diagram_of(
    mean_ranks: Array,
    names: Sequence[str],
    differ: npt.NDArray[np.bool_] | None,
    how: str,
    cd: float | None,
    control: int | None,
    width_mm: float,
) -> Drawing:
    """Bars join what ``differ`` does not part; ``how`` ends the caption."""
    order = np.argsort(mean_ranks, kind="stable")
    values = mean_ranks[order]
    apart = np.zeros((len(values),) * 2, dtype=bool) if differ is None else differ[np.ix_(order, order)]
    better = values[None, :] > values[:, None]  # the row's rank
    verdicts = np.where(apart, np.where(better, BETTER, WORSE), 0).astype(np.int8)
    place = None if control is None else int(np.flatnonzero(order == control)[0])
    groups = maximal_groups(~apart, range(len(values))) if differ is not None and place is None else ()
    ordered = tuple(plain(str(names[j])) for j in order)
    note = f"{len(values)} algorithms by mean rank{how}."
    view = ComparisonView(
        names=ordered,
        labels=tuple(printable(name) for name in ordered),
        values=tuple(values.tolist()),
        groups=tuple(sorted(tuple(sorted(group)) for group in groups if len(group) > 1)),
        verdicts=verdicts,
        control=place,
        critical_difference=cd,
        ranking="friedman",
        axis_title="mean rank",
        sample="",
        alpha="",
        correction="",
        test="",
        on_axis=True,
        gate_closed=False,
        note=note,
    )
    return as_drawing(draw_view(view, width_mm))


def figure_of(drawing: Drawing, width: float) -> tuple[Any, Any]:
    """Figure and axes, ``width`` inches wide and as high as the drawing needs."""
    pyplot = optional("matplotlib.pyplot", MATPLOTLIB)
    figure = pyplot.figure(figsize=(width, width * drawing.height / drawing.width))
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    drawing.draw(axes)
    return figure, axes
