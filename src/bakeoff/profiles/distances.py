"""How far each score is from the best of its problem: ratios, differences, or budgets as they are.

Failed runs, and scores that are infinitely bad, are infinitely far: never within any τ. A cell of several runs is their
mean, so that one failed run makes it infinite.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

from bakeoff.errors import InfiniteScoreError, ScoreError
from bakeoff.ranks.ties import tie_groups, tie_tolerance
from bakeoff.scores import Array, Scores, check_scores
from bakeoff.scores.run_status import MISSING, OK, by_run

Form = Literal["ratio", "difference", "data"]
Flags = npt.NDArray[np.bool_]
NEAREST = {"ratio": 1.0, "difference": 0.0}
"""The distance of the best itself."""


def failed_cells(scores: Scores) -> Flags:
    """(n, k): some run of the cell has a status that is not ok, or the score is infinitely bad."""
    failed = np.isposinf(scores.costs)
    if scores.status is not None:
        words = by_run(scores.status)
        failed |= ~np.isin(words.astype(str), (OK, "", MISSING)).all(axis=2)
    return np.asarray(failed)


def check_profile(scores: Scores, form: Form) -> Flags:
    """The failed cells, after every other cell was found to have a score that this form takes."""
    failed = failed_cells(scores)
    if (scores.holes & ~failed).any():
        check_scores(scores)  # names the cells
    _refuse(np.isneginf(scores.costs), scores, "infinitely good, and nothing can be compared with it")
    if form == "data" and scores.better == "higher":
        rule = "is a table where higher is better, and the budgets of a data profile are costs"
        raise ScoreError(f"{rule}; give the budgets at which a target was reached", parameter="scores_or_curves")
    if form != "difference":
        what = "a ratio needs scores from 0 on" if form == "ratio" else "a budget cannot be negative"
        _refuse((scores.values < 0) & ~failed, scores, f"negative, and {what}; kind='difference' takes any score")
    return failed


def _refuse(bad: Flags, scores: Scores, rule: str) -> None:
    where = np.argwhere(bad)
    if not len(where):
        return
    i, j = where[0].tolist()
    kind = InfiniteScoreError if np.isinf(scores.values[i, j]) else ScoreError
    more = f" ({len(where)} such cells)" if len(where) > 1 else ""
    raise kind(
        f"has {scores.values[i, j]:g} for problem {scores.problems[i]!r}, algorithm {scores.algorithms[j]!r}{more}: "
        f"{rule}",
        parameter="scores_or_curves",
    )


def distances(costs: Array, scales: Array, failed: Flags, form: Form, better: str) -> Array:
    """(n, k) of costs (lower is better) and the largest scores behind them; infinite where a run failed.

    Ties are decided on decimals, as everywhere: a score within 16 units in the last place of the best is the best, and
    distances that differ by no more are one and the same step.

    ratio: score / best where lower is better, best / score where higher is. Where the best is 0, it is 1 for all scores
    of 0 and infinite for all others. difference: how much worse than the best. data: the cost itself.
    """
    values = np.where(failed, np.inf, costs)
    if form == "data":
        return _stepped(values, scales)
    nobody = failed.all(axis=1)
    best = values.min(axis=1, keepdims=True)
    best[nobody] = 0.0
    at_best = np.take_along_axis(scales, values.argmin(axis=1, keepdims=True), axis=1)
    behind = np.where(failed, 0.0, np.maximum(scales, at_best))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        tied = ~failed & (values - best <= tie_tolerance(behind))
        if form == "difference":
            found = np.where(tied, 0.0, values - best)
            return _stepped(found, np.where(tied, 0.0, behind))
        # costs of scores that are better when higher are their negatives
        found = np.abs(best / values if better == "higher" else values / best)
    found = np.where(failed, np.inf, np.where(tied, 1.0, found))
    found[np.isnan(found)] = np.inf
    return _stepped(found, np.where(np.isfinite(found), found, 0.0))


def _stepped(found: Array, scales: Array) -> Array:
    """Tied distances made equal: each the smallest of its group."""
    flat, finite = found.ravel().copy(), np.isfinite(found).ravel()
    if finite.any():
        values = flat[finite]
        groups = tie_groups(values, scales.ravel()[finite])
        smallest = np.full(int(groups.max()) + 1, np.inf)
        np.minimum.at(smallest, groups, values)
        flat[finite] = smallest[groups]
    return flat.reshape(found.shape)
