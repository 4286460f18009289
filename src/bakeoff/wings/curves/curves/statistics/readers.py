"""Long tables, histories of Weights & Biases, and logs of COCO and IOHprofiler, read as Trajectories."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from bakeoff.checks import did_you_mean
from bakeoff.errors import (
    BakeoffError,
    InfiniteScoreError,
    MissingScoreError,
    ParameterError,
    ReadingError,
    ScoreError,
    UnknownNameError,
    WrongTypeError,
    listing,
)
from bakeoff.reading.columns import ColumnTable, list_column
from bakeoff.reading.layout import RUN_KIND
from bakeoff.reading.long_cells import questions_within
from bakeoff.reading.many_files import are_many, is_table, source_table
from bakeoff.reading.recognition.orientation import SIDES, side_of
from bakeoff.reading.table import Coded, SourceTable, matching
from bakeoff.reading.wrapped_columns import run_levels, with_combined
from bakeoff.scores import Array, Better
from bakeoff.scores.cells import label_text
from bakeoff.scores.runs import RUN_KINDS
from bakeoff.wings.curves.trajectories import RunChoice, Trajectories, chosen_cells, sorted_trajectories
from bakeoff.wings.formats import FORMATS
from bakeoff.wings.formats.formats import format_of_files, not_taken, recognised
from bakeoff.wings.formats.measurement import Choices, Trajectory
from bakeoff.wings.formats.measurements import as_written
from bakeoff.wings.formats.sources import source_files
from bakeoff.words import named_direction

STEPS = frozenset({"_step", "_timestamp", "_runtime"})
_OF_A_RUN = re.compile(r"(.+) - (.+?)(__MIN|__MAX)?")
_PARTS = re.compile(r"/|__")
RUN_ROLES = ("problem", "algorithm", "run")


def is_history(names: Sequence[str]) -> bool:
    """Are these columns of a run's history, in which a row has only what was logged at its step?"""
    return len(STEPS.intersection(names)) > 1


def unfolded(table: SourceTable, named: Mapping[str, str | None]) -> tuple[SourceTable, Mapping[str, str | None]]:
    """The export with columns ``run - metric``, ``run - metric__MIN`` as rows of a run and a step; else the table.

    ``named``: which columns hold what; of the export it is known.
    """
    step, *others = table.names
    matches = [_OF_A_RUN.fullmatch(name) for name in others]
    if step.lower() not in ("step", "_step") or not matches or not all(matches):
        return table, named
    whole = {j: (match[1], match[2]) for j, match in enumerate(matches, 1) if match and not match[3]}
    metrics = sorted({metric for _, metric in whole.values()})
    if len(metrics) > 1:
        raise ReadingError(f"{table.origin}: several metrics ({listing(metrics)}); export the chart of one")
    names = {j: _PARTS.split(run) for j, (run, _) in whole.items()}
    if len({len(parts) for parts in names.values()}) > 1 or len(next(iter(names.values()))) not in (2, 3):
        runs = listing([run for run, _ in whole.values()], 3)
        raise ReadingError(
            f"{table.origin}: the columns are runs of Weights & Biases ({runs}), whose names must say problem and "
            "algorithm: CartPole__PPO or CartPole/PPO/0 (problem, algorithm, run). Rename runs or columns"
        )
    (steps,), values = table.take([0], list(whole))
    columns: dict[str, list[str | float]] = {role: [] for role in (*RUN_ROLES, step, metrics[0])}
    places: list[str] = []
    for at, j in enumerate(whole):
        for i, value in enumerate(values[:, at].tolist()):
            if value == value:  # at this step this run logged something
                parts = (*names[j], "0")[:3]
                for column, cell in zip(columns.values(), (*parts, float(steps[i]), value), strict=True):
                    column.append(cell)
                places.append(table.row(i))
    found_table = ColumnTable(table.origin, list(columns), [list_column(cells) for cells in columns.values()], places)
    return found_table, {**{role: role for role in RUN_ROLES}, "budget": step, "score": metrics[0]}


BUDGETS = (
    ("budget",),
    ("evaluations", "evals", "fevals", "functionevaluations", "nevals"),
    ("step", "steps", "iteration", "iterations", "epoch", "generation", "trial", "time", "seconds", "walltime"),
)
"""Names of the column of budgets, in any case of letters, spaces and underscores aside; an earlier line wins."""
_TIMES = ("time", "seconds", "walltime")
ALL = RunChoice()
LABELS = ("problem", "algorithm", "run", "cluster", "task")
ROLES = (*LABELS, "budget", "score")


