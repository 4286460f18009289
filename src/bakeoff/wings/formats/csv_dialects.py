"""CSV files (or data frames) that are recognised by their header: a mapping for each, one reader for all."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from bakeoff.checks import did_you_mean
from bakeoff.dataclass import dataclass, field
from bakeoff.errors import ParameterError, ReadingError, listing
from bakeoff.files import loads_strictly
from bakeoff.wings.formats.directions import DIRECTIONS, listed_direction
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin, part_name, status_of
from bakeoff.wings.formats.source_file import SourceFile, with_columns
from bakeoff.wings.formats.tabular import ScoreColumns, TableRow, columns_of_scores, table_rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """The meaning of the columns of a header."""

    name: str
    title: str
    signature: Sequence[frozenset[str]]  # the header has all columns of one of them
    problem: Sequence[str]  # of each sequence of columns, those that the header has
    algorithm: Sequence[str]
    run: Sequence[str]
    run_kind: Mapping[str, str]  # by the first run column
    score: str
    metric: str = ""  # the column that names the metric; where there is none, the score's own name is it
    metric_name: str = "{}"
    tasks_differ: bool = False  # each problem has its own metric, and a metric is no second measurement
    beside: Sequence[str] = ()  # columns that join the algorithm where they vary
    measures: Sequence[str] = ()  # other columns of scores, read where the user names one
    equals: Sequence[str] = ()  # without a column of metrics: the score of a task is in one of these, too
    failure: str = ""  # the column that says why there is no score
    folds: str = ""  # the column that lists the scores of the runs
    at_least: float = -math.inf
    one_of: Mapping[str, str] = field(
        default_factory=dict
    )  # choices between which the file leaves open: column -> word
    units: Mapping[str, tuple[str, float]] = field(default_factory=dict)  # measure -> unit, factor


_SECONDS = ("s", 1.0)

DIALECTS = (
    Dialect(
        name="automlbenchmark",
        title="AutoML benchmark",
        signature=[
            frozenset({"id", "task", "framework", "constraint", "fold", "result", "metric", "info"}),
            frozenset({"id", "task", "framework", "fold", "result", "mode", "utc", "info"}),  # of 2019
        ],
        problem=["task"],
        algorithm=["framework"],
        run=["fold"],
        run_kind={"fold": "split"},
        score="result",
        metric="metric",
        tasks_differ=True,
        beside=["constraint"],
        measures=[name for name in DIRECTIONS["automlbenchmark"] if name != "result"],
        equals=["acc", "auc", "balacc", "r2", "logloss", "mae", "mse", "rmse", "rmsle"],
        failure="info",
        units=dict.fromkeys(["duration", "training_duration", "predict_duration"], _SECONDS),
    ),
    Dialect(
        name="tabarena",
        title="TabArena",
        signature=[frozenset({"method", "task", "metric_error"}), frozenset({"method", "dataset", "metric_error"})],
        problem=["task", "dataset"],
        algorithm=["method"],
        run=["fold", "seed"],
        run_kind={"fold": "split", "seed": "seed"},
        score="metric_error",
        metric="metric",
        metric_name="{} error",
        tasks_differ=True,
        measures=["time_train_s", "time_infer_s"],
        at_least=0.0,
        units=dict.fromkeys(["time_train_s", "time_infer_s"], _SECONDS),
    ),
    Dialect(
        name="openml",
        title="OpenML evaluations",
        signature=[frozenset({"run_id", "task_id", "setup_id", "flow_id", "flow_name", "function", "value"})],
        problem=["task_id"],
        algorithm=["flow_name"],
        run=[],
        run_kind={"folds": "split"},
        score="value",
        metric="function",
        folds="values",
        one_of={"setup_id": "setups", "run_id": "uploads"},
        units={name: ("s", 1e-3) for name in DIRECTIONS["openml"] if "_millis" in name},
    ),
    Dialect(
        name="jmetal",
        title="jMetal indicators",
        signature=[frozenset({"Algorithm", "Problem", "ExecutionId", "IndicatorName", "IndicatorValue"})],
        problem=["Problem"],
        algorithm=["Algorithm"],
        run=["ExecutionId"],
        run_kind={"ExecutionId": "seed"},
        score="IndicatorValue",
        metric="IndicatorName",
        units={"Time": _SECONDS},
    ),
)


def read(dialect: Dialect, files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem, algorithm, run: the dialect's columns, or those that the user names."""
    of_score = choices.metric not in dialect.measures
    tables = [
        (file, _told(dialect, file, rows) if of_score else rows) for file in files for rows in [list(table_rows(file))]
    ]
    everything = [row for _, table in tables for row in table]
    measure = _measure(dialect, everything, choices.metric)
    beside = [name for name in dialect.beside if len({row.text(name) for row in everything}) > 1]
    for file, table in tables:
        columns = _columns(dialect, file, beside, choices)
        everyone = measure != dialect.score or choices.metric is None
        rows = table if everyone else [row for row in table if choices.metric in _names(dialect, row)]
        if dialect.tasks_differ and len(rows) < len(table):  # those that are left out are counted
            for row in table:
                problem = row.required(columns.problem, "problem")
                yield Measurement(problem, "", math.nan, "", task=problem)
        name_of = algorithm_names(file, rows, columns.algorithm)
        _refuse_several(dialect, rows, columns, name_of)
        folds = _has_folds(dialect, file, rows) and measure == dialect.score
        kind = dialect.run_kind.get("folds" if folds else next(iter(columns.run), ""))
        origin = Origin(file.path, dialect.name)
        for row in rows:
            metric = choices.metric or _metric(dialect, row)
            better = listed_direction(dialect.name, measure if dialect.tasks_differ else metric)
            unit, factor = dialect.units.get(metric, (None, 1.0))
            problem = row.required(columns.problem, "problem")
            task = problem if dialect.tasks_differ else ""
            for run, score in _runs(dialect, row, columns.run, measure, folds):
                status = status_of(score, row.text(dialect.failure) or "no value")
                cluster = row.name(columns.cluster) or None
                of_run = (metric, better, run, kind, cluster, unit, status, origin)
                yield Measurement(problem, name_of(row), score * factor, *of_run, task=task)


