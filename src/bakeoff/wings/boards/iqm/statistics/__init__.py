"""Interquartile means over problems and runs, as in reinforcement learning, and the differences between them."""

from bakeoff.wings.boards.iqm.statistics._interquartile_mean import interquartile_mean as interquartile_mean
from bakeoff.wings.boards.iqm.statistics.results import (
    AggregateEstimate as AggregateEstimate,
    AggregatePair as AggregatePair,
    InterquartileMean as InterquartileMean,
    estimand as estimand,
)