def table_trajectories(
    source: Any,
    named: Mapping[str, str | None],
    better: Better,
    target: float | None,
    best_so_far: bool,
    choice: RunChoice = ALL,
) -> Trajectories:
    """``named``: the columns that the user names, by role."""
    read, digest, roles, taken = source_table(source, named, budgets=budget_columns)
    if read is None:
        raise WrongTypeError("is an array without names; give its columns names, as a data frame or a dict has",
                             parameter="table")  # fmt: skip
    table, named = unfolded(read, roles)
    table = with_combined(table, named)
    columns = _columns(table, named)
    levels = run_levels(table, columns.get("run"))
    columns |= {"outer run": table.names.index(levels[0])} if levels else {}
    labels: list[str] = [role for role in (*LABELS, "outer run") if role in columns]
    at = [*(columns[role] for role in labels), *(j for j, name in enumerate(table.names) if name == RUN_KIND)]
    typed = table.values if isinstance(table, ColumnTable) else None
    texts, numbers = table.take([] if typed else at, [columns["budget"], columns["score"]])
    codes = [*map(coded, map(typed, at) if typed else texts)]
    kinds = [each.names[0] for each in codes[len(labels) :] if len(each.names) == 1 and each.names[0] in RUN_KINDS]
    by_role: dict[str, Coded] = dict(zip(labels, codes, strict=False))
    _refuse_unnamed(table, columns, by_role)
    budgets, scores = numbers.T.copy()
    gaps = choice.missing == "drop" or is_history(table.names)  # where a metric was not logged, nothing is missing
    measured = ~np.isnan(scores) if gaps else np.ones(len(scores), dtype=bool)
    _refuse_unusable(table, columns, budgets, scores, measured, better)
    if "task" in by_role:
        by_role["problem"] = questions_within(by_role["task"], by_role["problem"])
    names, others = by_role["problem"].names, by_role["algorithm"].names
    every = by_role["problem"].codes * len(others) + by_role["algorithm"].codes
    left = chosen_cells(names, others, every[measured], choice)
    rows = np.flatnonzero(measured)[left.rows]
    cells, budgets, scores = left.cells, budgets[rows], scores[rows]
    runs = by_role.get("run", Coded(["1"], np.zeros(len(every), dtype=np.int64)))
    clusters, tasks = (_of_problems(by_role, role, left.problems) for role in ("cluster", "task"))
    made = sorted_trajectories(
        left,
        clusters=clusters,
        tasks=tasks,
        better=better,
        cells=cells,
        runs=runs.codes[rows],
        run_names=runs.names,
        budgets=budgets,
        scores=scores,
        target=target,
        best_so_far=best_so_far,
        metric=_metric(table.names[columns["score"]]),
        budget_name=table.names[columns["budget"]],
        run_kind=kinds[0] if kinds else None,
        source_sha256=digest(),
    )
    _refuse_repeated(made, "run" in columns)
    if levels:
        outer = dict(zip(runs.texts(), by_role["outer run"].texts(), strict=True))
        made = made.averaged_inside([outer[name] for name in made.runs], tuple(levels[1:]))
    where = {role: table.names[columns[role]] for role in RUN_ROLES if role in columns} if taken.n_files > 1 else {}
    return replace(made, n_files=taken.n_files, not_taken=taken.others, columns=where)


def _metric(column: str) -> str | None:
    return None if column.strip().lower() in ("score", "value") else column


def _columns(table: SourceTable, named: Mapping[str, str | None]) -> dict[str, int]:
    """The column of each role; run and cluster may be absent."""
    columns: dict[str, int] = {}
    for role in sorted(ROLES, key=lambda role: named.get(role) is None):  # those that were named come first
        name = named.get(role)
        if name is not None:
            if name not in table.names:
                there = listing(filter(None, table.names), 10)
                hint = did_you_mean(name, table.names)
                raise UnknownNameError(f": {table.origin} has no column {name!r}{hint}; there are {there}",
                                       parameter=role)  # fmt: skip
            columns[role] = table.names.index(name)
            continue
        free = [j for j in _called(table, role) if j not in columns.values()]
        if len(free) == 1:
            columns[role] = free[0]
        elif len(free) > 1 or role not in ("run", "cluster", "task"):
            several = f"several may be it: {listing(table.names[j] for j in free)}" if free else "none is called so"
            raise ReadingError(
                f"{table.origin}: the column of the {role} is not clear ({several}); say {role}=NAME. There are "
                f"{listing(filter(None, table.names), 10)}"
            )
    for role, column in columns.items():
        other = next((r for r, c in columns.items() if c == column and r != role), None)
        if other is not None:
            raise ReadingError(f"{table.origin}: {table.names[column]!r} cannot be both the {role} and the {other}")
    return columns


def _called(table: SourceTable, role: str) -> list[int]:
    """Columns by the usual names of a role; else a game or an agent, or a reward."""
    if role == "task":  # which is what problems are called, too
        return []
    places = _budgets(table.names) if role == "budget" else matching(table.names, role)
    if places or role not in ("problem", "algorithm", "score"):
        return places
    if role == "score":
        return [j for j, name in enumerate(table.names) if named_direction(name) and not is_budget(name)]
    return [j for j, name in enumerate(table.names) if side_of(name) == SIDES[role] and table.holds_names(j)]


