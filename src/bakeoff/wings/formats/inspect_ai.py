"""Inspect AI: logs (.json, .eval), and the frames of samples_df() and evals_df()."""

import io
import math
import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import IO, Any

from bakeoff.dataclass import dataclass, field
from bakeoff.errors import MissingPackageError, ParameterError, ReadingError, listing
from bakeoff.files import loads_strictly
from bakeoff.packages import installed, optional
from bakeoff.scores import Better
from bakeoff.wings.formats.json_entries import json_members
from bakeoff.wings.formats.measurement import (
    Choices,
    Format,
    Measurement,
    Origin,
    entry_at,
    part_name,
    refuse_two_settings,
    setting,
    text_of,
)
from bakeoff.wings.formats.source_file import SourceFile, most_unpacked

ZSTANDARD = 93
"""The number of Zstandard among the methods of ZIP, which Python reads from 3.14 on."""
HEADER = ("status", "error", "eval", "results")
"""Members of a log that are kept, beside its samples."""
READ = ("header.json", "summaries.json", "_journal/start.json", "_journal/summaries/")
"""Members of the archive that are read."""
ADVICE = (
    "the .eval file is compressed by Zstandard: install zstandard (pip install 'bakeoff[inspect]'), use Python 3.14 or "
    "newer, or convert it: inspect log convert --to json --output-dir JSON LOGS"
)


@dataclass(slots=True)
class LoggedAnswer:
    """One answer to one question."""

    id: str
    epoch: int
    scores: Mapping[str, Any]  # scorer -> value
    cluster: str | None = None
    error: bool = False
    limit: str = ""


@dataclass(slots=True)
class Log:
    """One evaluation of one model on one task."""

    file: SourceFile
    status: str = "success"
    error: str = ""
    about: Mapping[str, Any] = field(default_factory=dict)  # ``eval`` of the log: model, task, dataset, …
    results: Mapping[str, Any] = field(default_factory=dict)
    samples: list[LoggedAnswer] = field(default_factory=list)


def read_log(file: SourceFile, cluster: str | None) -> Log:
    """Read the file; prompts, messages and events are not kept."""
    header, samples = (_of_archive if is_archive(file) else _of_json)(file, cluster)
    error = str((header.get("error") or {}).get("message", ""))
    about, results = header.get("eval", {}), header.get("results") or {}
    return Log(file, header.get("status", "success"), error, about, results, samples)


def is_archive(file: SourceFile) -> bool:
    return file.head.startswith(b"PK\x03\x04")


def _of_json(file: SourceFile, cluster: str | None) -> tuple[dict[str, Any], list[LoggedAnswer]]:
    header: dict[str, Any] = {}
    samples: list[LoggedAnswer] = []
    try:
        with file.text() as text:
            for key, value in json_members(text, "samples"):
                if key in HEADER:
                    header[key] = value
                elif key == "samples" and value is not None:
                    samples.append(answer_of(value, cluster))
    except ParameterError:
        raise
    except (ValueError, RecursionError) as error:
        raise ReadingError(f"{file.path}: no log of Inspect (is the file complete?): {error}") from None
    return header, samples


def _of_archive(file: SourceFile, cluster: str | None) -> tuple[dict[str, Any], list[LoggedAnswer]]:
    """The header and the summaries, which have the scores; of a log that was not finished, its journal."""
    try:
        with open(file.path, "rb") as raw, zipfile.ZipFile(raw) as archive:
            names = archive.namelist()
            _refuse_bomb(file, archive)
            if "header.json" in names:
                header = _member(archive, raw, "header.json")
                parts = [name for name in names if name == "summaries.json"]
            else:
                header = {"status": "started", "eval": _member(archive, raw, "_journal/start.json")["eval"]}
                parts = [name for name in names if name.startswith("_journal/summaries/")]
            samples = [answer_of(each, cluster) for name in parts for each in _member(archive, raw, name)]
    except (zipfile.BadZipFile, OSError) as error:
        raise ReadingError(f"{file.path}: no .eval file of Inspect (is it complete?): {error}") from None
    return header, samples


def _refuse_bomb(file: SourceFile, archive: zipfile.ZipFile) -> None:
    """By the sizes that the archive states, beyond which no member is read."""
    read = [each for each in archive.infolist() if each.filename.startswith(READ)]
    size = sum(each.file_size for each in read)
    if size > most_unpacked(sum(each.compress_size for each in read)):
        raise ReadingError(
            f"{file.path}: its scores unpack to {size >> 20} MiB, far beyond those of any log; if it is "
            "one, convert it: inspect log convert --to json --output-dir JSON LOGS"
        )


def _member(archive: zipfile.ZipFile, raw: IO[bytes], name: str) -> Any:
    try:
        return loads_strictly(_unpacked(archive, raw, name))
    except (ReadingError, MissingPackageError, KeyError, ValueError, RecursionError):
        raise
    except Exception as error:  # each way of compressing has its own kind
        raise zipfile.BadZipFile(str(error)) from None


