"""What a report holds of its origin: the table of scores, cautions about the source."""

from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np

from bakeoff.analyses.ratings.statistics.battles import Battles, merged_battles
from bakeoff.errors import SEVERITIES, BakeoffError, Caution, ReportError
from bakeoff.scores import Array, Scores
from bakeoff.scores.read_as import ROWS, ReadAs
from bakeoff.scores.run_identity import RUN_KINDS, RunIds, run_id_array
from bakeoff.scores.run_status import RunStatus
from bakeoff.verification.parsing import kind_of_json

MOST_CELLS = 1 << 28  # problems × algorithms × the most runs of a cell
INFINITE = {"inf": np.inf, "-inf": -np.inf}


def refuse(where: str, rule: str, got: object) -> NoReturn:
    raise ReportError(f"{where} must be {rule}; it is {kind_of_json(got)}")


def rebuilt_scores(data: object) -> Scores:
    """``scores`` of a report as Scores, every entry checked."""
    if not isinstance(data, dict):
        refuse("scores", "an object", data)
    problems, algorithms = _names(data, "problems"), _names(data, "algorithms")
    shape = len(problems), len(algorithms)
    runs = data.get("runs")
    cells = _values(data.get("values"), shape) if runs is None else _runs(runs, data.get("values"), shape)
    if data.get("better") not in ("lower", "higher"):
        refuse("scores.better", '"lower" or "higher"', data.get("better"))
    filled = _list(data.get("filled", []), "scores.filled", "a list of pairs of names")
    for i, pair in enumerate(filled):
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(name, str) for name in pair):
            refuse(f"scores.filled[{i}]", "a problem and an algorithm", pair)
    source = data.get("file_sha256")
    if source is not None and not isinstance(source, str):
        refuse("scores.file_sha256", "a string or null", source)
    metric, unit = data.get("metric"), data.get("unit")
    for key, value in (("metric", metric), ("unit", unit)):
        if value is not None and not isinstance(value, str):
            refuse(f"scores.{key}", "a string", value)
    kind, ids = data.get("run_kind"), _run_ids(data.get("run_ids"), cells)
    hosts = _names(data, "hosts") if "hosts" in data else None
    if hosts is not None and len(hosts) != len(algorithms):
        refuse("scores.hosts", "a list with a name for each algorithm", hosts)
    if kind is not None and kind not in RUN_KINDS:
        refuse("scores.run_kind", "a kind of run", kind)
    try:
        return Scores.from_cells(
            cells,
            algorithms,
            problems,
            better=data["better"],
            dropped=_some_names(data, "dropped"),
            filled=[(problem, algorithm) for problem, algorithm in filled],
            source_sha256=source or "",
            holes=bool(np.isnan(cells[:, :, 0]).any()),
            unscored=True,
            metric=metric,
            run_ids=ids,
            run_kind=kind,
            status=_status(data.get("status"), shape),
            unit=unit,
            differing=_some_names(data, "differing"),
            hosts=hosts,
            clusters=_names(data, "clusters") if data.get("clusters") is not None else None,
            read_as=_read_as(data),
        )
    except ReportError:
        raise  # it names its place
    except BakeoffError as error:
        raise ReportError(f"scores: {error}") from None


def _read_as(data: Mapping[str, Any]) -> ReadAs:
    """What the reader of the table understood of it."""
    rows = data.get("rows")
    if rows not in (None, *ROWS):
        refuse("scores.rows", f"one of {', '.join(ROWS)}", rows)
    for key in ("numbered", "by_task"):
        if not isinstance(data.get(key, False), bool):
            refuse(f"scores.{key}", "true or false", data[key])
    for key, what in (("spreads", "cells"), ("n_files", "files")):
        if type(data.get(key, 0)) is not int or data.get(key, 0) < 0:
            refuse(f"scores.{key}", f"a number of {what}", data[key])
    tasks = []
    for i, entry in enumerate(_list(data.get("left_out", []), "scores.left_out", "a list of tasks and counts")):
        if not isinstance(entry, list) or len(entry) != 2 or not isinstance(entry[0], str) or type(entry[1]) is not int:
            refuse(f"scores.left_out[{i}]", "a task and a count", entry)
        tasks.append((entry[0], entry[1]))
    columns = data.get("columns", {})
    if not isinstance(columns, dict) or not all(isinstance(name, str) for name in columns.values()):
        refuse("scores.columns", "an object of names of columns", columns)
    if not isinstance(data.get("source", ""), str):
        refuse("scores.source", "a string", data["source"])
    return ReadAs(
        rows=rows,
        numbered=data.get("numbered", False),
        left_out=tuple(tasks),
        n_files=data.get("n_files", 0),
        not_taken=tuple(_some_names(data, "not_taken")),
        columns=tuple(columns.items()),
        unused=tuple(_some_names(data, "unused")),
        source=data.get("source", ""),
        by_task=data.get("by_task", False),
        spreads=data.get("spreads", 0),
    )


