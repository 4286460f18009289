"""What the analysis computes, in the file of its function."""

from bakeoff.wings.boards.ratings.board import Ratings as Ratings
from bakeoff.wings.boards.ratings.statistics._ratings import estimand as estimand, ratings as ratings
