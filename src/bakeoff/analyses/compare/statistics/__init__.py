"""compare(): the one-line door, from a table of scores to a verdict."""

from bakeoff.analyses.compare.statistics._compare import compare as compare
from bakeoff.analyses.compare.statistics._score_table import ScoreTable as ScoreTable, score_table as score_table
from bakeoff.analyses.compare.statistics.margins._equivalence import (
    EquivalenceResult as EquivalenceResult,
    equivalence as equivalence,
)
from bakeoff.analyses.compare.statistics.results import (
    Choice as Choice,
    Comparison as Comparison,
    Effect as Effect,
    Interval as Interval,
    Pair as Pair,
    Step as Step,
)
