"""How often the runs of one algorithm beat those of another, problem by problem.

Runs are compared before anything is averaged: of means over many runs the better algorithm wins nearly always, so that
strengths would grow with the number of runs, which is the experimenter's choice.
"""

from __future__ import annotations

import numpy as np

from bakeoff.scores import Array, Scores
from bakeoff.scores.contents import ids_of, matching_order


def shares_won(scores: Scores) -> Array:
    """(n, k, k) share of the comparisons on a problem in which a run of the row is better than one of the column.

    Splits that all algorithms share (``run_kind="split"`` with identifiers) meet their own kind, one battle for each;
    other runs of one algorithm meet all those of the other. What two shares lack to 1 is tied. Runs are compared
    exactly, and infinite scores are ordered.
    """
    assert scores.runs is not None
    costs = scores.runs if scores.better == "lower" else -scores.runs
    shares = np.empty((scores.n_problems, scores.n_algorithms, scores.n_algorithms))
    paired = by_split(scores)
    for row in range(scores.n_problems):
        cells = [costs[row, j, : int(scores.n_runs[row, j])] for j in range(scores.n_algorithms)]
        shares[row] = _of_splits(scores, row, cells) if paired else _of_all(cells)
    return shares


def by_split(scores: Scores) -> bool:
    """Are the runs splits that are known by name in every cell?"""
    n, k = scores.n_problems, scores.n_algorithms
    return scores.run_kind == "split" and all(ids_of(scores, i, j) is not None for i in range(n) for j in range(k))


def _of_splits(scores: Scores, row: int, cells: list[Array]) -> Array:
    ordered = [cells[0]]
    for j in range(1, len(cells)):
        order = matching_order(scores, row, (0, j))
        assert order is not None
        ordered.append(cells[j][order])
    table = np.array(ordered)
    return np.array([(one < table).mean(axis=1) for one in table])


def _of_all(cells: list[Array]) -> Array:
    """Every run of one against every run of the other."""
    sizes = np.array([len(cell) for cell in cells])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    every = np.concatenate(cells)
    won = np.array([np.add.reduceat(np.searchsorted(np.sort(cell), every, side="left"), starts) for cell in cells])
    return np.asarray(won / (sizes[:, None] * sizes))
