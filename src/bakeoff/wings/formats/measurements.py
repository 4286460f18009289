"""Measurements of one metric, gathered from files of any size: a few bytes a row.

Tasks with metrics of their own are in one table: each by its main metric, or by the one that the user names for it.
"""

from __future__ import annotations

import csv
import math
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from hashlib import blake2b
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from bakeoff.checks import did_you_mean
from bakeoff.dataclass import dataclass, field, replace
from bakeoff.errors import BakeoffError, ParameterError, ReadingError, listing, plain
from bakeoff.scores import Better
from bakeoff.scores.cells import LONGEST_METRIC
from bakeoff.scores.clusters import PREFIX, prefix
from bakeoff.wings.formats.formats import format_of_files, not_taken
from bakeoff.wings.formats.measurement import Choices, Format, Measurement, Origin
from bakeoff.wings.formats.source_file import SourceFile
from bakeoff.wings.formats.sources import number_parts, source_files

Metrics = Mapping[str, Mapping[str, None]]
"""Task -> its metrics, in order of appearance."""


def split_choice(metric: str | None) -> tuple[str | None, dict[str, str]]:
    """``acc,gsm8k=exact_match,strict-match``: the metric of most tasks, and of some their own."""
    if metric is None or "=" not in metric:
        return metric, {}
    first, *others = re.split(r",(?=[^,=]+=)", metric)
    choices = [first, *others] if "=" in first else others
    own = {task.strip(): name.strip() for task, _, name in (each.partition("=") for each in choices)}
    return None if "=" in first else first.strip(), own


def is_needed(tasks: Metrics) -> bool:
    """Is there no metric that all tasks have?"""
    return len(tasks) > 1 and not set.intersection(*(set(metrics) for metrics in tasks.values()))


def combined(
    kept: Mapping[str, Measurements], tasks: Metrics, usual: str | None, own: Mapping[str, str]
) -> Measurements:
    """One table: each task by ``own``, else by the usual metric, else by the first one that it has."""
    for task, metric in own.items():
        if task not in tasks:
            rule = f"names a task, {task!r}; there are {listing(tasks, 20)}{did_you_mean(task, tasks)}"
            raise ParameterError(rule, parameter="metric")
        if metric not in tasks[task]:
            hint = did_you_mean(metric, tasks[task])
            rule = f"of {task} must be one of {listing(tasks[task], 20)}; got {metric!r}{hint}"
            raise ParameterError(rule, parameter="metric")
    of = {task: own.get(task) or usual or next(iter(metrics), None) for task, metrics in tasks.items()}
    chosen = {task: metric for task, metric in of.items() if metric is not None and metric in tasks[task]}
    if not chosen:
        raise ParameterError(f"must be one of {listing(kept, 20)}; got {usual!r}", parameter="metric")
    names = list(dict.fromkeys(chosen.values()))
    by_metric = {name: [task for task, metric in chosen.items() if metric == name] for name in names}
    joined = Measurements(_name(by_metric), metric_of=chosen)
    for name in names:
        joined.take(kept[name], frozenset(by_metric[name]))
    return joined


def _name(by_metric: Mapping[str, list[str]]) -> str:
    """``acc (arc, hellaswag), mc2 (truthfulqa)``, as short as a name of a metric has to be."""
    if len(by_metric) == 1:
        return next(iter(by_metric))
    whole = ", ".join(f"{metric} ({', '.join(tasks)})" for metric, tasks in by_metric.items())
    counted = ", ".join(f"{metric} ({len(tasks)})" for metric, tasks in by_metric.items())
    return next((name for name in (whole, counted) if len(name) <= LONGEST_METRIC), "each task's own metric")


def left_out(chosen: Measurements, kept: Mapping[str, Measurements], others: Mapping[str, str]) -> dict[str, int]:
    """Task -> its problems that are not compared; ``others``: the task of each problem that lacks the metric."""
    seen = dict(others)
    for rows in kept.values():
        seen |= rows.task_of
    return dict(Counter(task for problem, task in seen.items() if problem not in chosen.problems.codes))


