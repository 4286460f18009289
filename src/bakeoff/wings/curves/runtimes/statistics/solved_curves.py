"""The share of problems solved within each time, with a band for the whole curve."""

from __future__ import annotations

import numpy as np

from bakeoff.effects.curve_bands import band_half_widths, half_widths_over_runs
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes
from bakeoff.wings.curves.runtimes.statistics.resampling import resampled_means, to_ten_digits
from bakeoff.wings.curves.runtimes.statistics.results import SolvedCurves
from bakeoff.wings.curves.runtimes.statistics.times import RunTimes

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
