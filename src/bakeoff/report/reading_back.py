"""The JSON of a report read back: its scores, and arguments that are objects, every entry checked."""

import sys
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import numpy as np

from bakeoff.checks import shown
from bakeoff.errors import BakeoffError, ReportError
from bakeoff.scores import Array, Scores
from bakeoff.scores.design import WEIGHTS
from bakeoff.scores.predicted import SCALES, Predicted
from bakeoff.scores.read_as import ROWS, ColumnRole, ReadAs
from bakeoff.scores.runs import RUN_KINDS, RunIds, RunStatus, run_id_array

MOST_CELLS = 1 << 28  # problems × algorithms × the most runs of a cell
INFINITE = {"inf": np.inf, "-inf": -np.inf}


def kind_of_json(value: object) -> str:
    """The name of a value of JSON, short enough for a message."""
    if isinstance(value, dict):
        return f"an object of {len(value)}"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, str):
        return repr(value) if len(value) <= 60 else f"{value[:57]!r}…"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return shown(value)


def is_number(value: object) -> bool:
    """A whole number beyond floating point is none: what computes with it would fail."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


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
    hosts = _names(data, "hosts") if "hosts" in data else None
    if hosts is not None and len(hosts) != len(algorithms):
        refuse("scores.hosts", "a list with a name for each algorithm", hosts)
    try:
        return Scores.from_cells(
            cells,
            algorithms,
            problems,
            better=data["better"],
            dropped=_some_names(data, "dropped"),
            filled=_pairs(data, "filled", str, "a list of pairs of names", "a problem and an algorithm"),
            source_sha256=_entry(data, "file_sha256", None, "a string or null", _is_text) or "",
            holes=bool(np.isnan(cells[:, :, 0]).any()),
            unscored=True,
            metric=_entry(data, "metric", None, "a string", _is_text),
            run_ids=_run_ids(data.get("run_ids"), cells),
            run_kind=_entry(data, "run_kind", None, "a kind of run", lambda value: value in RUN_KINDS),
            status=_status(data.get("status"), shape),
            unit=_entry(data, "unit", None, "a string", _is_text),
            differing=_some_names(data, "differing"),
            hosts=hosts,
            **{key: _names(data, key) for key in ("clusters", "tasks") if data.get(key) is not None},
            order=data.get("order"),
            folds=_entry(data, "folds", None, "a number above 0 and below 1", lambda x: type(x) is float and 0 < x < 1),
            serial=_entry(data, "serial", False, "true or false", _is_flag),
            weights=_entry(data, "weights", None, f"one of {', '.join(WEIGHTS)}", lambda value: value in WEIGHTS),
            read_as=_read_as(data),
            predicted=None if data.get("predicted") is None else _predicted(data["predicted"], shape),
        )
    except ReportError:
        raise  # it names its place
    except BakeoffError as error:
        raise ReportError(f"scores: {error}") from None


def _read_as(data: Mapping[str, Any]) -> ReadAs:
    """The notes of the reader of the table."""
    columns = _entry(data, "columns", {}, "an object of names of columns", _is_object_of_text)
    return ReadAs(
        rows=_entry(data, "rows", None, f"one of {', '.join(ROWS)}", lambda value: value in ROWS),
        numbered=_entry(data, "numbered", False, "true or false", _is_flag),
        left_out=tuple(_pairs(data, "left_out", int, "a list of tasks and counts", "a task and a count")),
        n_files=_entry(data, "n_files", 0, "a number of files", _is_count),
        not_taken=tuple(_some_names(data, "not_taken")),
        columns=tuple(columns.items()),
        unused=tuple(_some_names(data, "unused")),
        **_reading(data.get("reading", {})),
        source=_entry(data, "source", "", "a string", _is_text),
        spreads=_entry(data, "spreads", 0, "a number of cells", _is_count),
    )


def _entry(data: Mapping[str, Any], key: str, default: Any, rule: str, holds: Callable[[object], bool]) -> Any:
    """The value of a key, or the default of a report that has no such key; a value outside its rule is refused."""
    value = data.get(key, default)
    if value is not default and not holds(value):
        refuse(f"scores.{key}", rule, value)
    return value


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 0


def _is_object_of_text(value: object) -> bool:
    return isinstance(value, dict) and all(map(_is_text, value.values()))


def _pairs(data: Mapping[str, Any], key: str, second: type, rule: str, rule_of_each: str) -> list[tuple[str, Any]]:
    """Pairs of a name and something else."""
    pairs = entry_list(data.get(key, []), f"scores.{key}", rule)
    for i, pair in enumerate(pairs):
        if not isinstance(pair, list) or list(map(type, pair)) != [str, second]:
            refuse(f"scores.{key}[{i}]", rule_of_each, pair)
    return [(name, other) for name, other in pairs]


def _reading(reading: object) -> dict[str, Any]:
    """The columns that were left out, the target of the scores, and the columns that were averaged over."""
    if not isinstance(reading, dict):
        refuse("scores.reading", "an object", reading)
    roles = entry_list(reading.get("roles", []), "scores.reading.roles", "a list of columns with their roles")
    for i, entry in enumerate(roles):
        if not isinstance(entry, dict) or not all(isinstance(entry.get(key), str) for key in ColumnRole._fields):
            refuse(f"scores.reading.roles[{i}]", f"an object of {', '.join(ColumnRole._fields)}", entry)
    target = reading.get("closest_to")
    if target is not None and type(target) not in (int, float):
        refuse("scores.reading.closest_to", "a number", target)
    return {
        "roles": tuple(ColumnRole(*(entry[key] for key in ColumnRole._fields)) for entry in roles),
        "closest_to": None if target is None else float(target),
        "averaged": tuple(_some_names(reading, "averaged")),
        "weighted_as": tuple(_some_names(reading, "weighted_as")),
        "written": _entry(reading, "written", "", "a string", _is_text),
    }


def _predicted(value: object, shape: tuple[int, int]) -> Predicted:
    """By which metric predictions became numbers of items."""
    if not isinstance(value, dict):
        refuse("scores.predicted", "an object", value)
    n = shape[0]
    texts = {key: value.get(key, "") for key in ("metric", "label", "scale", "about")}
    for key, text in texts.items():
        if not isinstance(text, str):
            refuse(f"scores.predicted.{key}", "a string", text)
    if texts["scale"] not in ("", *SCALES):
        refuse("scores.predicted.scale", f"one of {', '.join(SCALES)}", texts["scale"])
    classes = value.get("classes")
    if classes is not None and not all(map(_is_text, entry_rows(classes, "scores.predicted.classes", n))):
        refuse("scores.predicted.classes", "a list of names", classes)
    truth, of_models = value.get("truth"), value.get("predictions")
    if truth is not None:
        truth = [entry_number(x, "scores.predicted.truth") for x in entry_rows(truth, "scores.predicted.truth", n)]
    return Predicted(
        **texts,
        classes=None if classes is None else tuple(classes),
        truth=None if truth is None else np.array(truth),
        predictions=None if of_models is None else _values(of_models, shape, "scores.predicted.predictions")[:, :, 0],
    )


def _run_ids(value: object, cells: Array) -> RunIds | None:
    """One list for all cells, or one for each."""
    if value is None:
        return None
    rows = entry_list(value, "scores.run_ids", "a list of names")
    if any(isinstance(row, list) for row in rows):
        what = "lists of names"
        rows = [[entry_list(cell, f"scores.run_ids[{i}]", what) for cell in row] for i, row in enumerate(rows)]
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


def entry_list(value: object, where: str, what: str) -> list[Any]:
    if not isinstance(value, list):
        refuse(where, what, value)
    return value


def _names(data: Mapping[str, Any], key: str) -> list[str]:
    names = entry_list(data.get(key), f"scores.{key}", "a list of names")
    for i, name in enumerate(names):
        if not isinstance(name, str):
            refuse(f"scores.{key}[{i}]", "a string", name)
    return names


def _some_names(data: Mapping[str, Any], key: str) -> list[str]:
    return _names(data, key) if key in data else []


def entry_number(value: object, where: str) -> float:
    if type(value) is float:
        return value
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= 2**53:
        return float(value)
    if isinstance(value, str) and value in INFINITE:
        return INFINITE[value]
    refuse(where, 'a number, "inf" or "-inf"', value)


def entry_rows(value: object, where: str, length: int) -> list[Any]:
    rows = entry_list(value, where, f"a list of {length}")
    if len(rows) != length:
        refuse(where, f"a list of {length}", rows)
    return rows


def _values(value: object, shape: tuple[int, int], where: str = "scores.values") -> Array:
    n, k = shape
    table = [
        [
            np.nan if x is None else entry_number(x, f"{where}[{i}][{j}]")
            for j, x in enumerate(entry_rows(row, f"{where}[{i}]", k))
        ]
        for i, row in enumerate(entry_rows(value, where, n))
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
            if not entry_list(cell, f"scores.runs[{i}][{j}]", "a list of runs") and not _is_missing(values, i, j):
                refuse(f"scores.runs[{i}][{j}]", "a list of at least one run", cell)
            most = max(most, len(cell))
    if n * k * most > MOST_CELLS:
        raise ReportError(f"scores.runs: {n} × {k} cells of up to {most} runs; at most {MOST_CELLS} runs are read")
    cells = np.full((n, k, most), np.nan)
    for i, row in enumerate(table):
        for j, cell in enumerate(row):
            cells[i, j, : len(cell)] = [entry_number(x, f"scores.runs[{i}][{j}][{r}]") for r, x in enumerate(cell)]
    return cells


# --- arguments that are objects ---------------------------------------------------------------------------------


def check_margins(where: str, value: object) -> None:
    """Check the margins of several metrics: a number or a percentage of each."""
    check_object(where, value, "a number or a percentage", lambda entry: is_number(entry) or isinstance(entry, str))


def check_words(where: str, value: object) -> None:
    """Check the words of a timing: how it was measured."""
    check_object(where, value, "a string", _is_text)


def check_object(where: str, value: object, rule: str, holds: Callable[[object], bool]) -> None:
    if not isinstance(value, dict):
        refuse(where, "an object", value)
    for key, entry in value.items():
        if not holds(entry):
            refuse(f"{where}.{key}", rule, entry)


def check_own_words(where: str, value: object) -> None:
    """Check the words of a history: commits, if any."""
    if value is not None:
        check_words(where, value)
