"""Ratings of algorithms from who beat whom: the model of Bradley and Terry, with the ties of Davidson."""

from bakeoff.bradley_terry._ratings import ratings as ratings
from bakeoff.bradley_terry._read_battles import read_battles as read_battles
from bakeoff.bradley_terry.battles import Battles as Battles
from bakeoff.bradley_terry.results import RatedPair as RatedPair, Ratings as Ratings
