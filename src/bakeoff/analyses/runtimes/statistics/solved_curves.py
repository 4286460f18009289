"""The share of problems solved within each time, with a band for the whole curve."""

from __future__ import annotations

import numpy as np

from bakeoff.analyses.runtimes.statistics.resampling import resampled_means, to_ten_digits
from bakeoff.analyses.runtimes.statistics.results import SolvedCurves
from bakeoff.analyses.runtimes.statistics.times import RunTimes
from bakeoff.effects.curve_bands import band_half_widths
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes

POINTS = 200  # of a curve, at most


def solved_curves(runs: RunTimes, names: tuple[str, ...], codes: Codes, weights: Array, alpha: float) -> SolvedCurves:
    """Band: ± the 1 − alpha quantile of sup_t |F*(t) − F(t)| over resamples, at least √(ln(2/alpha)/2n).

    The floor is the bound of Dvoretzky, Kiefer and Wolfowitz with Massart's constant, n²/Σm² instead of n in clusters.
    """
    grid = time_grid(runs.times)
    shares, reach = [], []
    for j in range(len(names)):
        within = solved_within(runs.times[:, j], grid)
        share = within.mean(axis=0)
        drawn = resampled_means(within, codes, weights)
        largest = np.abs(drawn - share).max(axis=1)
        reach.append(to_ten_digits(float(band_half_widths(largest[:, None], codes, 1 - alpha)[0])))
        shares.append(share)
    return SolvedCurves(
        times=tuple(grid.tolist()),
        share={name: tuple(share.tolist()) for name, share in zip(names, shares, strict=True)},
        reach=dict(zip(names, reach, strict=True)),
    )


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
