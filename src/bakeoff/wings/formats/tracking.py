"""Tables of tracked runs: MLflow's search_runs() and the CSV of its page; the CSV of W&B's page."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from bakeoff.errors import ParameterError, ReadingError, fitting, listing
from bakeoff.reading.recognition.orientation import SIDES, side_of
from bakeoff.wings.formats.csv_dialects import algorithm_names
from bakeoff.wings.formats.directions import listed_direction
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin, status_of
from bakeoff.wings.formats.source_file import SourceFile, with_columns
from bakeoff.wings.formats.tabular import ScoreColumns, TableRow, chosen_columns, columns_of_scores, table_rows
from bakeoff.words import named_direction

RUN_KINDS: Mapping[str, str] = {
    "seed": "seed",
    "random_seed": "seed",
    "random_state": "seed",
    "fold": "split",
    "split": "split",
}
"""What runs are that a column of this name tells apart; of any other name, nothing is said of them."""

_METRICS = "metrics."


class Noted(NamedTuple):
    """Columns of what the program itself notes of a run, besides parameters and metrics: by each name that it has."""

    status: Sequence[str]
    started: Sequence[str]
    of_run: Sequence[str]


class Tracker(NamedTuple):
    """A program that keeps one row for every run."""

    name: str
    title: str
    signature: Sequence[frozenset[str]]
    noted: Noted
    prefixes: Sequence[str] = ()


TRACKERS = (
    Tracker(
        "mlflow",
        "MLflow",
        [
            frozenset({"run_id", "experiment_id", "status", "artifact_uri", "start_time"}),
            frozenset({"Start Time", "Duration", "Run ID", "Source Type", "Status"}),  # of the page: without prefixes
        ],
        Noted(["status", "Status"], ["start_time", "Start Time"], ["run_id", "Run ID"]),
        ["params.", "tags."],
    ),
    Tracker(
        "wandb",
        "Weights & Biases",
        [frozenset({"Name", "State", "Runtime"}), frozenset({"Name", "State", "Created"})],
        Noted(["State"], ["Created"], ["ID", "Name"]),
    ),
)


def read(tracker: Tracker, files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem, algorithm, run, metric: columns that the user names; a run that did not finish has no score."""
    for file in files:
        columns, metrics = _columns(tracker, file, choices), _metrics(tracker, file, choices)
        noted = Noted(*([name for name in names if name in file.columns][:1] for names in tracker.noted))
        rows = sorted(table_rows(file), key=lambda row: row.name(noted.started))  # MLflow has the newest first
        name_of = algorithm_names(file, rows, columns.algorithm)
        _refuse_duplicates(noted, rows, columns, name_of)
        run_kind = RUN_KINDS.get(columns.run[0].split(".")[-1].lower()) if len(columns.run) == 1 else None
        origin = Origin(file.path, tracker.name)
        for row in rows:
            finished = (ended := row.name(noted.status).lower()) == "finished"
            problem, run = row.required(columns.problem, "problem"), row.name(columns.run) or "0"
            cluster = row.name(columns.cluster) or None
            for metric in metrics:
                score = row.score(metric) if finished else math.nan
                name, better = choices.metric or metric.removeprefix(_METRICS), listed_direction(tracker.name, metric)
                unit = "s" if metric == "Runtime" else None
                status = status_of(score) if finished else ended or "unknown"
                of_run = (name, better, run, run_kind, cluster, unit, status, origin)
                yield Measurement(problem, name_of(row), score, *of_run)


def _likely(file: SourceFile) -> str:
    """The call that names the columns called after a problem and an algorithm, if there is one of each."""
    sides = {side: [name for name in _of_user(file) if side_of(name.split(".")[-1]) == side] for side in SIDES.values()}
    if any(len(names) != 1 for names in sides.values()):
        return ""
    named = {role: sides[side][0] for role, side in SIDES.items()}
    runs = [name for name in _of_user(file) if name.split(".")[-1].lower() in RUN_KINDS]
    named |= {"run": runs[0]} if len(runs) == 1 else {}
    if not any(name.startswith(_METRICS) for name in file.columns):
        measured = [name for name in _of_user(file) if named_direction(name) and name != "Runtime"]
        named |= {"metric": measured[0]} if len(measured) == 1 else {}
    return "; by their names: " + ", ".join(f"{role}={name!r}" for role, name in named.items())


def _columns(tracker: Tracker, file: SourceFile, choices: Choices) -> ScoreColumns:
    for parameter, choice, what in (
        ("problem", choices.problem, "problem (a data set, say)"),
        ("algorithm", choices.algorithm or file.label, "algorithm (a model, say)"),
    ):
        if not choice:
            raise ParameterError(
                f"is needed: the column that says which {what} a run is of; there are {fitting(_of_user(file))}"
                f"{_likely(file)}",
                parameter=parameter,
            )
    return columns_of_scores(file, choices, {}, tracker.prefixes)


def _metrics(tracker: Tracker, file: SourceFile, choices: Choices) -> list[str]:
    """The column that the user names, else all that are marked as metrics."""
    if choices.metric is not None:
        column = choices.metric
        if column in file.columns:
            return [column]
        return chosen_columns(file, "metric", column, (), [_METRICS] if tracker.prefixes else ())
    marked = [name for name in file.columns if name.startswith(_METRICS)] if tracker.prefixes else []
    if not marked:
        raise ParameterError(
            "is needed: the column of the scores, which this file does not tell from parameters; there are "
            f"{listing(_of_user(file), 20)}",
            parameter="metric",
        )
    return marked


def _of_user(file: SourceFile) -> list[str]:
    """Columns that the user logged, if the names of the columns show it; else every column."""
    logged = [name for name in file.columns if name.startswith(("params.", "metrics."))]
    return logged or [name for name in file.columns if name]


def _refuse_duplicates(
    noted: Noted, rows: Sequence[TableRow], columns: ScoreColumns, name_of: Callable[[TableRow], str]
) -> None:
    """Runs that nothing tells apart: repetitions, or one that was started again?"""
    cells = Counter((row.required(columns.problem, "problem"), name_of(row), row.name(columns.run)) for row in rows)
    several = [cell for cell, count in cells.items() if count > 1]
    if not several:
        return
    problem, algorithm, run = several[0]
    own = [row for row in rows if (row.name(columns.problem), name_of(row), row.name(columns.run)) == several[0]]
    known = listing([f"{row.name(noted.of_run)} ({row.name(noted.status).lower()})" for row in own], 2)
    started = f", run={noted.started[0]!r} if they are repetitions" if noted.started and not run else ""
    raise ReadingError(
        f"{len(own)} runs are of problem {problem!r}, algorithm {algorithm!r}{f', run {run!r}' if run else ''}: "
        f"{known}. Name the column that tells them apart (run='params.seed', say{started}), or leave out those that "
        "were started again"
    )


FORMATS = {
    each.name: Format(each.name, each.title, with_columns(*each.signature), partial(read, each)) for each in TRACKERS
}