def _is_printed(mean: float, value: float) -> bool:
    """Does a mean have this value, to the digits that are printed?"""
    places = max(-int(Decimal(repr(value)).as_tuple().exponent), 0)
    return math.isfinite(mean) and abs(mean - value) <= max(0.5 * 10.0**-places, 1e-12 * abs(value))


@dataclass(slots=True)
class CodedNames:
    """Names as numbers, in order of first appearance."""

    codes: dict[str, int] = field(default_factory=dict)

    def code(self, name: str) -> int:
        return self.codes.setdefault(name, len(self.codes))

    def __getitem__(self, code: int) -> str:
        return list(self.codes)[code]

    @property
    def names(self) -> list[str]:
        return list(self.codes)


FINGERPRINT = "bakeoff:"
"""Begins a version that is a fingerprint already."""


def version_code(text: str) -> int:
    """64 bits, never 0; a table of bakeoff import has them already."""
    if text.startswith(FINGERPRINT) and (known := re.fullmatch(f"{FINGERPRINT}([0-9a-f]{{16}})", text)):
        return int(known[1], 16)
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big") or 1


@dataclass(slots=True)
class Measurements:
    """The measurements of one metric, by column; problems, algorithms, runs and statuses as codes."""

    metric: str
    problems: CodedNames = field(default_factory=CodedNames)
    algorithms: CodedNames = field(default_factory=CodedNames)
    runs: CodedNames = field(default_factory=CodedNames)
    statuses: CodedNames = field(default_factory=lambda: CodedNames({"ok": 0}))
    problem: array[int] = field(default_factory=lambda: array("i"))
    algorithm: array[int] = field(default_factory=lambda: array("i"))
    run: array[int] = field(default_factory=lambda: array("i"))
    status: array[int] = field(default_factory=lambda: array("i"))
    score: array[float] = field(default_factory=lambda: array("d"))
    cluster_names: CodedNames = field(default_factory=CodedNames)
    cluster: array[int] = field(default_factory=lambda: array("i"))  # of a problem; -1: none
    version: array[int] = field(default_factory=lambda: array("Q"))  # of a problem, as a fingerprint; 0: none
    task_of: dict[str, str] = field(default_factory=dict)  # problem -> task
    metric_of: dict[str, str] = field(default_factory=dict)  # task -> metric, where tasks have their own
    source: str = ""  # the program that wrote them
    takes_algorithm: bool = True  # may the user say which column or parameter the algorithm is?
    by_task: bool = False  # the problems are questions of several tasks, and called so: task/question
    left_out: dict[str, int] = field(default_factory=dict)  # task -> its problems that lack the metric
    differing: dict[str, None] = field(default_factory=dict)  # problems of which two versions were measured
    directions: dict[Better, None] = field(default_factory=dict)
    units: dict[str, None] = field(default_factory=dict)
    kinds: dict[str | None, None] = field(default_factory=dict)
    origins: dict[Origin, set[str]] = field(default_factory=dict)  # -> algorithms
    n_files: int = 0
    not_taken: list[str] = field(default_factory=list)  # other files of the folders that were given
    last: tuple[object, ...] = ()  # what the row before had besides problem and score, with
    codes: tuple[int, int, int] = (0, 0, 0)  # those of its algorithm, run and status

    def add(self, row: Measurement) -> None:
        name, algorithm, score, _, better, run, kind, cluster, unit, status, origin, version, task = row
        codes = self.problems.codes
        problem = codes.setdefault(name, len(codes))
        if problem == len(self.cluster):
            self.cluster.append(-1)
            self.version.append(0)
            if task:
                self.task_of[name] = task
        about = (algorithm, run, status, better, unit, kind, origin)
        if about != self.last:
            self._new_row(row)
            self.last = about
        self.problem.append(problem)
        self.algorithm.append(self.codes[0])
        self.run.append(self.codes[1])
        self.status.append(self.codes[2])
        self.score.append(score)
        if cluster is not None:
            self._join(problem, row)
        if version:
            code = version_code(version)
            if not self.version[problem]:
                self.version[problem] = code
            elif self.version[problem] != code:
                self.differing[name] = None

    def _new_row(self, row: Measurement) -> None:
        """Facts that many rows of a file have in common."""
        self.codes = self.algorithms.code(row.algorithm), self.runs.code(row.run), self.statuses.code(row.status)
        if row.better is not None:
            self.directions[row.better] = None
        if row.unit is not None:
            self.units[row.unit] = None
        self.kinds[row.run_kind] = None
        if row.origin is not None:
            self.origins.setdefault(row.origin, set()).add(row.algorithm)

    def rows(self) -> Iterator[Measurement]:
        """The measurements again, without their origin; a version is its fingerprint."""
        problems, algorithms, runs = self.problems.names, self.algorithms.names, self.runs.names
        statuses, clusters = self.statuses.names, self.clusters
        versions = {name: FINGERPRINT + code for name, code in self.versions.items()}
        better, unit, kind = next(iter(self.directions), None), self.unit, self.run_kind
        columns = (self.problem, self.algorithm, self.run, self.status, self.score)
        for problem, algorithm, run, status, score in zip(*columns, strict=True):
            name = problems[problem]
            task = self.task_of.get(name, "")
            metric, version = self.metric_of.get(task, self.metric), versions.get(name, "")
            about = (metric, better, runs[run], kind, clusters.get(name), unit, statuses[status], None, version, task)
            yield Measurement(name, algorithms[algorithm], score, *about)

    def take(self, rows: Measurements, tasks: frozenset[str]) -> None:
        """The measurements of some tasks."""
        for row in rows.rows():
            if row.task in tasks:
                self.add(row)
        self.directions |= rows.directions
        self.differing |= {name: None for name in rows.differing if rows.task_of.get(name) in tasks}
        for origin, names in rows.origins.items():
            self.origins.setdefault(origin, set()).update(names)

    def _join(self, problem: int, row: Measurement) -> None:
        cluster = self.cluster_names.code(str(row.cluster))
        if self.cluster[problem] not in (-1, cluster):
            known = self.cluster_names[self.cluster[problem]]
            raise ReadingError(f"problem {row.problem!r} is in two clusters, {known!r} and {row.cluster!r}")
        self.cluster[problem] = cluster

    def __len__(self) -> int:
        return len(self.score)

    @property
    def clusters(self) -> dict[str, str]:
        """Problem -> cluster, of those that have one."""
        names = self.cluster_names.names
        pairs = zip(self.problems.codes, self.cluster, strict=True)
        return {name: names[code] for name, code in pairs if code >= 0}

    @property
    def versions(self) -> dict[str, str]:
        """Problem -> fingerprint of its version, of those that have one; the same in every process."""
        pairs = zip(self.problems.codes, self.version, strict=True)
        return {name: f"{code:016x}" for name, code in pairs if code}

    @property
    def run_kind(self) -> str | None:
        """The kind of the runs, if they are all of one kind."""
        return next(iter(self.kinds)) if len(self.kinds) == 1 else None

    def made_with(self, algorithm: str) -> Origin:
        """Tools, versions, machines, commits and hosts of what was measured of one algorithm; several with "; "."""
        known = [origin for origin, names in self.origins.items() if algorithm in names]
        values = zip(*(origin[:-1] for origin in known or [Origin("", "")]), strict=True)
        return Origin._make([*("; ".join(dict.fromkeys(filter(None, each))) for each in values), ()])

    def weighted_as(self, algorithms: Iterable[str]) -> tuple[str, ...]:
        """The group of just these tasks, and what counts equally in the mean that the files give it: tasks or problems.
        Empty where they give none, or not exactly one of these means, or not the same of all algorithms."""
        if not self.by_task:
            return ()
        tasks = np.array([self.task_of[name] for name in self.problems.names])[np.array(self.problem)]
        weights = {self._weighted_as(name, tasks) for name in algorithms}
        return weights.pop() if len(weights) == 1 else ()

    def _weighted_as(self, algorithm: str, tasks: npt.NDArray[np.str_]) -> tuple[str, ...]:
        own = np.array(self.algorithm) == self.algorithms.codes[algorithm]
        scores, tasks = np.array(self.score)[own], tasks[own]
        names = set(tasks.tolist())
        groups = [group for origin, known in self.origins.items() if algorithm in known for group in origin.groups]
        groups = [each for each in groups if each.metric == self.metric and set(each.tasks) == names]
        if not groups or len(set(np.array(self.problem)[own].tolist())) < len(scores):
            return ()
        of_tasks = [math.fsum(scores[tasks == name]) / int((tasks == name).sum()) for name in sorted(names)]
        means = {"problems": math.fsum(scores) / len(scores), "tasks": math.fsum(of_tasks) / len(of_tasks)}
        agree = {name for each in groups for name, mean in means.items() if _is_printed(mean, each.value)}
        return (groups[0].group, agree.pop()) if len(agree) == 1 else ()

    @property
    def hosts(self) -> list[str]:
        """The names of the machines of each algorithm, else what is known of them; "" where nothing is."""
        each = [self.made_with(name) for name in self.algorithms.codes]
        return [origin.host or origin.machine for origin in each]

    @property
    def unit(self) -> str | None:
        if len(self.units) > 1:
            raise ReadingError(f"{self.metric} has several units: {', '.join(self.units)}")
        return next(iter(self.units), None)

    def direction(self, better: Better | None) -> Better:
        """As the format says; where it does not, as the user does."""
        if len(self.directions) > 1:
            raise ReadingError(
                f"the tasks have their own metrics, {self.metric}: of some lower is better, of others higher. Compare "
                f"one, metric={self.metric.split(' (')[0]!r}"
            )
        known = next(iter(self.directions), better)
        if known is None:
            raise ParameterError(
                f"is needed: the file does not say whether lower or higher {self.metric} is better", parameter="better"
            )
        if better not in (None, known):
            raise ParameterError(
                f"must be {known!r}, as the file says of {self.metric}; leave it out", parameter="better"
            )
        return known


