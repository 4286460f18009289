"""What ``go test -bench`` prints: value and unit pairs, a line per repetition (``-count``)."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from bakeoff.adapters.measurement import Choices, Format, Measurement, Origin
from bakeoff.adapters.source_file import SourceFile

LINE = re.compile(r"(Benchmark\S*?)(?:-(\d+))?\s+(\d+)\s+(\S.*)$")
SECONDS = {"ns/op": 1e-9}


def recognise(file: SourceFile) -> bool:
    return bool(re.search(r"^Benchmark\S*\s+\d+\s+[\d.e+]+ ns/op", file.text_head, re.MULTILINE))


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: package and name; algorithm: the file's label; run: the repetition, within one process."""
    for file in files:
        seen: Counter[str] = Counter()
        about = {"pkg": "", "cpu": ""}
        with file.text() as lines:
            for line in lines:
                key, _, value = line.partition(":")
                if key in about:
                    about[key] = value.strip()
                elif found := LINE.match(line):
                    problem = f"{about['pkg']}.{found[1]}" if about["pkg"] else found[1]
                    origin = Origin(file.path, "go test", machine=f"{about['cpu']} {found[2] or 1}".strip())
                    yield from _pairs(found[4], problem, f"{file.part}{seen[problem]}", file.name, origin)
                    seen[problem] += 1


def _pairs(text: str, problem: str, run: str, algorithm: str, origin: Origin) -> Iterator[Measurement]:
    """``522.2 ns/op   536 B/op``: a metric per unit; rates are better higher."""
    words = text.split()
    for value, unit in zip(words[::2], words[1::2], strict=False):
        yield Measurement(
            problem,
            algorithm,
            float(value) * SECONDS.get(unit, 1.0),
            metric="time" if unit in SECONDS else unit,
            better="higher" if unit.endswith("/s") else "lower",
            run=run,
            run_kind="iteration",
            unit="s" if unit in SECONDS else unit,
            origin=origin,
        )


FORMAT = Format("go", "go test -bench", recognise, read, default_metric="time")
