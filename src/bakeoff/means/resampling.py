"""The bootstrap of units: problems, or whole clusters of them, drawn again with all algorithms on each."""

from __future__ import annotations

import numpy as np

from bakeoff.scores import Array


def drawn_units(groups: int, n_resamples: int, rng: np.random.Generator) -> Array:
    """(B, G): how often each unit is in each resample of as many."""
    return np.asarray(rng.multinomial(groups, np.full(groups, 1.0 / groups), size=n_resamples), dtype=np.float64)
