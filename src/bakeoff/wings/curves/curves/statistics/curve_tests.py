"""Tests of whole curves: step-down from the largest |t| over pairs and budgets, other runs, interquartile means.

Over problems: a resample flips the whole curves of a unit (a problem, or a cluster), one sign for all budgets and
pairs, so that the dependence along a curve and between pairs stays. Where the curves of the differences are symmetric
about 0 for those pairs and budgets without a difference, jointly, the family-wise error is at most alpha (Westfall and
Young 1993, Algorithm 4.1; the maximum over all hypotheses not yet rejected is at least that over the true ones).
Statistics are compared by u = |Σ ±d|/√Σd², whose order is that of t (``means.signs``).

Claims for these problems: other runs of each could have come out, other problems not. The mean curve m_j(t) over the
problems has the variance V_j(t) = Σ_i s²_ij(t)/r_ij / n², with Satterthwaite's degrees of freedom ν_j, the fewest of
all budgets. The largest |t| over pairs and budgets is that of Gaussian curves with the covariance of the mean curves,
over errors that are drawn beside them: of q = min(20, ⌊ν_j⌋) further curves Z_l

    V̂_j(t) = V_j(t) + √(q/ν_j) · (Σ_l Z_l(t)²/q − V_j(t)),

as variable as a variance with ν_j degrees of freedom, and similar at near budgets. Errors are at least Student's where
numbers of runs differ (``means.run_means``). Where no run of either differs from another of its cell, the p-value is
that of ``means.run_means`` times the number of pairs and budgets.

Interquartile means along the budget (sample efficiency): at each budget the mean of all runs of all problems without
the lowest and the highest quarter (Agarwal et al. 2021), and the interval of ``bo.interquartile_mean(over="runs")``. A
band reaches as many standard errors as Gaussian curves with the covariance of the mean's contributions do at their most
distant budget, over errors drawn beside them.
"""

from __future__ import annotations

import math

import numpy as np

from bakeoff.dataclass import dataclass, replace
from bakeoff.means.run_means import columns_of_pairs, run_differences, run_means
from bakeoff.means.sign_flips import all_bits, drawn_bits, flipped_t
from bakeoff.means.trimmed_means import Spread, TrimmedMean, spread_over_runs, trimmed_mean
from bakeoff.randomness import in_chunks
from bakeoff.scores import Array, read_only
from bakeoff.scores.clusters import Codes
from bakeoff.scores.pair_family import Family
from bakeoff.special import stdtrit

_SIGNS_CHUNK = 1 << 21  # numbers at a time; fixed, so that the answer does not depend on the machine
_ROUNDING = 1e-9  # relative: two statistics that differ by less are tied


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDown:
    """Shaped as the differences without their first axis."""

    statistic: Array  # t of the mean difference; infinite where all differences are equal and not 0
    pvalue: Array
    adjusted: Array
    exact: bool
    size: int  # choices of signs, the observed one among them


def step_down(differences: Array, rng: np.random.Generator, n_resamples: int) -> StepDown:
    """``differences`` (G, …), a row per unit."""
    groups, shape = len(differences), differences.shape[1:]
    flat = differences.reshape(groups, -1)
    squares = np.einsum("ij,ij->j", flat, flat)
    with np.errstate(divide="ignore"):
        scaled = flat * np.where(squares > 0, 1 / np.sqrt(squares), 0.0)
    sums = scaled.sum(axis=0)
    observed = np.abs(sums)
    order = np.argsort(-observed, kind="stable")
    exact = groups - 1 <= 40 and 2 ** (groups - 1) <= n_resamples + 1
    bits = all_bits(0, 2 ** (groups - 1), groups) if exact else drawn_bits(n_resamples, groups, rng)
    signs = np.ascontiguousarray(1.0 - 2.0 * bits.T)
    own, successive = _counts(scaled[:, order], observed[order], signs)
    size = signs.shape[1] + (0 if exact else 1)
    extra = 0 if exact else 1
    pvalue, adjusted = np.empty(len(order)), np.empty(len(order))
    pvalue[order] = (own + extra) / size
    adjusted[order] = np.maximum.accumulate((successive + extra) / size)
    return StepDown(
        statistic=flipped_t(sums, groups).reshape(shape),
        pvalue=pvalue.reshape(shape),
        adjusted=adjusted.reshape(shape),
        exact=exact,
        size=size,
    )


