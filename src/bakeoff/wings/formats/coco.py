"""COCO: an .info file per function, three lines per dimension, beside it the trajectories of the runs."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from bakeoff.checks import did_you_mean
from bakeoff.errors import ParameterError, ReadingError, counted
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin, Trajectory, part_name, status_of
from bakeoff.wings.formats.source_file import SourceFile

LONGEST = 4096
"""Characters of a line that a signature is looked for in."""
ERROR = "best error"
"""f - f_opt; COCO calls it a precision, which elsewhere is better higher."""
RUN = re.compile(r"\s*(\d+)\s*:\s*(\d+)\s*\|\s*(\S+)\s*")
PARTS = ("function", "dimension", "instance")


def problem_of(function: str, dimension: str, instance: str, choices: Choices, default: str) -> str:
    """``Sphere/d2/i1``: the parts that the user names (``function,dimension``), else those of the format."""
    parts = {"function": function, "dimension": f"d{dimension}", "instance": f"i{instance}"}
    names = [name.strip() for name in (choices.problem or default).split(",")]
    for name in names:
        if name not in parts:
            rule = f"must be some of {', '.join(PARTS)}, separated by commas"
            raise ParameterError(f"{rule}; got {name!r}{did_you_mean(name, PARTS)}", parameter="problem")
    return part_name(*(parts[name] for name in PARTS if name in names))


def function_cluster(function: str, choices: Choices) -> str | None:
    """The function, of which a problem is a dimension or an instance; none where a problem is of all functions."""
    return function if choices.problem is None or "function" in map(str.strip, choices.problem.split(",")) else None


def targets_in(metric: str | None) -> dict[str, float]:
    """``evals to 1e-2``: evaluations until the target is reached; nothing of another metric."""
    if metric is None or not (match := re.fullmatch(r"evals to (\S+)", metric)):
        return {}
    try:
        return {metric: float(match[1])}
    except ValueError:
        raise ParameterError(
            f"must name a number as the target (evals to 1e-2); got {metric!r}", parameter="metric"
        ) from None


def run_measurements(
    run: Trajectory, metric: str, best: float, targets: Mapping[str, float], cluster: str | None, origin: Origin
) -> Iterator[Measurement]:
    """The best score of a run, and the evaluations that it took to reach each target."""
    of_run = partial(
        Measurement, run.problem, run.algorithm, run=run.run, run_kind="seed", cluster=cluster, origin=origin
    )
    best = best if math.isfinite(best) else math.nan
    yield of_run(best, metric, run.better, status=status_of(best, "failed"))
    for name, target in targets.items():
        spent = run.until(target)
        yield of_run(spent, name, "lower", unit="evaluations", status=status_of(spent, "timeout"))


class Scenario(NamedTuple):
    """One function in one dimension, and its runs: an instance each."""

    about: dict[str, str]
    data: str  # path of the trajectories
    instances: list[str]


def recognise(file: SourceFile) -> bool:
    line = file.text_head.lstrip().split("\n", 1)[0][:LONGEST]
    return bool(re.search(r"funcId\s*=\s*\d", line) and re.search(r",\s*DIM\s*=", line))


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: function and dimension; run: the instance; score: the best f - f_opt ("best error"), or evaluations."""
    targets = targets_in(choices.metric)
    for file, about, run in _runs(files, choices):
        origin = Origin(file.path, "COCO", version=about.get("coco_version", ""))
        cluster = function_cluster(f"f{about['funcId']}", choices)
        known = {"evals": _precision(file, about)} | targets
        yield from run_measurements(run, ERROR, run.scores[-1], known, cluster, origin)


def read_curves(files: Sequence[SourceFile], choices: Choices) -> Iterator[Trajectory]:
    """The best f - f_opt along each run, down to the precision at which COCO stops a run."""
    for file, about, run in _runs(files, choices):
        yield run._replace(target=_precision(file, about))


def _runs(files: Sequence[SourceFile], choices: Choices) -> Iterator[tuple[SourceFile, dict[str, str], Trajectory]]:
    """The file, the settings and the trajectory of each run; an instance that is repeated is numbered."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for file in files:
        for scenario in _scenarios(file):
            about = scenario.about
            algorithm = file.label or about.get("algId") or file.stem
            for instance, (evaluations, best) in zip(scenario.instances, _logged(scenario, file), strict=True):
                problem = problem_of(f"f{about['funcId']}", about["DIM"], instance, choices, "function,dimension")
                again = seen[algorithm, problem, instance]
                seen[algorithm, problem, instance] += 1
                name = f"{instance}/{again + 1}" if again else instance
                end, dimension = evaluations[-1], int(about["DIM"])
                yield file, about, Trajectory(problem, algorithm, name, evaluations, best, end, "lower", dimension)


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


def logged_points(data: SourceFile, column_of: Callable[[str], int | None]) -> list[tuple[list[float], list[float]]]:
    """Evaluations and scores of each run; ``column_of``: the place of the scores by a run's header, None of a line."""
    runs: list[tuple[list[float], list[float]]] = []
    for line in data.lines():
        if (place := column_of(line)) is not None:
            column = place
            runs.append(([], []))
        elif line.strip() and runs:
            words = line.split()
            runs[-1][0].append(float(words[0]))
            runs[-1][1].append(float(words[column]))
    return runs


def _column_of_best(line: str) -> int | None:
    if not line.startswith("%"):
        return None
    names = [name.strip() for name in line.lstrip("% ").split("|")]
    return next((i for i, name in enumerate(names) if name.startswith("best noise-free fitness")), 2)


def _logged(scenario: Scenario, file: SourceFile) -> list[tuple[list[float], list[float]]]:
    """Evaluations of each run, and the best f - f_opt at each.

    The .info file rounds to two digits; the data has all of them.
    """
    data = file.beside(scenario.data)
    runs = logged_points(data, _column_of_best)
    if len(runs) != len(scenario.instances) or not all(best for _, best in runs):
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
