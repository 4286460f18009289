"""Result files of other programs as one side of a check: one number per process, failures, what they were made with."""

import contextlib
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from bakeoff.checks import choice
from bakeoff.errors import BakeoffError, ParameterError, ReadingError, listing
from bakeoff.inputs import PLAIN, is_store
from bakeoff.reading._read_scores import table_cells
from bakeoff.reading.missing import Cells
from bakeoff.reading.table import matching
from bakeoff.scores.runs import MISSING, OK
from bakeoff.wing import provided
from bakeoff.wings.formats.formats import ONE_FILE, format_of_files, not_taken, recognised
from bakeoff.wings.formats.measurement import Choices, Format, Origin
from bakeoff.wings.formats.measurements import Measurements as Rows, measurements_of
from bakeoff.wings.formats.source_file import SourceFile
from bakeoff.wings.formats.sources import source_files
from bakeoff.wings.guard.check.statistics.run_set import (
    ROUNDS,
    Measured,
    Reading,
    RunSet,
    collapsed,
    of_column,
    of_scores,
    pooled,
    unsaid_label,
)

OWN_TOOL = "bakeoff time"


def of_paths(paths: Sequence[str], how: Reading, one_of_several: bool = False) -> RunSet:
    """Files and folders of one side, pooled; the runs of each file are called after it where there are several."""
    parts = [_of_path(os.fsdecode(path), how) for path in paths]
    if len(parts) == len(parts[0]) == 1 and (not one_of_several or parts[0][0][1].named):
        return parts[0][0][1]
    return pooled([part.renamed(name) for name, part in _distinct(parts)], how.parameter)


def _distinct(folders: Sequence[Sequence[tuple[str, RunSet]]]) -> Iterator[tuple[str, RunSet]]:
    """Where a name is in an earlier folder, all files of this one get its number: one that is missing there is not the
    one that is here.
    """
    seen: set[str] = set()
    for number, parts in enumerate(folders, start=1):
        again = not seen.isdisjoint(name for name, _ in parts)
        within: dict[str, int] = {}
        for name, part in parts:
            within[name] = within.get(name, 0) + 1
            called = f"{name}#{number}" if again else name
            yield (called if within[name] == 1 else f"{called}#{within[name]}"), replace(part, named=True)
        seen |= set(within)


def _of_path(path: str, how: Reading) -> list[tuple[str, RunSet]]:
    if os.path.isfile(path) and is_store(path):
        scores = provided("stores").all_scores(path)
        return [(Path(path).stem, replace(of_scores(scores, how.parameter, how.label), named=True))]
    files = source_files(path)
    if how.format == "auto" and all(file.path.lower().endswith(PLAIN) for file in files):
        strange = [file for file in files if recognised(file) is None]
        if strange:
            return [(file.stem, _written(of_table(file.path, how), file)) for file in files]
    form, own = format_of_files(files, how.format)
    groups = [[file] for file in own] if form.name in (*ONE_FILE, "imported") else [own]
    parts = ((group, _written(_of_group(form, group, how), group[0])) for group in groups)
    sets = [(group[0].stem, replace(part, n_files=len(group))) for group, part in parts]
    (name, first), *rest = sets
    return [(name, replace(first, not_taken=tuple(not_taken(form, files, own)))), *rest]


def _written(part: RunSet, file: SourceFile) -> RunSet:
    """With the time of the file, until the part has a name."""
    return replace(part, made={"": os.stat(file.path).st_mtime_ns} if os.path.isfile(file.path) else {})


def _of_group(form: Format, files: Sequence[SourceFile], how: Reading) -> RunSet:
    """Without a label, a benchmark's file is one build: its commands are problems."""
    if how.label is None and form.name in ONE_FILE and how.choices.get("algorithm") is None:
        for file in files:
            file.label = file.label or how.parameter
    choices = dict(how.choices)
    if choices.pop("task", None) is not None:
        raise ParameterError(f"is of tables, and {files[0].path!r} is a file of another program", parameter="task")
    return of_rows(measurements_of(form, list(files), Choices(**choices)), how, {file.path for file in files})


