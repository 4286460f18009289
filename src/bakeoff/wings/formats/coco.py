"""COCO: an .info file per function, three lines per dimension, beside it the trajectories of the runs."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bakeoff.errors import ReadingError, counted
from bakeoff.wings.formats.measurement import (
    Choices,
    Format,
    Measurement,
    Origin,
    Trajectory,
    function_cluster,
    problem_of,
    target_of,
)
from bakeoff.wings.formats.source_file import SourceFile

LONGEST = 4096
"""Characters of a line that a signature is looked for in."""
ERROR = "best error"
"""f - f_opt; COCO calls it a precision, which elsewhere is better higher."""
RUN = re.compile(r"\s*(\d+)\s*:\s*(\d+)\s*\|\s*(\S+)\s*")


class Scenario(NamedTuple):
    """One function in one dimension, and its runs: an instance each."""

    about: dict[str, str]
    data: str  # path of the trajectories
    instances: list[str]


class Run(NamedTuple):
    """A trajectory: evaluations, and the best f - f_opt at each."""

    evaluations: list[float]
    best: list[float]

    def until(self, target: float) -> float:
        """Evaluations until the target is reached; NaN where the budget ended first."""
        return next((n for n, y in zip(self.evaluations, self.best, strict=True) if y <= target), math.nan)


def recognise(file: SourceFile) -> bool:
    line = file.text_head.lstrip().split("\n", 1)[0][:LONGEST]
    return bool(re.search(r"funcId\s*=\s*\d", line) and re.search(r",\s*DIM\s*=", line))


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: function and dimension; run: the instance; score: the best f - f_opt ("best error"), or evaluations."""
    aimed_at = target_of(choices.metric)
    seen: Counter[tuple[str, str, str]] = Counter()
    for file in files:
        for scenario in _scenarios(file):
            about = scenario.about
            algorithm = file.label or about.get("algId") or file.stem
            origin = Origin(file.path, "COCO", version=about.get("coco_version", ""))
            precision = _precision(file, about)
            targets = {"evals": precision} | ({} if aimed_at is None else {choices.metric or "": aimed_at})
            runs = _trajectories(scenario, file)
            for instance, run in zip(scenario.instances, runs, strict=True):
                problem = problem_of(f"f{about['funcId']}", about["DIM"], instance, choices, "function,dimension")
                again = seen[algorithm, problem, instance]
                seen[algorithm, problem, instance] += 1
                values = {ERROR: run.best[-1]} | {name: run.until(target) for name, target in targets.items()}
                for metric, value in values.items():
                    ended = "failed" if metric == ERROR else "timeout"
                    yield Measurement(
                        problem,
                        algorithm,
                        value if math.isfinite(value) else math.nan,
                        metric=metric,
                        better="lower",
                        run=f"{instance}/{again + 1}" if again else instance,
                        run_kind="seed",
                        cluster=function_cluster(f"f{about['funcId']}", choices),
                        unit=None if metric == ERROR else "evaluations",
                        status="ok" if math.isfinite(value) else ended,
                        origin=origin,
                    )


def read_curves(files: Sequence[SourceFile], choices: Choices) -> Iterator[Trajectory]:
    """The best f - f_opt along each run, down to the precision at which COCO stops a run."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for file in files:
        for scenario in _scenarios(file):
            about = scenario.about
            algorithm = file.label or about.get("algId") or file.stem
            for instance, run in zip(scenario.instances, _trajectories(scenario, file), strict=True):
                problem = problem_of(f"f{about['funcId']}", about["DIM"], instance, choices, "function,dimension")
                again = seen[algorithm, problem, instance]
                seen[algorithm, problem, instance] += 1
                name = f"{instance}/{again + 1}" if again else instance
                yield Trajectory(
                    problem,
                    algorithm,
                    name,
                    run.evaluations,
                    run.best,
                    run.evaluations[-1],
                    "lower",
                    int(about["DIM"]),
                    _precision(file, about),
                )


def _scenarios(file: SourceFile) -> Iterator[Scenario]:
    """Triples of lines: what was run, a comment, and the data; blank lines do not count."""
    lines = [line for line in file.lines() if line.strip()]
    for i in range(0, len(lines), 3):
        about = dict(_settings(lines[i]))
        if not about.get("funcId", "").isdigit() or not about.get("DIM", "").isdigit():
            raise ReadingError(f"{file.path}: {lines[i][:60]!r} does not say funcId and DIM")
        data = lines[i + 2].split(",") if i + 2 < len(lines) else []
        if not lines[i + 1 : i + 2] or not lines[i + 1].startswith("%") or len(data) < 2:
            raise ReadingError(f"{file.path}: f{about['funcId']} in dimension {about['DIM']} has no line of runs")
        runs = [RUN.fullmatch(text) for text in data[1:]]
        if not all(runs):
            raise ReadingError(
                f"{file.path}: f{about['funcId']}: not runs (instance:evaluations|precision): {data[-1]!r:.60}"
            )
        yield Scenario(about, data[0].strip().replace("\\", "/"), [run[1] for run in runs if run])


def _precision(file: SourceFile, about: dict[str, str]) -> float:
    text = about.get("Precision", "1e-8")
    try:
        return float(text)
    except ValueError:
        raise ReadingError(f"{file.path}: f{about['funcId']}: Precision must be a number; got {text!r}") from None


def _settings(line: str) -> Iterator[tuple[str, str]]:
    for name, quoted, plain in re.findall(r"(\w+)\s*=\s*(?:'([^']*)'|([^,\s]+))", line):
        yield name, quoted or plain


def _trajectories(scenario: Scenario, file: SourceFile) -> list[Run]:
    """The .info file rounds to two digits; the data has all of them."""
    data = file.beside(scenario.data)
    runs: list[Run] = []
    column = 2
    for line in data.lines():
        if line.startswith("%"):
            names = [name.strip() for name in line.lstrip("% ").split("|")]
            column = next((i for i, name in enumerate(names) if name.startswith("best noise-free fitness")), 2)
            runs.append(Run([], []))
        elif line.strip() and runs:
            words = line.split()
            runs[-1].evaluations.append(float(words[0]))
            runs[-1].best.append(float(words[column]))
    if len(runs) != len(scenario.instances) or not all(run.best for run in runs):
        raise ReadingError(
            f"{data.path} has {counted(len(runs), 'run')}, but {file.path} names {len(scenario.instances)}; the data "
            "is incomplete"
        )
    return runs


FORMAT = Format(
    "coco",
    "COCO",
    recognise,
    read,
    default_metric=ERROR,
    curves=read_curves,
    beside=r".*\.[a-z]?dat",
    takes=("problem",),
)
