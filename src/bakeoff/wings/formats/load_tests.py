"""Load tests: Locust's statistics (``--csv``), and k6's summary of a test or its samples."""

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from bakeoff.errors import ReadingError
from bakeoff.scores import Better
from bakeoff.wings.formats.json_entries import JsonEntry, json_entry
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin, status_of, timed
from bakeoff.wings.formats.source_file import SourceFile
from bakeoff.wings.formats.tabular import number_at

MILLI = 1e3
REQUESTS = ("Type", "Name", "Request Count", "Failure Count")
TIME = re.compile(r"(Median|Average|Min|Max) Response Time|[\d.]+%")
ANSWERED = "expected_response:true"
OWN_TIMES = re.compile(r"(http_req|grpc_req|iteration|group|ws|browser)_")
SAMPLES = "metric_name,timestamp,metric_value"


def is_locust(file: SourceFile) -> bool:
    return file.columns[: len(REQUESTS)] == REQUESTS


def read_locust(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: the request; each file is one test. Its times contain failed requests: where some failed, it has none.

    ``--metric "Average Response Time"`` takes the mean of all of them, as it is written.
    """
    for file in files:
        for row in file.records():
            if row["Name"] in ("Aggregated", "Total") and row["Type"] in ("", "Aggregated", None):
                continue
            problem = f"{row['Type'] or ''} {row['Name']}".strip()
            failures, count = (_number(file, row, name) for name in ("Failure Count", "Request Count"))
            status = f"{failures:g} of {count:g} requests failed" if failures else "ok"
            time = math.nan if failures else _number(file, row, "Average Response Time")
            yield _test(file, "Locust", problem, time, "time", "lower", status)
            for name in (each for each in row if each and (TIME.fullmatch(each) or each == "Requests/s")):
                better: Better = "higher" if name == "Requests/s" else "lower"
                yield _test(file, "Locust", problem, _number(file, row, name), name, better)


def _number(file: SourceFile, row: Mapping[str, Any], name: str) -> float:
    return number_at(str(row.get(name) or ""), f"{file.path}: {row['Name']}, {name}")


def _test(
    file: SourceFile,
    tool: str,
    problem: str,
    value: float,
    metric: str,
    better: Better | None,
    status: str = "ok",
    run: int = 0,
) -> Measurement:
    """A measurement of one test, a process; what is better lower is a time, in milliseconds."""
    score, unit = (value / MILLI, "s") if better == "lower" else (value, None)
    known = status_of(value) if status == "ok" else status
    of_run = partial(timed, run=f"{file.part}{run}", status=known, origin=Origin(file.path, tool))
    return of_run(problem, file.name, score, metric=metric, better=better, unit=unit)


def is_k6(file: SourceFile) -> bool:
    head = file.text_head.lstrip()
    summary = head.startswith("{") and '"metrics"' in head and re.search(r'"(data_sent|iterations|vus|http_reqs)', head)
    return bool(summary) or _has_samples(head)


def _has_samples(head: str) -> bool:
    return head.startswith(SAMPLES) or bool(re.match(r'\{"(type|metric)":', head) and '"type":"Point"' in head)


def read_k6(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: a part of the metric by one tag, or its whole; of samples the request. Only answered ones have times."""
    for file in files:
        if _has_samples(file.text_head.lstrip()):
            yield from _sampled(file, choices.metric or "http_req_duration")
            continue
        metrics = dict(json_entry(file)["metrics"].items())
        for name, entry in metrics.items():
            about = _values(entry)
            if "avg" in about and "{" not in name:
                time = bool(OWN_TIMES.match(name)) or ("contains" in entry and entry["contains"].value == "time")
                for problem, part in _parts(metrics, name):
                    yield _test(file, "k6", problem, part["avg"].number(), name, "lower" if time else None)
            elif name in ("http_reqs", "iterations") and "rate" in about:
                yield _test(file, "k6", name, about["rate"].number(), name, "higher")


def _parts(metrics: Mapping[str, JsonEntry], name: str) -> Iterator[tuple[str, JsonEntry]]:
    """The parts of a metric by one tag (``{name:/a}``), which its whole sums up; else its whole, of answered ones."""
    parts = {key[len(name) + 1 : -1]: part for key, part in metrics.items() if key.startswith(f"{name}{{")}
    whole = parts.pop(ANSWERED, metrics[name])
    if len({tags.partition(":")[0] for tags in parts}) != 1 or any("," in tags for tags in parts):
        parts = {name: whole}
    for problem, part in parts.items():
        yield problem, _values(part)


def _values(entry: JsonEntry) -> JsonEntry:
    """Those of ``handleSummary`` lie deeper than those of ``--summary-export``."""
    values = entry.get("values")
    return entry if values.null else values


def _sampled(file: SourceFile, metric: str) -> Iterator[Measurement]:
    """The requests one by one (``--out csv``, ``--out json``): iterations of one process."""
    seen: Counter[str] = Counter()
    better: Better | None = "lower" if OWN_TIMES.match(metric) else None
    for name, value, tags in _samples(file):
        if name == metric:
            problem = f"{tags.get('method') or ''} {tags.get('name') or tags.get('url') or ''}".strip() or metric
            failed = str(tags.get("expected_response")).lower() == "false"
            score, status = (math.nan, "failed") if failed else (value, "ok")
            yield _test(file, "k6", problem, score, metric, better, status, seen[problem])
            seen[problem] += 1


def _samples(file: SourceFile) -> Iterator[tuple[str, float, Mapping[str, Any]]]:
    if file.columns:
        for row in file.records():
            yield str(row["metric_name"]), _number(file, {**row, "Name": row["metric_name"]}, "metric_value"), row
        return
    for number, line in enumerate(file.lines(), 1):
        try:
            event = json.loads(line) if line.strip() else {}
            if event.get("type") == "Point":
                yield event["metric"], float(event["data"]["value"]), event["data"].get("tags") or {}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ReadingError(f"{file.path}, line {number}: no sample of k6: {error!r}") from None


FORMATS = {
    "locust": Format(
        "locust",
        "Locust",
        is_locust,
        read_locust,
        default_metric="time",
        beside=r".*(_stats_history|_failures|_exceptions)\.csv",
        takes=(),
    ),
    "k6": Format("k6", "k6", is_k6, read_k6, default_metric="http_req_duration", takes=()),
}
