"""Interquartile means along the budget (sample efficiency), with intervals over other runs of the same problems.

At each budget the mean of all runs of all problems without the lowest and the highest quarter (Agarwal et al. 2021),
and the interval of ``bo.interquartile_mean(over="runs")``. A band reaches as many standard errors as Gaussian curves
with the covariance of the mean's contributions do at their most distant budget, over errors drawn beside them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtrit

from bakeoff.means.trimmed_means import Spread, TrimmedMean, spread_over_runs, trimmed_mean
from bakeoff.randomness import in_chunks
from bakeoff.scores import Array, read_only
from bakeoff.wings.curves.curves.statistics.curves_of_runs import MeanCurve, RunsAlong, scaled_cells

ROUNDING = 1e-13  # of the largest score: errors below are those of sums
_CHUNK = 1 << 20  # numbers at a time; fixed, so that the answer does not depend on the machine


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class InterquartileCurve:
    """Of one algorithm, at each budget of the grid."""

    algorithm: str
    mean: Array  # interquartile mean of all runs of all problems
    low: Array  # interval of each budget by itself
    high: Array  # upper end of that interval
    band_low: Array  # band that holds at all budgets at once
    band_high: Array  # upper end of that band


def interquartile_curves(
    runs: RunsAlong, n: int, names: tuple[str, ...], alpha: float, rng: np.random.Generator, size: int
) -> tuple[InterquartileCurve, ...]:
    """In the order of ``names``; curves are drawn for one after the other in the order of their names."""
    cells, exponent = scaled_cells(runs, n, len(names))
    least = ROUNDING * float(np.nanmax(np.abs(cells)))
    made = {}
    for j in sorted(range(len(names)), key=names.__getitem__):
        means = [trimmed_mean(cells[:, j, t], cut=True) for t in range(cells.shape[2])]
        made[j] = _curve(names[j], means, least, alpha, rng, size, exponent)
    return tuple(made[j] for j in range(len(names)))


def _curve(
    name: str, means: list[TrimmedMean], least: float, alpha: float, rng: np.random.Generator, size: int, exponent: int
) -> InterquartileCurve:
    spreads = [_settled(spread_over_runs(mean), least) for mean in means]
    variances, df = (np.array([getattr(s, of) for s in spreads]) for of in ("variance", "df"))
    rows = np.stack([_residuals(mean) for mean in means], axis=1)
    curve = MeanCurve.of(rows, variances, df)

    def draw(stream: np.random.Generator, size: int) -> tuple[Array]:
        drawn, errors = curve.drawn(stream, size)
        ratio = np.divide(np.abs(drawn), np.sqrt(errors), out=np.zeros_like(drawn), where=errors > 0)
        return (ratio.max(axis=1),)

    chunk = max(1, _CHUNK // len(means))
    largest = np.concatenate([part for (part,) in in_chunks(draw, size, chunk, rng)])
    value, error = np.array([mean.value for mean in means]), np.sqrt(variances)
    own = -stdtrit(df, alpha / 2)
    whole = np.maximum(own, float(np.quantile(largest, 1 - alpha, method="higher")))
    ends = (value, *(value + sign * reach * error for reach in (own, whole) for sign in (-1.0, 1.0)))
    mean, low, high, band_low, band_high = (read_only(np.ldexp(end, exponent)) for end in ends)
    return InterquartileCurve(algorithm=name, mean=mean, low=low, high=high, band_low=band_low, band_high=band_high)


def _settled(spread: Spread, least: float) -> Spread:
    """Without what is rounding of the scores alone."""
    return spread if spread.variance > least**2 else Spread(variance=0.0, df=spread.df)


def _residuals(mean: TrimmedMean) -> Array:
    """(runs,) of all problems, whose squares sum to the variance over runs."""
    x = mean.contributions
    counts = (~np.isnan(x)).sum(axis=1, keepdims=True)
    residuals = (x - np.nanmean(x, axis=1, keepdims=True)) * np.sqrt(counts / (counts - 1.0))
    return np.asarray(residuals[~np.isnan(x)])


def constant_curves(curves: tuple[InterquartileCurve, ...]) -> list[str]:
    """Algorithms of which no run in the middle half varies at some budget: no error is known there."""
    return [c.algorithm for c in curves if bool((c.high <= c.low).any()) and math.isfinite(float(c.mean[0]))]
