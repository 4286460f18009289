"""Output of ``go test -bench``: value and unit pairs, a line per repetition (``-count``)."""

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from bakeoff.errors import ReadingError
from bakeoff.scores import Better
from bakeoff.wings.formats.measurement import PER_SECOND, Choices, Format, Measurement, Origin, part_name, timed
from bakeoff.wings.formats.source_file import SourceFile

LINE = re.compile(r"(Benchmark\S*)\s+\d+\s+(\d\S*\s+\S.*)$")
ENDED = re.compile(r"\s*--- (FAIL|SKIP): (Benchmark\S*)")
UNIT = re.compile(r"Unit\s+(\S+)\s.*\bbetter=(higher|lower)\b")
ABOUT = ("goos", "goarch", "pkg", "cpu")
STATUS = {"FAIL": "failed", "SKIP": "skipped"}


TEST_JSON = re.compile(r'\s*\{"(Time|Action|ImportPath)"\s*:')
"""The first event of ``go test -json``."""


class Line(NamedTuple):
    package: str
    name: str
    machine: str
    pairs: str = ""  # of a benchmark that ended well
    status: str = "ok"


def recognise(file: SourceFile) -> bool:
    head = file.text_head
    if "Benchmark" not in head:  # found at once, where the patterns below look at every line
        return False
    if TEST_JSON.match(head):
        return "/op" in head
    ran = re.search(r"^Benchmark\S*\s+\d+\s+[\d.e+]+ \S+/\S+", head, re.MULTILINE)
    failed = re.search(r"^goos: \S+$", head, re.MULTILINE) and re.search(
        r"^[ \t]*--- (FAIL|SKIP): Benchmark", head, re.MULTILINE
    )
    return bool(ran or failed)


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: package and name; algorithm: the file's label; run: the repetition, within one process."""
    for file in files:
        directions: dict[str, Better] = {}
        lines = _without_parents(list(_lines(file, directions)))
        cores = _cores(lines)
        seen: Counter[str] = Counter()
        for line in lines:
            threads = cores.get(line.package, "")
            name = line.name.removesuffix(f"-{threads}") if threads else line.name
            problem = f"{line.package}.{name}" if line.package else name
            origin = Origin(file.path, "go test", machine=f"{line.machine} {threads}".strip())
            run = f"{file.part}{seen[problem]}"
            seen[problem] += 1
            for metric, value, unit in _pairs(line, choices.metric, file):
                better = directions.get(unit) or _direction(metric)
                of_run = partial(timed, run=run, status=line.status, origin=origin)
                yield of_run(problem, file.name, value, metric=metric, better=better, unit=unit)


def _lines(file: SourceFile, directions: dict[str, Better]) -> Iterator[Line]:
    """Those of benchmarks; ``directions`` is filled with the directions of units that the file gives."""
    about = dict.fromkeys(ABOUT, "")
    for text in _text_lines(file):
        key, _, value = text.partition(": ")
        if key in about:
            about[key] = value.strip()
        elif match := UNIT.match(text):
            directions[match[1]] = "higher" if match[2] == "higher" else "lower"
        elif match := LINE.match(text):
            yield Line(about["pkg"], match[1], _machine(about), pairs=match[2])
        elif match := ENDED.match(text):
            yield Line(about["pkg"], match[2], _machine(about), status=STATUS[match[1]])


def _text_lines(file: SourceFile) -> Iterator[str]:
    """The lines as printed; of ``go test -json`` those of each package together, put together from its events."""
    if not TEST_JSON.match(file.text_head):
        yield from file.lines()
        return
    printed: dict[str, list[str]] = {}
    for number, line in enumerate(file.lines(), 1):
        try:
            event = json.loads(line) if line.strip() else {}
        except ValueError as error:
            raise ReadingError(f"{file.path}, line {number}: not JSON: {error}") from None
        if isinstance(event, dict) and event.get("Action") == "output":
            printed.setdefault(str(event.get("Package", "")), []).append(str(event.get("Output", "")))
    for package, pieces in printed.items():
        yield f"pkg: {package}"
        yield from "".join(pieces).split("\n")


def _machine(about: dict[str, str]) -> str:
    """The processor; not every system tells it."""
    return about["cpu"] or part_name(about["goos"], about["goarch"])


def _without_parents(lines: list[Line]) -> list[Line]:
    """A benchmark of sub-benchmarks measures nothing, and fails with each of them."""
    parents = {(line.package, line.name[: at.start()]) for line in lines for at in re.finditer("/", line.name)}
    return [line for line in lines if line.status == "ok" or (line.package, line.name) not in parents]


def _cores(lines: Sequence[Line]) -> dict[str, str]:
    """GOMAXPROCS of each package, if all its names end in it: of ``-cpu 1,2`` and of ``size-8`` it is the name's."""
    ends: dict[str, set[str]] = {}
    for line in lines:
        if line.status == "ok":
            ends.setdefault(line.package, set()).add(match[1] if (match := re.search(r"-(\d+)$", line.name)) else "")
    return {package: next(iter(match)) for package, match in ends.items() if len(match) == 1}


def _direction(metric: str) -> Better | None:
    """Lower is better for what an operation takes, higher for what a second does; of other units the user says it."""
    if metric == "time" or metric.endswith("/op"):
        return "lower"
    return "higher" if metric.endswith("/s") else None


def _pairs(line: Line, only: str | None, file: SourceFile) -> Iterator[tuple[str, float, str]]:
    """``522.2 ns/op   536 B/op``: a metric per unit; rates are better higher."""
    if line.status != "ok":
        for metric in dict.fromkeys(("time", only or "time")):
            yield metric, math.nan, "s" if metric == "time" else metric
        return
    words = line.pairs.split()
    for value, unit in zip(words[::2], words[1::2], strict=False):
        try:
            number = float(value)
        except ValueError:
            raise ReadingError(f"{file.path}: {line.name}: {value!r} is not a number") from None
        yield ("time", number / PER_SECOND["ns"], "s") if unit == "ns/op" else (unit, number, unit)


FORMAT = Format("go", "go test -bench", recognise, read, default_metric="time", takes=())