def _told(dialect: Dialect, file: SourceFile, table: Sequence[TableRow]) -> Sequence[TableRow]:
    """The rows with a metric. Where no column says it, the one of each task is that whose column the score equals.

    Scores of which lower is better are turned round, as newer files have them (``neg_logloss``).
    """
    if not dialect.equals or dialect.metric in file.columns:
        return table
    of: dict[str, list[TableRow]] = {}
    for row in table:
        of.setdefault(row.required(dialect.problem, "problem"), []).append(row)
    row_values: list[TableRow] = []
    for task, rows in of.items():
        name, sign = _equal_column(dialect, task, rows)
        for row in rows:
            own = {dialect.metric: name, dialect.score: sign * row.score(dialect.score) + 0.0}
            row_values.append(row._replace(values={**row.values, **own}))
    return row_values


def _equal_column(dialect: Dialect, task: str, rows: Sequence[TableRow]) -> tuple[str, float]:
    """The metric of a task, and the sign that makes higher scores better; "" of a task without scores."""
    scored = [(row.score(dialect.score), row) for row in rows]
    scored = [(score, row) for score, row in scored if not math.isnan(score)]
    if not scored:
        return "", 1.0
    for column in dialect.equals:
        lower = listed_direction(dialect.name, column) == "lower"
        pairs = [(score, own) for score, row in scored if not math.isnan(own := row.score(column))]
        if 2 * len(pairs) < len(scored):  # a row may lack it, not most
            continue
        for sign in (1.0, -1.0) if lower else (1.0,):
            if all(math.isclose(sign * score, own, rel_tol=1e-6) for score, own in pairs):
                return (f"neg_{column}", -sign) if lower else (column, 1.0)
    raise ReadingError(
        f"{rows[0].origin}, task {task!r}: no column {dialect.metric}, and {dialect.score} equals none of the columns "
        f"{', '.join(dialect.equals)} in every row, so the direction is unknown; "
        f"add a column {dialect.metric}, or compare one of these columns (metric=)"
    )


def algorithm_names(file: SourceFile, rows: Sequence[TableRow], columns: Sequence[str]) -> Callable[[TableRow], str]:
    """The name of the algorithm of a row. The label of a file is it, or stands before it if the file has several."""
    if not file.label:
        return lambda row: row.required(columns, "algorithm")
    if len({row.name(columns) for row in rows}) <= 1:
        return lambda row: file.label
    return lambda row: part_name(file.label, row.required(columns, "algorithm"))


def _names(dialect: Dialect, row: TableRow) -> tuple[str | None, ...]:
    """Names that the metric of a row may have; where every problem has its own, also the column of the scores."""
    return (None, _metric(dialect, row), *([dialect.score] if dialect.tasks_differ else []))


def _metric(dialect: Dialect, row: TableRow) -> str:
    metric = row.text(dialect.metric) if dialect.metric else ""
    return dialect.metric_name.format(metric) if metric else dialect.score


