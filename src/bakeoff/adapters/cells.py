"""Gathered rows -> cells of a table."""

from collections.abc import Sequence

import numpy as np

from bakeoff.adapters.measurements import Measurements
from bakeoff.errors import ReadingError
from bakeoff.reading.missing import Cells


def cells_of(rows: Measurements) -> Cells:
    """(n, k, r): the rows of each cell as its runs, in order of appearance; what failed or is absent is missing."""
    problem, algorithm = np.array(rows.problem), np.array(rows.algorithm)
    n, k = len(rows.problems.codes), len(rows.algorithms.codes)
    cell = problem.astype(np.int64) * k + algorithm
    order = np.argsort(cell, kind="stable")
    counts = np.bincount(cell, minlength=n * k)
    place = np.empty(len(cell), dtype=np.int64)
    place[order] = np.arange(len(cell)) - np.repeat(np.cumsum(counts) - counts, counts)
    _refuse_duplicates(rows, cell)
    r = max(int(counts.max()), 1)
    scores = np.full((n * k, r), np.nan)
    ids = np.full((n * k, r), None, dtype=object)
    missing = np.zeros((n * k, r), dtype=bool)
    status = np.array(rows.status)
    scores[cell, place] = np.where(status == 0, np.array(rows.score), np.nan)
    ids[cell, place] = np.array(rows.runs.names, dtype=object)[np.array(rows.run)]
    missing[cell, place] = np.isnan(scores[cell, place])
    missing[counts == 0, 0] = True
    problems, algorithms = rows.problems.names, rows.algorithms.names
    why = (
        dict(zip(zip(cell.tolist(), place.tolist(), strict=True), status.tolist(), strict=True)) if status.any() else {}
    )
    said = rows.statuses.names

    def run_name(i: int, j: int, s: int) -> str:
        name, code = ids[i * k + j, s], why.get((i * k + j, s), 0)
        return (f", run {name!r}" if r > 1 and name is not None else "") + (f" ({said[code]})" if code else "")

    return Cells(
        scores=scores.reshape(n, k, r),
        missing=missing.reshape(n, k, r),
        algorithms=algorithms,
        problems=problems,
        run_name=run_name,
        clusters=_clusters(rows, problems),
        run_ids=ids.reshape(n, k, r) if r > 1 else None,
    )


def _refuse_duplicates(rows: Measurements, cell: np.ndarray[tuple[int], np.dtype[np.int64]]) -> None:
    key = cell * max(len(rows.runs.codes), 1) + np.array(rows.run)
    _, first, counts = np.unique(key, return_index=True, return_counts=True)
    if (counts > 1).any():
        at = int(first[np.argmax(counts > 1)])
        problem, algorithm = rows.problems[rows.problem[at]], rows.algorithms[rows.algorithm[at]]
        raise ReadingError(
            f"{int((counts > 1).sum())} measurements occur more than once, the first: problem {problem!r}, algorithm "
            f"{algorithm!r}, run {rows.runs[rows.run[at]]!r}. Name what tells them apart (run=), or leave one file out."
        )


def _clusters(rows: Measurements, problems: Sequence[str]) -> list[str] | None:
    """A label for every problem: its cluster, else itself."""
    return [rows.clusters.get(name, name) for name in problems] if rows.clusters else None
