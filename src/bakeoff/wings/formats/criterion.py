"""criterion.rs: a folder per benchmark, with ``new``, ``base``, ``change`` and baselines of the user's."""

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from bakeoff.errors import ParameterError, ReadingError
from bakeoff.wings.formats.json_entries import json_entry
from bakeoff.wings.formats.measurement import PER_SECOND, Choices, Format, Measurement, Origin, timed
from bakeoff.wings.formats.source_file import SourceFile


def recognise(file: SourceFile) -> bool:
    name, head = os.path.basename(file.path), file.text_head
    if name == "sample.json":
        return bool(re.match(r'\s*\{\s*"sampling_mode"|\s*\{\s*"iters"|\s*\[\s*\[', head))
    return name == "estimates.json" and bool(re.search(r'"(mean|Mean)"\s*:\s*\{\s*"confidence_interval"', head))


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: the benchmark; algorithm: the label, else the baseline; run: the sample, all in one process.

    Of a benchmark's folder the newest measurement is read (``new``); with ``algorithm="baseline"``, or where a baseline
    is named, the others too. ``change`` compares two of them and is no measurement.
    """
    if choices.algorithm not in (None, "baseline"):
        raise ParameterError(f"must be 'baseline', or left out; got {choices.algorithm!r}", parameter="algorithm")
    samples = [
        (file, baseline if choices.algorithm else file.label or baseline, _problem(file))
        for file in files
        if (baseline := _baseline(file)) != "change" and _wanted(file, baseline, choices) and not _estimates(file)
    ]
    counts = Counter((algorithm, problem) for _, algorithm, problem in samples)
    seen: Counter[tuple[str, str]] = Counter()
    for file, algorithm, problem in samples:
        seen[algorithm, problem] += 1
        process = f"{seen[algorithm, problem]}." if counts[algorithm, problem] > 1 else ""
        yield from _samples(file, algorithm, problem, process)


def _baseline(file: SourceFile) -> str:
    return os.path.basename(os.path.dirname(os.path.abspath(file.path)))


def _estimates(file: SourceFile) -> bool:
    """Whether this is the summary of the samples beside it."""
    if os.path.basename(file.path) != "estimates.json":
        return False
    if not os.path.isfile(_beside(file, "sample.json")):
        raise ReadingError(f"{file.path} has only estimates; the times are in the sample.json beside it: keep it")
    return True


def _wanted(file: SourceFile, baseline: str, choices: Choices) -> bool:
    named = not file.folder or os.path.basename(os.path.abspath(file.folder)) == baseline
    return baseline == "new" or named or choices.algorithm == "baseline"


def _samples(file: SourceFile, algorithm: str, problem: str, process: str) -> Iterator[Measurement]:
    """Nanoseconds of each sample and its iterations; two lists before version 0.3."""
    report, origin = json_entry(file), Origin(file.path, "criterion")
    if isinstance(report.value, list):
        both = report.entries()
        if len(both) != 2:
            raise report.wrong("two lists, of iterations and times")
        iterations, times = both
    else:
        iterations, times = report["iters"], report["times"]
    counts, totals = iterations.numbers(), times.numbers()
    if len(counts) != len(totals) or not all(count > 0 for count in counts):
        raise ReadingError(f"{report.place} must have as many times as numbers of iterations, all of these above 0")
    for run, (count, total) in enumerate(zip(counts, totals, strict=True)):
        yield timed(problem, algorithm, total / count / PER_SECOND["ns"], run=f"{process}{run}", origin=origin)


def _problem(file: SourceFile) -> str:
    """The benchmark's own name, else its folder within what the user named."""
    beside = _beside(file, "benchmark.json")
    if os.path.isfile(beside) and "full_id" in (about := json_entry(SourceFile(beside))):
        return about["full_id"].text()
    folder = os.path.dirname(os.path.dirname(os.path.abspath(file.path)))
    return os.path.relpath(folder, file.folder).replace(os.sep, "/") if file.folder else os.path.basename(folder)


def _beside(file: SourceFile, name: str) -> str:
    return os.path.join(os.path.dirname(file.path), name)


FORMAT = Format(
    "criterion",
    "criterion",
    recognise,
    read,
    beside=r"(benchmark|change|estimates|sample|tukey)\.json|raw\.csv|.*\.(svg|html)",
    takes=("algorithm",),
)
