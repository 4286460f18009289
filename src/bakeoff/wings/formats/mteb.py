"""MTEB's results/MODEL/REVISION/TASK.json, one mean for each language or subset of a task."""

import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bakeoff.errors import ParameterError, ReadingError, listing
from bakeoff.scores import Better
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin, status_of
from bakeoff.wings.formats.source_file import SourceFile

REVISION = re.compile(r"[0-9a-f]{7,40}|no_revision_available|external|no_revision", re.IGNORECASE)
MAIN = "main_score"


def recognise(file: SourceFile) -> bool:
    text = file.text_head
    return text.lstrip().startswith("{") and (
        '"mteb_dataset_name"' in text or ('"mteb_version"' in text and '"task_name"' in text)
    )


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: task/split/subset; algorithm: the model's folder; cluster: the task, whose languages share its data."""
    rows = [row for file in files for row in _subsets(file, choices)]
    if not any(row.metric for row in rows):
        name = choices.metric or MAIN
        raise ParameterError(f"must be a score of the files; none has {name!r}", parameter="metric")
    _refuse_two_scales(rows)
    yield from rows


def _subsets(file: SourceFile, choices: Choices) -> Iterator[Measurement]:
    content = file.json()
    task = str(content.get("task_name") or content["mteb_dataset_name"])
    origin = Origin(file.path, "MTEB", str(content.get("mteb_version") or ""))
    algorithm = file.label or _model(file.path)
    version = str(content.get("dataset_revision") or "")
    metric = choices.metric or MAIN
    better: Better | None = "higher" if metric == MAIN else None
    for split, subset, scores in _tables(content):
        problem, values = f"{task}/{split}/{subset}", _values(scores, metric)
        if not values:  # it is counted
            yield Measurement(problem, algorithm, math.nan, "", task=task)
        for run, value in enumerate(values):
            score = math.nan if value is None else float(value)
            of_run = (str(run), "split", task, None, status_of(score, "no score"), origin, version, task)
            yield Measurement(problem, algorithm, score, metric, better, *of_run)


def _tables(content: Mapping[str, Any]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """(split, subset, scores); in files before version 1.11, a split has its scores or a mapping of languages."""
    if "scores" in content:
        for split, subsets in content["scores"].items():
            yield from ((split, str(scores.get("hf_subset", "default")), scores) for scores in subsets)
        return
    for split, scores in content.items():
        if not isinstance(scores, Mapping):
            continue
        languages = {name: each for name, each in scores.items() if isinstance(each, Mapping)}
        if languages and MAIN not in scores:
            yield from ((split, name, each) for name, each in languages.items())
        else:
            yield split, "default", scores


def _values(scores: Mapping[str, Any], metric: str) -> list[float | None]:
    """Values of each experiment where the file has them (classification draws ten training sets), else the mean."""
    if metric not in scores:
        return []
    mean = scores[metric]
    experiments = scores.get("scores_per_experiment")
    if isinstance(experiments, list) and experiments and all(isinstance(each, Mapping) for each in experiments):
        equal = [key for key in experiments[0] if key == metric or (metric == MAIN and scores.get(key) == mean)]
        if len(equal) == 1 and all(equal[0] in each for each in experiments):
            return [each[equal[0]] for each in experiments]
    return [mean]


def _model(path: str) -> str:
    """The folder above the revision."""
    parts = os.path.abspath(path).split(os.sep)[:-1]
    return parts[-2] if len(parts) > 1 and REVISION.fullmatch(parts[-1]) else parts[-1]


def _refuse_two_scales(rows: Sequence[Measurement]) -> None:
    """Some older files have percentages where newer ones have shares."""
    shares = {row.problem for row in rows if row.score <= 1}
    mixed = list(dict.fromkeys(row.problem for row in rows if row.score > 1 and row.problem in shares))
    if mixed:
        files = sorted({row.origin.file for row in rows if row.score > 1 and row.problem in mixed and row.origin})
        raise ReadingError(
            f"{listing(mixed)}: some files have shares (0 to 1) and others percentages (0 to 100), these: "
            f"{listing(files)}. Bring them to one scale"
        )


FORMAT = Format("mteb", "MTEB", recognise, read)
