"""The paired bootstrap: problems (whole clusters of them) drawn again, with all algorithms on each.

With it, a band for the whole curve of the share of problems solved within each time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from bakeoff.effects.curve_bands import band_half_widths, half_widths_over_runs
from bakeoff.means.strata import FEWEST, effective_clusters, jackknife_weights
from bakeoff.randomness import product
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes
from bakeoff.special import stdtrit
from bakeoff.wings.curves.runtimes.statistics.results import SolvedCurves
from bakeoff.wings.curves.runtimes.statistics.times import RunTimes

_PAIRS = 500  # at a time
_CHUNK = 1 << 17  # studentised means at a time: they stay in the cache
_NOTHING = 1e-14  # share of the squares that is rounding


def summed_by_cluster(values: Array, codes: Codes, groups: int) -> Array:
    """(G, q) of values (n, q)."""
    if groups == len(codes):
        return np.asarray(values[np.argsort(codes)])
    sums = np.zeros((groups, values.shape[1]))
    np.add.at(sums, codes, values)
    return sums


def resampled_means(values: Array, codes: Codes, weights: Array) -> Array:
    """(B, q): means over the problems, of values (n, q), in each resample of the clusters."""
    sizes = np.bincount(codes).astype(np.float64)
    return np.asarray(product(weights, summed_by_cluster(values, codes, len(sizes))) / (weights @ sizes)[:, None])


def studentised_half_widths(values: Array, codes: Codes, weights: Array, alpha: float) -> Array:
    """(q,) of intervals around the means of values (n, q): the symmetric bootstrap-t (Hall 1988), at least t's.

    The critical value is the 1 − alpha quantile of |m* − m|/se* over resamples, or that of t with G* − 1 degrees of
    freedom if larger; the error is the engine's jackknife over clusters. Infinite below ``FEWEST`` effective clusters,
    or where too many resamples have no spread, 0 without any.
    """
    counts = np.bincount(codes)
    sizes, groups, effective = counts.astype(np.float64), len(counts), effective_clusters(counts)
    if groups < 2 or (groups < len(codes) and effective < FEWEST):
        return np.full(values.shape[1], math.inf)
    scale = np.abs(values).max(axis=0)
    scale[scale == 0] = 1.0
    scaled = values / scale
    e = summed_by_cluster(scaled - scaled.mean(axis=0), codes, groups)
    squares = (e * e).sum(axis=0)
    place = min(len(weights), math.ceil((1 - alpha) * (len(weights) + 1))) - 1
    quantiles = np.empty(len(squares))
    step = max(1, _CHUNK // len(weights))
    for first in range(0, len(squares), step):
        part = slice(first, first + step)
        t = np.ascontiguousarray(_studentised(np.ascontiguousarray(e[:, part]), squares[part], sizes, weights).T)
        t.partition(place, axis=1)
        quantiles[part] = t[:, place]
    critical = np.maximum(quantiles, -float(stdtrit(effective - 1, alpha / 2)))
    error = np.sqrt(jackknife_weights(counts) @ (e * e)) / len(codes)
    error[squares <= _NOTHING * len(codes)] = 0.0
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(error == 0, 0.0, critical * error) * scale)


def _studentised(e: Array, squares: Array, sizes: Array, weights: Array) -> Array:
    """(B, q): |m* − m|/se* of sums e (G, q) over clusters, in each resample."""
    groups = len(sizes)
    sums = product(weights, e)
    spread = product(weights, e * e)
    if (sizes == 1).all():  # each resample has as many problems
        spread -= sums**2 / groups
    else:
        off = sums / (weights @ sizes)[:, None]
        spread += off * (off * (weights @ sizes**2)[:, None] - 2 * product(weights, e * sizes[:, None]))
    moved, nothing = np.abs(sums), _NOTHING * squares
    some = spread > nothing
    if some.all():
        return np.asarray(moved / np.sqrt(groups / (groups - 1) * spread))
    t = moved / np.sqrt(groups / (groups - 1) * np.where(some, spread, 1.0))
    return np.where(some, t, np.where(moved**2 > nothing, math.inf, 0.0))


def studentised_half_widths_of_pairs(
    cells: Array, pairs: Sequence[tuple[int, int]], codes: Codes, weights: Array, alpha: float
) -> Array:
    """Half-widths for the mean of column b less that of a of cells (n, k), for each pair (a, b)."""
    widths = []
    for first in range(0, len(pairs), _PAIRS):
        a, b = np.array(pairs[first : first + _PAIRS]).T
        widths.append(studentised_half_widths(cells[:, b] - cells[:, a], codes, weights, alpha))
    return np.concatenate(widths)


def interval_around(
    middle: float, half: float, least: float = -math.inf, most: float = math.inf
) -> tuple[float, float] | None:
    """The interval within what is possible; none where nothing varies, or nothing bounds it. Rounded: it is the same on
    machines that multiply matrices in another order.
    """
    low, high = max(least, middle - half), min(most, middle + half)
    if half == 0 or not (math.isfinite(low) and math.isfinite(high)):
        return None
    return to_ten_digits(low), to_ten_digits(high)


def to_ten_digits(value: float) -> float:
    return float(f"{value:.10g}")


POINTS = 200  # of a curve, at most


def solved_curves(
    runs: RunTimes,
    names: tuple[str, ...],
    codes: Codes,
    weights: Array | None,
    alpha: float,
    size: int,
    seed: int | None,
) -> SolvedCurves:
    """Band: ± the 1 − alpha quantile of sup_t |F*(t) − F(t)| over resamples, at least √(ln(2/alpha)/2n).

    The floor is the bound of Dvoretzky, Kiefer and Wolfowitz with Massart's constant, n²/Σm² instead of n in clusters.
    Without ``weights`` runs are drawn within problems, and n is the number of runs.
    """
    grid = time_grid(runs.times)
    over_runs = _reach_over_runs(runs, 1 - alpha, size, seed) if weights is None else np.empty(0)
    shares, reach = [], []
    for j in range(len(names)):
        within = solved_within(runs.times[:, j], grid)
        share = within.mean(axis=0)
        if weights is None:
            half = over_runs[j]
        else:
            largest = np.abs(resampled_means(within, codes, weights) - share).max(axis=1)
            half = band_half_widths(largest[:, None], codes, 1 - alpha)[0]
        reach.append(to_ten_digits(float(half)))
        shares.append(share)
    return SolvedCurves(
        times=tuple(grid.tolist()),
        share={name: tuple(share.tolist()) for name, share in zip(names, shares, strict=True)},
        reach=dict(zip(names, reach, strict=True)),
    )


def _reach_over_runs(runs: RunTimes, band: float, size: int, seed: int | None) -> Array:
    n, k, r = runs.times.shape
    times = runs.times.transpose(0, 2, 1).reshape(-1, k)
    counts = np.repeat(runs.n_runs, r, axis=0)
    shares = np.where(np.isnan(times), 0.0, 1.0 / (counts * n))
    return half_widths_over_runs(times, shares, np.repeat(np.arange(n), r), band, size, seed)


def solved_within(times: Array, grid: Array) -> Array:
    """(n, T): share of the runs of each problem, of times (n, r), solved within each time."""
    n_runs = (~np.isnan(times)).sum(axis=1)
    counts = np.zeros((len(times), len(grid)))
    for run in times.T:
        counts += run[:, None] <= grid
    return np.asarray(counts / n_runs[:, None])


def time_grid(times: Array) -> Array:
    """The times at which something was solved; of many, quantiles of them with both ends."""
    grid = np.unique(times[np.isfinite(times)])
    if len(grid) <= POINTS:
        return grid if len(grid) else np.array([0.0])
    places = np.unique(np.round(np.linspace(0, len(grid) - 1, POINTS)).astype(np.int64))
    return np.asarray(grid[places])
