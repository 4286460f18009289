"""What the analysis computes, in the file of its function."""

from bakeoff.wings.boards.tradeoff.statistics._tradeoff import tradeoff as tradeoff, undominated as undominated
from bakeoff.wings.boards.tradeoff.statistics.results import (
    Position as Position,
    Tradeoff as Tradeoff,
    TradeoffPair as TradeoffPair,
    estimand as estimand,
)
from bakeoff.wings.boards.tradeoff.statistics.tables import metric_tables as metric_tables
