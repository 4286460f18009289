"""The predictions behind a table: by which metric they became numbers of items, and whether its mean is that metric's
only because each number is an item's contribution to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.errors import ParameterError, ScoreError

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
