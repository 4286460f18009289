"""Logs of COCO and IOHprofiler, whole runs -> Trajectories."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from bakeoff.errors import ParameterError, ReadingError, ScoreError
from bakeoff.scores import Better
from bakeoff.wings.curves.curves.statistics.long_table import ALL
from bakeoff.wings.curves.curves.statistics.trajectories import (
    RunChoice,
    Trajectories,
    chosen_cells,
    sorted_trajectories,
)
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
_Row = tuple[int, int, int, np.ndarray[Any, Any], np.ndarray[Any, Any], float]
"""Numbers of problem, algorithm and run; budgets and scores; where the run ended."""


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


@dataclass(slots=True)
class _LoggedRuns:
    """The runs of logs as they are read; names of problems, algorithms and runs are numbered in their order."""

    problems: dict[str, int] = field(default_factory=dict)
    algorithms: dict[str, int] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    directions: set[Better] = field(default_factory=set)
    targets: set[float] = field(default_factory=set)
    rows: list[_Row] = field(default_factory=list)

    def add(self, run: Trajectory, scale: float) -> None:
        i = self.problems.setdefault(run.problem, len(self.problems))
        j = self.algorithms.setdefault(run.algorithm, len(self.algorithms))
        r = self.names.setdefault(run.run, len(self.names))
        self.directions.add(run.better)
        if run.target is not None:
            self.targets.add(run.target)
        self.rows.append((i, j, r, np.asarray(run.evaluations) * scale, np.asarray(run.scores), run.end * scale))

    def require_comparable(self, better: Better | None) -> None:
        """One direction, which is the one that the user says, and two algorithms."""
        if len(self.directions) > 1 or (better is not None and better not in self.directions):
            rule = f"does not agree with the logs, where {' and '.join(sorted(self.directions))} is better"
            raise ParameterError(rule, parameter="better")
        if len(self.algorithms) < 2:
            raise ReadingError(
                f"at least 2 algorithms are needed; these logs are all of {next(iter(self.algorithms))!r}. Give the "
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
    logged, choices, read = _LoggedRuns(), Choices(problem=named.get("problem")), form.curves
    for run in as_written(form, files, lambda: read(files, choices)):
        logged.add(run, 1.0 / run.dimension if budget == PER_DIMENSION else 1.0)
    logged.require_comparable(better)
    if target is None and logged.targets:
        target = max(logged.targets)
    k = len(logged.algorithms)
    all_cells = np.array([i * k + j for i, j, *_ in logged.rows], dtype=np.int64)
    left = chosen_cells(list(logged.problems), list(logged.algorithms), all_cells, choice)
    rows = [row for row, kept in zip(logged.rows, left.rows.tolist(), strict=True) if kept]
    cells, lengths = left.cells, [len(row[3]) for row in rows]
    runs = np.array([row[2] for row in rows], dtype=np.int64)
    scores = np.concatenate([row[4] for row in rows])
    if np.isnan(scores).any():
        raise ScoreError("has a score in its logs that is not a number", parameter="table")
    if target is None and usual_target and best_so_far and logged.directions == {"lower"} and scores.min() >= 0:
        target = USUAL_TARGET
    clusters = [problem.split("/")[0] for problem in left.problems]
    sorted_runs = sorted_trajectories(
        left,
        clusters=clusters if len(set(clusters)) < len(clusters) else None,
        better=next(iter(logged.directions)),
        cells=np.repeat(cells, lengths),
        runs=np.repeat(runs, lengths),
        run_names=list(logged.names),
        budgets=np.concatenate([row[3] for row in rows]),
        scores=scores,
        ends={(int(c), int(r)): row[5] for c, r, row in zip(cells, runs, rows, strict=True)},
        target=target,
        best_so_far=best_so_far,
        metric=form.default_metric,
        budget_name=budget,
        run_kind="seed",
        source_sha256="",
    )
    return replace(sorted_runs, n_files=len(files), not_taken=tuple(not_taken(form, every, files)))
