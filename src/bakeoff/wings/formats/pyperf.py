"""pyperf's JSON: values of benchmarks, several of each process, and processes of calibration without values."""

from collections.abc import Iterator, Sequence

from bakeoff.wings.formats.json_entries import JsonEntry, json_entry
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin, timed
from bakeoff.wings.formats.source_file import SourceFile, written_as

UNITS = {"second": "s", "byte": "B"}


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
                    yield timed(
                        _about(benchmark, common, "name") or file.stem,
                        file.name,
                        value,
                        metric="time" if unit == "second" else unit,
                        run=f"{file.part}{process}.{i}",
                        unit=UNITS.get(unit, unit),
                        origin=origin,
                    )


def _about(benchmark: JsonEntry, common: JsonEntry, key: str) -> str:
    """Metadata of a benchmark, else of the file."""
    own = benchmark.get("metadata", key).name()
    return own or ("" if common.null else common.get(key).name())


def _origin(file: SourceFile, common: JsonEntry) -> Origin:
    about = common.names()
    version, model, count, commit, date, host = (
        about.get(key, "")
        for key in ("perf_version", "cpu_model_name", "cpu_count", "commit_id", "commit_date", "hostname")
    )
    return Origin(file.path, "pyperf", version, f"{model} {count}".strip(), commit, date, host)


recognise = written_as(r"\{", '"benchmarks"', '"runs"', '"warmups"')
FORMAT = Format("pyperf", "pyperf", recognise, read, default_metric="time", takes=())
