"""Means over fixed problems whose runs could have come out differently: each cell is a sample of its own.

θ_j = Σ_i w_i x̄_ij has the variance V_j = Σ_i w_i² s²_ij/r_ij, with Satterthwaite's degrees of freedom; w_i are the
shares of the problems in the mean, 1/n where problems count equally. Runs of different algorithms are independent, so
that the largest |t| of many pairs is that of independent normal means with variances estimated by χ² (Tukey and
Kramer; Games and Howell 1976, of the largest |t| itself).

Few runs beside many may all be of one kind, and then seem to vary too little: s² of few that are skewed or tied is most
often small when their mean is far off. Where numbers of runs differ the error of a difference is therefore at least
Student's, of runs that vary alike on each problem: Σ_i w_i² S²_i (1/r_ai + 1/r_bi). With equal numbers it is Welch's.

Where no run of either differs from another of its cell, t has no error. What is known then is how improbable that is if
both have one distribution on each problem: exchanging runs within problems separates them so in ∏ 2/C(r_a + r_b, r_a)
of all cases, over the problems on which they are apart.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import ScoreError
from bakeoff.nulls.tails import t_two_sided
from bakeoff.randomness import in_chunks
from bakeoff.scores import Array, Scores
from bakeoff.scores.clusters import Codes
from bakeoff.special import binom, stdtrit

Over = Literal["problems", "runs", "both"]
"""The part that could have come out differently."""
CLAIMS = {
    "problems": "",
    "runs": ", for other runs of these problems",
    "both": ", for other problems with runs of their own",
}
"""The end of a verdict, which says what it is about."""
_CHUNK = 1 << 20
Places = npt.NDArray[np.int64]
Columns = tuple[Places, Places]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunMeans:
    """(k,) of each algorithm."""

    means: Array
    variances: Array
    df: Array
    cells: Array  # (n, k) means of the runs of each
    counts: Array  # (n, k) of these runs
    parts: Array  # (n, k) of the variances: w² s²/r

    @property
    def errors(self) -> Array:
        """(k,) of the means."""
        return np.sqrt(self.variances)

    def times(self, slopes: Array) -> RunMeans:
        """As ``slopes`` (k,) change errors; the means stay."""
        return replace(self, variances=self.variances * slopes**2, parts=self.parts * slopes**2)

    def alike(self, pairs: Columns) -> tuple[Array, Array]:
        """(m,) Student's variances of differences, 0 where both have as many runs; and degrees of freedom."""
        a, b = pairs
        variances, df = np.zeros(len(a)), np.full(len(a), math.inf)
        uneven = np.flatnonzero((self.counts[:, a] != self.counts[:, b]).any(axis=0))
        if len(uneven):
            ra, rb = self.counts[:, a[uneven]], self.counts[:, b[uneven]]
            squares = (ra - 1) * ra * self.parts[:, a[uneven]] + (rb - 1) * rb * self.parts[:, b[uneven]]
            variances[uneven], df[uneven] = alike_variances(squares, ra, rb)
        return variances, df

    def separated(self, pairs: Columns) -> Array:
        """(m,) the p-value of pairs whose runs do not differ within cells."""
        return separation(self.counts, pairs, self.cells[:, pairs[0]] != self.cells[:, pairs[1]])


def separation(counts: Array, pairs: Columns, apart: npt.NDArray[np.bool_]) -> Array:
    """(m,) how often exchanging runs within problems separates pairs as all of these runs are; ``apart`` (n, m): where.

    ``counts`` (n, k) of the runs. No exchange of runs has a smaller p-value.
    """
    a, b = counts[:, pairs[0]], counts[:, pairs[1]]
    p = np.where(apart, np.minimum(1.0, 2.0 / binom(a + b, a)), 1.0).prod(axis=0)
    return np.asarray(np.maximum(p, np.finfo(np.float64).tiny))


def alike_variances(squares: Array, ra: Array, rb: Array) -> tuple[Array, Array]:
    """(m,) Σ_i S²_i (1/r_ai + 1/r_bi) from sums of squares (n, m) within both, and its degrees of freedom."""
    parts = squares / (ra + rb - 2) * (1 / ra + 1 / rb)
    return _sums(parts), _satterthwaite(parts, ra + rb - 2)


def columns_of_pairs(family: Sequence[tuple[int, int]]) -> Columns:
    a, b = (np.array(side, dtype=np.int64) for side in zip(*family, strict=True))
    return a, b


def refuse_single_runs(scores: Scores, counts: Codes, instead: str, parameter: str = "scores") -> None:
    """One run shows no variation; ``counts`` (n, k) of runs, ``instead``: what to say for other problems."""
    if int(counts.min()) < 2:
        i, j = np.argwhere(counts < 2)[0].tolist()
        raise ScoreError(
            f"has one run of {scores.algorithms[j]!r} on {scores.problems[i]!r}, and one run cannot show how runs "
            f"vary; make more, or use {instead}",
            parameter=parameter,
        )


