"""Inspect AI: logs (.json, .eval), and the frames of samples_df() and evals_df()."""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bakeoff.errors import ParameterError, ReadingError
from bakeoff.files import loads_strictly
from bakeoff.scores import Better
from bakeoff.wings.formats.inspect_log import Log, LoggedAnswer, absent, frame_logs, is_archive, read_log
from bakeoff.wings.formats.measurement import (
    Choices,
    Format,
    Measurement,
    Origin,
    part_name,
    refuse_two_settings,
    setting,
)
from bakeoff.wings.formats.source_file import SourceFile

GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
"""Correct, partial, incorrect, no answer, with the numbers Inspect gives them."""
WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
SETTINGS = ("solver", "solver_args", "task_args", "model_args", "model_generate_config", "model_base_url")
ALGORITHM = "model,task_args"


def recognise(file: SourceFile) -> bool:
    if _is_samples_frame(file) or _is_evals_frame(file):
        return True
    if file.in_memory:
        return False
    if is_archive(file):
        return file.path.endswith(".eval") or b"_journal/start.json" in file.head[:200]
    text = file.text_head
    return bool(re.match(r'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:', text)) and '"eval"' in text


def _is_samples_frame(file: SourceFile) -> bool:
    columns = set(file.columns)
    return {"id", "epoch"} <= columns and ("eval_id" in columns or any(c.startswith("score_") for c in columns))


def _is_evals_frame(file: SourceFile) -> bool:
    return {"eval_id", "model"} <= set(file.columns) and "epoch" not in file.columns


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: task/id; algorithm: the model; run: the epoch, an answer to the same question; metric: the scorer."""
    evaluations = {str(row["eval_id"]): row for file in files if _is_evals_frame(file) for row in file.records()}
    sources = [file for file in files if not _is_evals_frame(file)]
    if not sources:
        where = files[0].path or "the frame"
        raise ReadingError(f"{where}: evals_df() has means only; give the frame of samples_df() too")
    if choices.problem is not None:
        rule = f"is the identifier of the sample here, and nothing else can be chosen; got {choices.problem!r}"
        raise ParameterError(rule, parameter="problem")
    key = None if choices.cluster == "task" else choices.cluster
    logs: list[Log] = []
    for file in sources:
        logs.extend(frame_logs(file, evaluations, key) if _is_samples_frame(file) else [read_log(file, key)])
    named = _once([(log, _algorithm(log, choices)) for log in _without_retried(logs)])
    _refuse_settings(named, choices)
    repeated = Counter((algorithm, _task(log)) for log, algorithm in named)
    by_task = choices.cluster == "task"
    seen = 0
    for log, algorithm in named:
        run = f"{log.about.get('created', log.file.stem)} " if repeated[algorithm, _task(log)] > 1 else ""
        for row in _rows(log, algorithm, run, by_task):
            seen += 1
            yield row
    if not seen:
        log = named[0][0]
        raise ReadingError(
            f"{log.file.path}: a log with status {log.status!r} and no scores{log.error and f' ({log.error[:100]})'}; "
            "finish it (inspect eval-retry), or leave it out"
        )


def _without_retried(logs: Sequence[Log]) -> list[Log]:
    """Without the logs that a retry finished: it has the same task_id, and all of their samples."""
    finished = {_retried(log) for log in logs if log.status == "success"}
    return [
        log for log in logs if log.status == "success" or not log.about.get("task_id") or _retried(log) not in finished
    ]


def _once(named: Sequence[tuple[Log, str]]) -> list[tuple[Log, str]]:
    """A log and its copy in the other format are one."""
    logs_seen: dict[tuple[object, ...], tuple[Log, str]] = {}
    for place, (log, algorithm) in enumerate(named):
        key = (log.about.get("eval_id") or place, algorithm, len(log.samples))
        logs_seen.setdefault(key, (log, algorithm))
    return list(logs_seen.values())


def _retried(log: Log) -> tuple[str, str]:
    return str(log.about.get("task_id")), str(log.about.get("model"))


def _task(log: Log) -> str:
    return str(log.about.get("task") or "")


def _algorithm(log: Log, choices: Choices) -> str:
    if choices.algorithm is not None:
        return setting(log.about, choices.algorithm)
    if log.file.label:
        return log.file.label
    if log.about.get("model"):
        return str(log.about["model"])
    where = log.file.path or "the frame"
    raise ReadingError(
        f"{where}: samples_df() has no column model. Give the CSV of evals_df() too, or join them: "
        "samples.merge(evals[['eval_id', 'model', 'task_name']], on='eval_id')"
    )


def _refuse_settings(named: Sequence[tuple[Log, str]], choices: Choices) -> None:
    """Several logs of one model and task are repetitions only where solver, arguments and generation agree."""
    if choices.algorithm is not None:
        return
    firsts: dict[tuple[str, str], Log] = {}
    for log, algorithm in named:
        first = firsts.setdefault((algorithm, _task(log)), log)
        keys = ("model",) if log.file.label else SETTINGS
        a, b = ({key: each.about.get(key) for key in keys} for each in (first, log))
        refuse_two_settings(algorithm, (first.file.path, _own(a)), (log.file.path, _own(b)), ALGORITHM)


def _own(settings: Mapping[str, Any]) -> dict[str, Any]:
    """What a mock model was told to answer is no setting."""
    own = dict(settings)
    if isinstance(arguments := own.get("model_args"), Mapping):
        own["model_args"] = {name: value for name, value in arguments.items() if name != "custom_outputs"}
    return own


def _rows(log: Log, algorithm: str, run: str, by_task: bool) -> Iterator[Measurement]:
    names = _metrics(log)
    directions = {name: _better(log, name) for name in names}
    origin = Origin(
        log.file.path,
        "Inspect",
        str((log.about.get("packages") or {}).get("inspect_ai", "")),
        commit=str((log.about.get("revision") or {}).get("commit", "")),
        date=str(log.about.get("created", "")),
    )
    version = str(log.about.get("task_version", ""))
    for sample in (*log.samples, *_not_run(log)):
        values = dict(_values(sample))
        for name in names:
            score, status = _score(sample, values[name]) if name in values else (math.nan, _why(sample))
            yield Measurement(
                part_name(_task(log), sample.id),
                algorithm,
                score,
                name,
                directions[name],
                f"{run}{sample.epoch}",
                "answer",
                _task(log) if by_task else sample.cluster and part_name(_task(log), sample.cluster),
                None,
                status,
                origin,
                version,
                _task(log),
            )


def _not_run(log: Log) -> Iterator[LoggedAnswer]:
    """The answers that a log which was stopped lacks."""
    if log.status == "success" or not log.samples:
        return
    data, config = log.about.get("dataset") or {}, log.about.get("config") or {}
    there = {(sample.id, sample.epoch) for sample in log.samples}
    clusters = {sample.id: sample.cluster for sample in log.samples}
    for name in map(str, data.get("sample_ids") or ()):
        for epoch in range(1, int(config.get("epochs") or 1) + 1):
            if (name, epoch) not in there:
                yield LoggedAnswer(name, epoch, {}, clusters.get(name), limit="not run")


def _metrics(log: Log) -> list[str]:
    """Scorers, and the keys of those whose values are mappings, in order of appearance."""
    names = dict.fromkeys(name for sample in log.samples for name, _ in _values(sample))
    if not names:
        scorers = log.results.get("scores") or log.about.get("scorers") or ()
        names = dict.fromkeys(str(each.get("name")) for each in scorers)
    return list(names)


def _values(sample: LoggedAnswer) -> Iterator[tuple[str, object]]:
    """(metric, value): ``scorer``, or ``scorer/key`` of a mapping or list."""
    for scorer, value in sample.scores.items():
        parts = _parsed(value)
        if isinstance(parts, Mapping):
            yield from ((f"{scorer}/{key}", each) for key, each in parts.items())
        elif isinstance(parts, list):
            yield from ((f"{scorer}/{i}", each) for i, each in enumerate(parts))
        else:
            yield scorer, value


def _parsed(value: object) -> object:
    """A mapping that a CSV file has as text."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        try:
            return loads_strictly(value)
        except ValueError:
            return value
    return value


