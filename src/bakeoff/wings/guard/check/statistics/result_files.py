"""Result files of other programs as one side of a check: one number per process, failures, what they were made with."""

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from bakeoff.checks import choice
from bakeoff.errors import ParameterError, ReadingError, listing
from bakeoff.reading.large_csv import text_table
from bakeoff.reading.recognition.first_rows import FirstRows, could_be_scores
from bakeoff.reading.table import matching
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
    of_scores,
    pooled,
    unsaid_label,
)

TABLES = (".csv", ".tsv")
STORES = (".sqlite", ".sqlite3", ".db")
"""The suffixes of stores of bakeoff run."""
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
    stores = provided("stores")
    if stores and path.lower().endswith(STORES) and os.path.isfile(path) and recognised(SourceFile(path)) is None:
        scores = stores.all_scores(path)
        return [(Path(path).stem, replace(of_scores(scores, how.parameter, how.label), named=True))]
    files = source_files(path)
    if how.format == "auto" and all(file.path.lower().endswith(TABLES) for file in files):
        strange = [file for file in files if recognised(file) is None]
        if strange:
            return [(file.stem, _written(of_table(file, how), file)) for file in files]
    form, own = format_of_files(files, how.format)
    groups = [[file] for file in own] if form.name in (*ONE_FILE, "imported") else [own]
    sets = [(group[0].stem, replace(_of_file(form, group, how), n_files=len(group))) for group in groups]
    (name, first), *rest = sets
    return [(name, replace(first, not_taken=tuple(not_taken(form, files, own)))), *rest]


def _of_file(form: Format, group: Sequence[SourceFile], how: Reading) -> RunSet:
    return _written(_of_group(form, group, how), group[0])


def _written(part: RunSet, file: SourceFile) -> RunSet:
    """With the time of the file, until the part has a name."""
    return replace(part, made={"": os.stat(file.path).st_mtime_ns} if os.path.isfile(file.path) else {})


def _of_group(form: Format, files: Sequence[SourceFile], how: Reading) -> RunSet:
    """Without a label, a benchmark's file is one build: its commands are problems."""
    if how.label is None and form.name in ONE_FILE and how.choices.get("algorithm") is None:
        for file in files:
            file.label = file.label or how.parameter
    return of_rows(measurements_of(form, list(files), Choices(**how.choices)), how, {file.path for file in files})


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


def of_table(file: SourceFile, how: Reading) -> RunSet:
    """A CSV file with a row per run: problem, score, and, where there are, algorithm, run, status, cluster."""
    if how.better is None:
        rule = 'must be "lower" or "higher": a table does not say which scores are good; it is missing'
        raise ParameterError(rule, parameter="better")
    choice("better", how.better, ("lower", "higher"))
    roles = ("problem", "score", "algorithm", "run", "cluster", "status")
    chosen = {**how.choices, "score": how.choices.get("metric"), "status": None}
    columns = {role: chosen.get(role) or role for role in roles}
    records, scores = _records(file, columns, how.label)
    of_column = columns["score"] == how.label
    kept = list(range(len(records))) if of_column else _of_label([each.get("algorithm") for each in records], how)
    named = "run" in records[0]
    rows, counts, clusters = [], dict[str, int](), dict[str, str]()
    for record, score in [(records[i], scores[i]) for i in kept]:
        problem, status = record["problem"], record.get("status") or "ok"
        counts[problem] = counts.get(problem, 0) + 1
        run = record["run"] if named else str(counts[problem])
        if record.get("cluster"):
            clusters[problem] = record["cluster"]
        rows.append(Measured(problem, run, score, "" if status == "ok" else status))
    return RunSet(
        series=collapsed(rows, None),
        better=how.better,
        metric=how.choices.get("metric"),
        clusters=clusters,
        named=named,
    )


def _records(file: SourceFile, columns: dict[str, str], label: str | None) -> tuple[list[dict[str, str]], list[float]]:
    """The names in each row by role, and its score, which may be in the column that a label names."""
    content = b"".join(file.blocks())
    if file.wide:
        content = "\n".join(file.lines()).encode()
    table = text_table(content, file.path, "\t" if file.path.lower().endswith(".tsv") else "")
    if label in table.names and columns["algorithm"] not in table.names and columns["score"] not in table.names:
        columns["score"] = str(label)
    lacking = [role for role in ("problem", "score") if columns[role] not in table.names]
    if lacking:
        at = {role: matching(table.names, role) for role in ("problem", "run", "score")}
        if not at["score"] and len(others := could_be_scores(FirstRows(table), at)) == 1:  # time_ms
            at["score"] = others
        usual = {role: table.names[at[role][0]] for role in lacking if at[role]}
        call = ", ".join(f"{'metric' if role == 'score' else role}={name!r}" for role, name in usual.items())
        absent = listing(repr(columns[role]) for role in lacking)
        advice = f"Name what is there: {call}"
        if len(usual) < len(lacking):
            advice = (
                "A row is a run, with the columns problem, run and score; of columns that are builds, label= names "
            )
            advice += "one for each side"
        raise ReadingError(f"{file.path}: has no column {absent}; it has {listing(table.names)}. {advice}")
    roles = [role for role, name in columns.items() if role != "score" and name in table.names]
    places = [table.names.index(columns[role]) for role in roles]
    try:
        named, scores = table.take(places, [table.names.index(columns["score"])])
    except ReadingError as error:  # which names an option that a check does not have
        raise ReadingError(str(error).replace("; or pass decimal=','", "")) from None
    return [dict(zip(roles, row, strict=True)) for row in zip(*named, strict=True)], scores[:, 0].tolist()


def _of_label(algorithms: Sequence[str | None], how: Reading) -> list[int]:
    """The rows of the algorithm that is compared."""
    names = list(dict.fromkeys(name for name in algorithms if name is not None))
    if len(names) < 2 and how.label is None:
        return list(range(len(algorithms)))
    chosen = _chosen(names, how, "table")
    return [i for i, name in enumerate(algorithms) if name == chosen]
