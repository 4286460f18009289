"""Which run is which: identifiers of the runs (folds, seeds, documents), and what a run is."""

from typing import Any, Protocol

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


def run_id_array(run_ids: Any, cells: Array) -> RunIds | None:
    """(n, k, r) identifiers, runs that exist first; ``run_ids``: shaped like ``cells``, or one list for all of them."""
    if run_ids is None:
        return None
    ids = run_ids if isinstance(run_ids, np.ndarray) and run_ids.dtype == object else np.array(run_ids, dtype=object)
    if ids.ndim == 2 and cells.shape[2] == 1:
        ids = ids[:, :, None]
    if ids.ndim == 1 and len(ids) == cells.shape[2]:
        ids = np.broadcast_to(ids, cells.shape)
    if ids.shape != cells.shape:
        rule = f"must have the shape of the scores, or be one list for all cells; got shape {np.shape(run_ids)}"
        raise ScoreError(rule, parameter="run_ids")
    missing = np.isnan(cells)
    complete = not missing.any()
    if complete and ids.strides[:2] == (0, 0):  # the same runs in every cell take the room of one
        return read_only(np.broadcast_to(_texts(ids[0, 0]), cells.shape))
    if complete:
        return read_only(_texts(ids))
    texts = _texts(ids)
    texts[missing] = None
    return read_only(np.take_along_axis(texts, np.argsort(missing, axis=2, kind="stable"), axis=2))


def _texts(ids: RunIds) -> RunIds:
    """A copy with names of str."""
    flat = ids.ravel().tolist()
    if not set(map(type, flat)) <= {str, type(None)}:
        flat = [None if x is None else str(x) for x in flat]
    return np.array([*flat, None], dtype=object)[:-1].reshape(ids.shape)


def process_of(run: str) -> str:
    """Of an iteration called "process.iteration", the process; "" where a name tells of no process."""
    return run.rpartition(".")[0]


class OfRuns(Protocol):
    """What of a table says which run is which."""

    @property
    def algorithms(self) -> tuple[str, ...]: ...
    @property
    def run_kind(self) -> str | None: ...
    @property
    def run_ids(self) -> RunIds | None: ...


def single_processes(scores: OfRuns) -> npt.NDArray[np.bool_]:
    """(k,): were all scores of the algorithm measured in one process, or in one for each problem?

    Only of iterations: runs of another kind are processes themselves.
    """
    k = len(scores.algorithms)
    if scores.run_kind != "iteration":
        return np.zeros(k, dtype=bool)
    if scores.run_ids is None:
        return np.ones(k, dtype=bool)
    return np.array([all(_one_process(cell) for cell in scores.run_ids[:, j]) for j in range(k)])


def _one_process(names: RunIds) -> bool:
    return len({process_of(name) for name in names.tolist() if name is not None}) < 2
