"""The table of scores: the only input type of every analysis."""

from bakeoff.scores._scores import (
    CELL_SUMMARIES as CELL_SUMMARIES,
    Better as Better,
    CellSummary as CellSummary,
    Scores as Scores,
)
from bakeoff.scores.cells import Array as Array, as_floats as as_floats, read_only as read_only
from bakeoff.scores.contents import check_scores as check_scores, with_metric as with_metric