def _unpacked(archive: zipfile.ZipFile, raw: IO[bytes], name: str) -> bytes:
    info = archive.getinfo(name)
    try:
        return archive.read(name)
    except NotImplementedError:
        if info.compress_type != ZSTANDARD:
            raise ReadingError(f"{archive.filename}: compressed by method {info.compress_type}; {ADVICE}") from None
    raw.seek(info.header_offset)
    header = raw.read(30)
    raw.seek(int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little"), 1)
    if installed("zstandard"):
        packed = io.BytesIO(raw.read(info.compress_size))
        with optional("zstandard").ZstdDecompressor().stream_reader(packed, read_across_frames=True) as unpacked:
            return bytes(unpacked.read(info.file_size))
    raise MissingPackageError(ADVICE)


def answer_of(record: Mapping[str, Any], cluster: str | None) -> LoggedAnswer:
    scores = {scorer: score.get("value") for scorer, score in (record.get("scores") or {}).items()}
    limit = record.get("limit") or ""
    return LoggedAnswer(
        id=str(record["id"]),
        epoch=int(record["epoch"]),
        scores=scores,
        cluster=None if cluster is None else cluster_of(record.get("metadata") or {}, cluster),
        error=bool(record.get("error")),
        limit=str(limit.get("type", "")) if isinstance(limit, Mapping) else str(limit),
    )


def cluster_of(metadata: Mapping[str, Any], key: str) -> str:
    """The value of ``passage``, ``metadata.passage`` or, as the frame names it, ``metadata_passage``."""
    value = entry_at(metadata, *key.removeprefix("metadata.").removeprefix("metadata_").split("."))
    if absent(value):
        known = listing(metadata, 12) or "there is none"
        rule = f"must be a key of the metadata of every sample ({known}); got {key!r}"
        raise ParameterError(rule, parameter="cluster")
    return text_of(value)


def frame_logs(file: SourceFile, evaluations: Mapping[str, Mapping[str, Any]], cluster: str | None) -> Iterator[Log]:
    """The logs in a frame of samples (``samples_df``), joined to those of evaluations (``evals_df``)."""
    logs: dict[str, Log] = {}
    for row in file.records():
        of = str(row.get("eval_id", ""))
        if of not in logs:
            known = {**{key: value for key, value in row.items() if key in ABOUT}, **evaluations.get(of, {})}
            about = {ABOUT[key]: value for key, value in known.items() if key in ABOUT and not absent(value)}
            logs[of] = Log(file, about=about)
        scores = {name.removeprefix("score_"): value for name, value in row.items() if name.startswith("score_")}
        metadata = {name.removeprefix("metadata_"): v for name, v in row.items() if name.startswith("metadata_")}
        logs[of].samples.append(
            LoggedAnswer(
                id=str(row["id"]),
                epoch=int(float(row.get("epoch") or 1)),
                scores={name: None if absent(value) else value for name, value in scores.items()},
                cluster=None if cluster is None else cluster_of(metadata, cluster),
                error=not absent(row.get("error")),
                limit="" if absent(row.get("limit")) else str(row["limit"]),
            )
        )
    yield from logs.values()


ABOUT = {"eval_id": "eval_id", "model": "model", "task_name": "task", "task": "task", "created": "created"}
"""Columns of the frames -> keys of ``eval``."""


def absent(value: object) -> bool:
    """An empty cell of a CSV file, None, NaN."""
    return value is None or value == "" or value != value


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
    """Drop what a mock model was told to answer: it is not a setting."""
    own = dict(settings)
    if isinstance(arguments := own.get("model_args"), Mapping):
        own["model_args"] = {name: value for name, value in arguments.items() if name != "custom_outputs"}
    return own


def _rows(log: Log, algorithm: str, run: str, by_task: bool) -> Iterator[Measurement]:
    names = _metrics(log)
    directions = {name: _better(log, name) for name in names}
    package, commit = (
        str(entry_at(log.about, *keys) or "") for keys in (("packages", "inspect_ai"), ("revision", "commit"))
    )
    origin = Origin(log.file.path, "Inspect", package, commit=commit, date=str(log.about.get("created", "")))
    version, task = str(log.about.get("task_version", "")), _task(log)
    for sample in (*log.samples, *_not_run(log)):
        values, problem, epoch = dict(_values(sample)), part_name(task, sample.id), f"{run}{sample.epoch}"
        cluster = task if by_task else sample.cluster and part_name(task, sample.cluster)
        for name in names:
            score, status = _score(sample, values[name]) if name in values else (math.nan, _why(sample))
            about = (epoch, "answer", cluster, None, status, origin, version, task)
            yield Measurement(problem, algorithm, score, name, directions[name], *about)


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
    """The reason why there is no score."""
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
