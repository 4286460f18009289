"""Several metrics of the same algorithms: not worse in any by its margin, and better in one.

``tables`` aligns the metrics, ``intersection_union`` has the p-values, and the posterior of being undominated.
"""

from bakeoff.wings.boards.tradeoff.statistics._tradeoff import estimand as estimand, tradeoff as tradeoff
from bakeoff.wings.boards.tradeoff.statistics.results import (
    MetricMean as MetricMean,
    Position as Position,
    Tradeoff as Tradeoff,
    TradeoffPair as TradeoffPair,
)
