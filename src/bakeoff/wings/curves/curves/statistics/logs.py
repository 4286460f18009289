"""Logs of COCO and IOHprofiler, whole runs -> Trajectories."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
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
from bakeoff.wings.formats.measurement import Choices
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
    for role in ("algorithm", "run", "score"):
        if named.get(role) is not None:
            raise ParameterError("is for tables; logs say it themselves", parameter=role)
    budget = named.get("budget") or EVALUATIONS
    if budget not in (EVALUATIONS, PER_DIMENSION):
        raise ParameterError(f"must be {EVALUATIONS!r} or {PER_DIMENSION!r} of logs; got {budget!r}",
                             parameter="budget")  # fmt: skip
    every = source_files(source)
    form, files = format_of_files(every, format)
    if form.curves is None:
        able = ", ".join(each.title for each in FORMATS.values() if each.curves is not None)
        raise ReadingError(f"files of {form.title} hold no whole runs; those of {able} do, and tables with a budget")
    problems: dict[str, int] = {}
    algorithms: dict[str, int] = {}
    names: dict[str, int] = {}
    clusters: dict[str, str] = {}
    pieces: list[tuple[int, int, int, np.ndarray[Any, Any], np.ndarray[Any, Any], float]] = []
    directions: set[Better] = set()
    targets: set[float] = set()
    choices, read = Choices(problem=named.get("problem")), form.curves
    for run in as_written(form, files, lambda: read(files, choices)):
        scale = 1.0 / run.dimension if budget == PER_DIMENSION else 1.0
        i = problems.setdefault(run.problem, len(problems))
        clusters[run.problem] = run.problem.split("/")[0]
        j = algorithms.setdefault(run.algorithm, len(algorithms))
        r = names.setdefault(run.run, len(names))
        directions.add(run.better)
        if run.target is not None:
            targets.add(run.target)
        pieces.append((i, j, r, np.asarray(run.evaluations) * scale, np.asarray(run.scores), run.end * scale))
    if len(directions) > 1 or (better is not None and better not in directions):
        raise ParameterError(f"does not agree with the logs, where {' and '.join(sorted(directions))} is better",
                             parameter="better")  # fmt: skip
    if len(algorithms) < 2:
        raise ReadingError(
            f"at least 2 algorithms are needed; these logs are all of {next(iter(algorithms))!r}. Give the folders of "
            "several, or name them: {'new': folder, 'old': folder} (on the command line --label new=FOLDER --label "
            "old=FOLDER)"
        )
    k = len(algorithms)
    if target is None and targets:
        target = max(targets)
    all_cells = np.array([i * k + j for i, j, *_ in pieces], dtype=np.int64)
    left = chosen_cells(list(problems), list(algorithms), all_cells, choice)
    pieces = [piece for piece, kept in zip(pieces, left.rows.tolist(), strict=True) if kept]
    cells, lengths = left.cells, [len(piece[3]) for piece in pieces]
    runs = np.array([r for _, _, r, *_ in pieces], dtype=np.int64)
    scores = np.concatenate([piece[4] for piece in pieces])
    if np.isnan(scores).any():
        raise ScoreError("has a score in its logs that is not a number", parameter="table")
    if target is None and usual_target and best_so_far and directions == {"lower"} and scores.min() >= 0:
        target = USUAL_TARGET
    several = len({clusters[name] for name in left.problems}) < len(left.problems)
    sorted_runs = sorted_trajectories(
        problems=left.problems,
        algorithms=left.algorithms,
        clusters=[clusters[name] for name in left.problems] if several else None,
        dropped=left.dropped,
        better=next(iter(directions)),
        cells=np.repeat(cells, lengths),
        runs=np.repeat(runs, lengths),
        run_names=list(names),
        budgets=np.concatenate([piece[3] for piece in pieces]),
        scores=scores,
        ends={(int(c), int(r)): piece[5] for c, r, piece in zip(cells, runs, pieces, strict=True)},
        target=target,
        best_so_far=best_so_far,
        metric=form.default_metric,
        budget_name=budget,
        run_kind="seed",
        source_sha256="",
    )
    return replace(sorted_runs, n_files=len(files), not_taken=tuple(not_taken(form, every, files)))
