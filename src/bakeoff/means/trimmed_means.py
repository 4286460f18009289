"""Trimmed means over all runs of all problems, and their errors by Winsorized values (Tukey and McLaughlin 1963).

Each problem has its share in the mean, 1/T of T problems or what the weights of a design say, and each of its R runs
1/R of that. Of N runs floor(N/4)/N of all shares are cut at each end: of equal shares so many runs, of others the last
one in part. What is kept has the mass 1 − 2 floor(N/4)/N = h/N.

A trimmed mean moves by u_i (w_i − w̄) N/h with the i-th value of share u_i, w being the values with the cut ones
replaced by the nearest that is kept. These contributions are summed by problem. With one run of each problem their
variance is that of Tukey and McLaughlin, SSD_w/(h(h − 1)) with h − 1 degrees of freedom: only what is kept tells how
problems vary. With several runs h is the number of problems that have a run in the kept part. Over the runs of a single
problem it is theirs again. Of several problems each has the variance of its runs, with all their degrees of freedom; of
two or three most runs that are cut belong to a problem of which others are kept, and these alone count there, two at
least. (With all of them, a difference of equal algorithms on two problems was shown in 8 to 13 % of tables.)
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from bakeoff.dataclass import dataclass
from bakeoff.means.strata import Stratum, effective_clusters, jackknife_weights
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes

QUARTER = 4  # one in so many is cut at each end
FEW = 3  # problems of which the cut decides the error of several
_PART = 1e-9  # of a run: less is rounding


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrimmedMean:
    """The trimmed mean of runs (T, R), NaN-padded at the end of a row."""

    value: float
    kept: Codes  # (T,) runs of each problem in the middle part
    contributions: Array  # (T, R) by how much each run moves it; they sum to 0
    by_problem: Array  # (T,) sums of the contributions of a problem; they sum to 0
    variances: Array  # (T,) of these sums over runs of the same problem; NaN with one run
    degrees: Array  # (T,) runs − 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """A variance and its degrees of freedom."""

    variance: float
    df: float

    @property
    def error(self) -> float:
        return math.sqrt(self.variance)


def run_weights(counts: Codes, shares: Array | None) -> Array:
    """(T,) of each run of problems with ``counts`` (T,) runs; 1 where all are alike. ``shares`` (T,): if unequal."""
    total = counts.sum()
    return np.asarray(total / (len(counts) * counts) if shares is None else total * shares / counts)


def trimmed_mean(runs: Array, cut: bool, shares: Array | None = None) -> TrimmedMean:
    """The interquartile mean, or the mean (``cut`` False); ``shares`` (T,) of the problems, if unequal."""
    known = ~np.isnan(runs)
    counts = known.sum(axis=1)
    weights = np.broadcast_to(run_weights(counts, shares)[:, None], runs.shape)
    order = np.argsort(runs[known], kind="stable")
    values, problems, own = runs[known][order], np.nonzero(known)[0][order], weights[known][order]
    middle = kept_parts(own, QUARTER if cut else 0)
    inside = middle > _PART * own
    kept, mass = values[inside], middle[inside].sum()
    held = np.clip(runs, kept[0], kept[-1])
    contribution = weights * (held - np.nansum(weights * held) / len(values)) / mass
    kept_runs = np.bincount(problems[inside], minlength=len(runs))
    if len(runs) <= FEW:
        counts = np.where(kept_runs > 0, np.maximum(kept_runs, 2), counts)
    with np.errstate(invalid="ignore", divide="ignore"):
        centred = np.where(known, contribution - np.nanmean(contribution, axis=1, keepdims=True), 0.0)
        variances = counts * (centred**2).sum(axis=1) / (counts - 1)
    return TrimmedMean(
        value=float((middle[inside] * kept).sum() / mass),
        kept=kept_runs,
        contributions=contribution,
        by_problem=np.nansum(contribution, axis=1),
        variances=variances,
        degrees=np.asarray(counts - 1.0),
    )


def kept_parts(weights: Array, one_in: int, counts: Array | int | None = None) -> Array:
    """(…, N) what is left of sorted runs of these ``weights`` if floor(N/one_in)/N is cut at each end; all of them if
    that is 0. ``counts`` (…,): how many runs there are, if weights of 0 fill a row up."""
    n = np.asarray(weights.shape[-1] if counts is None else counts)[..., None]
    upto = np.cumsum(weights, axis=-1)
    low = (n // one_in if one_in else 0 * n) * (upto[..., -1:] / n)
    return np.asarray(np.clip(np.minimum(upto, upto[..., -1:] - low) - np.maximum(upto - weights, low), 0.0, None))


def spread_over_runs(*parts: TrimmedMean) -> Spread:
    """The spread of a sum of independent estimates on the same problems: only runs vary (Satterthwaite)."""
    variances = np.concatenate([part.variances for part in parts])
    degrees = np.concatenate([part.degrees for part in parts])
    return summed_spread(variances, degrees)


def summed_spread(variances: Array, degrees: Array) -> Spread:
    """A sum of independent estimated variances, with its degrees of freedom."""
    total = float(variances.sum())
    if total == 0.0:
        return Spread(variance=0.0, df=float(degrees.sum()))
    if not math.isfinite(total):
        return Spread(variance=math.inf, df=1.0)
    return Spread(variance=total, df=total**2 / float((variances**2 / degrees).sum()))


def spread_over_problems(by_problem: Array, strata: Sequence[Stratum], equally: bool, *kept: Codes) -> Spread:
    """The spread of contributions: problems (or clusters of them) vary within each stratum, and runs with them.

    ``kept`` (T,) of each trimmed mean; ``equally``: each cluster has the same share, whatever its size.
    """
    parts = [_spread(by_problem[s.rows], s, equally, [each[s.rows] for each in kept]) for s in strata]
    if len(parts) == 1:
        return parts[0]
    return summed_spread(np.array([part.variance for part in parts]), np.array([part.df for part in parts]))


def _spread(by_problem: Array, stratum: Stratum, equally: bool, kept: Sequence[Codes]) -> Spread:
    """The fewest clusters with a run in the middle part count, and no more than have the same say, 1/Σ w_g² of their
    shares. A large cluster pulls the mean to itself: its sum counts as the jackknife counts it.
    """
    if stratum.n_clusters == 1:
        return Spread(variance=math.inf, df=1.0)
    codes = np.repeat(np.arange(stratum.n_clusters), stratum.sizes)
    sizes = np.ones(stratum.n_clusters) if equally else stratum.sizes
    sums = np.bincount(codes, weights=by_problem, minlength=len(sizes)) - by_problem.sum() * sizes / sizes.sum()
    held = [int((np.bincount(codes, weights=each) > 0).sum()) for each in kept]
    h = max(2.0, min(effective_clusters(sizes), *held) if held else effective_clusters(sizes))
    variance = float((sums**2).sum()) * h / (h - 1.0)
    if sizes.min() < sizes.max():
        variance = max(variance, float(jackknife_weights(sizes) @ sums**2))
    return Spread(variance=variance, df=h - 1.0)
