"""Metrics of predictions as a number per item, whose mean over the items is the metric: the one place of formulas.

A mean over items has the score of each item. Any other metric θ is a function of the items' weights, and has
θ + ψ_i: ψ_i = n ∂θ/∂w_i, the influence of item i (Hampel 1974, J. Amer. Statist. Assoc. 69, 383–393). The ψ_i sum to
zero, so that the mean is θ; the variance of a mean of θ + ψ_i is that of θ to first order (the infinitesimal
jackknife; Efron 1981, Biometrika 68, 589–599). Paired differences, clusters (sums over them) and tasks follow as for
means.

AUC: ψ of a positive is n/m (V10 − θ), of a negative n/(n − m) (V01 − θ), V10 and V01 the placement values: the share
of the other class that is ranked below (above), ties half. With a stratum for each class the variance is S10/m +
S01/(n − m), that of DeLong, DeLong & Clarke-Pearson (1988, Biometrics 44, 837–845); summed over clusters, that of
Obuchowski (1997, Biometrics 53, 567–578).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass
from bakeoff.scores import Array, Better
from bakeoff.scores.predicted import ATANH, LOG, LOGIT, TransformedScale

Takes = Literal["classes", "probabilities", "ranking", "numbers", "anything"]
Which = float | int | None
"""A quantile; the class that counts as positive, by its code; None: all classes count the same."""
Codes = npt.NDArray[np.int64]


def ratio(numerator: Array, denominator: Array) -> Array:
    """θ + ψ of θ = Σ numerator/Σ denominator; 0 where there is nothing to divide by, as scikit-learn has it."""
    total = float(denominator.sum())
    if total == 0:
        return np.zeros(len(numerator))
    theta = float(numerator.sum()) / total
    return np.asarray(theta + len(numerator) / total * (numerator - theta * denominator))


# Of classes: ``y`` and ``p`` are codes, those of the truth first.


def _hits(y: Codes, p: Codes, which: Which) -> Array:
    return np.asarray(y == p, dtype=float)


def _recall(y: Codes, p: Codes, c: int) -> Array:
    own = (y == c).astype(float)
    return ratio(own * (p == c), own)


def _precision(y: Codes, p: Codes, c: int) -> Array:
    predicted = (p == c).astype(float)
    return ratio(predicted * (y == c), predicted)


def _f1(y: Codes, p: Codes, c: int) -> Array:
    """2 TP/(2 TP + FP + FN)."""
    own, predicted = (y == c).astype(float), (p == c).astype(float)
    return ratio(2.0 * own * predicted, own + predicted)


def _by_class(one: Callable[[Codes, Codes, int], Array]) -> Callable[[Codes, Codes, Which], Array]:
    """The values for one class, or their mean over all classes that the truth has."""

    def values(y: Codes, p: Codes, which: Which) -> Array:
        classes = np.unique(y).tolist() if which is None else [int(which)]
        return np.asarray(np.mean([one(y, p, c) for c in classes], axis=0))

    return values


def _mcc(y: Codes, p: Codes, which: Which) -> Array:
    """(c s − Σ t_k p_k)/√((s² − Σ t_k²)(s² − Σ p_k²)): c hits of s items, t_k and p_k items of class k in truth and
    prediction (Gorodkin 2004, Comput. Biol. Chem. 28, 367–374, R_K; Matthews' coefficient of two classes)."""
    n, k = len(y), int(max(y.max(), p.max())) + 1
    t, q = (np.bincount(codes, minlength=k).astype(float) for codes in (y, p))
    hits = (y == p).astype(float)
    above = float(hits.sum()) * n - float(t @ q)
    truth, predicted = n**2 - float(t @ t), n**2 - float(q @ q)
    if truth == 0 or predicted == 0:
        return np.zeros(n)
    root = math.sqrt(truth * predicted)
    theta = above / root
    slopes = (hits * n + hits.sum() - q[y] - t[p]) / root
    slopes -= theta * ((n - t[y]) / truth + (n - q[p]) / predicted)
    return np.asarray(theta + n * slopes)


# Of numbers and probabilities: ``p`` against ``y``.


def _absolute(y: Array, p: Array, which: Which) -> Array:
    return np.abs(p - y)


def _squared(y: Array, p: Array, which: Which) -> Array:
    return np.asarray((p - y) ** 2)


def _relative(y: Array, p: Array, which: Which) -> Array:
    return np.asarray(np.abs(p - y) / np.abs(y))


def _pinball(y: Array, p: Array, quantile: Which) -> Array:
    """max(q (y − p), (q − 1)(y − p)) (Koenker & Bassett 1978)."""
    assert quantile is not None
    return np.maximum(quantile * (y - p), (quantile - 1.0) * (y - p))


def _log_loss(y: Array, p: Array, which: Which) -> Array:
    """−log of the probability of what happened."""
    with np.errstate(divide="ignore"):
        return -np.log(np.where(y == 1, p, 1.0 - p)) + 0.0


def _r2(y: Array, p: Array, which: Which) -> Array:
    """1 − Σ (y − p)²/Σ (y − ȳ)²."""
    return 1.0 - ratio((y - p) ** 2, (y - y.mean()) ** 2)


def _standardised(x: Array) -> tuple[Array, float]:
    centred = x - x.mean()
    size = math.sqrt(float(np.mean(centred**2)))
    return centred / size, size


def _pearson(y: Array, p: Array, which: Which) -> Array:
    """ψ = z_y z_p − r (z_y² + z_p²)/2 (Devlin, Gnanadesikan & Kettenring 1975, Biometrika 62, 531–545)."""
    a, b = _standardised(y)[0], _standardised(p)[0]
    r = float(np.mean(a * b))
    return np.asarray(r + a * b - r * (a**2 + b**2) / 2.0)


def _below(x: Array) -> tuple[Array, Codes]:
    """(n,) how many are smaller, equal ones (and each itself) half; and the code of each value, in order."""
    _, inverse, counts = np.unique(x, return_inverse=True, return_counts=True)
    codes: Codes = inverse.reshape(-1).astype(np.int64)
    return np.asarray((np.cumsum(counts) - counts / 2.0)[codes]), codes


def _spearman(y: Array, p: Array, which: Which) -> Array:
    """Pearson's r of mid-ranks. The ranks are functions of the weights, too: item k adds 1 to those above it, and ½ to
    those that it is tied with."""
    (u, of_u), (v, of_v) = _below(y), _below(p)
    (a, size_a), (b, size_b) = _standardised(u), _standardised(v)
    r = float(np.mean(a * b))
    direct = a * b - r * (a**2 + b**2) / 2.0
    return np.asarray(r + direct + _above((b - r * a) / size_a, of_u) + _above((a - r * b) / size_b, of_v))


def _above(slopes: Array, codes: Codes) -> Array:
    """(n,) Σ of the slopes of the items with a larger code, and half of those with the same one."""
    sums = np.bincount(codes, weights=slopes)
    return np.asarray((sums.sum() - np.cumsum(sums) + sums / 2.0)[codes])


# Of the order of the items: ``y`` is 1 of positives, 0 of negatives.


def placements(positives: Array, negatives: Array) -> tuple[Array, Array]:
    """V10 of each positive, V01 of each negative; ties count half."""
    m, n = len(positives), len(negatives)
    among_all = _below(np.concatenate([positives, negatives]))[0]
    return (among_all[:m] - _below(positives)[0]) / n, 1.0 - (among_all[m:] - _below(negatives)[0]) / m


def _auc(y: Array, p: Array, which: Which) -> Array:
    positive = y == 1
    n, m = len(y), int(positive.sum())
    v10, v01 = placements(p[positive], p[~positive])
    theta = float(v10.sum()) / m
    values = np.empty(n)
    values[positive] = theta + n / m * (v10 - theta)
    values[~positive] = theta + n / (n - m) * (v01 - theta)
    return values


def _average_precision(y: Array, p: Array, which: Which) -> Array:
    """Mean over positives of the precision among the items with the same score or a larger one.

    A positive's weight enters with its own precision, and each item's with the precision at all scores up to its own.
    """
    codes = np.unique(-p, return_inverse=True)[1].reshape(-1)  # 0: the largest score
    hits = np.bincount(codes, weights=y)
    everything = np.cumsum(np.bincount(codes))
    precision = np.cumsum(hits) / everything
    n, m = len(y), float(y.sum())
    theta = float(hits @ precision) / m

    def from_here_on(of_code: Array) -> Array:
        """Σ over the codes not before an item's own."""
        return np.asarray((of_code.sum() - np.cumsum(of_code) + of_code)[codes])

    gained = y * from_here_on(hits / everything) - from_here_on(hits * precision / everything)
    return np.asarray(theta + n / m * (y * (precision[codes] - theta) + gained))


# What a metric is.


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """What a metric takes and which number it gives each item.

    ``label``: what reports call it. ``scale``: of one that is no mean over items. ``by_class``: the items of each class
    are a sample of their own. ``of``: what may follow its name, a "quantile", a "class" (or macro), nothing.
    """

    label: str
    better: Better
    takes: Takes
    values: Callable[..., Array]
    scale: TransformedScale | None = None
    by_class: bool = False
    of: Literal["", "quantile", "class", "positive"] = ""

    @property
    def is_mean(self) -> bool:
        """Is it the mean of a score that an item has by itself?"""
        return self.scale is None


def _of_classes(label: str, values: Callable[..., Array], **more: object) -> Metric:
    return Metric(label=label, better="higher", takes="classes", values=values, scale=LOGIT, **more)  # type: ignore[arg-type]


def _of_numbers(
    label: str, values: Callable[..., Array], scale: TransformedScale | None = None, of: str = ""
) -> Metric:
    better: Better = "lower" if scale is None else "higher"
    return Metric(label=label, better=better, takes="numbers", values=values, scale=scale, of=of)  # type: ignore[arg-type]


METRICS: dict[str, Metric] = {
    "accuracy": Metric(label="accuracy", better="higher", takes="classes", values=_hits),
    "error": Metric(label="error rate", better="lower", takes="classes", values=lambda y, p, w: 1.0 - _hits(y, p, w)),
    "balanced-accuracy": _of_classes("balanced accuracy", _by_class(_recall), by_class=True),
    "precision": _of_classes("precision", _by_class(_precision), of="class"),
    "recall": _of_classes("recall", _by_class(_recall), by_class=True, of="class"),
    "f1": _of_classes("F1", _by_class(_f1), of="class"),
    "mcc": Metric(label="Matthews correlation", better="higher", takes="classes", values=_mcc, scale=ATANH),
    "auc": Metric(
        label="AUC", better="higher", takes="ranking", values=_auc, scale=LOGIT, by_class=True, of="positive"
    ),
    "average-precision": Metric(
        label="average precision",
        better="higher",
        takes="ranking",
        values=_average_precision,
        scale=LOGIT,
        by_class=True,
        of="positive",
    ),
    "log-loss": Metric(label="log loss", better="lower", takes="probabilities", values=_log_loss, of="positive"),
    "brier": Metric(label="Brier score", better="lower", takes="probabilities", values=_squared, of="positive"),
    "abs-error": _of_numbers("absolute error", _absolute),
    "squared-error": _of_numbers("squared error", _squared),
    "ape": _of_numbers("absolute percentage error", _relative),
    "pinball": _of_numbers("pinball loss", _pinball, of="quantile"),
    "r2": _of_numbers("R²", _r2, LOG),
    "pearson": _of_numbers("Pearson correlation", _pearson, ATANH),
    "spearman": _of_numbers("Spearman correlation", _spearman, ATANH),
}
"""By the names that ``metric=`` takes."""
