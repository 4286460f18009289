"""The bootstrap behind the bands of profiles: sup_τ |ρ*(τ) − ρ(τ)| over problems (clusters) drawn again."""

from __future__ import annotations

import numpy as np

from bakeoff.effects.curve_bands import band_half_widths
from bakeoff.means.resampling import drawn_units
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes

_CHUNK = 1 << 21  # numbers at a time; fixed, so that the answer does not depend on the machine


def half_widths(distances: Array, codes: Codes, band: float, n_resamples: int, rng: np.random.Generator) -> Array:
    """(k,) of the band around each curve."""
    groups = int(codes.max()) + 1
    sups = []
    per_chunk = max(1, _CHUNK // max(len(codes), groups))
    for first in range(0, n_resamples, per_chunk):
        size = min(per_chunk, n_resamples - first)
        sups.append(suprema(distances, drawn_units(groups, size, rng)[:, codes]))
    return band_half_widths(np.concatenate(sups), codes, band)


def suprema(distances: Array, weights: Array | Codes) -> Array:
    """(B, k): sup_τ |Σ w_i 1{d_i ≤ τ} / Σ w_i − ρ(τ)|, for each row of weights (B, n)."""
    n, k = distances.shape
    totals = weights.sum(axis=1, keepdims=True)
    found = np.zeros((len(weights), k))
    for j in range(k):
        order = np.argsort(distances[:, j], kind="stable")
        ordered = distances[order, j]
        ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True) & np.isfinite(ordered))
        if not len(ends):
            continue
        risen = np.cumsum(weights[:, order], axis=1)[:, ends] / totals
        found[:, j] = np.abs(risen - (ends + 1) / n).max(axis=1)
    return found
