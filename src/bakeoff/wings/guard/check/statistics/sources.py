"""What a user gives for one side of a check, in memory: a mapping, an array, a column of Scores."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from bakeoff.checks import choice
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.scores import Better, Scores
from bakeoff.scores.cells import Array, as_floats, labels
from bakeoff.wings.guard.check.statistics.run_set import Measured, RunSet, Series, collapsed, pooled

_KINDS = (
    "Scores, a mapping of problems to lists of runs, an array (n_problems, n_runs), what "
    "bakeoff.wings.guard.check.statistics.RunSet holds, or the path of a result file"
)


@dataclass(frozen=True, slots=True)
class Reading:
    """How files are read; ``label``: the algorithm in them, where they hold several; ``choices``: see the formats."""

    parameter: str
    better: Better | None = None
    label: str | None = None
    format: str = "auto"
    choices: Mapping[str, Any] = field(default_factory=dict)


def paths_of(source: object) -> list[str] | None:
    """A path, or a list of nothing else, as text; None of anything else."""
    each = source if isinstance(source, list | tuple) else [source]
    paths = [str(Path(x)) for x in each if isinstance(x, str | os.PathLike)]
    return paths if paths and len(paths) == len(each) else None


def run_set_of(source: object, parameter: str, better: Better | None, column: str | int | None) -> RunSet:
    """One side, whatever it was given as; a list of paths or RunSet is pooled."""
    if isinstance(source, RunSet):
        return source
    if isinstance(source, Scores):
        return of_scores(source, parameter, column)
    if isinstance(source, Mapping):
        return _of_runs(
            [str(problem) for problem in source], [as_floats(x) for x in source.values()], parameter, better
        )
    if isinstance(source, Sequence) and source and all(isinstance(part, RunSet) for part in source):
        return pooled(source, parameter)
    if isinstance(source, np.ndarray | Sequence):
        array = as_floats(source)
        if array.ndim != 2:
            raise ParameterError(f"must have shape (n_problems, n_runs); got {array.shape}", parameter=parameter)
        return _of_runs(labels("problems", None, "P", len(array)), list(array), parameter, better)
    raise WrongTypeError(f"must be {_KINDS}; got {type(source).__name__}", parameter=parameter)


def _of_runs(problems: Sequence[str], runs: Sequence[Array], parameter: str, better: Better | None) -> RunSet:
    """Independent runs, one list per problem; NaN is a run that failed."""
    if better is None:
        rule = 'must be "lower" or "higher": lists of numbers do not say which runs are good; it is missing'
        raise ParameterError(rule, parameter="better")
    choice("better", better, ("lower", "higher"))
    series = {}
    for problem, values in zip(problems, runs, strict=True):
        if values.ndim != 1:
            raise ParameterError(
                f"must have a list of runs for each problem; {problem!r} has shape {values.shape}", parameter=parameter
            )
        kept = values[~np.isnan(values)]
        gone = len(values) - len(kept)
        failure = f"{gone} of {len(values)} runs failed: no score" if gone else ""
        series[problem] = Series(values=tuple(kept.tolist()), failure=failure)
    return RunSet(series=series, better=better, run_kind="process")


def of_scores(scores: Scores, parameter: str, column: str | int | None) -> RunSet:
    """One column of a table; of two or more, which one must be said."""
    if column is None and scores.n_algorithms > 1:
        count = f"{scores.n_algorithms} algorithms ({' and '.join(map(repr, scores.algorithms[:4]))})"
        raise unsaid_label(count, scores.algorithms, parameter)
    place = 0 if column is None else scores.index(column, "label")
    cells = scores.values[:, :, None] if scores.runs is None else scores.runs
    named = scores.run_ids is not None and scores.run_kind != "iteration"
    failures = _failures(scores, place)
    rows = []
    for i, problem in enumerate(scores.problems):
        ids = None if scores.run_ids is None else scores.run_ids[i, place]
        for r, value in enumerate(cells[i, place].tolist()):
            if np.isnan(value):
                continue
            run = ids[r] if ids is not None and ids[r] is not None else str(r + 1)
            rows.append(Measured(problem, run, value))
        rows += [Measured(problem, f"failed {r}", np.nan, text) for r, text in enumerate(failures[i])]
    return RunSet(
        series=collapsed(rows, scores.run_kind),
        better=scores.better,
        metric=scores.metric,
        unit=scores.unit,
        run_kind=scores.run_kind,
        clusters={} if scores.clusters is None else dict(zip(scores.problems, scores.clusters, strict=True)),
        named=named,
    )


def unsaid_label(count: str, names: Sequence[str], parameter: str) -> ParameterError:
    return ParameterError(
        f"has {count}: say which is compared, label={names[0]!r} (two names: that of the baseline, and that of new)",
        parameter=parameter,
    )


def _failures(scores: Scores, place: int) -> list[list[str]]:
    """Of each problem what happened to the runs without a score."""
    if scores.status is None:
        return [[] for _ in scores.problems]
    words = np.asarray(scores.status, dtype=object)[:, place].reshape(scores.n_problems, -1).tolist()
    return [[str(word) for word in row if word not in ("", "ok", "missing", None)] for row in words]


def pair_of_labels(label: str | int | Iterable[str | int] | None) -> tuple[str | int | None, str | int | None]:
    """The columns of both sides: one name for both, or two."""
    if label is None or isinstance(label, str | int):
        return label, label
    labels = tuple(label)
    if len(labels) != 2:
        raise ParameterError(
            f"must be a name, or (name of the baseline, name of new); got {label!r}", parameter="label"
        )
    return labels[0], labels[1]
