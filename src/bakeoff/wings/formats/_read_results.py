"""read_results(): what another program wrote -> Scores."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.checks import choice
from bakeoff.errors import ReadingError, listing
from bakeoff.reading.missing import Cells, completed
from bakeoff.reading.selection import selected
from bakeoff.scores import Better, Scores
from bakeoff.scores.design import Weights
from bakeoff.scores.read_as import ReadAs
from bakeoff.scores.runs import status_array
from bakeoff.wings.formats.measurement import Choices
from bakeoff.wings.formats.measurements import Measurements, read_measurements

Codes = npt.NDArray[np.int64]


def cells_of(rows: Measurements) -> Cells:
    """(n, k, r): the rows of each cell as its runs, in order of appearance; what failed or is absent is missing.

    Problems of which different versions were measured are not among them.
    """
    kept, problems, problem = _comparable(rows)
    n, k = len(problems), len(rows.algorithms.codes)
    cell = problem * k + _codes(rows.algorithm)[kept]
    order = np.argsort(cell, kind="stable")
    counts = np.bincount(cell, minlength=n * k)
    place = np.empty(len(cell), dtype=np.int64)
    place[order] = np.arange(len(cell)) - np.repeat(np.cumsum(counts) - counts, counts)
    _refuse_duplicates(rows, kept, cell)
    r = max(int(counts.max()), 1)
    scores = np.full((n * k, r), np.nan)
    ids = np.full((n * k, r), None, dtype=object)
    words = np.full((n * k, r), "", dtype=object)
    missing = np.zeros((n * k, r), dtype=bool)
    status = _codes(rows.status)[kept]
    scores[cell, place] = np.where(status == 0, np.array(rows.score)[kept], np.nan)
    ids[cell, place] = np.array([*rows.runs.names, None], dtype=object)[_codes(rows.run)[kept]]
    words[cell, place] = np.array([*rows.statuses.names, None], dtype=object)[status]
    missing[cell, place] = np.isnan(scores[cell, place])
    missing[counts == 0, 0] = True

    cells = scores.reshape(n, k, r)
    return Cells(
        scores=cells,
        missing=missing.reshape(n, k, r),
        algorithms=rows.algorithms.names,
        problems=problems,
        clusters=_clusters(rows, problems),
        tasks=[rows.task_of[name] for name in problems] if rows.by_task else None,
        run_ids=ids.reshape(n, k, r) if r > 1 else None,
        status=status_array(words.reshape(n, k, r), cells),
    )


def refuse_duplicates(rows: Measurements) -> None:
    """A measurement that occurs more than once."""
    kept, _, problem = _comparable(rows)
    _refuse_duplicates(rows, kept, problem * len(rows.algorithms.codes) + _codes(rows.algorithm)[kept])


def _codes(values: Sequence[int]) -> Codes:
    return np.array(values, dtype=np.int64)


def _comparable(rows: Measurements) -> tuple[npt.NDArray[np.bool_], list[str], Codes]:
    """Which rows stay, the names of their problems, and of each row the place of its problem among these."""
    problem = _codes(rows.problem)
    stays = np.array([name not in rows.differing for name in rows.problems.names], dtype=bool)
    if not stays.any():
        raise ReadingError(
            f"every problem was measured in different versions ({listing(rows.differing)}): the files hold results on "
            "different questions or benchmarks of the same names, which are no comparison"
        )
    places = np.cumsum(stays) - 1
    kept = stays[problem]
    names = [name for name, stay in zip(rows.problems.names, stays.tolist(), strict=True) if stay]
    return kept, names, places[problem[kept]]


def _refuse_duplicates(rows: Measurements, kept: npt.NDArray[np.bool_], cell: Codes) -> None:
    key = cell * max(len(rows.runs.codes), 1) + _codes(rows.run)[kept]
    _, first, counts = np.unique(key, return_index=True, return_counts=True)
    if (counts > 1).any():
        at = int(np.flatnonzero(kept)[first[np.argmax(counts > 1)]])
        problem, algorithm = rows.problems[rows.problem[at]], rows.algorithms[rows.algorithm[at]]
        raise ReadingError(
            f"{int((counts > 1).sum())} measurements occur more than once, the first: problem {problem!r}, algorithm "
            f"{algorithm!r}, run {rows.runs[rows.run[at]]!r}. Give each file a label (label=) or name what tells them "
            "apart (run=), or leave one out."
        )


def _clusters(rows: Measurements, problems: Sequence[str]) -> list[str] | None:
    """A label for every problem: its cluster, else itself."""
    clusters = rows.clusters
    return [clusters.get(name, name) for name in problems] if clusters else None


ONE = "at least 2 algorithms are needed for a comparison"


def read_results(
    source: Any,
    format: str = "auto",
    better: Better | None = None,
    *,
    label: Mapping[str, str] | None = None,
    metric: str | None = None,
    problem: str | None = None,
    algorithm: str | None = None,
    run: str | None = None,
    cluster: str | None = None,
    weights: Weights | None = None,
    missing: str = "raise",
) -> Scores:
    """Read the results that another program wrote: benchmarks, evaluations, tuning, tracking.

    Parameters
    ----------
    source : path, folder, list of paths, {label: path}, or an object in memory
        Files of one format; a folder is searched for them.
    format : str
        "auto" recognises it by its signature; else a name, as ``bakeoff import --help`` lists them.
    better : "lower" or "higher", optional
        Needed where the format does not say which direction is good.
    label : {name: path}, optional
        More files, with the name of the algorithm (a build, a model) that each is of.
    metric : str, optional
        Of several metrics, this one.
    problem : str, optional
        Column, key or parameter that says which problem a measurement is of.
    algorithm : str, optional
        The same of the algorithm.
    run : str, optional
        The same of the run.
    cluster : str, optional
        The same of the cluster that a problem belongs to.
    weights : {"tasks", "problems", "clusters"}, optional
        What counts equally in a mean, as in ``bo.read_scores``.
    missing : "raise", "drop", "worst", "available" or "keep"
        What a failed or absent measurement is, as in ``bo.read_scores``.

    Returns
    -------
    Scores
        With the runs, their identifiers and kind; a failed run is a missing score, never a good one.

    Raises
    ------
    ReadingError, MissingScoreError, ParameterError
        Files that are not recognised or cannot be read; measurements that failed or occur twice; no direction.

    Examples
    --------
    >>> import bakeoff as bo
    >>> bo.read_results("hyperfine.json")  # doctest: +SKIP
    """
    choices = Choices(metric, problem, algorithm, run, cluster, better)
    scores = results_scores(source, format, better, label=label, missing=missing, choices=choices)
    return scores if weights is None else scores.with_design(weights=weights)


def results_scores(
    source: Any,
    format: str = "auto",
    better: Better | None = None,
    *,
    label: Mapping[str, str] | None = None,
    choices: Choices,
    missing: str = "raise",
    only: Sequence[str] | None = None,
    drop: Sequence[str] | None = None,
) -> Scores:
    """The same for some algorithms (``only``), or without some algorithms or problems (``drop``)."""
    choice("missing", missing, ("raise", "drop", "drop-unrun", "worst", "available", "keep"))
    rows = read_measurements(source, format, label, choices)
    direction = rows.direction(better)
    cells = selected(cells_of(rows), only, drop, None, None)
    if len(cells.algorithms) == 1 and only is None:
        apart = ", or say what tells the algorithms apart (algorithm=)" if rows.takes_algorithm else ""
        raise ReadingError(
            f"{ONE}; got 1, {cells.algorithms[0]!r}. Give the files of another build or model too, with a name each "
            f"(label=){apart}"
        )
    weighted = rows.weighted_as(cells.algorithms)
    return completed(
        cells, missing, direction
    ).of(
        cells.algorithms,
        direction,
        unscored=missing in ("keep", "drop-unrun") and rows.unit == "evaluations",  # a target nobody has to reach
        metric=rows.metric,
        run_kind=rows.run_kind,
        unit=rows.unit,
        differing=tuple(rows.differing),
        hosts=rows.hosts,
        weights="problems" if "problems" in weighted[1:] else None,
        read_as=ReadAs(
            rows="scores",
            left_out=tuple(rows.left_out.items()),
            n_files=rows.n_files,
            not_taken=tuple(rows.not_taken),
            source=rows.source,
            weighted_as=weighted,
            commits=tuple((name, commit) for name in cells.algorithms if (commit := rows.made_with(name).commit)),
        ),
    )