def read_measurements(
    source: Any, format: str = "auto", label: Mapping[str, str] | None = None, choices: Choices | None = None
) -> Measurements:
    """The rows of one metric from files, folders or objects."""
    every = source_files(source, label)
    form, files = format_of_files(every, format)
    rows = measurements_of(form, files, choices or Choices())
    rows.n_files = sum(not file.in_memory for file in files)
    rows.not_taken = not_taken(form, every, files)
    return rows


def measurements_of(form: Format, files: list[SourceFile], choices: Choices) -> Measurements:
    """The rows of one metric from files of one format."""
    by_prefix = choices.cluster == PREFIX
    if by_prefix:
        choices = replace(choices, cluster=None)
    _refuse_unused(choices, form)
    number_parts(files)  # of those that are results
    if choices.metric is not None:
        choices = replace(choices, metric=form.metrics.get(choices.metric, choices.metric))
    usual, own = split_choice(choices.metric) if form.tasks else (choices.metric, {})
    if own:  # whose rows are all needed
        choices = replace(choices, metric=None)
    rows = gather(as_written(form, files, lambda: form.read(files, choices)), usual, form, _place(files), own)
    _refuse_impossible(rows, _place(files))
    rows.source = form.title
    rows.takes_algorithm = form.takes is None or "algorithm" in form.takes
    rows.by_task = form.tasks and _are_questions(rows.task_of)
    if by_prefix:
        rows.cluster_names, rows.cluster = CodedNames(), array("i")
        rows.cluster.extend(rows.cluster_names.code(prefix(name)) for name in rows.problems.codes)
    if choices.cluster is None and len(rows.cluster_names.codes) in (1, len(rows.cluster)):
        rows.cluster = array("i", [-1]) * len(rows.cluster)  # the format's own label, of all or of one: no label
    return rows


