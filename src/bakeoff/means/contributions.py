"""Metrics that are no means over items, whose contributions are averaged: intervals of a single one, and cautions.

Differences are judged by t as those of means. A single AUC, share or coefficient has a range, near whose end it is far
from normal, so that its interval is by t on the logit scale (atanh, of a correlation).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution, counted, listing
from bakeoff.means.strata import Stratum
from bakeoff.scores import Scores
from bakeoff.scores.predicted import SCALES, Predicted, TransformedScale

Method = Literal["logit", "atanh", "log", "exact", "t"]
FEWEST_OF_CLASS = 10
"""Items of a class below which intervals and tests are rough."""
FEWEST_RANKED = 50
"""Positives below which those of average precision are: with 20, equal models differ in 7 to 8 % of tables at 5 %."""
FEWEST_AWAY = 2.0
"""Items of the smaller class, times the distance from 1, below which the interval of an AUC errs more than stated: with
20 and 200 items and an AUC of .97, a 95 % interval holds in 90 % of tables."""


class OwnInterval(NamedTuple):
    """The interval of one metric by itself."""

    low: float
    high: float
    method: Method


def transformed_scale(scores: Scores) -> TransformedScale | None:
    """The scale of a table of contributions; None of scores."""
    return None if scores.predicted is None else SCALES.get(scores.predicted.scale)


def own_interval(
    predicted: Predicted, estimate: float, error: float, df: float, alpha: float, strata: Sequence[Stratum]
) -> OwnInterval:
    """By t on the scale of the metric; where nothing varies, the range of the metric.

    An AUC of 1, or a recall, has an exact lower bound. If it were θ, k independent pairs of a positive and a negative
    (k positives) would all be in order with probability θ^k, so that θ ≥ α^(1/k); k is the smaller class.
    """
    scale = SCALES[predicted.scale]
    if error > 0:
        return OwnInterval(*scale.interval(estimate, error, df, alpha), scale.name)  # type: ignore[arg-type]
    kinds = {s.kind for s in strata}
    if estimate == scale.high == 1.0 and len(kinds) == 2 and len(strata) == 2:
        return OwnInterval(alpha ** (1.0 / min(s.n_clusters for s in strata)), 1.0, "exact")
    return OwnInterval(scale.low, scale.high, "t")


def contribution_cautions(
    scores: Scores, estimates: Sequence[tuple[str, float, float]], strata: Sequence[Stratum]
) -> list[Caution]:
    """Warn of small classes, and of metrics at or near the end of their range: (name, value, standard error)."""
    predicted = scores.predicted
    if predicted is None or predicted.is_mean:
        return []
    scale, label = SCALES[predicted.scale], predicted.label
    cautions = _small_classes(predicted, scores.tasks, strata)
    unvaried = [name for name, _, error in estimates if error == 0]
    if unvaried:
        cautions.append(caution_of("no-variation", "contributions", label=label, names=listing(unvaried)))
    least = min(_counts(predicted, scores.tasks, strata).values(), default=0)
    near = [
        name
        for name, value, error in estimates
        if 0 < error < math.inf and scale.name == "logit" and least * min(1.0 - value, value) < FEWEST_AWAY
    ]
    if near and least:
        cautions.append(caution_of("too-few", "exceptions", label=label, names=listing(near)))
    return cautions


def _counts(predicted: Predicted, tasks: Sequence[str] | None, strata: Sequence[Stratum]) -> dict[tuple[str, str], int]:
    """Independent items of each class, by task."""
    if predicted.classes is None:
        return {}
    if all(s.kind for s in strata):
        return {(s.name, s.kind): s.n_clusters for s in strata}
    return dict(Counter(zip(tasks or [""] * len(predicted.classes), predicted.classes, strict=True)))


def _small_classes(predicted: Predicted, tasks: Sequence[str] | None, strata: Sequence[Stratum]) -> list[Caution]:
    least = FEWEST_RANKED if predicted.label == "average precision" else FEWEST_OF_CLASS
    few = {key: n for key, n in _counts(predicted, tasks, strata).items() if n < least}
    if not few:
        return []
    (task, kind), n = min(few.items(), key=lambda item: item[1])
    name = repr(kind) + (f" in {task}" if task else "")
    ending = (
        "With one item nobody knows how the class varies, and nothing is decided"
        if n < 2
        else ("In small classes tests and intervals are rough")
    )
    values = {"count": counted(n, "item"), "name": name, "label": predicted.label, "ending": ending}
    return [caution_of("too-few", "class-items", severity="stop" if n < 2 else "warning", **values)]
