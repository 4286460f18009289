"""js-framework-benchmark's JSON: records of framework and benchmark with the values of the runs."""

from collections.abc import Iterator, Sequence

from bakeoff.wings.formats.json_entries import JsonEntry, json_entry
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin
from bakeoff.wings.formats.source_file import SourceFile

PER_SECOND = 1e3
"""Its times (type "cpu") are in milliseconds."""


def recognise(file: SourceFile) -> bool:
    head = file.text_head
    return head.lstrip()[:1] in ("[", "{") and all(key in head for key in ('"framework"', '"benchmark"', '"values"'))


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: the benchmark; algorithm: the framework; metric: total, script, …, or the values without a name."""
    for file in files:
        report = json_entry(file)
        records = report.entries() if isinstance(report.value, list) else [report]
        for record in records:
            time = not record.get("type").null and record["type"].name() == "cpu"
            for metric, values in _values(record["values"]):
                for run, value in enumerate(values):
                    yield Measurement(
                        record["benchmark"].text(),
                        record["framework"].text(),
                        value / PER_SECOND if time else value,
                        metric,
                        "lower",
                        str(run),
                        unit="s" if time else None,
                        origin=Origin(file.path, "js-framework-benchmark"),
                    )


def _values(values: JsonEntry) -> Iterator[tuple[str, list[float]]]:
    """A list; or one for each metric, perhaps among statistics of it."""
    if isinstance(values.value, list):
        yield "total", list(values.numbers())
        return
    for metric, entry in values.items():
        numbers = entry["values"] if isinstance(entry.value, dict) else entry
        yield metric, list(numbers.numbers())


FORMAT = Format("js-framework-benchmark", "js-framework-benchmark", recognise, read, default_metric="total", takes=())
