"""Which run is which: identifiers of the runs (folds, seeds, documents), and what a run is."""

from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.checks import choice
from bakeoff.errors import ScoreError
from bakeoff.scores.cells import Array, read_only

RunIds = npt.NDArray[Any]  # (n, k, r) of str, None where there is no run
RUN_KINDS = ("seed", "split", "answer", "process", "iteration")
"""Independent; a fold or resample that all algorithms share; one of several answers to a question; a process of its
own; repeated within one process, hence not independent."""


def check_run_kind(kind: object) -> str | None:
    """What a run is, if that is said."""
    return None if kind is None else choice("run_kind", kind, RUN_KINDS)


def run_id_array(given: Any, cells: Array) -> RunIds | None:
    """(n, k, r) identifiers, runs that exist first; ``given``: shaped like ``cells``, or one list for all of them."""
    if given is None:
        return None
    ids = np.array(given, dtype=object)
    if ids.ndim == 2 and cells.shape[2] == 1:
        ids = ids[:, :, None]
    if ids.ndim == 1 and len(ids) == cells.shape[2]:
        ids = np.broadcast_to(ids, cells.shape)
    if ids.shape != cells.shape:
        rule = f"must have the shape of the scores, or be one list for all cells; got shape {np.shape(given)}"
        raise ScoreError(rule, parameter="run_ids")
    missing = np.isnan(cells)
    named = [None if gone or x is None else str(x) for x, gone in zip(ids.ravel(), missing.ravel(), strict=True)]
    found = np.array([*named, None], dtype=object)[:-1].reshape(cells.shape)
    return read_only(np.take_along_axis(found, np.argsort(missing, axis=2, kind="stable"), axis=2))
