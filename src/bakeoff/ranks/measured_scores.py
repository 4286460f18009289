"""The scale on which differences are taken: the scores as they are, their logarithms, or normalised ones."""

import numpy as np

from bakeoff.checks import choice
from bakeoff.errors import ParameterError
from bakeoff.ranks.ties import tie_tolerance
from bakeoff.scores import Array, Scores
from bakeoff.scores.margins import Margin

TRANSFORMS = ("log", "minmax")


def measured_scores(scores: Scores, transform: str | None, parameter: str = "transform", value: str = "log") -> Scores:
    """The scores whose differences are taken: as they are, their logarithms (``parameter=value`` asks for them), or
    normalised to [0, 1] over the algorithms of each problem.

    Logarithms are shifted so that none is smaller than 1 in size: their differences are the same, and ties between
    these are found to the precision of the scores.
    """
    if transform is None:
        return scores
    choice("transform", transform, TRANSFORMS)
    if transform == "minmax":
        return _with_values(scores, _normalised(scores))
    bad = np.argwhere(scores.values <= 0.0)
    if bad.size:
        i, j = bad[0]
        where = f"problem {scores.problems[i]!r}, algorithm {scores.algorithms[j]!r} is {scores.values[i, j]:g}"
        rule = f"{value!r} needs scores above 0; {where} ({len(bad)} such {'cell' if len(bad) == 1 else 'cells'})"
        raise ParameterError(rule, parameter=parameter)
    logs = np.log(scores.values)
    logs += 1.0 - min(float(logs.min()), 1.0)
    return _with_values(scores, logs)


def _normalised(scores: Scores) -> Array:
    """In units of the range max − min of each problem: differences are those of (x − min)/(max − min).

    The minimum stays, so that ties between differences are found to the precision of the scores.
    """
    if scores.n_algorithms < 3:
        rule = "'minmax' needs three algorithms: of two, every difference becomes 1 or −1. pairwise='sign' says so"
        raise ParameterError(rule, parameter="transform")
    scores.require_finite("transform='minmax'")
    with np.errstate(over="ignore"):
        ranges = np.ptp(scores.values, axis=1, keepdims=True)
        normalised = scores.values / np.where(ranges > 0.0, ranges, 1.0)
    if not np.isfinite(ranges).all() or not np.isfinite(normalised).all():
        raise ParameterError(
            "'minmax' has a range of scores beyond floating point; rescale them", parameter="transform"
        )
    return np.asarray(normalised)


def _with_values(scores: Scores, values: Array) -> Scores:
    return Scores.from_cells(
        values[:, :, None],
        scores.algorithms,
        scores.problems,
        better=scores.better,
        dropped=scores.dropped,
        filled=scores.filled,
        source_sha256=scores.source_sha256,
        clusters=scores.clusters,
    )


def margin_scores(scores: Scores, margin: Margin) -> Scores:
    """The scores whose differences are compared with the margin; what no test can compare with it is refused."""
    measured = measured_scores(scores, "log", "margin", margin.given) if margin.relative else scores
    finest = float(tie_tolerance(measured.scales).max(initial=0.0))
    if margin.value <= finest:
        rule = f"must be larger than the precision of the scores, {finest:.2g}; got {margin.given}"
        raise ParameterError(rule, parameter="margin")
    return measured