def rebuilt_tables(content: Mapping[str, Any]) -> dict[str, Scores]:
    """``tables`` of a report of several metrics."""
    data = content["tables"]
    if not isinstance(data, dict) or not data:
        refuse("tables", "an object of tables by their metrics", data)
    return {name: rebuilt_scores(table) for name, table in data.items()}


def rebuilt_battles(content: Mapping[str, Any]) -> Battles:
    """``battles`` of a report, every entry checked."""
    data, source = content["battles"], content.get("input_sha256")
    if not isinstance(data, dict):
        refuse("battles", "an object", data)
    names = [str(x) for x in _list(data.get("algorithms"), "battles.algorithms", "a list of names")]
    rows = _list(data.get("pairs"), "battles.pairs", "a list of pairs of places")
    counts = entry_rows(data.get("counts"), "battles.counts", len(rows))
    places, table = [], []
    for i, (row, three) in enumerate(zip(rows, counts, strict=True)):
        for place in entry_rows(row, f"battles.pairs[{i}]", 2):
            if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place < len(names):
                refuse(f"battles.pairs[{i}]", f"two whole numbers from 0 to {len(names) - 1}", row)
        places.append(row)
        values = [_number(x, f"battles.counts[{i}]") for x in entry_rows(three, f"battles.counts[{i}]", 3)]
        if not all(np.isfinite(x) and x >= 0 for x in values):
            refuse(f"battles.counts[{i}]", "three counts", three)
        table.append(values)
    clusters, categories = (
        None if data.get(key) is None else [str(x) for x in entry_rows(data[key], f"battles.{key}", len(rows))]
        for key in ("clusters", "categories")
    )
    first, second = np.array(places, dtype=np.int64).reshape(-1, 2).T
    covariates, differences = _rebuilt_covariates(data, len(rows))
    try:
        counted = np.array(table).reshape(-1, 3)
        digest = str(source or "")
        return merged_battles(names, first, second, counted, clusters, digest, covariates, differences, categories)
    except BakeoffError as error:
        raise ReportError(f"battles: {error}") from None


def _rebuilt_covariates(data: Mapping[str, Any], rows: int) -> tuple[list[str], Array | None]:
    """Their names, and the differences of each row."""
    if "covariates" not in data:
        return [], None
    names = [str(x) for x in _list(data["covariates"], "battles.covariates", "a list of names")]
    differences = [
        [_number(x, f"battles.differences[{i}]") for x in entry_rows(row, f"battles.differences[{i}]", len(names))]
        for i, row in enumerate(entry_rows(data.get("differences"), "battles.differences", rows))
    ]
    table = np.array(differences, dtype=np.float64).reshape(rows, len(names))
    if not names or not (np.abs(table) <= 1e101).all():
        refuse("battles.differences", "finite numbers of one covariate or more", data["covariates"])
    return names, table


def _run_ids(value: object, cells: Array) -> RunIds | None:
    """One list for all cells, or one for each."""
    if value is None:
        return None
    rows = _list(value, "scores.run_ids", "a list of names")
    if any(isinstance(row, list) for row in rows):
        rows = [[_list(cell, f"scores.run_ids[{i}]", "lists of names") for cell in row] for i, row in enumerate(rows)]
    try:
        return run_id_array(rows, cells)
    except (BakeoffError, ValueError, TypeError) as error:
        raise ReportError(f"scores.run_ids: {error}") from None


