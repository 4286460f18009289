"""Checks of scores that an analysis takes: complete or not, two values only, runs that belong together."""

import copy

import numpy as np

from bakeoff.errors import MissingScoreError, ScoreError, WrongTypeError, listing
from bakeoff.scores._scores import Scores
from bakeoff.scores.cells import Array, metric_name
from bakeoff.scores.runs import reason

# Checks of scores that an analysis takes, and what their cells hold.

# Scores that an analysis takes, and the same ones under another name.


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


# What the cells of a table hold: missing scores, two values only.


def complete_rows(scores: Scores) -> Array:
    """The values of the problems without a missing score: means of other ones would be about different problems."""
    return scores.values[~scores.holes.any(axis=1)] if scores.holes.any() else scores.values


CALLED = ((0.0, 1.0), (0.0, 100.0), (-1.0, 1.0))
"""The usual scores of wrong and right."""


def two_values(scores: Scores) -> tuple[float, float] | None:
    """The two values that a table holds, the lower first, whatever they are called: 0 and 1, 0 and 100, solved and not.

    Equal where there is only one; None where a score or run is any other, or where one of them stands there once and is
    not called so usually: the cost of the one failure so far, of which the next one may have another.
    """
    there = scores.values[~np.isnan(scores.values)]
    if not len(there):
        return None
    low, high = float(there.min()), float(there.max())
    runs = there if scores.runs is None else scores.runs[~np.isnan(scores.runs)]
    if not np.isfinite([low, high]).all() or any(((x != low) & (x != high)).any() for x in (there, runs)):
        return None
    once = low < high and min(int((runs == low).sum()), int((runs == high).sum())) == 1
    return None if once and (low, high) not in CALLED else (low, high)


# Do the runs of two algorithms belong together, by their identifiers?


def ids_of(scores: Scores, row: int, column: int) -> list[str] | None:
    """The names of the runs of one cell, in their order; None where they are not all known and different."""
    if scores.run_ids is None:
        return None
    names = scores.run_ids[row, column, : int(scores.n_runs[row, column])].tolist()
    return names if None not in names and len(set(names)) == len(names) else None


def unpaired_problems(scores: Scores) -> list[int]:
    """Rows on which two algorithms have different runs: of equally many, or such that neither has all of the other's.

    Of resamples (``run_kind="split"``) also a lacking one counts.
    """
    ids = scores.run_ids
    if ids is None:
        return []
    alike = np.asarray((ids == ids[:, :1]).all(axis=(1, 2)))
    return [i for i in np.flatnonzero(~alike).tolist() if _differ(scores, i)]


def _differ(scores: Scores, row: int) -> bool:
    cells = [ids_of(scores, row, j) for j in range(scores.n_algorithms)]
    known = [set(cell) for cell in cells if cell]
    if scores.run_kind == "split":
        return any(one != known[0] for one in known)
    return any(not (one <= other or other <= one) for one in known for other in known)


def matching_order(scores: Scores, row: int, pair: tuple[int, int]) -> list[int] | None:
    """The runs of b in the order of a's, by their identifiers; None where these are not known."""
    first, second = (ids_of(scores, row, j) for j in pair)
    if first is None or second is None:
        return None
    if set(first) != set(second):
        lacking = next(x for x in [*first, *second] if x not in second or x not in first)
        a, b = (scores.algorithms[j] for j in pair)
        raise ScoreError(
            f"has unpaired runs: on problem {scores.problems[row]!r} only one of {a!r} and {b!r} has "
            f"the run {lacking!r}. Give both the same folds or seeds, or use a procedure for independent runs",
            parameter="scores",
        )
    place = {name: at for at, name in enumerate(second)}
    return [place[name] for name in first]
