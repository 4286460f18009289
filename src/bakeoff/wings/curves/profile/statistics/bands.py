"""The bootstrap behind the bands of profiles: sup_τ |ρ*(τ) − ρ(τ)| over problems (clusters) drawn again."""

from __future__ import annotations

import numpy as np

from bakeoff.effects.curve_bands import dkw_of_clusters, drawn_in_chunks, largest_deviation, suprema
from bakeoff.means.strata import drawn_units
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes


def half_widths(
    distances: Array, shares: Array | None, codes: Codes, band: float, n_resamples: int, rng: np.random.Generator
) -> Array:
    """(k,) of the band around each curve: clusters of rows are drawn again, with all rows of each."""
    groups = int(codes.max()) + 1

    def draw(size: int) -> Array:
        return suprema(distances, drawn_units(groups, size, rng)[:, codes], shares)

    largest = drawn_in_chunks(draw, n_resamples, max(len(codes), groups))
    return largest_deviation(largest, dkw_of_clusters(codes, band), band)
