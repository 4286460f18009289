"""IOHprofiler: a JSON file per function, beside it the trajectories of the runs."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from bakeoff.errors import ReadingError, counted
from bakeoff.scores import Better
from bakeoff.wings.formats.coco import function_cluster, logged_points, problem_of, run_measurements, targets_in
from bakeoff.wings.formats.json_entries import JsonEntry, json_entry
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin, Trajectory
from bakeoff.wings.formats.source_file import SourceFile, written_as


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: function, dimension and instance; score: the best y, as the function has it, not minus its optimum."""
    targets = targets_in(choices.metric)
    for file, report, about, run in _runs(files, choices, logged=bool(targets)):
        origin = Origin(file.path, "IOHprofiler", version=report.get("version").name())
        cluster = function_cluster(_function(report), choices)
        yield from run_measurements(run, "best y", about["best"]["y"].number(), targets, cluster, origin)


def read_curves(files: Sequence[SourceFile], choices: Choices) -> Iterator[Trajectory]:
    """The y of each run as it was logged; evaluations after the last logged one count as spent."""
    for _, _, about, run in _runs(files, choices, logged=True):
        yield run._replace(end=max(about["evals"].number(), run.end))


def _runs(
    files: Sequence[SourceFile], choices: Choices, logged: bool
) -> Iterator[tuple[SourceFile, JsonEntry, JsonEntry, Trajectory]]:
    """The file, its report, and of each run what the report says and the trajectory, empty unless it is ``logged``."""
    seen: Counter[tuple[str, str]] = Counter()
    for file in files:
        report = json_entry(file)
        algorithm = file.label or report["algorithm"]["name"].text()
        better: Better = "higher" if report["maximization"].value is True else "lower"
        for scenario in report["scenarios"].entries():
            runs, dimension = scenario["runs"].entries(), scenario["dimension"]
            logs = _logged(file, scenario, len(runs)) if logged else [([], [])] * len(runs)
            for run, (evaluations, scores) in zip(runs, logs, strict=True):
                parts = (_function(report), dimension.name(), run["instance"].name())
                problem = problem_of(*parts, choices, "function,dimension,instance")
                name = str(seen[problem, algorithm])
                seen[problem, algorithm] += 1
                about = (evaluations, scores, evaluations[-1] if evaluations else 0.0, better, int(dimension.number()))
                yield file, report, run, Trajectory(problem, algorithm, name, *about)


def _function(report: JsonEntry) -> str:
    return report["function_name"].name() or f"f{report['function_id'].name()}"


def _logged(file: SourceFile, scenario: JsonEntry, count: int) -> list[tuple[list[float], list[float]]]:
    """Evaluations and raw_y of each run."""
    data = file.beside(scenario["path"].text())

    def column_of(line: str) -> int | None:
        if not re.match(r'\s*"?[A-Za-z]', line):
            return None
        columns = [part.strip('"') for part in re.findall(r'"[^"]*"|\S+', line)]
        if "raw_y" not in columns:
            raise ReadingError(f"{data.path}: there is no column raw_y, which curves and targets are of")
        return columns.index("raw_y")

    points = logged_points(data, column_of)
    recorded = sum(bool(evaluations) for evaluations, _ in points)
    if not recorded == len(points) == count:
        raise ReadingError(f"{data.path} has {counted(recorded, 'run')}, but {file.path} names {count}")
    return points


recognise = written_as(r"\{", '"function_id"', '"maximization"', '"algorithm"')
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
