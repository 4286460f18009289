"""Simultaneous bands of distribution functions: one half-width for the whole curve (profiles, shares solved in time).

The larger of two: the quantile of sup |F* − F| over problems (clusters) drawn again, and the bound of Dvoretzky, Kiefer
and Wolfowitz with Massart's constant, √(ln(2/α) / 2n), which holds for any number of independent problems; without it,
curves of few steps (0 or 1 nearly everywhere) would have a band of no width.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import cast

import numpy as np

from bakeoff.means.strata import drawn_runs, effective_clusters
from bakeoff.randomness import generator
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes, cluster_sizes

_CHUNK = 1 << 21  # numbers at a time; fixed, so that the answer does not depend on the machine
_IN_CACHE = 1 << 16  # numbers of one step of the sums


def dkw(n: float, level: float) -> float:
    """√(ln(2/α) / 2n): P(sup |F_n − F| > it) ≤ α = 1 − level (Massart 1990)."""
    return math.sqrt(math.log(2 / (1 - level)) / (2 * n))


def dkw_of_clusters(codes: Codes, level: float) -> float:
    """The half-width of n²/Σm² clusters: as many equal ones, whose problems are copies, vary as much."""
    return dkw(effective_clusters(cluster_sizes(codes)), level)


def band_half_widths(suprema: Array, codes: Codes, level: float) -> Array:
    """(k,) from sup |F* − F| in resamples (B, k) of clusters."""
    return largest_deviation(suprema, dkw_of_clusters(codes, level), level)


def largest_deviation(suprema: Array, bound: float, level: float) -> Array:
    """(k,) of resamples (B, k): order statistic ⌈level·(B + 1)⌉, at least the bound, at most 1."""
    size = len(suprema)
    place = min(size, math.ceil(level * (size + 1))) - 1
    return np.asarray(np.clip(np.sort(suprema, axis=0)[place], min(1.0, bound), 1.0))


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
        in_column = suprema(distances[:, [j]], None, shares[:, j])

        def draw(
            size: int,
            cells: list[Codes] = cells,
            rng: np.random.Generator = rng,
            share: Array = shares[:, j],
            of_weights: Callable[[Array], Array] = in_column,
        ) -> Array:
            weights = np.zeros((size, len(distances)))
            for rows in cells:
                weights[:, rows] = drawn_runs(len(rows), size, rng) * share[rows]
            return of_weights(weights)

        largest = drawn_in_chunks(draw, n_resamples, len(distances))
        columns.append(largest_deviation(largest, dkw(1.0 / float((shares[:, j] ** 2).sum()), band), band))
    return np.concatenate(columns)


def drawn_in_chunks(draw: Callable[[int], Array], n_resamples: int, width: int) -> Array:
    per_chunk = max(1, _CHUNK // width)
    sizes = [min(per_chunk, n_resamples - first) for first in range(0, n_resamples, per_chunk)]
    return np.concatenate([draw(size) for size in sizes])


def suprema(
    distances: Array, shares: Array | None = None, own: Array | None = None
) -> Callable[[Array | Codes], Array]:
    """(B, n) weights of the rows -> (B, k): sup_τ |Σ w_i 1{d_i ≤ τ} / Σ w_i − ρ(τ)|.

    ``shares`` (n, k) of the rows in ρ multiply the weights; without them rows count equally. ``own`` (n,): the weights
    are of these shares already.
    """
    n, k = distances.shape
    orders, all_ends, heights = [], [], []
    for j in range(k):
        order = np.argsort(distances[:, j], kind="stable")
        ordered = distances[order, j]
        ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True) & np.isfinite(ordered))
        in_table = own if shares is None else shares[:, j]
        orders.append(order)
        all_ends.append(ends)
        heights.append((ends + 1) / n if in_table is None else np.cumsum(in_table[order])[ends])

    def of_weights(weights: Array | Codes) -> Array:
        largest = np.zeros((len(weights), k))
        if shares is None and own is None:
            weights = cast(Codes, weights.astype(np.int32))  # whole numbers, whose sums take a quarter of the time
        step = max(1, _IN_CACHE // n)
        for first in range(0, len(weights), step):
            rows = weights[first : first + step]
            total = rows.sum(axis=1, keepdims=True)
            for j in (j for j in range(k) if len(all_ends[j])):
                each = rows if shares is None else rows * shares[:, j]
                sums = np.cumsum(np.take(each, orders[j], axis=1), axis=1, dtype=each.dtype)
                if len(all_ends[j]) < n:
                    sums = np.take(sums, all_ends[j], axis=1)
                risen = sums / (total if shares is None else each.sum(axis=1, keepdims=True))
                risen -= heights[j]
                largest[first : first + step, j] = np.maximum(risen.max(axis=1), -risen.min(axis=1))
        return largest

    return of_weights
