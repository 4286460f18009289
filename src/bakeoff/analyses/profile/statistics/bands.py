"""The bootstrap behind the bands of profiles: sup_τ |ρ*(τ) − ρ(τ)| over problems (clusters), or runs, drawn again."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from bakeoff.effects.curve_bands import dkw, dkw_of_clusters, largest_deviation
from bakeoff.means.resampling import drawn_runs, drawn_units
from bakeoff.randomness import generator
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes

_CHUNK = 1 << 21  # numbers at a time; fixed, so that the answer does not depend on the machine


def half_widths(
    distances: Array, shares: Array | None, codes: Codes, band: float, n_resamples: int, rng: np.random.Generator
) -> Array:
    """(k,) of the band around each curve: clusters of rows are drawn again, with all rows of each."""
    groups = int(codes.max()) + 1

    def draw(size: int) -> Array:
        return suprema(distances, drawn_units(groups, size, rng)[:, codes], shares)

    largest = _in_chunks(draw, n_resamples, max(len(codes), groups))
    return largest_deviation(largest, dkw_of_clusters(codes, band), band)


def half_widths_over_runs(
    distances: Array, shares: Array, problems: Codes, band: float, n_resamples: int, seed: int | None
) -> Array:
    """(k,) of the band around each curve. Runs are drawn again within their cells, by the content of a column alone: no
    order of problems, algorithms or runs matters. The bound is that of 1/Σw² runs."""
    columns = []
    for j in range(distances.shape[1]):
        known = [np.flatnonzero((problems == i) & (shares[:, j] > 0)) for i in range(int(problems.max()) + 1)]
        runs = [rows[np.argsort(distances[rows, j], kind="stable")] for rows in known]
        ranked = sorted((distances[rows, j].tolist(), rows.tolist()) for rows in runs)
        cells, rng = [np.array(rows) for _, rows in ranked], generator(seed)

        def draw(size: int, j: int = j, cells: list[Codes] = cells, rng: np.random.Generator = rng) -> Array:
            weights = np.zeros((size, len(distances)))
            for rows in cells:
                weights[:, rows] = drawn_runs(len(rows), size, rng) * shares[rows, j]
            return suprema(distances[:, [j]], weights, None, shares[:, j])

        largest = _in_chunks(draw, n_resamples, len(distances))
        columns.append(largest_deviation(largest, dkw(1.0 / float((shares[:, j] ** 2).sum()), band), band))
    return np.concatenate(columns)


def _in_chunks(draw: Callable[[int], Array], n_resamples: int, width: int) -> Array:
    per_chunk = max(1, _CHUNK // width)
    sizes = [min(per_chunk, n_resamples - first) for first in range(0, n_resamples, per_chunk)]
    return np.concatenate([draw(size) for size in sizes])


def suprema(distances: Array, weights: Array | Codes, shares: Array | None = None, own: Array | None = None) -> Array:
    """(B, k): sup_τ |Σ w_i 1{d_i ≤ τ} / Σ w_i − ρ(τ)|, for each row of weights (B, n).

    ``shares`` (n, k) of the rows in ρ multiply the weights; without them rows count equally. ``own`` (n,): the weights
    are of these shares already.
    """
    n, k = distances.shape
    largest = np.zeros((len(weights), k))
    for j in range(k):
        order = np.argsort(distances[:, j], kind="stable")
        ordered = distances[order, j]
        ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True) & np.isfinite(ordered))
        if not len(ends):
            continue
        each = weights if shares is None else weights * shares[:, j]
        in_table = own if shares is None else shares[:, j]
        risen = np.cumsum(each[:, order], axis=1)[:, ends] / each.sum(axis=1, keepdims=True)
        height = (ends + 1) / n if in_table is None else np.cumsum(in_table[order])[ends]
        largest[:, j] = np.abs(risen - height).max(axis=1)
    return largest