def _refuse_impossible(rows: Measurements, place: str) -> None:
    """No clock gives a time below 0, and nothing measures an infinite one."""
    seconds = "s" in rows.units
    for i, score in enumerate(rows.score if rows.units else ()):
        if (seconds and score < 0) or math.isinf(score):
            what = f"a time below 0, {score:g} s; the clock was set back, or " if score < 0 else "an infinite value; "
            of = f"problem {rows.problems[rows.problem[i]]!r}, algorithm {rows.algorithms[rows.algorithm[i]]!r}"
            raise ReadingError(f"{place}: {of}: {what}the file is damaged: measure again")


def _are_questions(task_of: Mapping[str, str]) -> bool:
    """Are problems the questions of several tasks, and called after them?"""
    tasks = set(task_of.values())
    return len(tasks) > 1 and all(name.startswith(f"{task}/") and "/" not in task for name, task in task_of.items())


def _refuse_unused(choices: Choices, of: Format) -> None:
    """A choice that the format's reader would not look at."""
    for name in ("problem", "algorithm", "run", "cluster"):
        if of.takes is not None and name not in of.takes and getattr(choices, name) is not None:
            rule = f"does not apply to {of.title}, whose files say it themselves; leave it out"
            raise ParameterError(rule, parameter=name)


def _place(files: Sequence[SourceFile]) -> str:
    first = files[0].path or "source"
    return first if len(files) == 1 else f"{first} or one of {len(files) - 1} more"


