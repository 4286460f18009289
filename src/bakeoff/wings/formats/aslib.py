"""ASlib scenarios: algorithm_runs.arff, and beside it description.txt, which says what is measured."""

import csv
import math
import os
import re
from collections.abc import Iterator, Sequence
from functools import partial

from bakeoff.errors import ReadingError
from bakeoff.scores import Better
from bakeoff.scores.runs import status_word
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin, status_of
from bakeoff.wings.formats.source_file import SourceFile
from bakeoff.wings.formats.tabular import number_at

ATTRIBUTE = re.compile(r"@attribute\s+(?:'([^']*)'|\"([^\"]*)\"|(\S+))\s", re.IGNORECASE)
TIMES = ("runtime", "time")
KEYS = ("instance_id", "repetition", "algorithm", "runstatus")


def recognise(file: SourceFile) -> bool:
    names = {next(filter(None, match)).lower() for match in ATTRIBUTE.findall(file.text_head)}
    return {"instance_id", "algorithm", "runstatus"} <= names


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: the instance; run: the repetition; score: runtime, or a quality whose direction is described."""
    for file in files:
        names, lines = _parts(file)
        origin = Origin(file.path, "ASlib")
        for number, line in lines:
            fields = [field.strip() for field in next(csv.reader([line], quotechar="'", skipinitialspace=True))]
            if len(fields) != len(names):
                raise ReadingError(f"{file.path}, line {number}: {len(fields)} values of {len(names)} attributes")
            row = dict(zip(names, fields, strict=True))
            ended = status_word(row["runstatus"])
            of_run = partial(
                Measurement, row["instance_id"], row["algorithm"], run=row.get("repetition", "1"), run_kind="seed"
            )
            for measure in (name for name in names if name not in KEYS):
                score = number_at(row[measure], f"{file.path}, line {number}, {measure}")
                score, status = (score, status_of(score)) if ended == "ok" else (math.nan, ended)
                better, unit = _direction(file, measure), "s" if measure.lower() in TIMES else None
                yield of_run(score, measure, better, unit=unit, status=status, origin=origin)


def _parts(file: SourceFile) -> tuple[list[str], Iterator[tuple[int, str]]]:
    """The names of the attributes, and the numbered lines of data."""
    names: list[str] = []
    lines = enumerate(file.lines(), 1)
    for _, line in lines:
        if match := ATTRIBUTE.match(line.strip()):
            name = next(filter(None, match.groups()))
            names.append(name.lower() if name.lower() in KEYS else name)
        elif line.strip().lower().startswith("@data"):
            break
    return names, ((number, line) for number, line in lines if line.strip() and not line.startswith("%"))


def _direction(file: SourceFile, measure: str) -> Better | None:
    """As description.txt says; a runtime is better lower. Its lists are ``[a, b]`` or lines that begin with a dash."""
    place = os.path.join(os.path.dirname(file.path), "description.txt")
    if not file.in_memory and os.path.isfile(place):
        text = "\n".join(SourceFile(place).lines())
        measures, maximize = (_listed(text, key) for key in ("performance_measures", "maximize"))
        if measure in measures and len(maximize) == len(measures):
            return "higher" if maximize[measures.index(measure)].lower() in ("true", "yes") else "lower"
    return "lower" if measure.lower() in TIMES else None


def _listed(text: str, key: str) -> list[str]:
    match = re.search(rf"^{key}:[ \t]*(.*(?:\n[ \t]*-.*)*)", text, re.MULTILINE)
    words = re.split(r"[\n,]", match[1]) if match else []
    return [word for each in words if (word := each.strip(" \t-[]'\""))]


FORMAT = Format(
    "aslib",
    "ASlib",
    recognise,
    read,
    default_metric="runtime",
    takes=(),
    beside=r".*\.arff|description\.txt|citation\.bib|readme.*|licen[cs]e.*",
)
