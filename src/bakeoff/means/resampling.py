"""The bootstrap of units: problems, or whole clusters of them, drawn again with all algorithms on each; or runs."""

from __future__ import annotations

import numpy as np

from bakeoff.scores import Array


def drawn_units(groups: int, n_resamples: int, rng: np.random.Generator) -> Array:
    """(B, G): how often each unit is in each resample of as many."""
    return np.asarray(rng.multinomial(groups, np.full(groups, 1.0 / groups), size=n_resamples), dtype=np.float64)


def drawn_runs(r: int, n_resamples: int, rng: np.random.Generator) -> Array:
    """(B, r): weights of the runs of a cell. r − 1 are drawn, whose mean varies as the mean of r does (Rao and Wu 1988,
    J. Amer. Statist. Assoc. 83, 231–241)."""
    often = rng.multinomial(r - 1, np.full(r, 1.0 / r), size=n_resamples)
    return np.asarray(often * (r / (r - 1)), dtype=np.float64)