def _measure(dialect: Dialect, rows: Sequence[TableRow], metric: str | None) -> str:
    """The column of the scores. Where every problem has a metric of its own, the user says which, or that all count."""
    names = list(dict.fromkeys(_metric(dialect, row) for row in rows))
    if metric in dialect.measures and metric not in names:
        return str(metric)
    if metric not in (None, *names) and not (dialect.tasks_differ and metric == dialect.score):
        known = [*names, *dialect.measures]
        rule = f"must be one of {listing(known, 20)}; got {metric!r}{did_you_mean(str(metric), known)}"
        raise ParameterError(rule, parameter="metric")
    if dialect.tasks_differ and metric is None and len(names) > 1:
        raise ParameterError(
            f"must be one of {listing(names, 20)}, or {dialect.score}: the metric differs from problem to problem; "
            f"{dialect.score} takes every problem in its own metric, and then only ranks compare over problems",
            parameter="metric",
        )
    return dialect.score


def _columns(dialect: Dialect, file: SourceFile, beside: Sequence[str], choices: Choices) -> ScoreColumns:
    own = {"problem": dialect.problem, "algorithm": (*dialect.algorithm, *beside), "run": dialect.run}
    there = {name: [column for column in columns if column in file.columns] for name, columns in own.items()}
    return columns_of_scores(file, choices, there | {"problem": there["problem"][:1]})


def _refuse_several(
    dialect: Dialect, rows: Sequence[TableRow], columns: ScoreColumns, name_of: Callable[[TableRow], str]
) -> None:
    """Several of one cell among which the file does not choose: the best of them would be too good."""
    named = {*columns.algorithm, *columns.run}
    for column, word in dialect.one_of.items():
        if column in named:
            continue
        by_setting: dict[tuple[str, ...], set[str]] = {}
        for row in rows:
            own = () if word == "setups" else (row.name(columns.run),)
            key = (row.name(columns.problem), name_of(row), _metric(dialect, row), *own)
            by_setting.setdefault(key, set()).add(row.text(column))
        several = [(key, values) for key, values in by_setting.items() if len(values) > 1]
        if several:
            (problem, algorithm, *_), values = several[0]
            own_name = ",".join([*columns.algorithm, column])
            raise ReadingError(
                f"{len(values)} {word} of {algorithm!r} on problem {problem!r}: {column} {listing(sorted(values), 5)}; "
                f"the best of several is too good: algorithm={own_name!r} takes each as an algorithm, "
                f"run={column!r} all as repetitions; or keep one in the file, chosen without its score"
            )


def _has_folds(dialect: Dialect, file: SourceFile, rows: Sequence[TableRow]) -> bool:
    """Whether the scores of folds are listed. Where they are, a mean of them is no score."""
    if not dialect.folds or dialect.folds not in file.columns:
        return False
    listed = [bool(row.text(dialect.folds).strip("[] ")) for row in rows]
    if any(listed) and not all(listed):
        lacking = rows[listed.index(False)]
        raise ReadingError(
            f"{lacking.place}: has no {dialect.folds}, only the mean of its folds, while other rows have them; "
            "download all with per_fold=True, or all without"
        )
    return any(listed)


def _runs(
    dialect: Dialect, row: TableRow, run: Sequence[str], measure: str, folds: bool
) -> Iterator[tuple[str, float]]:
    name = row.name(run)
    if not folds:
        score = row.score(measure)
        if score < dialect.at_least:
            raise ReadingError(f"{row.place}: {measure} is {score:g}; it is an error, and never below 0")
        yield name or "0", score
        return
    for fold, score in _listed(row, dialect.folds):
        yield part_name(name, fold), score


def _listed(row: TableRow, column: str) -> Iterator[tuple[str, float]]:
    """A list of scores, or (repetitions) of lists; in a CSV file as text."""
    value = row.values[column]
    if isinstance(value, str):
        words = re.sub(r"\bnan\b|\bNone\b", "NaN", value).replace("(", "[").replace(")", "]")
        try:
            value = loads_strictly(words)
        except ValueError:
            raise ReadingError(f"{row.place}, column {column!r}: not a list of numbers: {value!r}") from None
    for i, part in enumerate(value):
        if isinstance(part, str) or not hasattr(part, "__len__"):
            yield str(i), math.nan if part is None else float(part)
        else:
            yield from ((f"{i}/{j}", math.nan if each is None else float(each)) for j, each in enumerate(part))


FORMATS = {
    each.name: Format(each.name, each.title, with_columns(*each.signature), partial(read, each)) for each in DIALECTS
}