def run_means(runs: Array, shares: Array | None = None) -> RunMeans:
    """The means of (n, k, R) runs, NaN where a cell has fewer than R; ``shares`` (n,) of the problems, if unequal."""
    often = np.ones((len(runs), 1)) if shares is None else len(runs) * shares[:, None]
    counts = (~np.isnan(runs)).sum(axis=2).astype(np.float64)
    most = np.nanmax(runs, axis=2)
    constant = most == np.nanmin(runs, axis=2)
    cells = np.where(constant, most, np.nanmean(runs, axis=2))
    parts = often**2 * np.nansum((runs - cells[:, :, None]) ** 2, axis=2) / ((counts - 1) * counts * len(runs) ** 2)
    parts[constant] = 0.0
    means, variances, df = _sums(often * cells) / len(cells), _sums(parts), _satterthwaite(parts, counts - 1)
    return RunMeans(means=means, variances=variances, df=df, cells=cells, counts=counts, parts=parts)


def _sums(columns: Array) -> Array:
    """Exactly rounded, whatever the order of the rows."""
    return np.array([math.fsum(column) for column in columns.T.tolist()])


def _satterthwaite(parts: Array, degrees: Array) -> Array:
    """(Σ V)² / Σ V²/ν; Σ ν where nothing varies."""
    with np.errstate(invalid="ignore", divide="ignore"):
        df = _sums(parts) ** 2 / _sums(parts**2 / degrees)
    return np.asarray(np.where(np.isfinite(df), df, degrees.sum(axis=0)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunDifferences:
    """(m,) of each pair: first less second."""

    means: Array
    errors: Array
    df: Array
    t: Array  # infinite where nothing varies and the means differ
    pvalues: Array


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunPairs(RunDifferences):
    adjusted: Array  # by the largest |t| of all
    critical: float


def run_differences(
    run_means: RunMeans, pairs: Columns, means: Array | None = None, alike: tuple[Array, Array] | None = None
) -> RunDifferences:
    """Welch's t, with a variance of at least ``alike``; ``means`` are others than the differences of the two, with the
    sum of their variances."""
    a, b = pairs
    if means is None:
        means = run_means.means[a] - run_means.means[b]
    both = np.stack([run_means.variances[a], run_means.variances[b]])
    least, least_df = run_means.alike(pairs) if alike is None else alike
    errors = np.sqrt(np.maximum(both.sum(axis=0), least))
    df = np.minimum(_satterthwaite(both, np.stack([run_means.df[a], run_means.df[b]])), least_df)
    varies = errors > 0
    nothing = np.where(means == 0, 0.0, np.copysign(math.inf, means))
    t = np.where(varies, means / np.where(varies, errors, 1.0), nothing)
    pvalues = np.where(
        varies, t_two_sided(np.where(varies, t, 0.0), df)[0], np.where(means == 0, 1.0, run_means.separated(pairs))
    )
    return RunDifferences(means=means, errors=errors, df=df, t=t, pvalues=pvalues)


def run_pairs(
    run_means: RunMeans, pairs: Columns, alpha: float, order: list[int], n_resamples: int, rng: np.random.Generator
) -> RunPairs:
    """Drawn for one algorithm after the other in this order."""
    each, m = run_differences(run_means, pairs), len(pairs[0])
    largest = np.sort(_largest(run_means, pairs, order, n_resamples, rng))
    beyond = n_resamples - np.searchsorted(largest, np.abs(each.t) * (1 - 1e-12), side="left")
    adjusted = np.maximum(each.pvalues, (1 + beyond) / (1 + n_resamples)) if m > 1 else each.pvalues
    adjusted = np.where(np.isinf(each.t), np.minimum(1.0, m * each.pvalues), adjusted)
    place = math.ceil((1 - alpha) * (n_resamples + 1))
    critical = float(largest[place - 1]) if place <= n_resamples else math.inf
    if m == 1:
        critical = -float(stdtrit(each.df[0], alpha / 2))
    return RunPairs(**{name: getattr(each, name) for name in RunDifferences.__slots__}, adjusted=adjusted,
                    critical=critical)  # fmt: skip


def _largest(
    run_means: RunMeans, pairs: Columns, order: list[int], n_resamples: int, rng: np.random.Generator
) -> Array:
    """(B,) of max |Z_a − Z_b| / √(V̂_a + V̂_b), Z_j ~ N(0, V_j), V̂_j ~ V_j χ²(ν_j)/ν_j."""
    a, b = pairs
    place = np.argsort(order)
    spread, df = np.sqrt(run_means.variances[order]), run_means.df[order]

    def draw(stream: np.random.Generator, size: int) -> tuple[Array]:
        z = (stream.normal(size=(size, len(order))) * spread)[:, place]
        v = (run_means.variances[order] * stream.chisquare(df, size=(size, len(order))) / df)[:, place]
        errors = np.sqrt(v[:, a] + v[:, b])
        t = np.divide(np.abs(z[:, a] - z[:, b]), errors, out=np.zeros_like(errors), where=errors > 0)
        return (t.max(axis=1),)

    chunk = max(1, _CHUNK // max(len(a), 1))
    return np.concatenate([part for (part,) in in_chunks(draw, n_resamples, chunk, rng)])
