"""hyperfine's --export-json: commands timed in processes of their own."""

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

from bakeoff.adapters.measurement import Choices, Format, Measurement, Origin, part_name
from bakeoff.adapters.source_file import SourceFile
from bakeoff.errors import ParameterError, ReadingError


def recognise(file: SourceFile) -> bool:
    text = file.text_head
    return bool(re.match(r'\s*\{\s*"results"\s*:\s*\[\s*\{\s*"command"', text))


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: the parameters (else the command); algorithm: the label of the file, a parameter, or the command."""
    for file in files:
        for result in file.json()["results"]:
            yield from _runs(file, result, choices)


def _runs(file: SourceFile, result: dict[str, Any], choices: Choices) -> Iterator[Measurement]:
    if "times" not in result:
        raise ReadingError(f"{file.path}: {result['command']!r} has no times, only their mean; export JSON, not CSV")
    problem, algorithm = _names(file, result, choices)
    codes = result.get("exit_codes") or [0] * len(result["times"])
    for run, (seconds, code) in enumerate(zip(result["times"], codes, strict=True)):
        fine = code == 0
        yield Measurement(
            problem,
            algorithm,
            seconds if fine else math.nan,
            metric="time",
            better="lower",
            run=f"{file.part}{run}",
            run_kind="process",
            unit="s",
            status="ok" if fine else "failed" if code is not None else "killed",
            origin=Origin(file.path, "hyperfine"),
        )


def _names(file: SourceFile, result: dict[str, Any], choices: Choices) -> tuple[str, str]:
    """A labelled file is one build, whose commands are the problems."""
    parameters = dict(result.get("parameters") or {})
    if choices.algorithm is not None:
        if choices.algorithm not in parameters:
            rule = f"must be a parameter of the commands ({', '.join(parameters) or 'there is none'})"
            raise ParameterError(f"{rule}; got {choices.algorithm!r}", parameter="algorithm")
        algorithm = parameters.pop(choices.algorithm)
    elif file.label:
        return result["command"], file.label
    else:
        algorithm = result["command"]
    return part_name(*(f"{name}={value}" for name, value in parameters.items())) or "command", algorithm


FORMAT = Format("hyperfine", "hyperfine", recognise, read)