def _counts(columns: Array, observed: Array, signs: Array) -> tuple[Array, Array]:
    """Count how often each is as large as observed; and the largest of it and of all smaller ones. Descending order."""
    m, size = len(observed), signs.shape[1]
    own, successive = np.empty(m), np.empty(m)
    largest = np.zeros(size)
    per_chunk = max(1, _SIGNS_CHUNK // size)
    for last in range(m, 0, -per_chunk):
        first = max(0, last - per_chunk)
        sums = columns[:, first:last].T @ signs
        np.abs(sums, out=sums)
        least = observed[first:last] * (1 - _ROUNDING)
        for row in range(last - first - 1, -1, -1):
            np.maximum(largest, sums[row], out=largest)
            own[first + row] = np.count_nonzero(sums[row] >= least[row])
            successive[first + row] = np.count_nonzero(largest >= least[row])
    return own, successive


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
    """The mean curve of an algorithm: (T,) variances, degrees of freedom, rows that give the covariance."""

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
    runs: RunsAlong, weights: Array, names: tuple[str, ...], family: Family, rng: np.random.Generator, n_resamples: int
) -> tuple[Array, StepDown]:
    """(P, T) differences of means by ``weights`` (n,), which are 1 on average, first less second; and their tests."""
    n, k, t = len(weights), len(names), runs.scores.shape[1]
    cells, exponent = scaled_cells(runs, n, k)
    cells *= weights[:, None, None, None]
    means = run_means(cells.reshape(n, k * t, -1))
    variances, df = means.variances.reshape(k, t), means.df.reshape(k, t)
    curves = [_mean_curve(cells[:, j], variances[j], df[j]) for j in range(k)]
    a, b = columns_of_pairs(family)
    first, second = ((side[:, None] * t + np.arange(t)).ravel() for side in (a, b))
    fewest = replace(means, df=np.repeat([curve.df for curve in curves], t))
    each = run_differences(fewest, (first, second))
    differences, statistic, pvalue = (x.reshape(-1, t) for x in (each.means, each.t, each.pvalues))
    by_name = sorted(range(k), key=names.__getitem__)
    largest = np.sort(_largest(curves, by_name, (a, b), n_resamples, rng))
    beyond = n_resamples - np.searchsorted(largest, np.abs(statistic) * (1 - 1e-12), side="left")
    adjusted = np.maximum(pvalue, (1 + beyond) / (1 + n_resamples))
    adjusted = np.where(np.isinf(statistic), np.minimum(1.0, pvalue.size * pvalue), adjusted)
    tested = StepDown(statistic=statistic, pvalue=pvalue, adjusted=adjusted, exact=False, size=n_resamples + 1)
    return np.ldexp(differences, exponent), tested


def scaled_cells(runs: RunsAlong, n: int, k: int) -> tuple[Array, int]:
    """(n, k, T, r) divided by a power of two, so that squares do not overflow, and its exponent.

    The runs of a cell are in the order of their curves, NaN where it has fewer than another.
    """
    exponent = math.frexp(float(np.abs(runs.scores).max()))[1]
    scores, counts = np.ldexp(runs.scores, -exponent), runs.counts(n * k)
    place = np.arange(len(runs.cells)) - np.repeat(np.cumsum(counts) - counts, counts)
    padded = np.full((n * k, scores.shape[1], int(counts.max())), np.nan)
    order = np.lexsort((*(scores.T[::-1]), runs.cells))  # whole curves, whatever the order of the rows
    padded[runs.cells[order], :, place] = scores[order]
    return padded.reshape(n, k, *padded.shape[1:]), exponent


