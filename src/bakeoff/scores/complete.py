"""The part of a table that has no missing score."""

from bakeoff.scores import Array, Scores


def complete_rows(scores: Scores) -> Array:
    """The values of the problems without a missing score: means of other ones would be about different problems."""
    return scores.values[~scores.holes.any(axis=1)] if scores.holes.any() else scores.values
