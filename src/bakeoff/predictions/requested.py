"""A metric as it is asked for: ``auc``, ``f1:macro``, ``recall:malignant``, ``accuracy@0.5``, ``pinball:0.9``."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bakeoff.checks import did_you_mean
from bakeoff.dataclass import dataclass
from bakeoff.errors import ParameterError, ReadingError, listing
from bakeoff.predictions.metrics import METRICS, Codes, Metric, Which
from bakeoff.scores import Array

ALSO = {
    "acc": "accuracy",
    "error-rate": "error",
    "bacc": "balanced-accuracy",
    "roc-auc": "auc",
    "auroc": "auc",
    "ap": "average-precision",
    "logloss": "log-loss",
    "brier-score": "brier",
    "mae": "abs-error",
    "mse": "squared-error",
    "mape": "ape",
    "sensitivity": "recall",
    "matthews": "mcc",
}
"""Other names of the metrics."""
MACRO = "macro"
POSITIVE = ({"0", "1"}, {"-1", "1"}, {"no", "yes"}, {"negative", "positive"}, {"neg", "pos"}, {"n", "y"})
"""Pairs of classes of which the last in the order of the alphabet is the positive one, in small letters."""
Function = Callable[[Any, Any], Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Requested:
    """``text``: as it was asked for. ``which``: what followed the colon; ``cut``: what followed the @."""

    text: str
    metric: Metric
    which: str = ""
    cut: float | None = None

    @property
    def takes(self) -> str:
        """What a column of predictions holds: with a cut, numbers that become classes."""
        return "ranking" if self.cut is not None else self.metric.takes


def requested(metric: object, better: object) -> Requested:
    """The metric, which says itself in which direction it is good; of a function the caller does."""
    if callable(metric):
        if better not in ("lower", "higher"):
            rule = "is needed with a function as metric: 'lower' if it gives errors, 'higher' if it gives scores"
            raise ParameterError(rule, parameter="better")
        name = getattr(metric, "__name__", "metric").strip("<>")
        return Requested(text=name, metric=Metric(label=name, better=better, takes="anything", values=_own(metric)))
    if metric is None:
        rule = f"is needed beside the truth: one of {', '.join(METRICS)}"
        raise ParameterError(rule, parameter="metric")
    if not isinstance(metric, str):
        rule = f"must be the name of a metric ({listing(METRICS, 30)}), or a function; got {metric!r}"
        raise ParameterError(rule, parameter="metric")
    text = metric.strip()
    at = re.search(r"@([^:@]*)", text)
    name, _, which = re.sub(r"@[^:@]*", "", text, count=1).partition(":")
    cut = at[1] if at else ""
    name = name.strip().lower().replace("_", "-").replace(" ", "-")
    name = ALSO.get(name, name)
    if name == "rmse":
        rule = "cannot be rmse, which is no mean over items. Its square is, and orders models equally: squared-error"
        raise ParameterError(rule, parameter="metric")
    if name not in METRICS:
        rule = f"must be one of {', '.join(METRICS)} (another one is a column of scores, or in Python a function); got"
        raise ParameterError(f"{rule} {metric!r}{did_you_mean(name, METRICS)}", parameter="metric")
    chosen = METRICS[name]
    if better not in (None, chosen.better):
        rule = f"must be left out: of the {chosen.label}, {chosen.better} is better; got {better!r}"
        raise ParameterError(rule, parameter="better")
    return Requested(text=metric.strip(), metric=chosen, which=_which(name, which), cut=_cut(name, cut))


def _which(name: str, which: str) -> str:
    of = METRICS[name].of
    if of == "quantile":
        try:
            inside = 0.0 < float(which) < 1.0
        except ValueError:
            inside = False
        if not inside:
            rule = f"needs its quantile, a number between 0 and 1: {name}:0.9; got {which!r}"
            raise ParameterError(rule, parameter="metric")
    elif which and not of and METRICS[name].takes != "classes":
        raise ParameterError(f"{name} has nothing after a colon; got {which!r}", parameter="metric")
    return which


def _cut(name: str, cut: str) -> float | None:
    if not cut:
        return None
    try:
        value = float(cut)
    except ValueError:
        value = np.nan
    if METRICS[name].takes != "classes" or not np.isfinite(value):
        rule = f"has a number after @ where probabilities become classes: accuracy@0.5; got {name}@{cut}"
        raise ParameterError(rule, parameter="metric")
    return value


def _own(function: Function) -> Callable[..., Array]:
    def values(y: Any, p: Any, which: Which) -> Array:
        made = np.asarray(function(y, p), dtype=float)
        if made.shape != (len(y),) or not np.isfinite(made).all():
            got = f"an array of shape {made.shape}" if made.shape != (len(y),) else "numbers that are not finite"
            raise ParameterError(
                f"must give one finite number for each of {len(y)} items; got {got}", parameter="metric"
            )
        return made

    return values


@dataclass(frozen=True, slots=True, kw_only=True)
class Classes:
    """The classes of the truth, and the one that counts as positive; None if all count the same."""

    names: tuple[str, ...]
    positive: str | None

    def codes(self, labels: Sequence[str]) -> Codes:
        """The place of each label; those that the truth does not have come last."""
        places = {name: i for i, name in enumerate(self.names)}
        return np.array([places.setdefault(label, len(places)) for label in labels], dtype=np.int64)

    @property
    def which(self) -> int | None:
        return None if self.positive is None else self.names.index(self.positive)


def classes_of(request: Requested, labels: Sequence[str], origin: str, truth: str) -> Classes:
    """The classes of a column, and which of them is positive, by what was asked for or by their names."""
    names = tuple(dict.fromkeys(labels))
    listed = listing(map(repr, names), 4)
    metric, name = request.metric, re.split("[:@]", request.text)[0]
    binary = metric.takes != "classes"
    if len(names) < 2 or (binary and len(names) > 2):
        rule = "two classes" if binary else "two classes or more"
        raise ReadingError(f"{origin}: the {metric.label} needs {rule}, and {truth!r} has {listed}")
    named = next((x for x in names if x.lower() == request.which.strip().lower()), None)
    if request.which and named is None and not (metric.of == "class" and request.which.lower() == MACRO):
        raise ReadingError(f"{origin}: {truth!r} has no class {request.which!r}; it has {listed}")
    usual = max(names, key=str.lower) if {x.lower() for x in names} in POSITIVE else None
    if named is not None or (usual and request.which.lower() != MACRO and (metric.of or request.cut is not None)):
        return Classes(names=names, positive=named or usual)
    if (metric.of == "class" and not request.which) or (binary or request.cut is not None):
        cut = "" if request.cut is None else f"@{request.cut:g}"
        ways = " or ".join(f"metric='{name}:{x}{cut}'" for x in names[:2])
        macro = f"; the mean over all classes is metric='{name}:{MACRO}'" if metric.of == "class" and not cut else ""
        raise ReadingError(f"{origin}: say which class of {truth!r} ({listed}) is the positive one: {ways}{macro}")
    return Classes(names=names, positive=None)


def label_of(request: Requested, classes: Classes | None) -> str:
    """What reports call it."""
    metric = request.metric
    if metric.of == "quantile":
        return f"{metric.label} at {float(request.which):g}"
    if metric.of != "class" or classes is None:
        return metric.label
    if classes.positive is None:
        return f"macro {metric.label}"
    return metric.label if len(classes.names) == 2 else f"{metric.label} of {classes.positive!r}"


def about(request: Requested, classes: Classes | None, labels: Sequence[str]) -> str:
    """The choices behind it, for the second line of a report."""
    if classes is None:
        return ""
    choices = []
    if classes.positive is not None and (request.metric.of or request.cut is not None):
        choices.append(f"{classes.positive!r} is positive ({list(labels).count(classes.positive)} of {len(labels)})")
    elif request.metric.of == "class" or request.metric.by_class:
        choices.append(f"each of {len(classes.names)} classes counts the same")
    if request.cut is not None:
        choices.append(f"predicted above {request.cut:g}")
    return ", ".join(choices)
