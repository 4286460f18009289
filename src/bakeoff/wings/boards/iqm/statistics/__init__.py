"""What the analysis computes, in the file of its function."""

from bakeoff.wings.boards.iqm.statistics._interquartile_mean import (
    CellRuns as CellRuns,
    interquartile_mean as interquartile_mean,
    resampled_aggregates as resampled_aggregates,
)
from bakeoff.wings.boards.iqm.statistics.results import (
    AggregateEstimate as AggregateEstimate,
    AggregatePair as AggregatePair,
    InterquartileMean as InterquartileMean,
    estimand as estimand,
)
