"""compare(): the one-line door, from a table of scores to a verdict."""

from bakeoff.comparison._compare import compare as compare
from bakeoff.comparison.results import Choice as Choice
from bakeoff.comparison.results import Comparison as Comparison
from bakeoff.comparison.results import Effect as Effect
from bakeoff.comparison.results import Pair as Pair
from bakeoff.comparison.results import Step as Step
