"""JMH's -rf json: iterations within forks; the fork, a process, is the independent unit."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from bakeoff.errors import ReadingError
from bakeoff.scores import Better
from bakeoff.wings.formats.json_entries import JsonEntry, json_entry
from bakeoff.wings.formats.measurement import PER_SECOND, Choices, Format, Measurement, Origin, split_name, timed
from bakeoff.wings.formats.source_file import SourceFile, written_as

MODES: dict[str, Better] = {"thrpt": "higher", "avgt": "lower", "sample": "lower", "ss": "lower"}
UNITS = {**PER_SECOND, "min": 1 / 60, "hr": 1 / 3600, "day": 1 / 86400}


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: benchmark and parameters; algorithm: the file's label, the method, or a parameter; metric: the mode."""
    for file in files:
        for result in json_entry(file).entries():
            problem, algorithm = _names(file, result, choices.algorithm)
            origin = Origin(file.path, "JMH", version=result.get("jmhVersion").name())
            for metric, score, better in _metrics(result, choices.metric):
                for run, value, unit in _iterations(score):
                    of_run = partial(timed, metric=metric, better=better or _direction(unit), unit=unit, origin=origin)
                    status = "ok" if np.isfinite(value) else "failed"
                    yield of_run(problem, algorithm, value, run=f"{file.part}{run}", status=status)


def _metrics(result: JsonEntry, metric: str | None) -> Iterator[tuple[str, JsonEntry, Better | None]]:
    """The primary metric, by its mode; a secondary one (a profiler's) where it is asked for."""
    mode = result["mode"].text()
    if mode not in MODES:
        raise result["mode"].wrong(f"one of {', '.join(MODES)}")
    yield mode, result["primaryMetric"], MODES[mode]
    if metric and not result.get("secondaryMetrics").null and metric in result["secondaryMetrics"]:
        yield metric, result["secondaryMetrics"][metric], None


def _iterations(metric: JsonEntry) -> Iterator[tuple[str, float, str]]:
    """``fork.iteration``, value and unit; of a histogram, as ``sample`` has, the mean of the iteration."""
    scale, unit = _unit(metric["scoreUnit"].text())
    histogram = "rawDataHistogram" in metric
    if not histogram and "rawData" not in metric:
        raise ReadingError(f"{metric.place} has no raw data, only their mean; have JMH write them: -rf json")
    for fork, iterations in enumerate(metric["rawDataHistogram" if histogram else "rawData"].entries()):
        for i, iteration in enumerate(iterations.entries()):
            value = _mean(iteration) if histogram else iteration.number()
            yield f"{fork}.{i}", value / scale, unit


def _mean(histogram: JsonEntry) -> float:
    """The mean of pairs of value and count."""
    pairs = [pair.numbers() for pair in histogram.entries()]
    if not pairs or any(len(pair) != 2 for pair in pairs):
        raise histogram.wrong("pairs of value and count")
    values, counts = np.array(pairs).T
    return float(values @ counts / counts.sum()) if counts.sum() > 0 else float("nan")


def _unit(unit: str) -> tuple[float, str]:
    """Divisor and name, in seconds: ns/op -> s, ops/ms -> ops/s."""
    over, _, under = unit.partition("/")
    if under == "op" and over in UNITS:
        return UNITS[over], "s"
    if under in UNITS:
        return 1 / UNITS[under], f"{over}/s"
    return 1.0, unit


def _direction(unit: str) -> Better | None:
    """The direction of a secondary metric: operations, and what one of them takes; of others the user says it."""
    return "higher" if unit == "ops/s" else "lower" if unit in ("s", "B/op") else None


def _names(file: SourceFile, result: JsonEntry, metric: str | None) -> tuple[str, str]:
    """``org.x.Sort.quick``, n=10: with ``method`` as the algorithm, quick on org.x.Sort/n=10."""
    benchmark = result["benchmark"].text()
    parameters = result.get("params").names()
    if (threads := result.get("threads").name()) not in ("", "1"):
        parameters["threads"] = threads
    if metric == "method":
        room, _, method = benchmark.rpartition(".")
        return split_name(room, parameters, None, method)
    return split_name(benchmark, parameters, metric, file.name, "must be 'method' or a parameter")


recognise = written_as(r"\[\s*\{", '"primaryMetric"', '"benchmark"')
FORMAT = Format("jmh", "JMH", recognise, read, takes=("algorithm",))
