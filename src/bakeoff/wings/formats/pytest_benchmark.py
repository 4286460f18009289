"""pytest-benchmark's JSON: rounds of tests, all in one process."""

import re
from collections.abc import Iterator, Sequence

from bakeoff.errors import ParameterError, ReadingError
from bakeoff.wings.formats.json_entries import JsonEntry, json_entry
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin, part_name
from bakeoff.wings.formats.source_file import SourceFile


def recognise(file: SourceFile) -> bool:
    head = file.text_head
    return head.lstrip().startswith("{") and '"machine_info"' in head and '"benchmarks"' in head


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
                yield Measurement(
                    problem,
                    algorithm,
                    seconds,
                    metric="time",
                    better="lower",
                    run=f"{file.part}{run}",
                    run_kind="iteration",
                    unit="s",
                    origin=origin,
                )


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
    others = [f"{key}={value}" for key, value in parameters.items() if key != name]
    return part_name(fullname.partition("[")[0], *others), algorithm


def _value(entry: JsonEntry) -> str:
    """``UNSERIALIZABLE[<function f at 0x7fed>]``: what stays the same from one process to the next."""
    text = entry.name() if not isinstance(entry.value, dict | list) else str(entry.value)
    if match := re.fullmatch(r"UNSERIALIZABLE\[(.*)\]", text, re.DOTALL):
        text = re.sub(r" at 0x[0-9a-fA-F]+", "", match[1])
    return text


def _origin(file: SourceFile, report: JsonEntry) -> Origin:
    commit, machine = report.get("commit_info"), report["machine_info"]
    cpu = machine.get("cpu")
    model = "" if cpu.null else f"{cpu.get('brand_raw').name()} {cpu.get('count').name()}"
    return Origin(
        file.path,
        "pytest-benchmark",
        version=report.get("version").name(),
        machine=model.strip(),
        commit="" if commit.null else commit.get("id").name(),
        date=report.get("datetime").name(),
        host=machine.get("node").name(),
    )


FORMAT = Format("pytest-benchmark", "pytest-benchmark", recognise, read, takes=("algorithm",))
