"""Points of runs, as competitions of provers give them: for a right answer some, for a wrong one fewer than none.

A run is solved or ended otherwise; whose end begins with a word has that word's points, of several words those of the
longest. Of several runs of a problem each counts its share, so that a problem has the same weight whatever its runs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from bakeoff.errors import ParameterError, listing
from bakeoff.scores import Array
from bakeoff.scores.runs import OK, is_known_end
from bakeoff.wings.curves.runtimes.statistics.times import RunTimes

RULE = 'must say points by status, such as "ok=1,wrong=-16": above 0 for ok, else at most 0'


def points_of(points: Mapping[str, float] | str | None, runs: RunTimes | None = None) -> dict[str, float] | None:
    """By the word with which an end begins; ok is worth 1 unless it is there. ``runs``: whose ends have such words."""
    if points is None:
        return None
    if isinstance(points, str):
        points = dict(part.rpartition("=")[::2] for part in points.split(","))  # type: ignore[misc]
    if not isinstance(points, Mapping):
        raise ParameterError(f"{RULE}; got {type(points).__name__}", parameter="points")
    made = {OK: 1.0}
    ends = [] if runs is None else sorted({end for end in runs.ends.ravel().tolist() if end})
    for key, value in points.items():
        word, worth = str(key).strip(), _number(value)
        if not word or not math.isfinite(worth) or not (worth > 0 if word == OK else worth <= 0):
            raise ParameterError(f"{RULE}; got {value!r} for {word!r}", parameter="points")
        known = word == OK or is_known_end(word.partition(":")[0]) or any(end.startswith(word) for end in ends)
        if runs is not None and not known:
            raise ParameterError(f"has {word!r}, and no run ended so; runs ended {listing(ends)}", parameter="points")
        made[word] = worth
    return made


def _number(value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return math.nan


def points_text(points: Mapping[str, float] | None) -> str | None:
    return None if points is None else ",".join(f"{word}={worth:.15g}" for word, worth in points.items())


def run_points(runs: RunTimes, points: Mapping[str, float]) -> Array:
    """(n, k, r) of each run its points over the number of runs of its cell."""
    made = np.zeros(runs.times.shape)
    for word in sorted(points, key=len):
        made[np.char.startswith(runs.ends.astype(str), word)] = points[word]
    made[runs.solved] = points[OK]
    return np.asarray(np.where(np.isnan(runs.times), 0.0, made) / runs.n_runs[:, :, None])
