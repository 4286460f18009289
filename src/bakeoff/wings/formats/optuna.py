"""Optuna's studies: SQLite storage, ``trials_dataframe()``, or studies in memory. One study is one run."""

import ast
import math
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from os.path import abspath
from typing import Any, NamedTuple
from urllib.parse import quote

from bakeoff.checks import did_you_mean
from bakeoff.dataclass import dataclass, field
from bakeoff.errors import ParameterError, ReadingError, listing
from bakeoff.files import loads_strictly
from bakeoff.scores import Better
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin, part_name
from bakeoff.wings.formats.source_file import SourceFile
from bakeoff.wings.formats.tabular import cell_text, table_rows

_SQLITE = b"SQLite format 3\0"
_TABLES = {
    "studies": {"study_id", "study_name"},
    "study_directions": {"study_id", "objective", "direction"},
    "study_user_attributes": {"study_id", "key", "value_json"},
    "study_system_attributes": {"study_id", "key", "value_json"},
    "trials": {"trial_id", "number", "study_id", "state"},
    "trial_values": {"trial_id", "objective", "value", "value_type"},
    "trial_system_attributes": {"trial_id", "key", "value_json"},
}
_BETTER: Mapping[str, Better] = {"MINIMIZE": "lower", "MAXIMIZE": "higher"}


class _Trial(NamedTuple):
    number: int
    state: str  # COMPLETE, PRUNED, FAIL, RUNNING, WAITING
    values: Sequence[float]  # of the objectives; a pruned trial has the last one that it reported
    feasible: bool = True


@dataclass(frozen=True, slots=True)
class _Study:
    name: str
    parts: Sequence[str]  # of the name: problem, algorithm, run
    directions: Sequence[Better | None]
    metric_names: Sequence[str]  # empty where the study has none
    trials: Sequence[_Trial]
    user_attrs: Mapping[str, Any] = field(default_factory=dict)


def recognise(file: SourceFile) -> bool:
    if file.in_memory and _is_study(file.content):
        return True
    if _is_storage(file):
        return {"studies", "study_directions", "trials"} <= set(_schema(file))
    columns = set(file.columns)
    return {"number", "state"} <= columns and any(re.match(r"values?(_|$)", name) for name in columns)


def _is_storage(file: SourceFile) -> bool:
    return file.head[:16] == _SQLITE


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """The best value of every study. Problem, algorithm and run: parts of its name, or its user attributes."""
    for file in files:
        for study in _studies(file):
            problem, algorithm, run = _names(study, file, choices)
            metric, objective, trials = _objective(study, choices.metric)
            better = study.directions[objective]
            score, status = _best(study, objective, trials, better or choices.better, metric)
            about = (run, "seed", None, None, status, Origin(file.path, "optuna"))
            yield Measurement(problem, algorithm, score, metric, better, *about)


def _best(
    study: _Study, objective: int, trials: Sequence[_Trial], better: Better | None, metric: str
) -> tuple[float, str]:
    """The best value of the complete and feasible trials, or NaN and why there is none."""
    if better is None:
        raise ParameterError(
            f"is needed: study {study.name!r} does not say whether lower or higher {metric} is better, and its best "
            "trial is to be taken",
            parameter="better",
        )
    complete = [trial.values[objective] for trial in trials if trial.state == "COMPLETE" and trial.feasible]
    complete = [value for value in complete if not math.isnan(value)]
    if complete:
        return (min if better == "lower" else max)(complete), "ok"
    states = {trial.state for trial in trials}
    word = {frozenset({"PRUNED"}): "pruned", frozenset({"FAIL"}): "failed", frozenset(): "no trials"}
    return math.nan, word.get(frozenset(states), "no complete and feasible trial")