def is_budget(name: str) -> bool:
    """Whether a column of this name is one of budgets and cannot be one of scores, as times can."""
    return bool(_budgets((name,))) and _plain((name,))[0] not in _TIMES


def budget_columns(names: Sequence[str]) -> list[str]:
    """Those that are called so."""
    return [names[j] for j in _budgets(tuple(names))]


def _plain(names: Sequence[str]) -> list[str]:
    return [re.sub(r"[\s_-]+", "", name.lower()) for name in names]


def _budgets(names: tuple[str, ...]) -> list[int]:
    plain = _plain(names)
    places = ([j for j, name in enumerate(plain) if name in synonyms] for synonyms in BUDGETS)
    return next(filter(None, places), [])


def coded(values: Sequence[object] | npt.NDArray[np.object_]) -> Coded:
    """A code per row. Rows of one name usually stand together: only the first of each stretch is looked at."""
    array = values if isinstance(values, np.ndarray) else np.array([*values, None], dtype=object)[:-1]
    if not len(array):
        raise ReadingError("there are columns but no rows")
    changed = np.flatnonzero(np.concatenate([[True], np.asarray(array[1:] != array[:-1], dtype=bool)]))
    heads = Coded.of([label_text(x) for x in array[changed].tolist()])
    return Coded(heads.names, np.repeat(heads.codes, np.diff(np.append(changed, len(array)))))


def _refuse_unnamed(table: SourceTable, columns: Mapping[str, int], by_role: Mapping[str, Coded]) -> None:
    for role, each in by_role.items():
        if "" in each.names:
            row = int(np.argmax(each.codes == each.names.index("")))
            where = f"{table.origin}, {table.row(row)}, column {table.names[columns[role]]!r}"
            raise ReadingError(f"{where}: the name of the {role} is missing")


def _refuse_unusable(
    table: SourceTable, columns: Mapping[str, int], budgets: Array, scores: Array, measured: Any, better: Better
) -> None:
    """Missing numbers, budgets below 0, scores that are infinitely good."""
    good, unusable = -np.inf if better == "lower" else np.inf, ~np.isfinite(budgets) | (budgets < 0)
    missing = "the score is missing; missing='drop' leaves such rows out, if nothing was measured there"
    checks: tuple[tuple[str, Any, type[BakeoffError], str], ...] = (
        ("budget", unusable, ReadingError, "a budget must be a finite number of at least 0"),
        ("score", np.isnan(scores) & measured, MissingScoreError, missing),
        ("score", scores == good, InfiniteScoreError, "the score is infinitely good"),
    )
    for role, bad, kind, why in checks:
        if bad.any():
            where = f"{table.origin}, {table.row(int(bad.argmax()))}, column {table.names[columns[role]]!r}"
            raise kind(f"{where}: {why} ({int(bad.sum())} such rows)")


def _of_problems(by_role: Mapping[str, Coded], role: str, left: list[str]) -> list[str] | None:
    """The cluster or task of each problem that is left."""
    if role not in by_role:
        return None
    problems, rows, groups = by_role["problem"].names, by_role["problem"].codes, by_role[role]
    of_problem = np.empty(len(problems), dtype=np.int64)
    of_problem[rows] = groups.codes
    wrong = np.flatnonzero(of_problem[rows] != groups.codes)
    if wrong.size:
        raise ScoreError(f"has problem {problems[rows[wrong[0]]]!r} in several {role}s", parameter="table")
    named = {name: groups.names[code] for name, code in zip(problems, of_problem.tolist(), strict=True)}
    return [named[name] for name in left]


def _refuse_repeated(made: Trajectories, named: bool) -> None:
    same = np.diff(made.budgets) == 0
    same[made.starts[1:-1] - 1] = False
    if same.any():
        row = int(same.argmax())
        run = int(np.searchsorted(made.starts, row, side="right")) - 1
        why = "" if named else "; if there are several runs, name the column that tells them apart: run=NAME"
        raise ScoreError(
            f"has {made.described(run)} at the budget {made.budgets[row]:g} more than once ({int(same.sum())} such "
            f"rows){why}",
            parameter="table",
        )


# --- logs of COCO and IOHprofiler

PER_DIMENSION = "evaluations/dimension"
EVALUATIONS = "evaluations"
USUAL_TARGET = 1e-8
"""The precision at which COCO stops a run."""


def are_logs(source: object, format: str) -> bool:
    """Did such a program write it, or one of several files? Or is it a folder that holds no table?"""
    if format != "auto":
        return True
    several = are_many(source)
    if not several and not (isinstance(source, str | os.PathLike) and os.path.isfile(source)):
        return False
    files = source_files(source)
    if any(getattr(recognised(file), "curves", None) is not None for file in files):
        return True
    return several and not any(is_table(file.path) for file in files)


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
