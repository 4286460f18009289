"""Google Benchmark's --benchmark_format=json: repetitions in one process, with aggregates among them."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from bakeoff.errors import ParameterError, ReadingError, listing
from bakeoff.wings.formats.json_entries import JsonEntry, json_entry
from bakeoff.wings.formats.measurement import PER_SECOND, Choices, Format, Measurement, Origin, part_name, timed
from bakeoff.wings.formats.source_file import SourceFile, written_as

TIMES = ("real_time", "cpu_time")
AGGREGATES = re.compile(r"_(mean|median|stddev|cv|BigO|RMS)$")


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: the benchmark; algorithm: the file's label, or a part of the name; run: the repetition."""
    for file in files:
        report = json_entry(file)
        rows = report["benchmarks"].entries()
        single = [row for row in rows if not _aggregate(row)]
        _refuse_aggregates_alone(file, rows, single)
        origin = _origin(file, report["context"])
        seen: dict[str, int] = {}
        chosen = choices if any(str(choices.metric) in row for row in single) else replace(choices, metric=None)
        for row in single:
            name = _name(row)
            seen[name] = repetition = seen.get(name, -1) + 1
            yield from _metrics(row, name, f"{file.part}{repetition}", file, chosen, origin)


def _name(row: JsonEntry) -> str:
    return row["run_name" if "run_name" in row else "name"].text()


def _refuse_aggregates_alone(file: SourceFile, rows: Sequence[JsonEntry], single: Sequence[JsonEntry]) -> None:
    alone = {_name(row): None for row in rows if "run_name" in row}
    for row in single:
        alone.pop(_name(row), None)
    fits = {_name(row) for row in rows if row.get("aggregate_name").value in ("BigO", "RMS")}
    if names := [name for name in alone if name not in fits]:
        raise ReadingError(
            f"{file.path} has only aggregates of {listing(names, 2)}; run the benchmarks without "
            "--benchmark_report_aggregates_only"
        )


def _aggregate(row: JsonEntry) -> bool:
    """Means, deviations and fits of complexity; before version 1.5 only the name says so."""
    if "run_type" in row:
        return row["run_type"].name() != "iteration"
    return bool(AGGREGATES.search(row["name"].text()))


def _metrics(
    row: JsonEntry, name: str, run: str, file: SourceFile, choices: Choices, origin: Origin
) -> Iterator[Measurement]:
    """Both times, and the counter that was asked for. A benchmark that failed or was skipped has times of 0."""
    status = _status(row)
    problem, algorithm = _names(file, name, choices.algorithm)
    only = choices.metric
    counter = [only] if only and only not in TIMES and (only in row or status != "ok") else []
    for metric in (*TIMES, *counter):
        value = math.nan if status != "ok" else row[metric].number()
        of_metric = partial(timed, problem, algorithm, metric=metric, run=run, status=status, origin=origin)
        if metric in TIMES:
            yield of_metric(value / _per_second(row))
        elif metric.endswith("_per_second"):
            yield of_metric(value, better="higher", unit="1/s")
        else:
            yield of_metric(value, better=None, unit=None)


def _status(row: JsonEntry) -> str:
    for key, message, status in (("error_occurred", "error_message", "failed"), ("skipped", "skip_message", "skipped")):
        if row.get(key).value:
            message_text = row.get(message).value
            return f"{status}: {message_text}" if isinstance(message_text, str) and message_text else status
    return "failed" if all(row.get(time).value == 0 for time in TIMES) else "ok"


def _per_second(row: JsonEntry) -> float:
    unit = row["time_unit"]
    if unit.text() not in PER_SECOND:
        raise unit.wrong(f"one of {', '.join(PER_SECOND)}")
    return PER_SECOND[unit.text()]


def _names(file: SourceFile, name: str, metric: str | None) -> tuple[str, str]:
    """``BM_sort/n:64``: part 1 is BM_sort, part n is 64; the other parts name the problem."""
    if metric is None:
        return name, file.name
    parts = name.split("/")
    for i, part in enumerate(parts):
        key, _, value = part.rpartition(":")
        if metric == str(i + 1) or (key and metric == key):
            others = part_name(*parts[:i], *parts[i + 1 :]) or "benchmark"
            return others, value if metric == key else part
    rule = f"must be a part of the name, by number (1 to {len(parts)}) or key, of every benchmark"
    raise ParameterError(f"{rule}; {name!r} has no part {metric!r}", parameter="algorithm")


def _origin(file: SourceFile, context: JsonEntry) -> Origin:
    caches = context.get("caches")
    sizes = [] if caches.null else [c.get("size").name() for c in caches.entries()]
    version = " ".join(context.get(key).name() for key in ("library_version", "library_build_type")).strip()
    machine = f"{context.get('num_cpus').name()} processors" + (f", caches {' '.join(sizes)}" if sizes else "")
    date, host = (context.get(key).name() for key in ("date", "host_name"))
    return Origin(file.path, "Google Benchmark", version, machine, date=date, host=host)


recognise = written_as(r'\{\s*"context"\s*:\s*\{', '"library_build_type"')
FORMAT = Format(
    "google-benchmark", "Google Benchmark", recognise, read, default_metric="real_time", takes=("algorithm",)
)
