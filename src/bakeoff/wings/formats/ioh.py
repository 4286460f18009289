"""IOHprofiler: a JSON file per function, beside it the trajectories of the runs."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from bakeoff.errors import ReadingError, counted
from bakeoff.wings.formats.coco import function_cluster, problem_of, target_of
from bakeoff.wings.formats.json_entries import JsonEntry, json_entry
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin, Trajectory
from bakeoff.wings.formats.source_file import SourceFile


def recognise(file: SourceFile) -> bool:
    head = file.text_head
    return head.lstrip().startswith("{") and all(
        key in head for key in ('"function_id"', '"maximization"', '"algorithm"')
    )


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: function, dimension and instance; score: the best y, as the function has it, not minus its optimum."""
    target = target_of(choices.metric)
    seen: Counter[tuple[str, str]] = Counter()
    for file in files:
        report = json_entry(file)
        algorithm = file.label or report["algorithm"]["name"].text()
        better = "higher" if report["maximization"].value is True else "lower"
        origin = Origin(file.path, "IOHprofiler", version=report.get("version").name())
        function = report["function_name"].name() or f"f{report['function_id'].name()}"
        for scenario in report["scenarios"].entries():
            runs = scenario["runs"].entries()
            reached = None if target is None else _reached(file, scenario, len(runs), target, better == "higher")
            for i, run in enumerate(runs):
                instance = run["instance"].name()
                problem = problem_of(
                    function, scenario["dimension"].name(), instance, choices, "function,dimension,instance"
                )
                name = str(seen[problem, algorithm])
                seen[problem, algorithm] += 1
                y = run["best"]["y"].number()
                yield Measurement(
                    problem,
                    algorithm,
                    y if math.isfinite(y) else math.nan,
                    metric="best y",
                    better="higher" if better == "higher" else "lower",
                    run=name,
                    run_kind="seed",
                    cluster=function_cluster(function, choices),
                    status="ok" if math.isfinite(y) else "failed",
                    origin=origin,
                )
                if reached is not None:
                    yield Measurement(
                        problem,
                        algorithm,
                        reached[i],
                        metric=choices.metric or "",
                        better="lower",
                        run=name,
                        run_kind="seed",
                        cluster=function_cluster(function, choices),
                        unit="evaluations",
                        status="timeout" if math.isnan(reached[i]) else "ok",
                        origin=origin,
                    )


def read_curves(files: Sequence[SourceFile], choices: Choices) -> Iterator[Trajectory]:
    """The y of each run as it was logged; evaluations after the last logged one count as spent."""
    seen: Counter[tuple[str, str]] = Counter()
    for file in files:
        report = json_entry(file)
        algorithm = file.label or report["algorithm"]["name"].text()
        function = report["function_name"].name() or f"f{report['function_id'].name()}"
        for scenario in report["scenarios"].entries():
            runs = scenario["runs"].entries()
            logged = _logged(file, scenario, len(runs))
            for run, (evaluations, scores) in zip(runs, logged, strict=True):
                problem = problem_of(
                    function,
                    scenario["dimension"].name(),
                    run["instance"].name(),
                    choices,
                    "function,dimension,instance",
                )
                name = str(seen[problem, algorithm])
                seen[problem, algorithm] += 1
                yield Trajectory(
                    problem,
                    algorithm,
                    name,
                    evaluations,
                    scores,
                    max(run["evals"].number(), evaluations[-1]),
                    "higher" if report["maximization"].value is True else "lower",
                    int(scenario["dimension"].number()),
                )


def _logged(file: SourceFile, scenario: JsonEntry, count: int) -> list[tuple[list[float], list[float]]]:
    """Evaluations and raw_y of each run."""
    data = file.beside(scenario["path"].text())
    points: list[tuple[list[float], list[float]]] = []
    column = 1
    for line in data.lines():
        if re.match(r'\s*"?[A-Za-z]', line):
            columns = [part.strip('"') for part in re.findall(r'"[^"]*"|\S+', line)]
            if "raw_y" not in columns:
                raise ReadingError(f"{data.path}: there is no column raw_y, which curves are made of")
            column = columns.index("raw_y")
            points.append(([], []))
        elif line.strip() and points:
            values = line.split()
            points[-1][0].append(float(values[0]))
            points[-1][1].append(float(values[column]))
    if len(points) != count or not all(evaluations for evaluations, _ in points):
        raise ReadingError(f"{data.path} has {len(points)} runs with records, {file.path} names {count}")
    return points


def _reached(file: SourceFile, scenario: JsonEntry, count: int, target: float, maximize: bool) -> list[float]:
    """Evaluations of each run until the target; NaN where the budget ended first."""
    data = file.beside(scenario["path"].text())
    reached: list[float] = []
    columns: list[str] = []
    for line in data.lines():
        if re.match(r'\s*"?[A-Za-z]', line):
            columns = [part.strip('"') for part in re.findall(r'"[^"]*"|\S+', line)]
            if "raw_y" not in columns:
                raise ReadingError(f"{data.path}: there is no column raw_y, which a target is compared with")
            reached.append(math.nan)
        elif line.strip() and reached and math.isnan(reached[-1]):
            values = line.split()
            y = float(values[columns.index("raw_y")])
            if y >= target if maximize else y <= target:
                reached[-1] = float(values[0])
    if len(reached) != count:
        raise ReadingError(f"{data.path} has {counted(len(reached), 'run')}, but {file.path} names {count}")
    return reached


FORMAT = Format(
    "ioh",
    "IOHprofiler",
    recognise,
    read,
    default_metric="best y",
    curves=read_curves,
    beside=r".*\.dat",
    takes=("problem",),
)
