"""What predictions look like beside one number: ROC curves with bands, and how probabilities are calibrated.

Bands are pointwise. At a share of false alarms the share of hits varies with the threshold and with the items: the hull
of percentiles over items drawn again within their classes (whole clusters where these are given), and of Wilson's
interval, which has a width where all items agree.
"""

from __future__ import annotations

import math

import numpy as np

from bakeoff.dataclass import dataclass
from bakeoff.paired.shares import wilson
from bakeoff.randomness import generator
from bakeoff.scores import Array, Scores
from bakeoff.scores.clusters import Codes, cluster_codes, members
from bakeoff.special import ndtri

DRAWS = 400
GRID = np.linspace(0.0, 1.0, 101)
MOST_BINS, FEWEST_IN_BIN = 10, 10


@dataclass(frozen=True, slots=True, kw_only=True)
class RocCurve:
    """The shares of positives above a threshold, at each share of negatives above it (``GRID``)."""

    algorithm: str
    hits: Array
    lower: Array
    upper: Array


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationBin:
    """Items of similar predicted probability."""

    n: int
    predicted: float  # mean
    observed: float  # share of positives
    interval: tuple[float, float]


def hits_at(truth: Array, scores: Array, weights: Array | None = None) -> Array:
    """(101,) the empirical ROC curve; items with one score are a slanted line. ``weights``: how often each counts."""
    each = np.ones(len(truth)) if weights is None else weights
    codes = np.unique(-scores, return_inverse=True)[1].reshape(-1)
    hits, alarms = (np.cumsum(np.bincount(codes, weights=each * side)) for side in (truth, 1.0 - truth))
    if hits[-1] == 0 or alarms[-1] == 0:
        return np.full(len(GRID), np.nan)
    x, y = np.append(0.0, alarms / alarms[-1]), np.append(0.0, hits / hits[-1])
    last = np.append(x[1:] > x[:-1], True)  # the highest point at each share of alarms
    return np.asarray(np.interp(GRID, x[last], y[last]))


def roc_curves(scores: Scores, alpha: float) -> list[RocCurve]:
    """The curve of each model; draws are shared, so that bands of two models compare."""
    predicted = scores.predicted
    assert predicted is not None
    assert predicted.truth is not None
    assert predicted.predictions is not None
    truth, columns = predicted.truth, predicted.predictions.T
    drawn = _drawn(truth, cluster_codes(scores) if scores.clusters is not None else None)
    z, m = -float(ndtri(alpha / 2)), int(truth.sum())
    curves = []
    for name, column in zip(scores.algorithms, columns, strict=True):
        hits = hits_at(truth, column)
        again = np.array([hits_at(truth, column, weights) for weights in drawn])
        low, high = np.nanquantile(again, (alpha / 2, 1 - alpha / 2), axis=0)
        alone = np.array([wilson(share * m, m, z) for share in hits.tolist()])
        lower, upper = np.minimum(low, alone[:, 0]), np.maximum(high, alone[:, 1])
        curves.append(RocCurve(algorithm=name, hits=hits, lower=lower, upper=upper))
    return curves


def _drawn(truth: Array, clusters: Codes | None) -> list[Array]:
    """How often each item is in each resample."""
    rng, n = generator(0), len(truth)
    weights = []
    groups = members(clusters) if clusters is not None else None
    classes = [np.flatnonzero(truth == side) for side in (1.0, 0.0)]
    for _ in range(DRAWS):
        often = np.zeros(n)
        if groups is None:
            for rows in classes:
                often[rows] = np.bincount(rng.integers(len(rows), size=len(rows)), minlength=len(rows))
        else:
            times = np.bincount(rng.integers(len(groups), size=len(groups)), minlength=len(groups))
            for rows, count in zip(groups, times.tolist(), strict=True):
                often[rows] = count
        weights.append(often)
    return weights


def calibration_bins(truth: Array, probabilities: Array, alpha: float) -> list[CalibrationBin]:
    """Bins of equally many items, in order of the predicted probability; equal ones stay together."""
    n, z = len(truth), -float(ndtri(alpha / 2))
    count = max(2, min(MOST_BINS, n // FEWEST_IN_BIN))
    order = np.argsort(probabilities, kind="stable")
    sorted_p = probabilities[order]
    cuts = {math.floor(i * n / count) for i in range(1, count)}
    starts = sorted({0, *(int(np.searchsorted(sorted_p, sorted_p[cut], side="left")) for cut in cuts)})
    bins = []
    for start, end in zip(starts, [*starts[1:], n], strict=True):
        rows = order[start:end]
        hits = float(truth[rows].sum())
        interval = wilson(hits, len(rows), z)
        mean = float(probabilities[rows].mean())
        bins.append(CalibrationBin(n=len(rows), predicted=mean, observed=hits / len(rows), interval=interval))
    return bins
