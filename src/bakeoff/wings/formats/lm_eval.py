"""Folders of lm-evaluation-harness: samples_TASK_TIME.jsonl (--log_samples) beside results_TIME.json.

A line of samples is a question, its scores, and 1 to 50 kB of prompt that is passed over.
"""

import json
import math
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from bakeoff.dataclass import dataclass, field
from bakeoff.errors import ParameterError, ReadingError, listing
from bakeoff.files import loads_strictly
from bakeoff.scores import Better
from bakeoff.wings.formats.measurement import (
    Choices,
    Format,
    GroupMean,
    Measurement,
    Origin,
    entry_at,
    part_name,
    refuse_two_settings,
    setting,
    text_of,
)
from bakeoff.wings.formats.source_file import SourceFile
from bakeoff.words import named_direction

WRITTEN = ("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics")
FIELDS = frozenset({*WRITTEN, "doc_hash", "prompt_hash", "target_hash"})
"""Keys of a line that are no metric."""


class Sample(NamedTuple):
    doc_id: str
    filter: str  # "none" where there is none
    doc_hash: str
    scores: Mapping[str, Any]
    cluster: str | None = None


def samples(file: SourceFile, cluster: str | None = None) -> Iterator[Sample]:
    """One line after the other; none is kept."""
    with file.open() as lines:
        for number, line in enumerate(lines, 1):
            ends = _at_the_ends(line) if cluster is None else None
            if ends is None:
                if not line.strip():
                    continue
                ends = sample_of(_parsed(line, f"{file.path}, line {number}"), cluster)
            yield ends


def _parsed(line: bytes, place: str) -> dict[str, Any]:
    try:
        record = loads_strictly(line)
    except (ValueError, RecursionError) as error:
        raise ReadingError(f"{place}: not JSON (is the file complete?): {error}") from None
    if not isinstance(record, dict) or "doc_id" not in record:
        raise ReadingError(f"{place}: no sample of lm-eval, which has a doc_id")
    return record


def sample_of(line: dict[str, Any], cluster: str | None = None) -> Sample:
    """The sample of a parsed line; without the list of metrics (before lm-eval 0.4.5) every other key is one."""
    names = line["metrics"] if "metrics" in line else [key for key in line if key not in FIELDS]
    return Sample(
        str(line["doc_id"]),
        str(line.get("filter", "none")),
        str(line.get("doc_hash", "")),
        {name: line[name] for name in names if name in line},
        None if cluster is None else label_at(line, cluster),
    )


def label_at(line: Mapping[str, Any], key: str) -> str:
    """The value of ``doc.passage``, or of the key of the document, ``passage``."""
    document = line.get("doc")
    for start in (line, document):
        if (entry := entry_at(start, *key.split("."))) is not None:
            return entry if isinstance(entry, str) else json.dumps(entry, sort_keys=True)
    keys = [f"doc.{name}" for name in document] if isinstance(document, Mapping) else list(line)
    raise ParameterError(f"must be a key of every sample ({listing(keys, 12)}); got {key!r}", parameter="cluster")


_HEAD = re.compile(rb'\{"doc_id": (0|[1-9]\d*), "')
_TEXT = rb'"[^"\\\x00-\x1f]*"'
_TAIL = re.compile(
    rb'"filter": (%(text)s), "metrics": (\[(?:%(text)s(?:, %(text)s)*)?\]), "doc_hash": "([0-9a-f]*)", '
    rb'"prompt_hash": "[0-9a-f]*", "target_hash": "[0-9a-f]*"'
    rb"((?:, %(text)s: (?:-?\d[\d.eE+-]*|true|false|null|NaN))*)\}\s*" % {b"text": _TEXT}
)


def _at_the_ends(line: bytes) -> Sample | None:
    """The sample from the two ends of a line as lm-eval writes it; None: parse it.

    The tail matched is complete pairs and one closing brace at the end of the line. In JSON its first quotation mark,
    after a comma and a space, opens a string, as ``filter`` cannot follow a closed one; so the brace closes the object
    that has these keys, which is the line. The keys come last, and so are the ones that count where some occur twice.
    """
    start = line.rfind(b', "filter": "') + 2
    head = _HEAD.match(line)
    if start < 2 or head is None or line.count(b'"doc_id"') != 1:
        return None
    tail = _TAIL.fullmatch(line, start)
    if tail is None:
        return None
    scores = _scores(tail[2], tail[4])
    if scores is None:
        return None
    return Sample(head[1].decode(), _text(tail[1]), tail[3].decode(), scores)


