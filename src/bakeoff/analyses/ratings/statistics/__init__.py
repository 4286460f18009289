"""Ratings of algorithms from who beat whom: the model of Bradley and Terry, with the ties of Davidson."""

from bakeoff.analyses.ratings.statistics._ratings import ratings as ratings
from bakeoff.analyses.ratings.statistics._read_battles import read_battles as read_battles
from bakeoff.analyses.ratings.statistics.battles import Battles as Battles
from bakeoff.analyses.ratings.statistics.results import (
    RatedBoard as RatedBoard,
    RatedChange as RatedChange,
    RatedCovariate as RatedCovariate,
    RatedPair as RatedPair,
    Ratings as Ratings,
)
