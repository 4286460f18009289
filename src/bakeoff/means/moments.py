"""Means over problems and their errors by the cluster jackknife, in one suite or over several.

V = (G − 1)/G · Σ_g (w_g r_g/(1 − w_g))² with G* − 1 degrees of freedom, G* = 1/Σ w_g²: w_g is the share of cluster g in
the mean, r_g its mean less the mean of all (CV3 of MacKinnon, Nielsen & Webb 2023). Clusters of one size, and problems
that stand alone, have Student's s²/G and G − 1. The usual G/(G − 1) · Σ (w_g r_g)² with G − 1 degrees of freedom is too
small where sizes differ: with 60 clusters of 1 problem and two of 50 its t rejects 24 to 32 % at 5 %, this one 4 to 7.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass
from bakeoff.means.strata import Stratum
from bakeoff.ranks import tie_tolerance
from bakeoff.scores import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """Moments of q columns of values, one per problem."""

    means: Array  # (q,) mean of the suites' means
    errors: Array  # (q,) their standard errors
    df: Array  # (q,)
    suite_means: Array  # (B, q)

    def unpaired(self, a: int, b: int) -> float:
        """The error of a difference whose columns are independent."""
        return math.hypot(float(self.errors[a]), float(self.errors[b]))


def compensated_means(values: Array) -> Array:
    """(q,) of the columns: sums by halves, with the rounding error of each addition added back (Knuth 1969, §4.2.2).

    Scores that cancel leave what they are, and not the rounding of their sum: as the script of a page has it.
    """
    n, lost = len(values), np.zeros(values.shape[1])
    while len(values) > 1:
        half = len(values) // 2
        a, b = values[:half], values[half : 2 * half]
        sums = a + b
        of_b = sums - a
        lost += ((a - (sums - of_b)) + (b - of_b)).sum(axis=0)
        values = np.concatenate([sums, values[2 * half :]])
    return np.asarray((values[0] + lost) / n)


def suite_moments(values: Array, scales: Array, strata: Sequence[Stratum]) -> Moments:
    """mean = Σ w_b m_b; SE² = Σ w_b² SE_b², SE_b² the jackknife variance of the mean of suite b.

    ``values`` and ``scales`` are (n, q); within the rounding of the latter, equal means of clusters have no error.
    Degrees of freedom: G* − 1; over several suites Satterthwaite's, (Σ w_b² SE_b²)²/Σ (w_b⁴ SE_b⁴/(G*_b − 1)).
    """
    means = np.array([compensated_means(values[s.rows]) for s in strata])
    squares = np.array([_squared_error(values, scales, s, m) for s, m in zip(strata, means, strict=True)])
    weights = np.array([[s.weight] for s in strata])
    parts = weights**2 * squares
    variance = parts.sum(axis=0)
    return Moments(
        means=(weights * means).sum(axis=0),
        errors=np.sqrt(variance),
        df=_degrees(parts, np.array([[s.df] for s in strata])),
        suite_means=means,
    )


def _squared_error(values: Array, scales: Array, s: Stratum, mean: Array) -> Array:
    if s.n_clusters == 1:
        return np.full(values.shape[1], math.inf)
    error = (s.jackknife[:, None] * s.sums(values - mean) ** 2).sum(axis=0) / s.n**2
    cluster_means = s.sums(values) / s.sizes[:, None]
    spread = cluster_means.max(axis=0) - cluster_means.min(axis=0)
    return np.asarray(np.where(spread <= tie_tolerance(scales[s.rows].min(axis=0)), 0.0, error))


def covariances_with(values: Array, strata: Sequence[Stratum], column: int) -> Array:
    """(q,) of the mean of each column with that of ``column``, by the jackknife: Σ w_b² C_b over suites."""
    total = np.zeros(values.shape[1])
    for s in strata:
        sums = s.sums(values - compensated_means(values[s.rows]))
        total += (s.weight / s.n) ** 2 * ((s.jackknife * sums[:, column]) @ sums)
    return total


def _degrees(parts: Array, own: Array) -> Array:
    if len(parts) == 1:
        return np.full(parts.shape[1], own[0, 0])
    if not np.isfinite(parts).all():
        return np.ones(parts.shape[1])  # of an error that nobody knows
    below = (parts**2 / own).sum(axis=0)
    known = below > 0
    return np.asarray(np.where(known, parts.sum(axis=0) ** 2 / np.where(known, below, 1.0), own.sum()))


def run_noise(runs: Array | None, n_runs: npt.NDArray[np.int64]) -> tuple[Array, Array] | None:
    """(k,) mean over the problems of the variance of a cell's runs, and (n, k) that of each cell's mean.

    None where no cell of some algorithm has two runs. A cell with one run gets the mean variance of its algorithm.
    """
    if runs is None:
        return None
    repeated = n_runs > 1
    if not repeated.any(axis=0).all():
        return None
    filled = ~np.isnan(runs)
    centred = np.where(filled, runs, 0.0) - (np.where(filled, runs, 0.0).sum(axis=2) / n_runs)[:, :, None]
    squares = np.where(filled, centred, 0.0) ** 2
    within = squares.sum(axis=2) / np.where(repeated, n_runs - 1, 1)
    average = np.where(repeated, within, 0.0).sum(axis=0) / repeated.sum(axis=0)
    return average, np.where(repeated, within, average) / n_runs


def noise_of_means(noise: Array, strata: Sequence[Stratum]) -> Array:
    """(k,) what the runs' own variance adds to the squared error of each mean; ``noise`` (n, k) of the cells' means."""
    return np.asarray(sum((s.weight / s.n) ** 2 * noise[s.rows].sum(axis=0) for s in strata))
