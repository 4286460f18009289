"""airspeed velocity: a folder of results per machine, a file per commit and environment."""

import ast
import itertools
import math
import os
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial

from bakeoff.errors import ReadingError, listing
from bakeoff.wings.formats.json_entries import JsonEntry, json_entry
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin, split_name
from bakeoff.wings.formats.source_file import SourceFile

Entries = dict[str, JsonEntry]
KINDS = {  # type -> metric, unit
    "time": ("time", "s"),
    "timeraw": ("time", "s"),
    "memory": ("memory of an object", "B"),
    "peakmemory": ("peak memory", "B"),
    "track": ("tracked value", None),
}
MOST_COMBINATIONS = 1 << 20
MEDIAN = "median time"
"""What asv keeps of a time without --record-samples: one number for each version."""
PREFIXES = {"time": "time", "timeraw": "timeraw", "mem": "memory", "peakmem": "peakmemory", "track": "track"}


_VERSIONS = re.compile(r'\{\s*"benchmark_version":\s*\{\s*"[^"]+":\s*"[0-9a-f]{64}"')  # before all else, and long
_DATE = re.compile(r'"date":\s*\d{11,14}\b')


def recognise(file: SourceFile) -> bool:
    """Take the first format, too, which has no columns: then its date is in milliseconds beside parameters."""
    head = file.text_head.lstrip()
    known = '"result_columns"' in head or ('"params"' in head and _DATE.search(head))
    return head.startswith("{") and bool(('"commit_hash"' in head and known) or _VERSIONS.match(head))


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: benchmark and parameters; algorithm: the label, the commit, or a parameter."""
    reports = [(file, json_entry(file)) for file in files]
    if not any(file.label for file in files):  # commits in the order of time, as a history has them
        reports.sort(key=lambda each: _date(each[1].get("date")))
    _refuse_mixtures(reports)
    environments = {report.get("env_name").name() for _, report in reports}
    for file, report in reports:
        commit = report["commit_hash"].text()
        label = file.label or (commit[:8] if len(environments) == 1 else file.stem)
        known = _benchmarks(file)
        for name, row in _rows(report):
            yield from _measured(name, row, known.get(name), label, choices, file.part, _origin(file, report, commit))


def _rows(report: JsonEntry) -> Iterator[tuple[str, Entries]]:
    """Each benchmark with what is known of it, by column.

    In the first format it is a number, or an object; without samples, the number is the only one there can be.
    """
    columns = [column.text() for column in report["result_columns"].entries()] if "result_columns" in report else []
    versions = report.get("benchmark_version") if "benchmark_version" in report else JsonEntry({}, "")
    for name, row in report["results"].items():
        if columns:
            values = dict(zip(columns, row.entries(), strict=False))
        else:
            about = dict(row.value) if isinstance(row.value, dict) else {"result": [row.value]}
            if isinstance(about.get("result"), list):
                about.setdefault("samples", [[one] for one in about["result"]])
            values = dict(JsonEntry(about, row.file, row.path).items()) | {"version": versions.get(name)}
        yield name, {column: value for column, value in values.items() if not value.null}


def _measured(
    name: str, row: Entries, about: JsonEntry | None, label: str, choices: Choices, part: str, origin: Origin
) -> Iterator[Measurement]:
    """Every combination of the parameters; the last one changes fastest. Null has failed, NaN was skipped."""
    kind = _kind(name, about)
    metric, unit = KINDS[kind]
    if metric == "time" and choices.metric == MEDIAN:
        metric = MEDIAN
    if kind == "track" and about is not None:
        unit = about.get("unit").name() or None
    values = [[each.name() for each in axis.entries()] for axis in row["params"].entries()] if "params" in row else []
    count = math.prod(map(len, values))
    results = row["result"].entries() if "result" in row else [None] * min(count, MOST_COMBINATIONS)
    samples = row["samples"].entries() if "samples" in row else [None] * min(count, MOST_COMBINATIONS)
    if len(results) != count or len(samples) != count:
        raise ReadingError(f"{origin.file}: {name} has {count:.4g} combinations of parameters, not as many results")
    of_benchmark = partial(
        Measurement,
        metric=metric,
        better=None if kind == "track" else "lower",
        run_kind="iteration" if metric == "time" else "process",
        unit=unit,
        origin=origin,
        version=row["version"].name() if "version" in row else "",
    )
    combinations = itertools.product(*values)
    for combination, result, sample in zip(combinations, results, samples, strict=True):
        problem, algorithm = _names(name, about, combination, label, choices.algorithm)
        for run, (value, status) in enumerate(_runs(name, kind, result, sample, choices.metric)):
            yield of_benchmark(problem, algorithm, value, run=f"{part}{run}", status=status)


def _runs(
    name: str, kind: str, result: JsonEntry | None, sample: JsonEntry | None, metric: str | None
) -> list[tuple[float, str]]:
    """The samples of a time; memory and tracked values are measured once."""
    if result is None or result.null:
        return [(math.nan, "failed")]
    value = result.number()
    if math.isnan(value):
        return [(math.nan, "skipped")]
    if not kind.startswith("time") or metric == MEDIAN:
        return [(value, "ok")]
    if sample is None or sample.null:
        if metric not in (None, "time"):
            return []
        raise ReadingError(
            f"{result.file}: {name} has no samples, only their median; have asv write them: asv run --record-samples. "
            f"A history takes the medians: metric={MEDIAN!r}"
        )
    return [(seconds, "ok") for seconds in sample.numbers()]


def _names(
    name: str, about: JsonEntry | None, combination: tuple[str, ...], label: str, metric: str | None
) -> tuple[str, str]:
    names = [] if about is None or about.get("param_names").null else [e.name() for e in about["param_names"].entries()]
    names += [f"param{i + 1}" for i in range(len(names), len(combination))]
    return split_name(name, dict(zip(names, map(_unquoted, combination), strict=False)), metric, label)


def _unquoted(text: str) -> str:
    """Parameters are written as Python shows them: ``'list'``."""
    if text[:1] in "'\"":
        try:
            return str(ast.literal_eval(text))
        except (ValueError, SyntaxError):
            return text
    return text


def _kind(name: str, about: JsonEntry | None) -> str:
    """As benchmarks.json says; without it, as asv tells from the name."""
    if about is not None and (kind := about.get("type").name()) in KINDS:
        return kind
    word = name.rpartition(".")[2].partition("_")[0].lower()
    if word not in PREFIXES:
        raise ReadingError(f"benchmark {name!r}: neither its name nor a benchmarks.json says what it measures")
    return PREFIXES[word]


def _benchmarks(file: SourceFile) -> Entries:
    """benchmarks.json, beside the folders of machines."""
    if file.in_memory:
        return {}
    folder = os.path.dirname(os.path.abspath(file.path))
    for place in (os.path.join(folder, "benchmarks.json"), os.path.join(os.path.dirname(folder), "benchmarks.json")):
        if os.path.isfile(place):
            return {key: e for key, e in json_entry(SourceFile(place)).items() if isinstance(e.value, dict)}
    return {}


def _refuse_mixtures(reports: Sequence[tuple[SourceFile, JsonEntry]]) -> None:
    commits: dict[str, str] = {}
    for file, report in reports:
        commit = report["commit_hash"].text()
        if file.label and commits.setdefault(file.label, commit) != commit:
            raise ReadingError(f"{file.label!r} names results of several commits; give each its own label, or none")
    machines = {report["params"].get("machine").name() for _, report in reports}
    if len(machines) > 1 and not all(file.label for file, _ in reports):
        raise ReadingError(f"the results are of several machines ({listing(sorted(machines))}); give the folder of one")


def _origin(file: SourceFile, report: JsonEntry, commit: str) -> Origin:
    cpu, count, host = (report["params"].get(key).name() for key in ("cpu", "num_cpu", "machine"))
    return Origin(file.path, "asv", "", f"{cpu} {count}".strip(), commit, _date(report.get("date")), host)


def _date(milliseconds: JsonEntry) -> str:
    if milliseconds.null:
        return ""
    try:
        return datetime.fromtimestamp(milliseconds.number() / 1000, UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        raise milliseconds.wrong("a date, in milliseconds") from None


NAMES = {prefix: KINDS[kind][0] for prefix, kind in PREFIXES.items() if kind in KINDS}
"""asv's own names of what it measures: peakmem."""

FORMAT = Format(
    "asv",
    "asv",
    recognise,
    read,
    default_metric="time",
    beside=r"(machine|benchmarks)\.json",
    takes=("algorithm",),
    metrics=NAMES,
)