@lru_cache(maxsize=64)
def _text(text: bytes) -> str:
    return str(loads_strictly(text))


@lru_cache(maxsize=4096)
def _scores(metrics: bytes, pairs: bytes) -> Mapping[str, Any] | None:
    """None unless the pairs are those of the metrics."""
    try:
        names, values = loads_strictly(metrics), loads_strictly(b"{" + pairs[2:] + b"}")
    except ValueError:
        return None
    return values if set(names) == set(values) and FIELDS.isdisjoint(names) else None


def score_of(value: object) -> tuple[float, str] | None:
    """Score and status of a value; None: it is no score of one question."""
    if isinstance(value, float | int):  # True and False too
        return (float(value), "ok") if value == value else (math.nan, "not a number")
    return (math.nan, "no score") if value is None else None


TIME = re.compile(r"_(\d{4}-\d\d-\d\dT\d\d[-:]\d\d[-:]\d\d(?:\.\d+)?)\.jsonl?(?:\.gz)?$")
OF_THE_CORPUS = frozenset({"perplexity", "word_perplexity", "byte_perplexity", "bits_per_byte", "bypass"})
"""Metrics that are none of a question, even where a sample has one number: of perplexity, the log-likelihood."""
SETTINGS = ("model_args", "gen_kwargs", "model")
TEMPLATES = ("system_instruction_sha", "chat_template_sha")


def recognise(file: SourceFile) -> bool:
    return not file.in_memory and (_is_samples(file) or _is_results(file))


def _is_samples(file: SourceFile) -> bool:
    text, name = file.text_head.lstrip(), os.path.basename(file.path)
    return text.startswith("{") and (
        bool(re.match(r'\{\s*"doc_id"\s*:[^,]*,\s*"(doc|target|arguments|filter)"\s*:', text))
        or (name.startswith("samples_") and '"doc_id"' in text)
    )


def _is_results(file: SourceFile) -> bool:
    text = file.text_head
    first = re.match(r'\s*\{\s*"results"\s*:\s*\{\s*"[^"]*"\s*:\s*\{', text)
    lighteval = re.match(r'\s*\{\s*"config_general"', text)
    return bool(lighteval or (first and ("_stderr" in text or '"alias"' in text)))


@dataclass(slots=True)
class Part:
    """The samples of one task in one run of lm-eval, and what its results file says."""

    file: SourceFile
    task: str
    time: str
    header: Mapping[str, Any]
    algorithm: str

    def settings(self) -> dict[str, Any]:
        """Settings that make it another algorithm under the same name."""
        config, shots = self.header.get("config") or {}, entry_at(self.header, "n-shot", self.task)
        return {
            **{f"config.{key}": config[key] for key in SETTINGS if key in config},
            **{key: self.header[key] for key in TEMPLATES if key in self.header},
            **({} if shots is None else {f"n-shot.{self.task}": shots}),
        }

    def origin(self) -> Origin:
        header = self.header
        version, commit = header.get("lm_eval_version"), header.get("git_hash")
        about = {"commit": str(commit or ""), "date": self.time}
        return Origin(self.file.path, "lm-eval", str(version or ""), groups=_group_means(header), **about)


def _better(header: Mapping[str, Any], task: str, metric: str) -> Better | None:
    higher = entry_at(header, "higher_is_better", task, metric)
    return None if higher is None else "higher" if higher else "lower"


