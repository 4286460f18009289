"""read_results(): what another program wrote -> Scores."""

from collections.abc import Mapping, Sequence
from typing import Any

from bakeoff.checks import choice
from bakeoff.errors import ReadingError
from bakeoff.reading.missing import completed
from bakeoff.reading.selection import selected
from bakeoff.scores import Better, Scores
from bakeoff.scores.read_as import ReadAs
from bakeoff.wings.formats.cells import cells_of
from bakeoff.wings.formats.measurement import Choices
from bakeoff.wings.formats.measurements import read_measurements

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
    return results_scores(source, format, better, label=label, missing=missing, choices=choices)


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
    if better is not None:
        choice("better", better, ("lower", "higher"))
    rows = read_measurements(source, format, label, choices)
    direction = rows.direction(better)
    cells = selected(cells_of(rows), only, drop, None, None)
    if len(cells.algorithms) == 1 and only is None:
        apart = ", or say what tells the algorithms apart (algorithm=)" if rows.takes_algorithm else ""
        raise ReadingError(
            f"{ONE}; got 1, {cells.algorithms[0]!r}. Give the files of another build or model too, with a name each "
            f"(label=){apart}"
        )
    return completed(cells, missing, direction).of(
        cells.algorithms,
        direction,
        unscored=missing in ("keep", "drop-unrun") and rows.unit == "evaluations",  # a target nobody has to reach
        metric=rows.metric,
        run_kind=rows.run_kind,
        unit=rows.unit,
        differing=tuple(rows.differing),
        hosts=rows.hosts,
        read_as=ReadAs(
            rows="scores",
            left_out=tuple(rows.left_out.items()),
            n_files=rows.n_files,
            not_taken=tuple(rows.not_taken),
            source=rows.source,
            by_task=rows.by_task,
            commits=tuple((name, commit) for name in cells.algorithms if (commit := rows.made_with(name).commit)),
        ),
    )
