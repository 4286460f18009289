"""Runs: their identifiers (folds, seeds, documents), what a run is, and why a run has no score."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from bakeoff.checks import choice
from bakeoff.errors import ScoreError, counted
from bakeoff.scores.cells import Array, read_only

# Which run is which: identifiers of the runs (folds, seeds, documents), and what a run is.

RunIds = npt.NDArray[Any]  # (n, k, r) of str, None where there is no run
RUN_KINDS = ("seed", "split", "answer", "process", "iteration")
"""Independent; a fold or resample that all algorithms share; one of several answers to a question; a process of its
own; repeated within one process, hence not independent."""


def check_run_kind(kind: object) -> str | None:
    """The kind of the runs, if that is said."""
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
    """The process of an iteration called "process.iteration"; "" where a name tells of no process."""
    return run.rpartition(".")[0]


class OfRuns(Protocol):
    """The part of a table that says which run is which."""

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


# What happened to a run: "ok", or why it has no score.

RunStatus = npt.NDArray[Any]  # (n, k, r) of str; "" where there is no run
OK = "ok"
MISSING = "missing"
FINE = frozenset(
    (
        *("ok", "success", "successful", "succeeded", "finished", "complete", "completed", "done", "pass", "passed"),
        *("solved", "optimal", "sat", "unsat", "satisfiable", "unsatisfiable", "true", "yes"),
    )
)
"""The statuses of a run that has a score, in any case of letters."""
_TIMEOUT = re.compile(
    r"(cpu|wall|wall[\s_-]?clock)?[\s_-]*time[\s_-]*(d[\s_-]*)?(out|limit|up)([\s_-]*(reached|exceeded|hit))?|to|tle|tlo"
    r"|>=?\s*\d+(\.\d+)?",
    re.IGNORECASE,
)
"""Words of solvers, judges and competitions; ``> 3600`` in place of a time."""
_MEMOUT = re.compile(
    r"mem(ory)?[\s_-]*(out|limit)([\s_-]*(reached|exceeded|hit))?|out[\s_-]*of[\s_-]*memory|mo|oom|mle", re.IGNORECASE
)
_FAILED = re.compile(
    r"fail(ed|ure)?|error|crash(ed)?|abort(ed)?|killed|segfault|exception|unknown|unsolved|dnf|infeasible"
    r"|run(time)?[\s_-]*error|skipped|cancelled|canceled|invalid|wrong([\s_-]*answer)?",
    re.IGNORECASE,
)


def status_word(status: object) -> str:
    """``TO`` and ``timeout (cpu)`` are "timeout", ``OPTIMAL`` is "ok"; a message stays as it is; "" for nothing."""
    if status is None or status != status or type(status).__name__ in ("NAType", "NaTType"):
        return ""
    word = re.sub(r"^(?:n/?a|none|nan|-)\s*\((.+)\)$", r"\1", str(status).strip(), flags=re.IGNORECASE)
    if word.lower() in FINE:
        return OK
    plain = re.sub(r"\s*\((cpu|wall|wall[\s_-]?clock|real|user)\)$", "", word, flags=re.IGNORECASE)
    if _TIMEOUT.fullmatch(plain):
        return "timeout"
    if _MEMOUT.fullmatch(plain):
        return "memout"
    return word.lower() if word.isupper() or word.istitle() else word


def is_known_end(word: str) -> bool:
    """Is it a word for how a run ended without a score?"""
    return (end := status_word(word)) in ("timeout", "memout") or _FAILED.fullmatch(end) is not None


def are_ends(texts: Iterable[str]) -> bool:
    """Do the texts say how runs ended, with and without a score?"""
    texts = set(texts) - {""}
    return any(map(is_known_end, texts)) and all(status_word(text) == OK or is_known_end(text) for text in texts)


def status_array(status: Any, cells: Array) -> RunStatus:
    """Shaped like ``cells`` (n, k, r), one word a run; a missing score that is said to be ok is missing."""
    array = np.array(status, dtype=object)
    if array.ndim == 2 and cells.shape[2] == 1:
        array = array[:, :, None]
    if array.shape != cells.shape:
        rule = f'must have the shape of the scores, a word for each ("ok", "timeout"); got shape {np.shape(status)}'
        raise ScoreError(rule, parameter="status")
    known: dict[object, str] = {}
    words = [known[x] if x in known else known.setdefault(x, status_word(x)) for x in array.ravel().tolist()]
    words_of_runs = np.array([*words, None], dtype=object)[:-1].reshape(cells.shape)
    missing = np.isnan(cells)
    words_of_runs[(words_of_runs == "") & ~missing] = OK
    words_of_runs[(words_of_runs == OK) & missing] = MISSING
    return words_of_runs


def only_ok(cells: Array, status: RunStatus) -> Array:
    """The scores of runs that are ok: a time at which a run was stopped is not one."""
    return np.where(status == OK, cells, np.nan)


def scored_first(status: RunStatus, cells: Array) -> RunStatus:
    """In each cell the runs with a score in ``cells`` first, in their order, as ``runs_first`` does with the scores."""
    gone = np.isnan(cells).astype(np.int8) + (status == "")  # then those that failed, then no run at all
    return np.take_along_axis(status, np.argsort(gone, axis=2, kind="stable"), axis=2)


def as_kept(status: RunStatus | None) -> RunStatus | None:
    """As Scores has it: (n, k) with one run per cell, failed ones included, else (n, k, r); read-only."""
    if status is None:
        return None
    runs = max(int((status != "").sum(axis=2).max(initial=0)), 1)
    return read_only(status[:, :, 0].copy() if runs == 1 else status[:, :, :runs].copy())


def by_run(status: RunStatus) -> RunStatus:
    """(n, k, r), also of one run per cell."""
    return status[:, :, None] if status.ndim == 2 else status


def failures(status: RunStatus | None) -> Counter[str]:
    """The count of each status other than ok."""
    if status is None:
        return Counter()
    return Counter(word for word in status.ravel().tolist() if word not in (OK, "", MISSING))


def reason(status: RunStatus | None, i: int, j: int, run: int | None = None) -> str:
    """`` (timeout)``: why a cell, or a run of it, has no score; nothing where that is not known."""
    if status is None:
        return ""
    ends = by_run(status)[i, j].tolist()
    words = dict.fromkeys(word for word in (ends if run is None else ends[run : run + 1]) if word not in (OK, ""))
    words.pop(MISSING, None)
    return f" ({', '.join(words)})" if words else ""


def listed_failures(status: RunStatus | None) -> str:
    """``3 runs (2 timeout, 1 failed)``."""
    ends = failures(status)
    parts = ", ".join(f"{count} {word}" for word, count in ends.most_common())
    return f"{counted(ends.total(), 'run')} ({parts})" if ends else ""
