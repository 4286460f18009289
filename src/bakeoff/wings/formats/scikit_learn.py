"""scikit-learn's ``cv_results_`` and ``cross_validate``: in memory, or as CSV or JSON."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from bakeoff.errors import ParameterError, ReadingError
from bakeoff.reading.columns import column_values
from bakeoff.wings.formats.directions import listed_direction
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin, status_of
from bakeoff.wings.formats.source_file import SourceFile
from bakeoff.wings.formats.tabular import cell_text, number_at, table_rows

_SPLIT = re.compile(r"split(\d+)_test_(.+)")
_TIMES = ("fit_time", "score_time")
_DATA = "data set"


class _Result(NamedTuple):
    """The scores of one estimator on the splits of one data set."""

    problem: str
    algorithm: str
    scores: dict[str, list[tuple[str, Any]]]  # metric -> (split, score)
    of_search: bool  # cv_results_: without the times of splits
    names: Mapping[str, Any]  # what --algorithm can name


def recognise(file: SourceFile) -> bool:
    if file.in_memory and not hasattr(file.content, "columns"):
        return _kind(file.content) != ""
    if any(map(_SPLIT.fullmatch, file.columns)):
        return "params" in file.columns
    return bool(re.match(r'\s*\{.*"(fit_time"\s*:\s*[\[{]|split\d+_test_)', file.text_head, re.DOTALL))


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: the data set, as the caller names it; algorithm: the parameters, or the caller's name; run: split."""
    for file in files:
        for result in _results(file):
            yield from _measurements(file, result, choices)


def _measurements(file: SourceFile, result: _Result, choices: Choices) -> Iterator[Measurement]:
    metrics = [name for name in result.scores if name not in _TIMES or name == choices.metric]
    if result.of_search and choices.metric in (*_TIMES, *(f"mean_{name}" for name in _TIMES)):
        raise ParameterError(
            f"cannot be {choices.metric!r}: cv_results_ has the mean time of the splits only; cross_validate has each",
            parameter="metric",
        )
    algorithm = result.algorithm
    if choices.algorithm is not None:
        keys = [part.strip() for part in choices.algorithm.split(",")]
        absent = next((key for key in keys if key not in result.names), None)
        if absent is not None:
            rule = f"must be of {', '.join(map(str, result.names)) or 'nothing: the caller names the estimators'}"
            raise ParameterError(f"{rule}; got {absent!r}", parameter="algorithm")
        algorithm = "/".join(cell_text(result.names[key]) for key in keys)
    of_run = partial(Measurement, result.problem, algorithm, run_kind="split", origin=Origin(file.path, "scikit-learn"))
    for metric in metrics:
        better, unit = listed_direction("scikit-learn", metric), "s" if metric in _TIMES else None
        for split, value in result.scores[metric]:
            score = number_at(value, f"{file.path or result.problem}, {algorithm}, split {split}")
            yield of_run(score, metric, better, split, unit=unit, status=status_of(score, "failed"))


def _results(file: SourceFile) -> Iterator[_Result]:
    """Results in any of the shapes: a search, searches by data set, estimators by data set, one estimator."""
    if any(map(_SPLIT.fullmatch, file.columns)):
        rows = list(table_rows(file))
        table = {name: [row.values[name] for row in rows] for name in file.columns}
        yield from _of_search(table, file.name or _DATA)
        return
    content = file.json()
    kind = _kind(content)
    if kind == "search":
        yield from _of_search(_table(content), file.name or _DATA)
    elif kind == "splits":
        problem, _, algorithm = file.name.rpartition("__")
        yield _of_splits(content, problem or _DATA, algorithm or "estimator")
    elif kind == "":
        raise ReadingError(f"{file.path or 'source'}: neither cv_results_ nor what cross_validate returns")
    else:
        for problem, inner in content.items():
            if _kind(inner) == "search":
                yield from _of_search(_table(inner), str(problem))
            elif _kind(inner) == "splits":
                yield _of_splits(inner, file.name or _DATA, str(problem))
            else:
                for algorithm, splits in inner.items():
                    yield _of_splits(splits, str(problem), str(algorithm))


def _kind(content: Any) -> str:
    """ "search" (cv_results_), "splits" (cross_validate), "named" (a mapping of them), or nothing."""
    if hasattr(content, "cv_results_") or any(map(_SPLIT.fullmatch, map(str, _column_names(content)))):
        return "search"
    if not isinstance(content, Mapping) or not content or not all(isinstance(key, str) for key in content):
        return ""
    if any(map(_SPLIT.fullmatch, content)):
        return "search" if "params" in content else ""
    if "fit_time" in content and any(key.startswith("test_") for key in content):
        return "splits"
    return "named" if all(map(_kind, content.values())) else ""


def _column_names(content: Any) -> Sequence[str]:
    return SourceFile(content=content).columns if hasattr(content, "columns") else ()


def _table(results: Any) -> dict[str, list[Any]]:
    """The columns of a search: a fitted one, its cv_results_, a frame of them, or pandas' JSON of that."""
    results = getattr(results, "cv_results_", results)
    if hasattr(results, "columns"):
        import narwhals as nw

        frame = nw.from_native(results, eager_only=True)
        return {name: column_values(frame[name], "the results") for name in frame.columns}
    return {name: list(values.values() if isinstance(values, Mapping) else values) for name, values in results.items()}


def _of_search(table: Mapping[str, Sequence[Any]], problem: str) -> Iterator[_Result]:
    if len(set(map(cell_text, table.get("iter", ())))) > 1:
        raise ReadingError(
            f"{problem}: a halving search scores its candidates on different numbers of samples, and most of them not "
            "to the end; compare the candidates that are left with cross_validate"
        )
    columns = [(match[1], match[2], table[name]) for name in table if (match := _SPLIT.fullmatch(name))]
    for i, params in enumerate(table["params"]):
        scores: dict[str, list[tuple[str, Any]]] = {}
        for split, metric, values in columns:
            scores.setdefault(metric, []).append((split, values[i]))
        names = {name: values[i] for name, values in table.items() if name.startswith("param_")}
        yield _Result(problem, str(params), scores, True, names)


def _of_splits(results: Mapping[str, Any], problem: str, algorithm: str) -> _Result:
    scores = {
        name.removeprefix("test_"): list(zip(map(str, range(len(values))), values, strict=True))
        for name, values in results.items()
        if name.startswith("test_") or name in _TIMES
    }
    return _Result(problem, algorithm, scores, False, {})


FORMAT = Format("scikit-learn", "scikit-learn", recognise, read)
