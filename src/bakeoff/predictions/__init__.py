"""Predictions and the truth, turned into scores: ``metrics`` has the formulas, ``read_predictions`` reads a table."""

from bakeoff.predictions._read_predictions import read_predictions as read_predictions
