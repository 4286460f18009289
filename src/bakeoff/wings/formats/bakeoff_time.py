"""The file of times of ``bakeoff time --store``: JSON lines by problem and round (docs/how-to/time.md)."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from bakeoff.errors import ReadingError
from bakeoff.files import loads_strictly
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin, part_name, timed
from bakeoff.wings.formats.source_file import SourceFile, written_as

SCHEMA = "bakeoff.time/1"


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem, command as algorithm, round as run; a labelled file is one build, whose commands are the problems."""
    for file in files:
        yield from _rounds(file)


def _rounds(file: SourceFile) -> Iterator[Measurement]:
    origins: dict[str, Origin] = {}
    with file.text() as lines:
        for number, line in enumerate(lines, start=1):
            if not line.endswith("\n"):  # of a process that was killed: the round did not finish
                break
            if not line.strip():
                continue
            try:
                entry = loads_strictly(line)
                if "schema" in entry:
                    origins[entry["problem"]] = _origin(file, entry)
                else:
                    yield from _round(file, entry, origins[entry["problem"]])
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                if isinstance(error, ReadingError):
                    raise
                raise ReadingError(f"{file.path}, line {number}: is no line of {SCHEMA} ({error!r})") from None


def _origin(file: SourceFile, entry: dict[str, Any]) -> Origin:
    if entry["schema"] != SCHEMA:
        raise ReadingError(f"{file.path} is of the schema {entry['schema']!r}; this bakeoff reads {SCHEMA!r}")
    machine = entry["machine"]
    about = f"{machine['cpu']}, {machine['cpus']} CPUs, {machine['system']}"
    return Origin(file.path, "bakeoff time", str(entry["version"]), about)


def _round(file: SourceFile, entry: dict[str, Any], origin: Origin) -> Iterator[Measurement]:
    for run in entry["runs"]:
        fine = run["status"] == "ok"
        seconds = float(run["seconds"]) if fine and not isinstance(run["seconds"], str | bool) else math.nan
        if fine and not seconds > 0:
            raise ValueError("seconds must be a number above 0 where the status is ok")
        problem, algorithm = entry["problem"], run["algorithm"]
        if file.label:
            problem, algorithm = part_name(problem, algorithm), file.label
        name, status = f"{file.part}{entry['round']}", str(run["status"])
        yield timed(problem, algorithm, seconds, run=name, run_kind="process", status=status, origin=origin)


# a report of ``time`` has this schema too, and then its verdict
recognise = written_as(r'\{\s*"schema"\s*:\s*"bakeoff\.time/[^"]*"(?!\s*,\s*"verdict")')
FORMAT = Format("bakeoff-time", "bakeoff time", recognise, read)
