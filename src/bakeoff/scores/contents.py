"""What the cells of a table hold: missing scores, two values only."""

import numpy as np

from bakeoff.scores import Array, Scores


def complete_rows(scores: Scores) -> Array:
    """The values of the problems without a missing score: means of other ones would be about different problems."""
    return scores.values[~scores.holes.any(axis=1)] if scores.holes.any() else scores.values


CALLED = ((0.0, 1.0), (0.0, 100.0), (-1.0, 1.0))
"""What right and wrong are usually called."""


def two_values(scores: Scores) -> tuple[float, float] | None:
    """The two values that a table holds, the lower first, whatever they are called: 0 and 1, 0 and 100, solved and not.

    Equal where there is only one; None where a score or run is any other, or where one of them stands there once and is
    not called so usually: the cost of the one failure so far, of which the next one may have another.
    """
    there = scores.values[~np.isnan(scores.values)]
    if not len(there):
        return None
    low, high = float(there.min()), float(there.max())
    runs = there if scores.runs is None else scores.runs[~np.isnan(scores.runs)]
    if not np.isfinite([low, high]).all() or any(((x != low) & (x != high)).any() for x in (there, runs)):
        return None
    once = low < high and min(int((runs == low).sum()), int((runs == high).sum())) == 1
    return None if once and (low, high) not in CALLED else (low, high)
