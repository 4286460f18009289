"""Logs of COCO and IOHprofiler, whole runs -> Trajectories."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from bakeoff.errors import ParameterError, ReadingError, ScoreError
from bakeoff.reading.table import Coded
from bakeoff.scores import Better
from bakeoff.wings.curves.curves.statistics.long_table import ALL
from bakeoff.wings.curves.trajectories import RunChoice, Trajectories, chosen_cells, sorted_trajectories
from bakeoff.wings.formats import FORMATS
from bakeoff.wings.formats.formats import format_of_files, not_taken, recognised
from bakeoff.wings.formats.measurement import Choices, Trajectory
from bakeoff.wings.formats.measurements import as_written
from bakeoff.wings.formats.source_file import SourceFile
from bakeoff.wings.formats.sources import source_files

PER_DIMENSION = "evaluations/dimension"
EVALUATIONS = "evaluations"
USUAL_TARGET = 1e-8
"""The precision at which COCO stops a run."""


def are_logs(source: object, format: str) -> bool:
    """Is it a folder, several files, or a file of such a program?"""
    if format != "auto":
        return True
    if isinstance(source, str | os.PathLike):
        path = os.fspath(source)
        return os.path.isdir(path) or (os.path.isfile(path) and getattr(recognised(SourceFile(path)), "curves", None)
                                       is not None)  # fmt: skip
    if isinstance(source, Mapping):
        return bool(source) and all(isinstance(x, str | os.PathLike) for x in source.values())
    return isinstance(source, list | tuple) and bool(source) and all(isinstance(x, str | os.PathLike) for x in source)


def _refuse_incomparable(directions: set[Better], algorithms: list[str], better: Better | None) -> None:
    """Runs have one direction, which is the one that the user says, and two algorithms."""
    if len(directions) > 1 or better not in (None, *directions):
        rule = f"does not agree with the logs, where {' and '.join(sorted(directions))} is better"
        raise ParameterError(rule, parameter="better")
    if len(algorithms) < 2:
        raise ReadingError(
            f"at least 2 algorithms are needed; these logs are all of {algorithms[0]!r}. Give the "
            "folders of several, or name them: {'new': folder, 'old': folder} (on the command line --label "
            "new=FOLDER --label old=FOLDER)"
        )


def _budget_name(named: Mapping[str, str | None]) -> str:
    for role in ("algorithm", "run", "score"):
        if named.get(role) is not None:
            raise ParameterError("is for tables; logs say it themselves", parameter=role)
    budget = named.get("budget") or EVALUATIONS
    if budget not in (EVALUATIONS, PER_DIMENSION):
        rule = f"must be {EVALUATIONS!r} or {PER_DIMENSION!r} of logs; got {budget!r}"
        raise ParameterError(rule, parameter="budget")
    return budget


def log_trajectories(
    source: object,
    format: str,
    named: Mapping[str, str | None],
    better: Better | None,
    target: float | None,
    best_so_far: bool,
    choice: RunChoice = ALL,
    usual_target: bool = False,
) -> Trajectories:
    """``named``: as columns of tables; ``problem`` may be some of function, dimension, instance.

    ``usual_target``: where runs are minimised, none is below 0, and the logs name no target, it is 1e-8.
    """
    budget = _budget_name(named)
    every = source_files(source)
    form, files = format_of_files(every, format)
    if form.curves is None:
        able = ", ".join(each.title for each in FORMATS.values() if each.curves is not None)
        raise ReadingError(f"files of {form.title} hold no whole runs; those of {able} do, and tables with a budget")
    choices, read = Choices(problem=named.get("problem")), form.curves
    logged = [_as_arrays(run, budget) for run in as_written(form, files, lambda: read(files, choices))]
    problems, algorithms, names = (
        Coded.of([getattr(run, side) for run in logged]) for side in ("problem", "algorithm", "run")
    )
    directions: set[Better] = {run.better for run in logged}
    _refuse_incomparable(directions, algorithms.names, better)
    targets = [run.target for run in logged if run.target is not None]
    if target is None and targets:
        target = max(targets)
    all_cells = problems.codes * len(algorithms.names) + algorithms.codes
    left = chosen_cells(problems.names, algorithms.names, all_cells, choice)
    kept = [run for run, is_left in zip(logged, left.rows.tolist(), strict=True) if is_left]
    cells, runs, lengths = left.cells, names.codes[left.rows], [len(run.scores) for run in kept]
    scores = np.concatenate([run.scores for run in kept])
    if np.isnan(scores).any():
        raise ScoreError("has a score in its logs that is not a number", parameter="table")
    if target is None and usual_target and best_so_far and directions == {"lower"} and scores.min() >= 0:
        target = USUAL_TARGET
    clusters = [problem.split("/")[0] for problem in left.problems]
    sorted_runs = sorted_trajectories(
        left,
        clusters=clusters if len(set(clusters)) < len(clusters) else None,
        better=next(iter(directions)),
        cells=np.repeat(cells, lengths),
        runs=np.repeat(runs, lengths),
        run_names=names.names,
        budgets=np.concatenate([run.evaluations for run in kept]),
        scores=scores,
        ends={(int(c), int(r)): run.end for c, r, run in zip(cells, runs, kept, strict=True)},
        target=target,
        best_so_far=best_so_far,
        metric=form.default_metric,
        budget_name=budget,
        run_kind="seed",
        source_sha256="",
    )
    return replace(sorted_runs, n_files=len(files), not_taken=tuple(not_taken(form, every, files)))


def _as_arrays(run: Trajectory, budget: str) -> Trajectory:
    """The run with its budgets in this unit."""
    scale = 1.0 / run.dimension if budget == PER_DIMENSION else 1.0
    budgets, scores = np.asarray(run.evaluations) * scale, np.asarray(run.scores)
    return run._replace(evaluations=budgets, scores=scores, end=run.end * scale)  # type: ignore[arg-type]
