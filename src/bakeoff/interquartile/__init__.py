"""Interquartile means over tasks and runs, as in reinforcement learning, and the differences between them."""

from bakeoff.interquartile._interquartile_mean import interquartile_mean as interquartile_mean
from bakeoff.interquartile.results import (
    AggregateEstimate as AggregateEstimate,
    AggregatePair as AggregatePair,
    InterquartileMean as InterquartileMean,
)
