"""As many runs of each algorithm, where cells of a problem have unequal numbers.

A share, a mean or a median of few runs has another distribution than one of many, so that two equal algorithms cannot
be exchanged. Of the larger cells as many runs as the smallest has are therefore drawn at random.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bakeoff.cautions import caution_of
from bakeoff.errors import Caution
from bakeoff.randomness import generator
from bakeoff.ranks.problem_order import nested_order
from bakeoff.scores import Array
from bakeoff.scores.clusters import Codes


def run_content(runs: Array, names: Sequence[str]) -> Codes:
    """(n,) equal for problems that can be exchanged, of (n, k, R) runs, NaN where there are fewer; depends neither on
    the order of rows, columns nor runs."""
    columns = sorted(range(len(names)), key=names.__getitem__)
    ordered = np.sort(runs[:, columns], axis=2)
    table = np.where(np.isnan(ordered), -np.inf, ordered).reshape(len(runs), -1)
    return np.unique(table, axis=0, return_inverse=True)[1].astype(np.int64).ravel()


def drawn_keys(rows: Codes, most: int, seed: int | None) -> Array:
    """(n, most) a random number for each run of a problem. ``rows``: problems in an order that follows from content."""
    keys = np.empty((len(rows), most))
    keys[rows] = generator(seed).spawn(1)[0].random((most, len(rows))).T
    return keys


def even_places(runs: Array, keys: Array) -> tuple[Codes, Array]:
    """(n, k, m) places of the drawn runs of (n, k, R), NaN where there are fewer, whose runs are sorted; and which of
    these places are runs, as 1 or NaN."""
    there = ~np.isnan(runs)
    fewest = there.sum(axis=2).min(axis=1)
    places = np.argsort(np.where(there, keys[:, None], np.inf), axis=2)[:, :, : int(fewest.max())]
    return places, np.where(np.arange(places.shape[2]) < fewest[:, None, None], 1.0, np.nan)


def are_even(runs: Array) -> bool:
    """Has every cell of a problem as many runs?"""
    return not np.ptp((~np.isnan(runs)).sum(axis=2), axis=1).any()


def drawn_evenly(runs: Array, names: Sequence[str], groups: Codes, seed: int | None) -> npt.NDArray[np.bool_]:
    """(n, k, R) which of the runs are drawn, of each problem as many of all algorithms."""
    order = np.argsort(runs, axis=2, kind="stable")
    rows = nested_order(run_content(runs, names), groups)
    places, kept = even_places(np.take_along_axis(runs, order, axis=2), drawn_keys(rows, runs.shape[2], seed))
    drawn = np.zeros(runs.shape, dtype=bool)
    np.put_along_axis(drawn, np.take_along_axis(order, places, axis=2), ~np.isnan(kept), axis=2)
    return drawn


def drawn_runs_caution(drawn: bool, what: str) -> list[Caution]:
    """Say that ``what`` rests on runs that were drawn."""
    return [caution_of("unequal", "drawn-runs", what=what)] if drawn else []