def of_rows(rows: Rows, how: Reading, paths: set[str]) -> RunSet:
    """One algorithm of what a reader of a format gathered."""
    place = rows.algorithms.names.index(_chosen(rows.algorithms.names, how, "file"))
    problems, runs, statuses = rows.problems.names, rows.runs.names, rows.statuses.names
    chosen = np.flatnonzero(np.array(rows.algorithm) == place).tolist()
    kind = rows.run_kind
    if rows.differing and kind != "iteration":
        raise ReadingError(f"two versions of one problem are in the files: {listing(rows.differing)}")
    words = ["", *statuses[1:]]
    measured = (
        Measured(problems[rows.problem[i]], runs[rows.run[i]], rows.score[i], words[rows.status[i]]) for i in chosen
    )
    origins = [origin for origin, algorithms in rows.origins.items() if rows.algorithms.names[place] in algorithms]
    tool = _stated(origin.tool for origin in origins)
    return RunSet(
        series=collapsed(measured, kind),
        better=rows.direction(how.better),
        metric=rows.metric,
        left_out=rows.left_out,
        unit=rows.unit,
        run_kind=kind,
        clusters=dict(rows.clusters),
        tasks=dict(rows.task_of) if rows.by_task else {},
        weighted_as=rows.weighted_as([rows.algorithms.names[place]]),
        versions=dict(rows.versions),
        facts=_facts(origins, tool) | ({ROUNDS: "; ".join(sorted(paths))} if tool == OWN_TOOL else {}),
        named=kind in ("split", "seed") or tool == OWN_TOOL,
    )


def _chosen(names: Sequence[str], how: Reading, where: str) -> str:
    """The algorithm that is compared: the one of this label, or the only one."""
    if how.label is None and len(names) > 1:
        raise unsaid_label(f"several algorithms ({listing(names)})", names, how.parameter)
    if how.label is not None and how.label not in names:
        raise ParameterError(f"{how.label!r} is not in the {where}; there are {listing(names)}", parameter="label")
    return names[0] if how.label is None else how.label


def _facts(origins: Iterable[Origin], tool: str) -> dict[str, str]:
    known, keys = list(origins), {"tool_version": "version", "machine": "machine", "commit": "commit"}
    facts = {name: _stated(getattr(origin, key) for origin in known) for name, key in keys.items()}
    return {name: value for name, value in {"tool": tool, **facts}.items() if value}


def _stated(values: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(value for value in values if value))


def of_table(path: str, how: Reading) -> RunSet:
    """One build in a table, as ``bo.read_scores`` understands it: the algorithm of the label, or all of the file."""
    if how.better is None:
        rule = 'must be "lower" or "higher": a table does not say which scores are good; it is missing'
        raise ParameterError(rule, parameter="better")
    choice("better", how.better, ("lower", "higher"))
    cells, names = _cells(path, how)
    column = names.index(_chosen(names, how, "table"))
    scores, ids = cells.scores[:, column], None if cells.run_ids is None else cells.run_ids[:, column]
    words = np.full(scores.shape, "", dtype=object) if cells.status is None else cells.status[:, column]
    unsaid = np.isnan(scores) & np.isin(words, ("", OK, MISSING))
    there = words != "" if ids is None else ids != None  # noqa: E711  # elementwise
    words = np.where(unsaid, np.where(there, "no score", ""), words)
    about: dict[str, Any] = {"better": how.better, "metric": how.choices.get("metric") or cells.metric}
    return of_column(cells, column, scores, words, unit=cells.unit or None, named=ids is not None, **about)


def _cells(path: str, how: Reading) -> tuple[Cells, list[str]]:
    """The cells of a table, and its algorithms. Without a label it is one build, unless it has several."""
    roles: dict[str, Any] = {"score": None, "status": None, **how.choices}
    metric = roles.pop("metric", None)

    def read(source: object) -> Cells:
        try:
            return table_cells(source, roles, metric=metric)[0]
        except ReadingError as error:  # which names options of other commands
            rule = error.rule.replace("; or pass decimal=','", "").replace("score=", "metric=")
            raise ReadingError(rule.replace(" and 0 more", ""), parameter=error.parameter, place=error.place) from None

    if how.label is not None:
        cells = read(path)
        return cells, list(cells.algorithms)
    builds: Sequence[str] = ()
    with contextlib.suppress(BakeoffError):
        builds = read(path).algorithms
    try:
        cells = read({how.parameter: path})
        is_score = bool(metric or matching([dict(cells.read_as.columns).get("score", "")], "score"))
    except ReadingError:
        if len(builds) < 2:
            raise
        is_score = False
    if len(builds) > 1 and not is_score:
        _chosen(builds, how, "table")
    return cells, [name.removeprefix(f"{how.parameter}/") for name in cells.algorithms]
