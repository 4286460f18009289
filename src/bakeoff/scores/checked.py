"""Scores that an analysis takes, and the same ones under another name."""

import copy

import numpy as np

from bakeoff.errors import MissingScoreError, WrongTypeError, listing
from bakeoff.scores._scores import Scores
from bakeoff.scores.cells import metric_name
from bakeoff.scores.run_status import reason


def check_scores(scores: object, holes: bool = False) -> Scores:
    """``scores`` if it is a Scores, without missing cells unless ``holes``; else an error that says what to do."""
    if not isinstance(scores, Scores):
        raise WrongTypeError(
            f"must be a bakeoff.Scores, got {type(scores).__name__}; "
            'wrap it: bo.Scores(values, algorithms=[…], better="lower" or "higher"), or use bo.read_scores',
            parameter="scores",
        )
    if not holes and scores.holes.any():
        where = np.argwhere(scores.holes).tolist()
        cells = [
            f"problem {scores.problems[i]!r}, algorithm {scores.algorithms[j]!r}{reason(scores.status, i, j)}"
            for i, j in where[:2]
        ]
        raise MissingScoreError(
            f"has missing scores ({listing(cells + [''] * (len(where) - len(cells)), 2, '; ')}), and this procedure "
            "needs a complete table. bo.compare and bo.skillings_mack take holes; or read it with missing='drop' "
            "(leave the problem out) or missing='worst' (it lost).",
            parameter="scores",
        )
    return scores


def with_metric(scores: Scores, metric: str | None) -> Scores:
    """The same scores, called so."""
    named = copy.copy(scores)
    object.__setattr__(named, "metric", metric_name(metric))
    return named
