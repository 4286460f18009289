"""The curves that a report holds, every entry checked."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from bakeoff.errors import ReportError
from bakeoff.report.reading_back import entry_rows, is_number, refuse
from bakeoff.scores import Array
from bakeoff.scores.design import WEIGHTS
from bakeoff.scores.runs import RUN_KINDS
from bakeoff.wings.curves.curves.statistics import CurveTable
from bakeoff.wings.curves.curves.statistics.curve_tests import RunsAlong
from bakeoff.wings.curves.curves.statistics.results import IF_ANY

Rule = tuple[str, Callable[[Any], bool]]


def _one_of(*words: str) -> Rule:
    return " or ".join(map(repr, words)), lambda value: value in words


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _are_columns(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_text, value.values()))


_FLAG: Rule = ("true or false", lambda value: isinstance(value, bool))
_TEXT: Rule = ("a string", _is_text)
_RULES: dict[str, Rule] = {
    "better": _one_of("lower", "higher"),
    "cell": _one_of("mean", "median"),
    "scale": _one_of("linear", "log"),
    "spacing": _one_of("log", "linear"),
    **dict.fromkeys(("whole", "best_so_far"), _FLAG),
    **dict.fromkeys(("budget_name", "source_sha256"), _TEXT),
    "metric": ("a string or null", lambda value: value is None or isinstance(value, str)),
    "target": ("a number", lambda value: value is None or is_number(value)),
    "longest": ("a number", is_number),
}
_IF_ANY: dict[str, Rule] = {
    "n_files": ("a number of files", lambda value: type(value) is int and value >= 0),
    "columns": ("an object of names of columns", _are_columns),
    "weights": _one_of(*WEIGHTS),
    "drawn": _FLAG,
}


def rebuilt_curves(content: Mapping[str, Any]) -> CurveTable:
    """``curves`` of a report."""
    data = content["curves"]
    if not isinstance(data, dict):
        refuse("curves", "an object", data)
    lacking = [field.name for field in fields(CurveTable) if field.name not in (*data, *IF_ANY)]
    if lacking:
        raise ReportError(f"curves has no key {lacking[0]!r}")
    problems, algorithms = _names(data, "problems"), _names(data, "algorithms")
    clusters, tasks = (_of_problems(data, key, len(problems)) for key in ("clusters", "tasks"))
    t = _numbers(data["t"], ".t", None)
    if not len(t) or bool((np.diff(t) <= 0).any()):
        refuse("curves.t", "increasing budgets", data["t"])
    of_files = {key: rule for key, rule in _IF_ANY.items() if key in data}
    for key, (rule, holds) in (_RULES | of_files).items():
        if not holds(data[key]):
            refuse(f"curves.{key}", rule, data[key])
    if data["spacing"] == "log" and t[0] <= 0:
        refuse("curves.t", "budgets above 0", data["t"])
    runs = data["n_runs"]
    if not isinstance(runs, list) or len(runs) != 2 or not all(type(x) is int for x in runs):
        refuse("curves.n_runs", "the fewest and the most runs", runs)
    values = np.empty((len(problems), len(algorithms), len(t)))
    for i, row in enumerate(entry_rows(data["values"], "curves.values", len(problems))):
        for j, curve in enumerate(entry_rows(row, f"curves.values[{i}]", len(algorithms))):
            values[i, j] = _numbers(curve, f".values[{i}][{j}]", len(t))
    return CurveTable(
        problems=tuple(problems),
        algorithms=tuple(algorithms),
        clusters=clusters,
        tasks=tasks,
        averaged=tuple(_names(data, "averaged")) if data.get("averaged") else (),
        t=t,
        values=values,
        n_runs=(runs[0], runs[1]),
        dropped=tuple(_names(data, "dropped")) if data["dropped"] else (),
        runs=_runs(data.get("runs"), len(problems) * len(algorithms), len(t)),
        **{key: data[key] for key in (*_RULES, *of_files)},
    )


def _runs(data: object, n_cells: int, length: int) -> RunsAlong | None:
    """The curve of each run, cell after cell."""
    if data is None:
        return None
    if not isinstance(data, dict) or data.keys() != {"cells", "scores", "kind"}:
        refuse("curves.runs", "an object of cells, scores and kind", data)
    if data["kind"] not in (None, *RUN_KINDS):
        refuse("curves.runs.kind", "a kind of runs or null", data["kind"])
    cells = data["cells"]
    known = isinstance(cells, list) and all(type(cell) is int and 0 <= cell < n_cells for cell in cells)
    if not known or sorted(cells) != cells or len(set(cells)) != n_cells:
        refuse("curves.runs.cells", "the cells in ascending order", cells)
    rows = entry_rows(data["scores"], "curves.runs.scores", len(cells))
    scores = np.array([_numbers(row, f".runs.scores[{i}]", length) for i, row in enumerate(rows)])
    return RunsAlong(cells=np.array(cells, dtype=np.int64), scores=scores, kind=data["kind"])


def _of_problems(data: dict[str, Any], key: str, n: int) -> tuple[str, ...] | None:
    if data.get(key) is None:
        return None
    labels = _names(data, key)
    if len(labels) != n:
        refuse(f"curves.{key}", f"a list of {n} names", data[key])
    return tuple(labels)


def _names(data: dict[str, Any], key: str) -> list[str]:
    names = data[key]
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        refuse(f"curves.{key}", "a list of names", names)
    return names


def _numbers(value: object, where: str, length: int | None) -> Array:
    if not isinstance(value, list) or not all(map(is_number, value)) or length not in (None, len(value)):
        refuse(f"curves{where}", "a list of numbers" if length is None else f"a list of {length} numbers", value)
    return np.array(value, dtype=np.float64)
