"""The predictions behind a table: by which metric they became numbers of items, and whether its mean is that metric's
only because each number is an item's contribution to it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.dataclass import dataclass, replace
from bakeoff.errors import ParameterError, ScoreError
from bakeoff.special import expit, logit, stdtrit

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Predicted:
    """How predictions and the truth became a table.

    Attributes
    ----------
    metric, label : str
        As it was asked for, ``f1:macro``, and as reports say it, "macro F1".
    scale : str
        "logit", "atanh" or "log" of a metric that is no mean over items: then the rows are contributions to it, and its
        intervals are computed on this scale. Empty of a mean.
    about : str
        The choice of classes, for the second line: "'yes' is positive, 41 of 166 items".
    classes : tuple of str, or None
        The class of each item, where the items of each are a sample of their own.
    truth, predictions : ndarray (n,), (n, k), or None
        1 of positives and 0 of negatives, and what each model says of them: what curves are drawn from.
    """

    metric: str
    label: str
    scale: str = ""
    about: str = ""
    classes: tuple[str, ...] | None = None
    truth: Array | None = None
    predictions: Array | None = None

    @property
    def is_mean(self) -> bool:
        """Does each item have a score of its own?"""
        return not self.scale

    def part(self, rows: Sequence[int], columns: Sequence[int]) -> Predicted:
        """Those of some items and models. A metric that is no mean has no part: another set has other contributions."""
        if not self.is_mean and sorted(rows) != list(range(len(rows) if self.classes is None else len(self.classes))):
            raise ScoreError(
                f"holds contributions to the {self.label} of all items, which other items would change. Read the "
                "predictions without them: drop=",
                parameter="problems",
            )
        return replace(
            self,
            classes=self.classes and tuple(self.classes[i] for i in rows),
            truth=None if self.truth is None else self.truth[list(rows)],
            predictions=None if self.predictions is None else self.predictions[np.ix_(list(rows), list(columns))],
        )

    def check_design(self, changed: dict[str, Any], weights: str | None) -> None:
        """Refuse tasks that were not known when contributions were computed, and clusters that count equally."""
        if self.is_mean:
            return
        if "tasks" in changed:
            raise ParameterError(
                f"must be known when the {self.label} is computed, which is that of each task. Name their column: "
                "bo.read_predictions(…, task=)",
                parameter="suites",
            )
        if weights == "clusters":
            raise ParameterError(
                f"cannot be 'clusters' of the {self.label}, to which items contribute. Leave it out",
                parameter="weights",
            )

    def to_dict(self) -> dict[str, Any]:
        """What a report keeps."""
        kept: dict[str, Any] = {"metric": self.metric, "label": self.label, "scale": self.scale, "about": self.about}
        kept["classes"] = None if self.classes is None else list(self.classes)
        kept |= {name: None if (x := getattr(self, name)) is None else x.tolist() for name in ("truth", "predictions")}
        return {name: value for name, value in kept.items() if value not in (None, "")}


# The scales on which an estimate is nearly normal.


@dataclass(frozen=True, slots=True, kw_only=True)
class TransformedScale:
    """A rising function of a metric, whose intervals never leave the metric's range."""

    name: str
    low: float
    high: float
    there: Callable[[float], float]
    slope: Callable[[float], float]
    back: Callable[[float], float]

    def interval(self, estimate: float, error: float, df: float, alpha: float) -> tuple[float, float]:
        """By t on this scale, with the error of the delta method; all that there may be, where nothing is known."""
        if not (self.low < estimate < self.high and 0 < error < math.inf):
            return self.low, self.high
        middle = self.there(estimate)
        reach = -float(stdtrit(df, alpha / 2.0)) * error * self.slope(estimate)
        return self.back(middle - reach), self.back(middle + reach)


def _logit(x: float) -> float:
    return float(logit(x))


def _expit(x: float) -> float:
    return float(expit(x))


LOGIT = TransformedScale(
    name="logit", low=0.0, high=1.0, there=_logit, slope=lambda x: 1.0 / (x * (1.0 - x)), back=_expit
)
ATANH = TransformedScale(
    name="atanh", low=-1.0, high=1.0, there=math.atanh, slope=lambda x: 1.0 / (1.0 - x**2), back=math.tanh
)
LOG = TransformedScale(
    name="log",
    low=-math.inf,
    high=1.0,
    there=lambda x: -math.log(1.0 - x),
    slope=lambda x: 1.0 / (1.0 - x),
    back=lambda x: 1.0 - math.exp(min(-x, 700.0)),
)
SCALES = {scale.name: scale for scale in (LOGIT, ATANH, LOG)}
