"""hyperfine's --export-json: commands timed in processes of their own."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from bakeoff.errors import ReadingError
from bakeoff.wings.formats.json_entries import JsonEntry, json_entry
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin, split_name, timed
from bakeoff.wings.formats.source_file import SourceFile, written_as

CSV = ("command", "mean", "stddev", "median", "user", "system", "min", "max")
_exported = written_as(r'\{\s*"results"\s*:\s*\[\s*\{\s*"command"')


def recognise(file: SourceFile) -> bool:
    return _exported(file) or file.columns[: len(CSV)] == CSV


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: the parameters, or a build's commands; algorithm: the label, a parameter, or the command.

    Files that have a label, and files that time the same commands, are a build each.
    """
    reports = [(file, _results(file)) for file in files]
    counts = Counter(command for _, results in reports for command in {result["command"].text() for result in results})
    repeated = any(count > 1 for count in counts.values())
    for file, results in reports:
        commands = Counter(result["command"].text() for result in results)
        build = file.name if repeated else file.label
        for result in results:
            problem, algorithm = _names(build, result, choices, commands[result["command"].text()] > 1)
            yield from _runs(file, result, problem, algorithm)


def _results(file: SourceFile) -> list[JsonEntry]:
    if file.columns[: len(CSV)] == CSV:
        raise ReadingError(f"{file.path} has only means of the times; have hyperfine write them: --export-json FILE")
    return json_entry(file)["results"].entries()


def _runs(file: SourceFile, result: JsonEntry, problem: str, algorithm: str) -> Iterator[Measurement]:
    """The time of each run, and its peak of memory (from hyperfine 1.19 on); a run that failed has neither."""
    if result.get("times").null:
        raise ReadingError(
            f"{result.place} has no times, only their mean; have hyperfine write them: --export-json FILE"
        )
    origin = Origin(file.path, "hyperfine")
    times = result["times"].numbers()
    codes = [0] * len(times) if result.get("exit_codes").null else [e.value for e in result["exit_codes"].entries()]
    memory = None if result.get("memory_usage_byte").null else result["memory_usage_byte"].numbers()
    if len(codes) != len(times) or (memory is not None and len(memory) != len(times)):
        raise ReadingError(f"{result.place} has {len(times)} times, but not as many exit codes or sizes of memory")
    for run, (seconds, code) in enumerate(zip(times, codes, strict=True)):
        status = "ok" if code == 0 else "killed" if code is None else "failed"
        of_run = partial(
            timed, problem, algorithm, run=f"{file.part}{run}", run_kind="process", status=status, origin=origin
        )
        yield of_run(seconds if code == 0 else math.nan)
        if memory:
            yield of_run(memory[run] if code == 0 else math.nan, metric="memory", unit="B")


def _names(build: str, result: JsonEntry, choices: Choices, repeated: bool) -> tuple[str, str]:
    """Problem and algorithm; of a build, its commands are the problems."""
    parameters = result.get("parameters").names()
    command = result["command"].text()
    if choices.algorithm is None and build:
        return split_name(command, parameters if repeated else {}, None, build)
    template = _template(command, parameters)
    problem, algorithm = split_name("", parameters, choices.algorithm, template, "must be a parameter of the commands")
    return problem or "command", algorithm


def _template(command: str, parameters: dict[str, str]) -> str:
    """The command before its parameters were filled in: ``seq {n}``."""
    for name, value in parameters.items():
        if value:
            command = f"{{{name}}}".join(re.split(rf"(?<!\w){re.escape(value)}(?!\w)", command))
    return command


FORMAT = Format("hyperfine", "hyperfine", recognise, read, default_metric="time", takes=("algorithm",))
