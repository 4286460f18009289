"""Trimmed means over all runs of all tasks, and their errors by Winsorized values (Tukey and McLaughlin 1963).

A trimmed mean of N values with g cut at each end moves by (w_i − w̄)/h with the i-th value, h = N − 2g, w being the
values with the cut ones replaced by the nearest that is kept. These contributions are summed by task. With one run of
each task their variance is that of Tukey and McLaughlin, SSD_w/(h(h − 1)) with h − 1 degrees of freedom: only what is
kept tells how tasks vary. With several runs h is the number of tasks that have a run in the kept part. Over the runs of
a single task it is theirs again. Of several tasks each has the variance of its runs, with all their degrees of freedom;
of two or three most runs that are cut belong to a task of which others are kept, and these alone count there, two at
least. (With all of them, a difference of equal algorithms on two tasks was shown in 8 to 13 % of tables.)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from bakeoff.means.strata import effective_clusters, jackknife_weights
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes

QUARTER = 4  # one in so many is cut at each end
FEW = 3  # tasks of which the cut decides the error of several


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrimmedMean:
    """The trimmed mean of runs (T, R), NaN-padded at the end of a row."""

    value: float
    kept: Codes  # (T,) runs of each task in the middle part
    contributions: Array  # (T, R) by how much each run moves it; they sum to 0
    by_task: Array  # (T,) sums of the contributions of a task; they sum to 0
    variances: Array  # (T,) of these sums over runs of the same task; NaN with one run
    degrees: Array  # (T,) runs − 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """A variance and its degrees of freedom."""

    variance: float
    df: float

    @property
    def error(self) -> float:
        return math.sqrt(self.variance)


def trimmed_mean(runs: Array, cut: bool) -> TrimmedMean:
    """The interquartile mean, or the mean (``cut`` False)."""
    known = ~np.isnan(runs)
    order = np.argsort(runs[known], kind="stable")
    values, tasks = runs[known][order], np.nonzero(known)[0][order]
    n = len(values)
    g = n // QUARTER if cut else 0
    kept = values[g : n - g]
    held = np.clip(runs, kept[0], kept[-1])
    contribution = (held - np.nanmean(held)) / len(kept)
    kept_runs = np.bincount(tasks[g : n - g], minlength=len(runs))
    counts = known.sum(axis=1)
    if len(runs) <= FEW:
        counts = np.where(kept_runs > 0, np.maximum(kept_runs, 2), counts)
    with np.errstate(invalid="ignore", divide="ignore"):
        centred = np.where(known, contribution - np.nanmean(contribution, axis=1, keepdims=True), 0.0)
        variances = counts * (centred**2).sum(axis=1) / (counts - 1)
    return TrimmedMean(
        value=float(kept.mean()),
        kept=kept_runs,
        contributions=contribution,
        by_task=np.nansum(contribution, axis=1),
        variances=variances,
        degrees=np.asarray(counts - 1.0),
    )


def spread_over_runs(*parts: TrimmedMean) -> Spread:
    """The spread of a sum of independent estimates on the same tasks: only runs vary (Satterthwaite)."""
    variances = np.concatenate([part.variances for part in parts])
    degrees = np.concatenate([part.degrees for part in parts])
    return summed_spread(variances, degrees)


def summed_spread(variances: Array, degrees: Array) -> Spread:
    """A sum of independent estimated variances, with its degrees of freedom."""
    total = float(variances.sum())
    if total == 0.0:
        return Spread(variance=0.0, df=float(degrees.sum()))
    return Spread(variance=total, df=total**2 / float((variances**2 / degrees).sum()))


def spread_over_tasks(by_task: Array, codes: Codes, *kept: Codes) -> Spread:
    """The spread of contributions that sum to about 0: tasks (or clusters of them) vary, and runs with them.

    ``kept`` (T,) of each trimmed mean: the fewest clusters with a run in the middle part count, and no more than have
    the same say, 1/Σ w_g² of their shares of the tasks. A large cluster pulls the mean to itself: its sum counts as the
    jackknife counts it.
    """
    sizes = np.bincount(codes)
    sums = np.bincount(codes, weights=by_task - by_task.mean(), minlength=len(sizes))
    held = [int((np.bincount(codes, weights=each) > 0).sum()) for each in kept]
    h = max(2.0, min(effective_clusters(sizes), *held) if held else effective_clusters(sizes))
    variance = float((sums**2).sum()) * h / (h - 1.0)
    if sizes.min() < sizes.max():
        variance = max(variance, float(jackknife_weights(sizes) @ sums**2))
    return Spread(variance=variance, df=h - 1.0)