def _objective(study: _Study, metric: str | None) -> tuple[str, int, Sequence[_Trial]]:
    """The metric as it is called, its place, and the trials within the budget (``loss@100``: the first 100)."""
    n = len(study.directions)
    numbered = [f"values_{i}" for i in range(n)] if n > 1 else ["value"]
    names = list(study.metric_names) or numbered
    if metric is None:
        if n > 1:
            raise ParameterError(
                f"must be one of {listing(names)}: study {study.name!r} has {n} objectives, and an analysis is of one",
                parameter="metric",
            )
        return names[0], 0, study.trials
    objective, at, budget = metric.rpartition("@") if re.search(r"@\d+$", metric) else (metric, "", "")
    known = {name: i for i in range(n) for name in (numbered[i], names[i], f"values_{names[i]}")}
    if objective not in known:
        rule = f"must be one of {listing(names)}, the objectives of study {study.name!r}"
        raise ParameterError(f"{rule}; got {objective!r}{did_you_mean(objective, names)}", parameter="metric")
    if not at:
        return metric, known[objective], study.trials
    if len(study.trials) < int(budget):
        raise ReadingError(
            f"study {study.name!r} has {len(study.trials)} trials, fewer than the {budget} of {metric!r}"
        )
    return metric, known[objective], sorted(study.trials)[: int(budget)]


def _names(study: _Study, file: SourceFile, choices: Choices) -> tuple[str, str, str]:
    """(problem, algorithm, run): user attributes where the user names them, else ``problem__algorithm__run``."""
    parts = [part for part in study.parts if part]
    labelled = bool(file.label) and _is_storage(file)  # a labelled storage is of one algorithm
    own: dict[str, str] = {}
    if labelled and len(parts) < 3:
        own = {"problem": parts[0], "algorithm": file.label, **({"run": parts[1]} if len(parts) == 2 else {})}
    elif len(parts) in (2, 3):
        own = dict(zip(("problem", "algorithm", "run"), parts, strict=False))
        own |= {"algorithm": file.label} if labelled else {}
    for word, choice in (("problem", choices.problem), ("algorithm", choices.algorithm), ("run", choices.run)):
        if choice is not None:
            own[word] = part_name(*(_attribute(study, word, key.strip()) for key in choice.split(",")))
    absent = [word for word in ("problem", "algorithm") if not own.get(word)]
    if absent:
        raise ReadingError(
            f"study {study.name!r}: its name is not problem__algorithm__run, which would "
            f"say of which {' and '.join(absent)} it is. "
            "Name user attributes (problem='dataset', algorithm='sampler', run='seed'), or label a file with label=, "
            "such as iris__tpe__0, and a study with {('iris', 'tpe', 0): study}"
        )
    return own["problem"], own["algorithm"], own.get("run", "0")


def _attribute(study: _Study, word: str, key: str) -> str:
    if key == "study_name":
        return study.name
    if key not in study.user_attrs:
        known = listing(["study_name", *study.user_attrs], 20)
        rule = f"must be a user attribute of study {study.name!r}, or study_name ({known})"
        raise ParameterError(f"{rule}; got {key!r}{did_you_mean(key, study.user_attrs)}", parameter=word)
    return cell_text(study.user_attrs[key])


def _studies(file: SourceFile) -> Iterator[_Study]:
    if file.in_memory and _is_study(file.content):
        yield _of_object(file)
    elif _is_storage(file):
        yield from _of_storage(file)
    else:
        yield _of_frame(file)


def _parts(file: SourceFile, name: str) -> Sequence[str]:
    return file.about.get("parts") or name.split("__")


def _is_study(content: Any) -> bool:
    return all(hasattr(content, name) for name in ("study_name", "directions", "get_trials"))


def _of_object(file: SourceFile) -> _Study:
    study = file.content
    name = file.label or study.study_name
    trials = [
        _Trial(trial.number, trial.state.name, trial.values or (), _feasible(trial.system_attrs.get("constraints")))
        for trial in study.get_trials(deepcopy=False)
    ]
    directions = [_BETTER.get(each.name) for each in study.directions]
    return _Study(name, _parts(file, name), directions, study.metric_names or (), trials, study.user_attrs)


def _feasible(constraints: Any) -> bool:
    """As Optuna takes them: met where every one is at most 0."""
    return not constraints or all(float(value) <= 0 for value in constraints)


