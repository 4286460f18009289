"""The table of scores: the only input type of every analysis."""

from bakeoff.scores._scores import Better as Better
from bakeoff.scores._scores import Scores as Scores
from bakeoff.scores._scores import check_scores as check_scores
from bakeoff.scores.cells import Array as Array
from bakeoff.scores.cells import as_floats as as_floats
from bakeoff.scores.cells import read_only as read_only
