"""compare(): the one-line door, from a table of scores to a verdict."""

from bakeoff.comparison._compare import compare as compare
from bakeoff.comparison._score_table import ScoreTable as ScoreTable, score_table as score_table
from bakeoff.comparison.margins._equivalence import EquivalenceResult as EquivalenceResult, equivalence as equivalence
from bakeoff.comparison.results import (
    Choice as Choice,
    Comparison as Comparison,
    Effect as Effect,
    Interval as Interval,
    Pair as Pair,
    Step as Step,
)
