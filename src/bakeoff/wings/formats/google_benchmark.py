"""Google Benchmark's --benchmark_format=json: repetitions in one process, with aggregates among them."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bakeoff.errors import ParameterError, ReadingError, listing
from bakeoff.wings.formats.json_entries import JsonEntry, json_entry
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin, part_name
from bakeoff.wings.formats.source_file import SourceFile

PER_SECOND = {"ns": 1e9, "us": 1e6, "ms": 1e3, "s": 1.0}
TIMES = ("real_time", "cpu_time")
AGGREGATES = re.compile(r"_(mean|median|stddev|cv|BigO|RMS)$")


def recognise(file: SourceFile) -> bool:
    head = file.text_head
    return bool(re.match(r'\s*\{\s*"context"\s*:\s*\{', head)) and '"library_build_type"' in head


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: the benchmark; algorithm: the file's label, or a part of the name; run: the repetition."""
    for file in files:
        report = json_entry(file)
        rows = report["benchmarks"].entries()
        single = [row for row in rows if not _aggregate(row)]
        _refuse_aggregates_alone(file, rows, single)
        origin = _origin(file, report["context"])
        seen: dict[str, int] = {}
        counted = any(str(choices.metric) in row for row in single)
        for row in single:
            name = _name(row)
            seen[name] = repetition = seen.get(name, -1) + 1
            yield from _metrics(
                row,
                name,
                f"{file.part}{repetition}",
                file,
                choices if counted else replace(choices, metric=None),
                origin,
            )


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
        time = metric in TIMES
        value = math.nan if status != "ok" else row[metric].number()
        yield Measurement(
            problem,
            algorithm,
            value / _per_second(row) if time else value,
            metric=metric,
            better="lower" if time else "higher" if metric.endswith("_per_second") else None,
            run=run,
            run_kind="iteration",
            unit="s" if time else "1/s" if metric.endswith("_per_second") else None,
            status=status,
            origin=origin,
        )


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
    return Origin(
        file.path,
        "Google Benchmark",
        version=" ".join(context.get(key).name() for key in ("library_version", "library_build_type")).strip(),
        machine=f"{context.get('num_cpus').name()} processors" + (f", caches {' '.join(sizes)}" if sizes else ""),
        date=context.get("date").name(),
        host=context.get("host_name").name(),
    )


FORMAT = Format(
    "google-benchmark", "Google Benchmark", recognise, read, default_metric="real_time", takes=("algorithm",)
)
