"""Means over problems and their errors by the cluster jackknife, in one suite or over several.

V = (G − 1)/G · Σ_g (w_g r_g/(1 − w_g))² with G* − 1 degrees of freedom, G* = 1/Σ w_g²: w_g is the share of cluster g in
the mean, r_g its mean less the mean of all (CV3 of MacKinnon, Nielsen & Webb 2023). Clusters of one size, and problems
that stand alone, have Student's s²/G and G − 1. The usual G/(G − 1) · Σ (w_g r_g)² with G − 1 degrees of freedom is too
small where sizes differ: with 60 clusters of 1 problem and two of 50 its t rejects 24 to 32 % at 5 %, this one 4 to 7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bakeoff.means.strata import Stratum
from bakeoff.ranks import tie_tolerance
from bakeoff.scores import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Moments:
    """Of q columns of values, one per problem."""

    means: Array  # (q,) mean of the suites' means
    errors: Array  # (q,) their standard errors
    df: Array  # (q,)
    suite_means: Array  # (B, q)
    suite_errors: Array  # (B, q)


def suite_moments(values: Array, scales: Array, strata: Sequence[Stratum]) -> Moments:
    """mean = Σ w_b m_b; SE² = Σ w_b² SE_b², SE_b² the jackknife variance of the mean of suite b.

    ``values`` and ``scales`` are (n, q); within the rounding of the latter, equal means of clusters have no error.
    Degrees of freedom: G* − 1; over several suites Satterthwaite's, (Σ w_b² SE_b²)²/Σ (w_b⁴ SE_b⁴/(G*_b − 1)).
    """
    means = np.array([values[s.rows].mean(axis=0) for s in strata])
    squares = np.array([_squared_error(values, scales, s, m) for s, m in zip(strata, means, strict=True)])
    weights = np.array([[s.weight] for s in strata])
    parts = weights**2 * squares
    variance = parts.sum(axis=0)
    return Moments(
        means=(weights * means).sum(axis=0),
        errors=np.sqrt(variance),
        df=_degrees(parts, np.array([[s.df] for s in strata])),
        suite_means=means,
        suite_errors=np.sqrt(squares),
    )


def _squared_error(values: Array, scales: Array, s: Stratum, mean: Array) -> Array:
    error = (s.jackknife[:, None] * s.sums(values - mean) ** 2).sum(axis=0) / s.n**2
    cluster_means = s.sums(values) / s.sizes[:, None]
    spread = cluster_means.max(axis=0) - cluster_means.min(axis=0)
    return np.asarray(np.where(spread <= tie_tolerance(scales[s.rows].min(axis=0)), 0.0, error))


def _degrees(parts: Array, own: Array) -> Array:
    if len(parts) == 1:
        return np.full(parts.shape[1], own[0, 0])
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