def _of_frame(file: SourceFile) -> _Study:
    """It has neither a direction nor the name of its study: the user says the one, the file or key the other."""
    values = [name for name in file.columns if re.match(r"values?(_|$)", name)]
    names = [] if values == ["value"] else [re.sub(r"^values?_", "", name) for name in values]
    trials = []
    for row in table_rows(file):
        limits = row.text("system_attrs_constraints")
        trials.append(
            _Trial(
                int(row.score("number")),
                row.text("state").removeprefix("TrialState."),
                [row.score(name) for name in values],
                _feasible(ast.literal_eval(limits)) if limits else True,
            )
        )
    numbered = all(name.isdigit() for name in names)
    return _Study(file.name, _parts(file, file.name), [None] * len(values), [] if numbered else names, trials)


def _of_storage(file: SourceFile) -> Iterator[_Study]:
    schema = _schema(file)
    absent = [
        f"{table}.{column}" for table, columns in _TABLES.items() for column in columns - schema.get(table, set())
    ]
    if absent:
        raise ReadingError(
            f"{file.path}: an Optuna storage of another version ({listing(sorted(absent), 5)} is not there); "
            "bring it up to date with: optuna storage upgrade"
        )
    with closing(_connection(file)) as storage:
        studies = _query(storage, file, "select study_id, study_name from studies order by study_id")
        directions = _grouped(storage, file, "study_id, direction from study_directions order by study_id, objective")
        attributes = _grouped(storage, file, "study_id, key, value_json from study_user_attributes")
        system = _grouped(
            storage, file, "study_id, value_json from study_system_attributes where key = 'study:metric_names'"
        )
        trials = _grouped(storage, file, "study_id, trial_id, number, state from trials order by trial_id")
        values = _grouped(storage, file, "trial_id, value, value_type from trial_values order by trial_id, objective")
        limits = _grouped(storage, file, "trial_id, value_json from trial_system_attributes where key = 'constraints'")
        for number, name in studies:
            yield _Study(
                name,
                name.split("__"),
                [_BETTER.get(direction) for (direction,) in directions.get(number, [])],
                loads_strictly(system[number][0][0]) if number in system else (),
                [
                    _Trial(
                        n,
                        state,
                        [_value(*value) for value in values.get(trial, ())],
                        _feasible(loads_strictly(limits[trial][0][0])) if trial in limits else True,
                    )
                    for trial, n, state in trials.get(number, ())
                ],
                {key: loads_strictly(value) for key, value in attributes.get(number, ())},
            )


def _value(value: float | None, kind: str) -> float:
    return {"INF_POS": math.inf, "INF_NEG": -math.inf}.get(kind, math.nan if value is None else value)


def _connection(file: SourceFile, how: str = "mode=ro") -> sqlite3.Connection:
    """Read only: nothing is created or changed, and a study may go on meanwhile."""
    return sqlite3.connect(f"file:{quote(abspath(file.path))}?{how}", uri=True)


def _schema(file: SourceFile) -> dict[str, set[str]]:
    """Table -> columns. Another program's database is not locked either, nor is a log made beside it."""
    with closing(_connection(file, "immutable=1")) as storage:
        tables = [name for (name,) in _query(storage, file, "select name from sqlite_master where type = 'table'")]
        return {
            name: {row[1] for row in _query(storage, file, f'pragma table_info("{name}")')}
            for name in tables
            if name in _TABLES
        }


def _query(storage: sqlite3.Connection, file: SourceFile, query: str) -> list[tuple[Any, ...]]:
    try:
        return storage.execute(query).fetchall()
    except (sqlite3.Error, UnicodeDecodeError) as error:  # its message, too, may not be UTF-8
        raise ReadingError(f"cannot read {file.path!r}: {error}") from None


def _grouped(storage: sqlite3.Connection, file: SourceFile, query: str) -> dict[int, list[tuple[Any, ...]]]:
    """Rows by their first column."""
    groups: dict[int, list[tuple[Any, ...]]] = {}
    for key, *row in _query(storage, file, f"select {query}"):
        groups.setdefault(key, []).append(tuple(row))
    return groups


FORMAT = Format("optuna", "Optuna", recognise, read)
