"""Whole curves: scores of runs along a budget, compared at all budgets at once, at one budget, or to one target.

``readers`` read, ``budgets`` has the grid, ``curve_tests`` the distribution of the largest |t| over pairs and budgets,
``results`` fixed budgets and targets; ``_curves`` makes the result.
"""

from bakeoff.wings.curves.curves.statistics._curves import (
    curves as curves,
    judged_curves as judged_curves,
    read_runs as read_runs,
)
from bakeoff.wings.curves.curves.statistics.readers import are_logs as are_logs
from bakeoff.wings.curves.curves.statistics.results import (
    CurvePair as CurvePair,
    Curves as Curves,
    CurveTable as CurveTable,
)
