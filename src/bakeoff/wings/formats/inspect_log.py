"""Inspect's logs, .json and .eval: the header, and of each sample what an analysis needs."""

import io
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import IO, Any

from bakeoff.errors import MissingPackageError, ParameterError, ReadingError, listing
from bakeoff.files import loads_strictly
from bakeoff.packages import installed, optional
from bakeoff.wings.formats.json_entries import json_members
from bakeoff.wings.formats.measurement import text_of
from bakeoff.wings.formats.source_file import SourceFile, most_unpacked

ZSTANDARD = 93
"""The number of Zstandard among the methods of ZIP, which Python reads from 3.14 on."""
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

    def take(self, key: str, value: Any) -> None:
        """A member of the header."""
        if key == "eval":
            self.about = value
        elif key == "results":
            self.results = value or {}
        elif key == "status":
            self.status = value
        elif key == "error" and value:
            self.error = str(value.get("message", ""))


def read_log(file: SourceFile, cluster: str | None) -> Log:
    """Of the file; prompts, messages and events are not kept."""
    return _of_archive(file, cluster) if is_archive(file) else _of_json(file, cluster)


def is_archive(file: SourceFile) -> bool:
    return file.head.startswith(b"PK\x03\x04")


def _of_json(file: SourceFile, cluster: str | None) -> Log:
    log = Log(file)
    try:
        with file.text() as text:
            for key, value in json_members(text, "samples"):
                if key == "samples":
                    if value is not None:
                        log.samples.append(answer_of(value, cluster))
                else:
                    log.take(key, value)
    except ParameterError:
        raise
    except (ValueError, RecursionError) as error:
        raise ReadingError(f"{file.path}: no log of Inspect (is the file complete?): {error}") from None
    return log


def _of_archive(file: SourceFile, cluster: str | None) -> Log:
    """The header and the summaries, which have the scores; of a log that was not finished, its journal."""
    log = Log(file)
    try:
        with open(file.path, "rb") as raw, zipfile.ZipFile(raw) as archive:
            names = archive.namelist()
            _refuse_bomb(file, archive)
            if "header.json" in names:
                for key, value in _member(archive, raw, "header.json").items():
                    log.take(key, value)
                summaries = [_member(archive, raw, "summaries.json")] if "summaries.json" in names else []
            else:
                log.status = "started"
                log.take("eval", _member(archive, raw, "_journal/start.json")["eval"])
                parts = [name for name in names if name.startswith("_journal/summaries/")]
                summaries = [_member(archive, raw, name) for name in parts]
            log.samples = [answer_of(each, cluster) for part in summaries for each in part]
    except (zipfile.BadZipFile, OSError) as error:
        raise ReadingError(f"{file.path}: no .eval file of Inspect (is it complete?): {error}") from None
    return log


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
    value: Any = metadata
    for step in key.removeprefix("metadata.").removeprefix("metadata_").split("."):
        value = value.get(step) if isinstance(value, Mapping) else None
    if absent(value):
        cluster = (
            f"must be a key of the metadata of every sample ({listing(metadata, 12) or 'there is none'}); got {key!r}"
        )
        raise ParameterError(cluster, parameter="cluster")
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
