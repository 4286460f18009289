"""Runtimes of which some were stopped at a cap: order, penalised means, counts of solved problems, side by side.

``times`` says what was solved, ``order`` has the tests that need no penalty, ``penalties`` those that do,
``resampling`` the bootstrap and the cactus plot with its bands; ``cautions`` what a penalty decides.
"""

from bakeoff.wings.curves.runtimes.statistics._runtimes import runtimes as runtimes
from bakeoff.wings.curves.runtimes.statistics.results import (
    Runtimes as Runtimes,
    SolverPair as SolverPair,
    SolverSummary as SolverSummary,
)
