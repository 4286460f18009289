"""Ratings of algorithms from who beat whom: the model of Bradley and Terry, with the ties of Davidson."""

from bakeoff.wings.boards.ratings.statistics._ratings import estimand as estimand, ratings as ratings
from bakeoff.wings.boards.ratings.statistics._read_battles import read_battles as read_battles
from bakeoff.wings.boards.ratings.statistics.battles import Battles as Battles
from bakeoff.wings.boards.ratings.statistics.results import (
    RatedBoard as RatedBoard,
    RatedChange as RatedChange,
    RatedCovariate as RatedCovariate,
    RatedPair as RatedPair,
    Ratings as Ratings,
)