def _score(sample: LoggedAnswer, value: object) -> tuple[float, str]:
    """As Inspect's value_to_float, except that what it cannot read is missing, and not 0."""
    if sample.error or absent(value):
        return math.nan, _why(sample)
    if isinstance(value, int | float):
        return float(value), "ok"
    text = str(value)
    if text in GRADES or text.lower() in WORDS:
        return GRADES[text] if text in GRADES else WORDS[text.lower()], "ok"
    try:
        number = float(text)
    except ValueError:
        return math.nan, f"no number: {text[:40]!r}"
    return (number, "ok") if not math.isnan(number) else (math.nan, "unscored")


def _why(sample: LoggedAnswer) -> str:
    """Why there is no score."""
    if sample.error:
        return "failed"
    if sample.limit in ("time", "working"):
        return "timeout"
    if sample.limit == "not run":
        return sample.limit
    return f"{sample.limit} limit" if sample.limit else "unscored"


def _better(log: Log, name: str) -> Better | None:
    """Grades and accuracies are better higher; of other numbers Inspect says nothing."""
    scorer = name.split("/")[0]
    for each in log.results.get("scores") or ():
        of_it = each.get("name") in (name, scorer) or name.endswith(f"/{each.get('name')}")
        if of_it and any(str(key).split("/")[-1] == "accuracy" for key in each.get("metrics") or ()):
            return "higher"
    values = (value for sample in log.samples for key, value in _values(sample) if key == name)
    return "higher" if any(isinstance(value, str) and value in GRADES for value in values) else None


FORMAT = Format("inspect", "Inspect AI", recognise, read, tasks=True)
