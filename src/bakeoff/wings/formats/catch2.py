"""Catch2's XML reporter (``--reporter xml``): the mean time of each benchmark of one process."""

import math
from collections.abc import Iterator, Sequence

from bakeoff.errors import ReadingError
from bakeoff.wings.formats.measurement import (
    PER_SECOND,
    Choices,
    Format,
    Measurement,
    Origin,
    part_name,
    status_of,
    timed,
)
from bakeoff.wings.formats.source_file import SourceFile

XML = ("<Catch2TestRun", "<Catch name=")
OUTER = ("Group", "TestCase", "Section")


def recognise(file: SourceFile) -> bool:
    head = file.text_head
    return any(tag in head for tag in XML) or '"catch2-version"' in head


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: test case, sections and benchmark; algorithm: the file's label; a file is one process."""
    for file in files:
        means = list(_means(file)) if any(tag in file.text_head for tag in XML) else []
        if not means:
            raise ReadingError(
                f"{file.path} has no benchmarks; run the program with them, and have it write XML: "
                "--reporter xml --out result.xml"
            )
        origin = Origin(file.path, "Catch2")
        for problem, seconds in means:
            status = status_of(seconds, "failed")
            yield timed(problem, file.name, seconds, run=f"{file.part}0", status=status, origin=origin)


def _means(file: SourceFile) -> Iterator[tuple[str, float]]:
    """Name and mean of each benchmark, NaN if it failed."""
    from xml.etree import ElementTree

    outer: list[str] = []
    try:
        with file.open() as stream:
            for event, element in ElementTree.iterparse(stream, ("start", "end")):
                if element.tag in OUTER and event == "start":
                    outer.append(element.get("name", ""))
                elif element.tag in OUTER:
                    outer.pop()
                    element.clear()
                elif element.tag == "BenchmarkResults" and event == "end":
                    mean = element.find("mean")
                    value = math.nan if mean is None else float(mean.get("value", "nan"))
                    yield part_name(*outer, element.get("name")), value / PER_SECOND["ns"]
    except (ElementTree.ParseError, ValueError) as error:
        raise ReadingError(f"{file.path}: not XML as Catch2 writes it: {error}") from None


FORMAT = Format("catch2", "Catch2", recognise, read, default_metric="time", takes=())