MALFORMED = (
    AttributeError,
    ArithmeticError,
    LookupError,
    TypeError,
    UnicodeError,
    ValueError,
    EOFError,
    RecursionError,
    csv.Error,
)


Row = TypeVar("Row")


def as_written(of: Format, files: Sequence[SourceFile], rows: Callable[[], Iterable[Row]]) -> Iterator[Row]:
    """Pass on what a reader of a format yields; what it stumbles over ends in an error that names the file."""
    try:
        yield from rows()
    except BakeoffError:
        raise
    except MemoryError:
        raise ReadingError(f"{_place(files)}: does not fit into memory") from None
    except MALFORMED as error:
        text = f"{type(error).__name__}: {error}"
        raise ReadingError(f"{_place(files)}: not as {of.title} writes it ({plain(text)[:200]})") from error


def gather(
    rows: Iterable[Measurement],
    metric: str | None,
    of: Format,
    place: str = "source",
    own: Mapping[str, str] | None = None,
) -> Measurements:
    """Every row of the metric; with several, the user's, else the format's own first one.

    ``own``: of some tasks, another metric. Tasks without any metric in common are compared by their own ones.
    """
    metrics: dict[str, Measurements | None] = {}
    tasks: dict[str, dict[str, None]] = {}
    others: dict[str, str] = {}
    for row in rows:
        if row.task and (own or metric is None):
            known = tasks.setdefault(row.task, {})
            if row.metric:
                known[row.metric] = None
        if (kept := metrics.get(row.metric)) is None:
            if row.task:
                others[row.problem] = row.task
            if row.metric in metrics or not row.metric:
                continue
            kept = metrics[row.metric] = Measurements(row.metric) if own or metric in (None, row.metric) else None
            if kept is None:
                continue
        try:
            kept.add(row)
        except TypeError:
            names = plain(f"{row.problem}, {row.algorithm}")[:200]
            raise ReadingError(f"{place}: not as {of.title} writes it: {names}: names must be text") from None
    if not metrics:
        raise ReadingError(f"{place}: {of.title} has no measurement there")
    every = {name: kept for name, kept in metrics.items() if kept is not None}
    together = own or (metric is None and of.tasks and is_needed({t: m for t, m in tasks.items() if m}))
    chosen = combined(every, tasks, metric, own or {}) if together else _chosen(metrics, metric, of)
    chosen.left_out = left_out(chosen, every, others)
    return chosen


def _chosen(metrics: Mapping[str, Measurements | None], metric: str | None, of: Format) -> Measurements:
    names = list(metrics)
    name = metric or (names[0] if len(names) == 1 else of.default_metric)
    if name is None or name not in metrics:
        rule = f"must be one of {listing(names, 20)}"
        raise ParameterError(
            f"{rule}; got {name!r}{did_you_mean(name or '', names)}"
            if metric
            else f"{rule}: the file has several, and an analysis is of one",
            parameter="metric",
        )
    of_metric = metrics[name]
    assert of_metric is not None  # kept, as it is the wanted one
    return of_metric
