"""js-framework-benchmark's JSON: records of framework and benchmark with the values of the runs."""

from collections.abc import Iterator, Sequence

from bakeoff.wings.formats.json_entries import JsonEntry, json_entry
from bakeoff.wings.formats.measurement import PER_SECOND, Choices, Format, Measurement, Origin
from bakeoff.wings.formats.source_file import SourceFile, written_as


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: the benchmark; algorithm: the framework; metric: total, script, …, or the values without a name."""
    for file in files:
        report = json_entry(file)
        origin = Origin(file.path, "js-framework-benchmark")
        records = report.entries() if isinstance(report.value, list) else [report]
        for record in records:
            time = record.get("type").name() == "cpu"  # in milliseconds
            for metric, values in _values(record["values"]):
                for run, value in enumerate(values):
                    score, unit = (value / PER_SECOND["ms"], "s") if time else (value, None)
                    problem, algorithm = record["benchmark"].text(), record["framework"].text()
                    yield Measurement(problem, algorithm, score, metric, "lower", str(run), unit=unit, origin=origin)


def _values(values: JsonEntry) -> Iterator[tuple[str, list[float]]]:
    """A list; or one for each metric, perhaps among statistics of it."""
    if isinstance(values.value, list):
        yield "total", list(values.numbers())
        return
    for metric, entry in values.items():
        numbers = entry["values"] if isinstance(entry.value, dict) else entry
        yield metric, list(numbers.numbers())


recognise = written_as(r"[\[{]", '"framework"', '"benchmark"', '"values"')
FORMAT = Format("js-framework-benchmark", "js-framework-benchmark", recognise, read, default_metric="total", takes=())