def read(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """problem: task/doc_id; algorithm: model_name, else the folder; run: the time stamp, if there are several."""
    logs = [file for file in files if _is_samples(file)]
    means = [file for file in files if not _is_samples(file)]
    if choices.problem is not None and choices.problem != "task":
        rule = f"must be 'task' (its mean, from results_*.json) or left out (its questions); got {choices.problem!r}"
        raise ParameterError(rule, parameter="problem")
    if choices.problem == "task":
        yield from _means(means, choices)
    elif not logs:
        raise ReadingError(
            f"{files[0].path}: lm-eval kept only the means of tasks, and a comparison of models needs each question. "
            "Run it again with --log_samples, and give the whole output folder; or compare means of tasks with "
            "problem='task'"
        )
    else:
        yield from _questions(_parts(logs, {_place(file): file for file in means}, choices), choices)


def _place(file: SourceFile) -> tuple[str, str]:
    """Folder and time stamp: the files of one run of lm-eval."""
    match = TIME.search(file.path)
    return os.path.dirname(os.path.abspath(file.path)), match[1] if match else ""


def _parts(logs: Sequence[SourceFile], results: Mapping[tuple[str, str], SourceFile], choices: Choices) -> list[Part]:
    headers = {place: file.json() for place, file in results.items()}
    parts = []
    for file in logs:
        header = headers.get(_place(file), {})
        name = os.path.basename(file.path)
        task = TIME.sub("", name) if TIME.search(name) else name.split(".")[0]
        parts.append(
            Part(file, task.removeprefix("samples_"), _place(file)[1], header, _algorithm(file, header, choices))
        )
    firsts: dict[tuple[str, ...], Part] = {}
    for part in parts:  # the number of shots is one for each task
        for key in ((part.algorithm,), (part.algorithm, part.task)):
            _refuse_two_models(firsts.setdefault(key, part), part, choices)
    return parts


def _refuse_two_models(first: Part, part: Part, choices: Choices) -> None:
    """Under one name; a user who labels files says that they are of one algorithm, unless they are two models."""
    if part.file.label or choices.algorithm:
        a, b = ({key: p.header[key] for key in ("model_name",) if key in p.header} for p in (first, part))
    else:
        a, b = first.settings(), part.settings()
    refuse_two_settings(part.algorithm, (first.file.path, a), (part.file.path, b), "model_name,config.model_args")


def _algorithm(file: SourceFile, header: Mapping[str, Any], choices: Choices) -> str:
    if choices.algorithm is not None:
        return setting(header, choices.algorithm)
    if file.label:
        return file.label
    config = header.get("config") or header.get("config_general") or {}
    named = header.get("model_name") or config.get("model_name")
    folder = os.path.basename(os.path.dirname(os.path.abspath(file.path)))
    if not TIME.search(file.path) and not _is_samples(file):  # renamed, and perhaps one of several models here
        folder = file.stem
    return str(named or folder or text_of(config.get("model_args")))


def _questions(parts: Sequence[Part], choices: Choices) -> Iterator[Measurement]:
    repeated = Counter((part.algorithm, part.task) for part in parts)
    by_task = choices.cluster == "task"
    names = MetricNames(choices.metric)
    for part in parts:
        run = part.time or part.file.stem if repeated[part.algorithm, part.task] > 1 else "0"
        origin, algorithm, task = part.origin(), part.algorithm, part.task
        named: dict[tuple[str, str], tuple[str, Better | None] | None] = {}
        for sample in samples(part.file, None if by_task else choices.cluster):
            problem, compared = f"{task}/{sample.doc_id}", False
            cluster = task if by_task else sample.cluster and part_name(task, sample.cluster)
            where = (origin, sample.doc_hash, task)
            for metric, value in sample.scores.items():
                key = metric, sample.filter
                if key in named:
                    about = named[key]
                else:  # of a metric that is not the chosen one, the first row tells its name
                    about = names.of(metric, sample.filter, part)
                    named[key] = (
                        about if choices.metric is None or about is None or about[0] == choices.metric else None
                    )
                if about is None:
                    continue
                if (scored := score_of(value)) is None:
                    names.refuse(metric, about[0], part)
                    continue
                (name, better), (score, status) = about, scored
                yield Measurement(problem, algorithm, score, name, better, run, "answer", cluster, None, status, *where)
                compared = True
            if not compared:  # it is counted
                yield Measurement(problem, algorithm, math.nan, "", task=task)
    if names.corpus and not names.metrics:
        raise ReadingError(_no_question(next(iter(names.corpus)), parts[0].file.path))


@dataclass(slots=True)
class MetricNames:
    """Metrics as an analysis names them: ``acc``, and ``exact_match,strict-match`` where a filter has a name."""

    metric: str | None
    filter: str = ""  # that the wanted metric, named without one, was found with
    metrics: dict[str, None] = field(default_factory=dict)
    corpus: dict[str, None] = field(default_factory=dict)  # metrics that no question has

    def of(self, metric: str, filtered: str, part: Part) -> tuple[str, Better | None] | None:
        """Name and direction; None of a metric that no question has."""
        name = metric if filtered == "none" else f"{metric},{filtered}"
        if self.metric == metric != name:
            name = self._only_filter(metric, filtered)
        if metric in OF_THE_CORPUS:
            self.refuse(metric, name, part)
            return None
        self.metrics[name] = None
        return name, _better(part.header, part.task, metric)

    def refuse(self, metric: str, name: str, part: Part) -> None:
        """A list of answers and the like where a number is needed; only an analysis of this metric stops."""
        self.metrics.pop(name, None)
        self.corpus[metric] = None
        if self.metric == name:
            raise ReadingError(_no_question(metric, part.file.path))

    def _only_filter(self, metric: str, other_filter: str) -> str:
        self.filter = self.filter or other_filter
        if other_filter != self.filter:
            rule = f"must say the filter: one of {metric},{self.filter}; {metric},{other_filter}; …; got {metric!r}"
            raise ParameterError(rule, parameter="metric")
        return metric


def _no_question(metric: str, path: str) -> str:
    return (
        f"{path}: {metric} is computed from all questions together; a question has no {metric} of its own, and "
        "questions cannot be compared by it. Choose a metric that each question has (metric=), such as acc"
    )


def _means(files: Sequence[SourceFile], choices: Choices) -> Iterator[Measurement]:
    """Means of tasks, one each; not those of groups of tasks, nor lighteval's mean of all."""
    if not files:
        raise ReadingError("there is no results_*.json, which has the means of tasks", parameter="problem")
    headers = [(file, file.json()) for file in files]
    names = [_algorithm(file, header, choices) for file, header in headers]
    counts = Counter(names)
    for (file, header), algorithm in zip(headers, names, strict=True):
        groups = {name for name, members in (header.get("group_subtasks") or {}).items() if members}
        groups |= set(header.get("groups") or {}) | {"all"}
        of_groups = _groups(header)
        time = _place(file)[1]
        origin = Origin(file.path, "lm-eval", str(header.get("lm_eval_version") or ""), date=time)
        run = time or file.stem if counts[algorithm] > 1 else "0"
        for task, values in header["results"].items():
            if task in groups:
                continue
            version = str((header.get("versions") or {}).get(task, ""))
            cluster = of_groups.get(task, task) if of_groups else None
            for key, value in values.items():
                metric, _, filtered = key.partition(",")
                scored = None if isinstance(value, bool) else score_of(value)
                if scored is None or metric.endswith("_stderr") or key == "sample_len":
                    continue
                score, status = scored
                name = metric if filtered in ("", "none") or choices.metric == metric else key
                better = _better(header, task, metric) or named_direction(metric)  # which old results do not say
                about = (run, "answer", cluster, None, status, origin, version, task)
                yield Measurement(task, algorithm, score, name, better, *about)


def _group_means(header: Mapping[str, Any]) -> tuple[GroupMean, ...]:
    """The own values of each group, with all the tasks that are in it."""
    subtasks: Mapping[str, Any] = header.get("group_subtasks") or {}
    means = []
    for group, values in (header.get("groups") or {}).items():
        tasks, waiting = dict.fromkeys([group]), list(subtasks.get(group) or ())
        while waiting:
            task = waiting.pop()
            waiting += [member for member in subtasks.get(task) or () if member not in tasks]
            tasks[task] = None
        leaves = tuple(sorted(task for task in tasks if not subtasks.get(task)))
        for key, value in values.items() if isinstance(values, Mapping) else ():
            metric, _, filtered = key.partition(",")
            if type(value) in (int, float) and math.isfinite(value) and not metric.endswith("_stderr"):
                name = metric if filtered in ("", "none") else key
                means.append(GroupMean(group, name, float(value), leaves))
    return tuple(means)


def _groups(header: Mapping[str, Any]) -> dict[str, str]:
    """Task -> the outermost group that it belongs to: mmlu of mmlu_anatomy, which is in mmlu_stem."""
    inside: dict[str, str] = {}
    for group, members in (header.get("group_subtasks") or {}).items():
        inside.update({member: group for member in members if member != group})
    groups = {}
    for task in inside:
        seen, group = {task}, task
        while group in inside and inside[group] not in seen:
            group = inside[group]
            seen.add(group)
        groups[task] = group
    return groups


FORMAT = Format("lm-eval", "lm-eval", recognise, read, tasks=True)
