"""Logs of COCO and IOHprofiler, whole runs -> Trajectories."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from bakeoff.adapters.formats import FORMATS, format_of_files, recognised
from bakeoff.adapters.measurement import Choices
from bakeoff.adapters.source_file import SourceFile
from bakeoff.adapters.sources import source_files
from bakeoff.anytime.long_table import refuse_holes
from bakeoff.anytime.trajectories import Trajectories, sorted_trajectories
from bakeoff.errors import ParameterError, ReadingError, ScoreError
from bakeoff.scores import Better

PER_DIMENSION = "evaluations/dimension"
EVALUATIONS = "evaluations"


def are_logs(source: Any, format: str) -> bool:
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
    source: Any,
    format: str,
    named: Mapping[str, str | None],
    better: Better | None,
    target: float | None,
    best_so_far: bool,
) -> Trajectories:
    """``named``: as columns of tables; ``problem`` may be some of function, dimension, instance."""
    for role in ("algorithm", "run", "score"):
        if named.get(role) is not None:
            raise ParameterError("is for tables; logs say it themselves", parameter=role)
    budget = named.get("budget") or EVALUATIONS
    if budget not in (EVALUATIONS, PER_DIMENSION):
        raise ParameterError(f"must be {EVALUATIONS!r} or {PER_DIMENSION!r} of logs; got {budget!r}",
                             parameter="budget")  # fmt: skip
    found, files = format_of_files(source_files(source), format)
    if found.curves is None:
        able = ", ".join(each.title for each in FORMATS.values() if each.curves is not None)
        raise ReadingError(f"files of {found.title} hold no whole runs; those of {able} do, and tables with a budget")
    problems: dict[str, int] = {}
    algorithms: dict[str, int] = {}
    names: dict[str, int] = {}
    clusters: dict[str, str] = {}
    pieces: list[tuple[int, int, int, np.ndarray[Any, Any], np.ndarray[Any, Any], float]] = []
    directions: set[Better] = set()
    targets: set[float] = set()
    for run in found.curves(files, Choices(problem=named.get("problem"))):
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
    lengths = [len(piece[3]) for piece in pieces]
    cells = np.array([i * k + j for i, j, *_ in pieces], dtype=np.int64)
    runs = np.array([r for _, _, r, *_ in pieces], dtype=np.int64)
    refuse_holes(cells, list(problems), list(algorithms))
    scores = np.concatenate([piece[4] for piece in pieces])
    if np.isnan(scores).any():
        raise ScoreError("has a score in its logs that is not a number", parameter="table")
    several = len(set(clusters.values())) < len(problems)
    return sorted_trajectories(
        problems=list(problems),
        algorithms=list(algorithms),
        clusters=[clusters[name] for name in problems] if several else None,
        better=next(iter(directions)),
        cells=np.repeat(cells, lengths),
        runs=np.repeat(runs, lengths),
        run_names=list(names),
        budgets=np.concatenate([piece[3] for piece in pieces]),
        scores=scores,
        ends={(int(c), int(r)): piece[5] for c, r, piece in zip(cells, runs, pieces, strict=True)},
        target=target,
        best_so_far=best_so_far,
        metric=found.default_metric,
        budget_name=budget,
        run_kind="seed",
        source_sha256="",
    )
