"""pyperf's JSON: values of benchmarks, several of each process, and processes of calibration without values."""

from collections.abc import Iterator, Sequence

from bakeoff.wings.formats.json_entries import JsonEntry, json_entry
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin
from bakeoff.wings.formats.source_file import SourceFile

UNITS = {"second": "s", "byte": "B"}


def recognise(file: SourceFile) -> bool:
    head = file.text_head
    return head.lstrip().startswith("{") and '"benchmarks"' in head and '"runs"' in head and '"warmups"' in head


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: the benchmark; algorithm: the file's label; run: process and value, which is of one loop."""
    for file in files:
        report = json_entry(file)
        common = report.get("metadata")
        origin = _origin(file, common)
        for benchmark in report["benchmarks"].entries():
            unit = _about(benchmark, common, "unit") or "second"
            processes = [run for run in benchmark["runs"].entries() if not run.get("values").null]
            for process, run in enumerate(processes):
                for i, value in enumerate(run["values"].numbers()):
                    yield Measurement(
                        _about(benchmark, common, "name") or file.stem,
                        file.name,
                        value,
                        metric="time" if unit == "second" else unit,
                        better="lower",
                        run=f"{file.part}{process}.{i}",
                        run_kind="iteration",
                        unit=UNITS.get(unit, unit),
                        origin=origin,
                    )


def _about(benchmark: JsonEntry, common: JsonEntry, key: str) -> str:
    """Metadata of a benchmark, else of the file."""
    for place in (benchmark.get("metadata"), common):
        if not place.null and not place.get(key).null:
            return place.get(key).name()
    return ""


def _origin(file: SourceFile, common: JsonEntry) -> Origin:
    about = {} if common.null else {key: entry.name() for key, entry in common.items()}
    return Origin(
        file.path,
        "pyperf",
        version=about.get("perf_version", ""),
        machine=f"{about.get('cpu_model_name', '')} {about.get('cpu_count', '')}".strip(),
        commit=about.get("commit_id", ""),
        date=about.get("commit_date", ""),
        host=about.get("hostname", ""),
    )


FORMAT = Format("pyperf", "pyperf", recognise, read, default_metric="time", takes=())