def _status(value: object, shape: tuple[int, int]) -> RunStatus | None:
    """A word for each cell, or a list of words, equally many, for each."""
    if value is None:
        return None
    n, k = shape
    rows = [entry_rows(row, f"scores.status[{i}]", k) for i, row in enumerate(entry_rows(value, "scores.status", n))]
    cells = [[[cell] if isinstance(cell, str) else cell for cell in row] for row in rows]
    lengths = {len(cell) if isinstance(cell, list) else 0 for row in cells for cell in row}
    if len(lengths) != 1 or 0 in lengths:
        refuse("scores.status", "a word for each cell, or equally many for each", value)
    if not all(isinstance(word, str) for row in cells for cell in row for word in cell):
        refuse("scores.status", "of words", value)
    [runs] = lengths
    words = np.array([word for row in cells for cell in row for word in cell] + [None], dtype=object)[:-1]
    return words.reshape(n, k, runs)


def _list(value: object, where: str, what: str) -> list[Any]:
    if not isinstance(value, list):
        refuse(where, what, value)
    return value


def _names(data: Mapping[str, Any], key: str) -> list[str]:
    names = _list(data.get(key), f"scores.{key}", "a list of names")
    for i, name in enumerate(names):
        if not isinstance(name, str):
            refuse(f"scores.{key}[{i}]", "a string", name)
    return names


def _some_names(data: Mapping[str, Any], key: str) -> list[str]:
    return _names(data, key) if key in data else []


def _number(value: object, where: str) -> float:
    if type(value) is float:
        return value
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= 2**53:
        return float(value)
    if isinstance(value, str) and value in INFINITE:
        return INFINITE[value]
    refuse(where, 'a number, "inf" or "-inf"', value)


def entry_rows(value: object, where: str, length: int) -> list[Any]:
    rows = _list(value, where, f"a list of {length}")
    if len(rows) != length:
        refuse(where, f"a list of {length}", rows)
    return rows


def _values(value: object, shape: tuple[int, int]) -> Array:
    n, k = shape
    table = [
        [
            np.nan if x is None else _number(x, f"scores.values[{i}][{j}]")
            for j, x in enumerate(entry_rows(row, f"scores.values[{i}]", k))
        ]
        for i, row in enumerate(entry_rows(value, "scores.values", n))
    ]
    return np.array(table, dtype=np.float64).reshape(n, k, 1)


def _is_missing(values: object, i: int, j: int) -> bool:
    """Is there no score at all, as the table of means says?"""
    return (
        isinstance(values, list) and i < len(values) and isinstance(values[i], list) and values[i][j : j + 1] == [None]
    )


def _runs(value: object, values: object, shape: tuple[int, int]) -> Array:
    """Cells with fewer runs than others end in NaN."""
    n, k = shape
    table = [entry_rows(row, f"scores.runs[{i}]", k) for i, row in enumerate(entry_rows(value, "scores.runs", n))]
    most = 1
    for i, row in enumerate(table):
        for j, cell in enumerate(row):
            if not _list(cell, f"scores.runs[{i}][{j}]", "a list of runs") and not _is_missing(values, i, j):
                refuse(f"scores.runs[{i}][{j}]", "a list of at least one run", cell)
            most = max(most, len(cell))
    if n * k * most > MOST_CELLS:
        raise ReportError(f"scores.runs: {n} × {k} cells of up to {most} runs; at most {MOST_CELLS} runs are read")
    cells = np.full((n, k, most), np.nan)
    for i, row in enumerate(table):
        for j, cell in enumerate(row):
            cells[i, j, : len(cell)] = [_number(x, f"scores.runs[{i}][{j}][{r}]") for r, x in enumerate(cell)]
    return cells


def added_cautions(content: Mapping[str, Any]) -> tuple[Caution, ...]:
    """Cautions about where the table came from, which it cannot give itself."""
    entries = _list(content.get("added_cautions", []), "added_cautions", "a list")
    for i, entry in enumerate(entries):
        if not isinstance(entry, dict) or set(entry) != {"code", "text", "reference", "severity"}:
            refuse(f"added_cautions[{i}]", "an object of code, text, reference and severity", entry)
        for key, value in entry.items():
            if not isinstance(value, str):
                refuse(f"added_cautions[{i}].{key}", "a string", value)
        if entry["severity"] not in SEVERITIES:
            refuse(f"added_cautions[{i}].severity", f"one of {', '.join(SEVERITIES)}", entry["severity"])
    return tuple(Caution(**entry) for entry in entries)
