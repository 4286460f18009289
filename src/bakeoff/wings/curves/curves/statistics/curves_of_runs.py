"""Curves whose claims are for these problems: other runs of each could have come out, other problems not.

The mean curve m_j(t) over the problems has the variance V_j(t) = Σ_i s²_ij(t)/r_ij / n², with Satterthwaite's degrees
of freedom ν_j, the fewest of all budgets. The largest |t| over pairs and budgets is that of Gaussian curves with the
covariance of the mean curves, over errors that are drawn beside them: of q = min(20, ⌊ν_j⌋) further curves Z_l

    V̂_j(t) = V_j(t) + √(q/ν_j) · (Σ_l Z_l(t)²/q − V_j(t)),

as variable as a variance with ν_j degrees of freedom, and similar at near budgets. Errors are at least Student's where
numbers of runs differ (``means.run_means``). Where no run of either differs from
another of its cell, the p-value is that of ``means.run_means`` times the number of pairs and budgets.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from bakeoff.means.run_means import run_means
from bakeoff.nulls.tails import t_two_sided
from bakeoff.randomness import in_chunks
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes
from bakeoff.scores.pair_family import Family
from bakeoff.wings.curves.curves.statistics.step_down import StepDown

CURVES = 20  # of which a variance is drawn; with 8, 10 algorithms at 50 budgets err in 6.4 % instead of 5
_CHUNK = 1 << 20  # numbers at a time; fixed, so that the answer does not depend on the machine


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunsAlong:
    """The curve of every run at the budgets of the grid; ``cells``: problem · number of algorithms + algorithm."""

    cells: Codes  # (R,) of each run its cell, problem after problem
    scores: Array  # (R, T) score of each run at each budget; with scale log, its logarithm
    kind: str | None = None  # of runs: seed, split, iteration

    def counts(self, n_cells: int) -> Codes:
        return np.bincount(self.cells, minlength=n_cells)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MeanCurve:
    """Of one algorithm: (T,) variances, degrees of freedom, and rows whose cross product is the covariance."""

    variances: Array
    df: float
    factor: Array

    @classmethod
    def of(cls, rows: Array, variances: Array, df: Array) -> MeanCurve:
        """``rows`` (m, T), whose cross product is the covariance; ``df`` (T,), of which the fewest count."""
        rows[:, variances == 0] = 0.0
        rows = rows[np.lexsort(rows.T[::-1])]
        factor = np.asarray(np.linalg.qr(rows, mode="r")) if len(rows) > rows.shape[1] else rows
        some = df[variances > 0]
        return cls(variances=variances, df=max(1.0, float(some.min())) if len(some) else 1.0, factor=factor)

    def drawn(self, rng: np.random.Generator, size: int) -> tuple[Array, Array]:
        """(size, T) curves, and variances as they would be estimated beside them."""
        q, shape = max(1, min(CURVES, int(self.df))), (size, len(self.factor))
        curves, squares = rng.normal(size=shape) @ self.factor, np.zeros((size, self.factor.shape[1]))
        for _ in range(q):
            squares += (rng.normal(size=shape) @ self.factor) ** 2
        share = math.sqrt(min(q / self.df, 1.0))
        return curves, self.variances + share * (squares / q - self.variances)


def judged_by_runs(
    runs: RunsAlong, n: int, names: tuple[str, ...], family: Family, rng: np.random.Generator, n_resamples: int
) -> tuple[Array, StepDown]:
    """(P, T) differences of the means, first less second; and their tests, (P, T) each."""
    k, t = len(names), runs.scores.shape[1]
    cells, exponent = scaled_cells(runs, n, k)
    means = run_means(cells.reshape(n, k * t, -1))
    variances, df = means.variances.reshape(k, t), means.df.reshape(k, t)
    curves = [_mean_curve(cells[:, j], variances[j], df[j]) for j in range(k)]
    a, b = (np.array(side, dtype=np.intp) for side in zip(*family, strict=True))
    first, second = ((side[:, None] * t + np.arange(t)).ravel() for side in (a, b))
    own, alike = variances[a] + variances[b], means.alike((first, second))[0].reshape(-1, t)
    errors = np.sqrt(np.maximum(own, alike))
    differences = means.means.reshape(k, t)[a] - means.means.reshape(k, t)[b]
    constant = (errors == 0) & (differences != 0)
    statistic = np.where(constant, np.copysign(math.inf, differences), 0.0)
    np.divide(differences, errors, out=statistic, where=errors > 0)
    least = np.array([curve.df for curve in curves])[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        welch = own**2 / (variances[a] ** 2 / least[a] + variances[b] ** 2 / least[b])
    pvalue = np.where(errors > 0, t_two_sided(statistic, np.where(errors > 0, welch, 1.0))[0], 1.0)
    by_name = sorted(range(k), key=names.__getitem__)
    largest = np.sort(_largest(curves, by_name, (a, b), n_resamples, rng))
    beyond = n_resamples - np.searchsorted(largest, np.abs(statistic) * (1 - 1e-12), side="left")
    adjusted = np.maximum(pvalue, (1 + beyond) / (1 + n_resamples))
    at = constant.ravel()
    pvalue[constant] = means.separated((first[at], second[at]))
    adjusted[constant] = np.minimum(1.0, pvalue.size * pvalue[constant])
    tested = StepDown(statistic=statistic, pvalue=pvalue, adjusted=adjusted, exact=False, size=n_resamples + 1)
    return np.ldexp(differences, exponent), tested


def scaled_cells(runs: RunsAlong, n: int, k: int) -> tuple[Array, int]:
    """(n, k, T, r) divided by a power of two, so that squares do not overflow, and its exponent."""
    exponent = math.frexp(float(np.abs(runs.scores).max()))[1]
    padded = _padded(RunsAlong(cells=runs.cells, scores=np.ldexp(runs.scores, -exponent)), n * k)
    return padded.reshape(n, k, *padded.shape[1:]), exponent


def _padded(runs: RunsAlong, n_cells: int) -> Array:
    """(cells, T, r) with the runs of a cell in the order of their curves, NaN where it has fewer than another."""
    counts = runs.counts(n_cells)
    place = np.arange(len(runs.cells)) - np.repeat(np.cumsum(counts) - counts, counts)
    padded = np.full((n_cells, runs.scores.shape[1], int(counts.max())), np.nan)
    order = np.lexsort((*(runs.scores.T[::-1]), runs.cells))  # whole curves, whatever the order of the rows
    padded[runs.cells[order], :, place] = runs.scores[order]
    return padded


def _mean_curve(cells: Array, variances: Array, df: Array) -> MeanCurve:
    """``cells`` (n, T, r) of one algorithm."""
    counts = (~np.isnan(cells[:, 0])).sum(axis=1)
    residuals = cells - np.nanmean(cells, axis=2, keepdims=True)
    residuals /= (np.sqrt((counts - 1.0) * counts) * len(cells))[:, None, None]
    rows = residuals.transpose(0, 2, 1).reshape(-1, cells.shape[1])
    return MeanCurve.of(rows[~np.isnan(rows[:, 0])], variances, df)


def _largest(
    curves: list[MeanCurve], order: list[int], pairs: tuple[Codes, Codes], size: int, rng: np.random.Generator
) -> Array:
    """(B,) of the largest |t| over pairs and budgets, drawn for one algorithm after the other in this order."""
    t = len(curves[0].variances)

    def draw(stream: np.random.Generator, size: int) -> tuple[Array]:
        drawn = {j: curves[j].drawn(stream, size) for j in order}
        largest = np.zeros(size)
        for a, b in zip(*(side.tolist() for side in pairs), strict=True):
            difference, variance = np.abs(drawn[a][0] - drawn[b][0]), drawn[a][1] + drawn[b][1]
            ratio = np.divide(difference, np.sqrt(variance), out=np.zeros_like(difference), where=variance > 0)
            np.maximum(largest, ratio.max(axis=1), out=largest)
        return (largest,)

    chunk = max(1, _CHUNK // (t * len(curves)))
    return np.concatenate([part for (part,) in in_chunks(draw, size, chunk, rng)])
