"""pytest-benchmark's JSON: rounds of tests, all in one process."""

import re
from collections.abc import Iterator, Sequence

from bakeoff.errors import ParameterError, ReadingError
from bakeoff.wings.formats.json_entries import JsonEntry, json_entry
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin, assignments, part_name, timed
from bakeoff.wings.formats.source_file import SourceFile, written_as


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: the test; algorithm: the file's label, or a parameter of the tests; run: the round."""
    for file in files:
        report = json_entry(file)
        origin = _origin(file, report)
        for test in report["benchmarks"].entries():
            stats = test["stats"]
            if stats.get("data").null:
                raise ReadingError(
                    f"{stats.place} has no single times: --benchmark-save drops them. Add --benchmark-save-data, "
                    "or write the file with --benchmark-json=FILE"
                )
            problem, algorithm = _names(file, test, choices.algorithm)
            for run, seconds in enumerate(stats["data"].numbers()):
                yield timed(problem, algorithm, seconds, run=f"{file.part}{run}", origin=origin)


def _names(file: SourceFile, test: JsonEntry, metric: str | None) -> tuple[str, str]:
    """Test and label; where a parameter is the algorithm, the test's other parameters name the problem."""
    fullname = test["fullname"].text()
    if metric is None:
        return fullname, file.name
    room, _, name = metric.rpartition(".")
    if room not in ("", "params", "extra_info"):
        rule = "must be a parameter of the tests (params.NAME) or of their extra_info (extra_info.NAME)"
        raise ParameterError(f"{rule}; got {metric!r}", parameter="algorithm")
    parameters = {} if test.get("params").null else {key: _value(value) for key, value in test["params"].items()}
    about = parameters if room != "extra_info" else {key: _value(value) for key, value in test["extra_info"].items()}
    if name not in about:
        rule = f"must be known of every test; {fullname!r} has {', '.join(about) or 'none'}"
        raise ParameterError(f"{rule}. Write a file of the tests that have it (pytest -k)", parameter="algorithm")
    algorithm = about[name]
    if room == "extra_info":
        return fullname, algorithm
    del parameters[name]
    return part_name(fullname.partition("[")[0], *assignments(parameters)), algorithm


def _value(entry: JsonEntry) -> str:
    """``UNSERIALIZABLE[<function f at 0x7fed>]``: what stays the same from one process to the next."""
    text = entry.name() if not isinstance(entry.value, dict | list) else str(entry.value)
    if match := re.fullmatch(r"UNSERIALIZABLE\[(.*)\]", text, re.DOTALL):
        text = re.sub(r" at 0x[0-9a-fA-F]+", "", match[1])
    return text


def _origin(file: SourceFile, report: JsonEntry) -> Origin:
    machine = report["machine_info"]
    model = " ".join(machine.get("cpu", key).name() for key in ("brand_raw", "count"))
    commit, date = report.get("commit_info", "id").name(), report.get("datetime").name()
    about = (report.get("version").name(), model.strip(), commit, date, machine.get("node").name())
    return Origin(file.path, "pytest-benchmark", *about)


recognise = written_as(r"\{", '"machine_info"', '"benchmarks"')
FORMAT = Format("pytest-benchmark", "pytest-benchmark", recognise, read, takes=("algorithm",))
