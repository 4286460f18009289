"""Tables that hold two values only, whatever they are called: right and wrong, 0 and 100, solved and not."""

import numpy as np

from bakeoff.scores._scores import Scores


def two_values(scores: Scores) -> tuple[float, float] | None:
    """The lower and the higher one, equal where there is only one; None where a score or run is any other."""
    there = scores.values[~np.isnan(scores.values)]
    if not len(there):
        return None
    low, high = float(there.min()), float(there.max())
    runs = there if scores.runs is None else scores.runs[~np.isnan(scores.runs)]
    if not np.isfinite([low, high]).all() or any(((x != low) & (x != high)).any() for x in (there, runs)):
        return None
    return low, high
