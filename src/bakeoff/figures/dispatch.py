"""Which diagram of which result, and how wide: the first form and width in which every name is whole."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.figures.geometry.comparison.comparison_view import Facts, facts_of
from bakeoff.figures.geometry.comparison.critical_difference import MOST, line_diagram
from bakeoff.figures.geometry.comparison.ranked_list import ranked_list
from bakeoff.figures.geometry.primitives import POINTS_PER_MM, Drawing

COLUMN_MM, MEDIUM_MM, PAGE_MM = 80.0, 120.0, 180.0  # one column of a journal, one and a half, two
_NARROWEST_MM, _WIDEST_MM = 60.0, 2000.0

Width = float | None


@cache
def drawers() -> dict[type, Callable[[Any, Width], Drawing]]:
    """Type of a result, other than a comparison -> how it is drawn."""
    from bakeoff.bayes import JointComparison, Overview, RankPosterior, SignedRankPosterior
    from bakeoff.figures.geometry.bayes.posteriors import draw_joint, draw_overview, draw_ranks, draw_shares
    from bakeoff.figures.geometry.experiment.forest import draw_run
    from bakeoff.figures.geometry.experiment.quantiles import MeansPlot, QuantilePlot, draw_means, draw_quantiles
    from bakeoff.figures.geometry.plan.power_curve import draw_curve
    from bakeoff.figures.geometry.race.evidence import draw_race
    from bakeoff.figures.geometry.race.survivors import SurvivorsPlot, draw_survivors
    from bakeoff.plan import PowerCurve
    from bakeoff.racing.results import RaceResult
    from bakeoff.running.results import RunResult

    return {
        Overview: draw_overview,
        JointComparison: draw_joint,
        RankPosterior: draw_ranks,
        SignedRankPosterior: draw_shares,
        PowerCurve: draw_curve,
        RunResult: draw_run,
        QuantilePlot: draw_quantiles,
        MeansPlot: draw_means,
        RaceResult: draw_race,
        SurvivorsPlot: draw_survivors,
    }


def choose(result: object, width_mm: Width) -> Drawing:
    """The diagram of ``result``, whatever it is the result of."""
    width = None if width_mm is None else _checked(width_mm)
    from bakeoff.comparison import Comparison

    if isinstance(result, Comparison):
        return draw_comparison(result, width)
    for kind, draw in drawers().items():  # loads the Bayesian room: for its own results only
        if isinstance(result, kind):
            return draw(result, width)
    raise WrongTypeError(
        "result must come from bo.compare, bo.run, bo.race, bo.plan.curve, or bo.bayes.overview, .compare, "
        f".rank_probabilities or .signed_rank; got {type(result).__name__}. Call bo.compare(scores) first."
    )


def draw_comparison(comparison: Any, width_mm: Width) -> Drawing:
    """The critical difference diagram while it can be read, else the ranked list."""
    facts = facts_of(comparison)
    widths = [w * POINTS_PER_MM for w in (_widths(facts) if width_mm is None else [width_mm])]
    for width in widths:
        drawing = line_diagram(facts, width) or ranked_list(facts, width, whole_names=True)
        if drawing is not None:
            return drawing
    shortened = ranked_list(facts, widths[-1], whole_names=False)
    assert shortened is not None
    return shortened


def common_widths(width_mm: Width) -> Iterator[float]:
    """In points: the one asked for, else from a column to a page."""
    for width in (COLUMN_MM, MEDIUM_MM, PAGE_MM) if width_mm is None else (width_mm,):
        yield width * POINTS_PER_MM


def _widths(facts: Facts) -> list[float]:
    """Widths to try: a column for a dozen algorithms, more for more; a list without matrix needs no more."""
    k = facts.k
    if k <= 12 or (k > MOST and facts.control is not None):
        return [COLUMN_MM, MEDIUM_MM, PAGE_MM]
    return [MEDIUM_MM, PAGE_MM] if k <= MOST else [PAGE_MM]


def _checked(width_mm: float) -> float:
    try:
        width = float(width_mm)
    except (TypeError, ValueError):
        width = math.nan
    if not _NARROWEST_MM <= width <= _WIDEST_MM:
        raise ParameterError(
            f"width_mm must be a number of millimetres from {_NARROWEST_MM:g} to {_WIDEST_MM:g}; got {width_mm!r}. "
            "A journal's column is about 80, a page 180; leave it out to let the diagram choose."
        )
    return width