def _mean_curve(cells: Array, variances: Array, df: Array) -> MeanCurve:
    """``cells`` (n, T, r) of one algorithm."""
    counts = (~np.isnan(cells[:, 0])).sum(axis=1)
    residuals = cells - np.nanmean(cells, axis=2, keepdims=True)
    residuals /= (np.sqrt((counts - 1.0) * counts) * len(cells))[:, None, None]
    rows = residuals.transpose(0, 2, 1).reshape(-1, cells.shape[1])
    return MeanCurve.of(rows[~np.isnan(rows[:, 0])], variances, df)


def _largest(
    curves: list[MeanCurve], order: list[int], pairs: tuple[Codes, Codes] | None, size: int, rng: np.random.Generator
) -> Array:
    """(B,) of the largest |t| over pairs and budgets, drawn for one algorithm after the other in this order.

    Without pairs, of the curves themselves.
    """
    t = len(curves[0].variances)

    def draw(stream: np.random.Generator, size: int) -> tuple[Array]:
        drawn = {j: curves[j].drawn(stream, size) for j in order}
        parts = drawn.values() if pairs is None else (
            (drawn[a][0] - drawn[b][0], drawn[a][1] + drawn[b][1])
            for a, b in zip(*(side.tolist() for side in pairs), strict=True)
        )  # fmt: skip
        largest = np.zeros(size)
        for difference, variance in parts:
            ratio = np.divide(np.abs(difference), np.sqrt(variance), out=np.zeros_like(difference), where=variance > 0)
            np.maximum(largest, ratio.max(axis=1), out=largest)
        return (largest,)

    chunk = max(1, _CHUNK // (t * len(curves)))
    return np.concatenate([part for (part,) in in_chunks(draw, size, chunk, rng)])


ROUNDING = 1e-13  # of the largest score: errors below are those of sums


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class InterquartileCurve:
    """The interquartile means of one algorithm, at each budget of the grid."""

    algorithm: str
    mean: Array  # interquartile mean of all runs of all problems
    low: Array  # interval of each budget by itself
    high: Array  # upper end of that interval
    band_low: Array  # band that holds at all budgets at once
    band_high: Array  # upper end of that band


def interquartile_curves(
    runs: RunsAlong,
    n: int,
    names: tuple[str, ...],
    alpha: float,
    rng: np.random.Generator,
    size: int,
    shares: Array | None = None,
) -> tuple[InterquartileCurve, ...]:
    """Return them in the order of ``names``; curves are drawn for one after the other in the order of their names.

    ``shares`` (n,) of the problems, if unequal.
    """
    cells, exponent = scaled_cells(runs, n, len(names))
    least = ROUNDING * float(np.nanmax(np.abs(cells)))
    made = {}
    for j in sorted(range(len(names)), key=names.__getitem__):
        means = [trimmed_mean(cells[:, j, t], True, shares) for t in range(cells.shape[2])]
        made[j] = _curve(names[j], means, least, alpha, rng, size, exponent)
    return tuple(made[j] for j in range(len(names)))


def _curve(
    name: str, means: list[TrimmedMean], least: float, alpha: float, rng: np.random.Generator, size: int, exponent: int
) -> InterquartileCurve:
    spreads = [_settled(spread_over_runs(mean), least) for mean in means]
    variances, df = (np.array([getattr(s, of) for s in spreads]) for of in ("variance", "df"))
    rows = np.stack([_residuals(mean) for mean in means], axis=1)
    curve = MeanCurve.of(rows, variances, df)

    largest = _largest([curve], [0], None, size, rng)
    value, error = np.array([mean.value for mean in means]), np.sqrt(variances)
    own = -stdtrit(df, alpha / 2)
    whole = np.maximum(own, float(np.quantile(largest, 1 - alpha, method="higher")))
    ends = (value, *(value + sign * reach * error for reach in (own, whole) for sign in (-1.0, 1.0)))
    mean, low, high, band_low, band_high = (read_only(np.ldexp(end, exponent)) for end in ends)
    return InterquartileCurve(algorithm=name, mean=mean, low=low, high=high, band_low=band_low, band_high=band_high)


def _settled(spread: Spread, least: float) -> Spread:
    """Drop what is rounding of the scores alone."""
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
