"""A history whose neighbours resemble each other: what is left of it without that, and the size of its steps.

If noise is x_t = ρ·x_{t−1} + e_t, then u_t = x_t − ρ·x_{t−1} is exchangeable while nothing changes, and a step of x is
a smaller step of u at the same version. So u is searched in place of x (prewhitening, Serinaldi and Kilsby 2016,
Stoch. Environ. Res. Risk Assess. 30, 763–777). ρ is the lag-1 autocorrelation of ranks around the two levels of the
best split, which no spike moves: 2·sin(πr/6) of a rank correlation r (Pearson 1907).
"""

from __future__ import annotations

import math

import numpy as np

from bakeoff.means.serial import FEWEST_ROWS, averages_of_series, n_cosines
from bakeoff.scores import Array
from bakeoff.special import stdtrit
from bakeoff.wings.guard.history.statistics.segmentation import largest_split, midranks

MOST = 0.98
LEVELS = 4.0
"""Times (1 + 4ρ)/n, by which an estimate is too small at one known level (Marriott and Pope 1954). There are two
levels, and their split was chosen, which doubles it: simulated with 30 to 365 versions."""


def autocorrelation(values: Array, h: int) -> float:
    """ρ of the noise around the two levels of the best split, from 0 to ``MOST``."""
    n, (_, place) = len(values), largest_split(values, h)
    noise = np.concatenate([part - np.median(part) for part in (values[:place], values[place:])])
    ranks = midranks(noise) - (n + 1) / 2.0
    squares = float((ranks**2).sum())
    rho = 2.0 * math.sin(math.pi / 6.0 * float((ranks[1:] * ranks[:-1]).sum()) / squares) if squares else 0.0
    return min(MOST, max(0.0, rho + LEVELS * (1.0 + 4.0 * max(rho, 0.0)) / n))


def all_prewhitened(table: Array, rows: list[int], h: int) -> tuple[dict[int, Array], dict[int, float]]:
    """u and ρ of these rows of ``table`` (benchmarks, versions).

    ρ is at least the median of all benchmarks: among many, one whose estimate is too small would have the largest
    statistic.
    """
    estimates = {i: autocorrelation(table[i, ~np.isnan(table[i])], h) for i in rows}
    middle = float(np.median(list(estimates.values())))
    rho = {i: max(estimate, middle) for i, estimate in estimates.items()}
    return {i: prewhitened(table[i], rho[i]) for i in rows}, rho


def prewhitened(row: Array, rho: float) -> Array:
    """u, as long as ``row``; NaN where the row has it, and at its first version, which has no neighbour."""
    there = np.flatnonzero(~np.isnan(row))
    left = np.full_like(row, np.nan)
    left[there[1:]] = row[there[1:]] - rho * row[there[:-1]]
    return left


def step_of_means(before: Array, after: Array, rho: float, level: float) -> tuple[float, float | None, float | None]:
    """The difference of the means of two levels, with Welch's interval over the averages of each as a series.

    None where a level is too short for averages.
    """
    difference = float(after.mean() - before.mean())
    if min(len(before), len(after)) < FEWEST_ROWS:
        return difference, None, None
    parts = []
    for values in (before, after):
        averages = averages_of_series(values[:, None], n_cosines(len(values)), rho)[:, 0]
        parts.append((float(averages.var(ddof=1)) / len(averages), len(averages) - 1))
    variance, fourth = sum(v for v, _ in parts), sum(v * v / df for v, df in parts)
    half = float(stdtrit(variance**2 / fourth, 0.5 + level / 2.0)) * math.sqrt(variance) if fourth else 0.0
    return difference, difference - half, difference + half
