"""As many runs of each algorithm, where cells of a problem have unequal numbers.

A share, a mean or a median of few runs has another distribution than one of many, so that two equal algorithms cannot
be exchanged. Of the larger cells as many runs as the smallest has are therefore drawn at random. Draws belong to the
content of a table: to the order of no rows, columns or runs, and with one seed not to the ranks of runs in every table.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution
from bakeoff.randomness import generator, root_of, stream_of
from bakeoff.ranks.problem_order import nested_order
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes


def content_table(runs: Array, names: Sequence[str]) -> Array:
    """(n, k · R) of (n, k, R) runs, NaN where there are fewer: equal for problems that can be exchanged, whatever the
    order of columns and runs."""
    columns = sorted(range(len(names)), key=names.__getitem__)
    ordered = np.sort(runs[:, columns], axis=2)
    return np.where(np.isnan(ordered), -np.inf, ordered).reshape(len(runs), -1) + 0.0


def content_codes(table: Array) -> Codes:
    """(n,) equal for equal rows."""
    return np.unique(table, axis=0, return_inverse=True)[1].astype(np.int64).ravel()


def are_even(runs: Array) -> bool:
    """Has every cell of a problem as many runs?"""
    return not np.ptp((~np.isnan(runs)).sum(axis=2), axis=1).any()


def drawn_evenly(runs: Array, names: Sequence[str], groups: Codes, seed: int | None) -> npt.NDArray[np.bool_]:
    """(n, k, R) which of the runs are drawn, of each problem as many of all algorithms."""
    table = content_table(runs, names)
    rows = nested_order(content_codes(table), groups)
    keys = np.empty((len(runs), 1, runs.shape[2]))
    keys[rows, 0] = stream_of(root_of(generator(seed)), table[rows].tobytes()).random((len(runs), runs.shape[2]))
    there, by_size = ~np.isnan(runs), np.argsort(runs, axis=2, kind="stable")
    own = np.take_along_axis(keys + np.zeros(runs.shape), np.argsort(by_size, axis=2), axis=2)
    places = np.argsort(np.argsort(np.where(there, own, np.inf), axis=2), axis=2)
    return np.asarray(places < there.sum(axis=2).min(axis=1)[:, None, None])


def drawn_runs_caution(drawn: bool, what: str) -> list[Caution]:
    """Say that ``what`` rests on runs that were drawn."""
    return [caution_of("unequal", "drawn-runs", what=what)] if drawn else []
