"""A measurement, as a reader of a format yields it, what its user may choose, and settings that a file records.

Two settings under one name are two algorithms.
"""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from bakeoff.checks import choice
from bakeoff.dataclass import dataclass, field
from bakeoff.errors import ParameterError, ReadingError, listing
from bakeoff.scores import Better
from bakeoff.wings.formats.source_file import SourceFile


class GroupMean(NamedTuple):
    """The value of a group of tasks, as the program that wrote the files computed it."""

    group: str
    metric: str
    value: float
    tasks: tuple[str, ...]


class Origin(NamedTuple):
    """Where measurements come from: those of different tools or machines are no comparison of versions."""

    file: str
    tool: str
    version: str = ""
    machine: str = ""  # coarse: the model and number of processors, never a clock
    commit: str = ""
    date: str = ""
    host: str = ""  # its name, for reading: a build server's changes with every job
    groups: tuple[GroupMean, ...] = ()


class Measurement(NamedTuple):
    """One measurement. Of iterations within processes, ``run`` is "process.iteration"."""

    problem: str
    algorithm: str
    score: float  # NaN unless the status is ok
    metric: str = "score"
    better: Better | None = None  # None: the format does not say, and the user has to
    run: str = "0"
    run_kind: str | None = None  # one of RUN_KINDS
    cluster: str | None = None
    unit: str | None = None  # seconds for every time
    status: str = "ok"  # else failed, timeout, skipped, pruned, or what the tool says
    origin: Origin | None = None
    version: str = ""  # of the problem (a hash of a question or benchmark): where it differs, no comparison
    task: str = ""  # of the problem, where tasks may have metrics of their own; without a metric: it has none


timed = partial(Measurement, metric="time", better="lower", run_kind="iteration", unit="s")
"""The time of an iteration within a process, in seconds."""
PER_SECOND = {"ns": 1e9, "us": 1e6, "ms": 1e3, "s": 1.0}


def status_of(score: float, reason: str = "no value") -> str:
    """The status of a score that is NaN where there is none."""
    return reason if math.isnan(score) else "ok"


@dataclass(frozen=True, slots=True)
class Choices:
    """Choices of the user: columns, keys or parameters, several of them part_name by commas."""

    metric: str | None = None
    problem: str | None = None
    algorithm: str | None = None
    run: str | None = None
    cluster: str | None = None
    better: Better | None = None  # for what a reader has to choose by the score: the best trial of a study

    def __post_init__(self) -> None:
        if self.better is not None:
            choice("better", self.better, ("lower", "higher"))


class Trajectory(NamedTuple):
    """One run as it went: the best or latest score at each number of evaluations."""

    problem: str
    algorithm: str
    run: str
    evaluations: Sequence[float]
    scores: Sequence[float]
    end: float  # evaluations spent
    better: Better
    dimension: int
    target: float | None = None  # at which runs stop

    def until(self, target: float) -> float:
        """Evaluations until the target is reached; NaN where the budget ended first."""
        sign = 1 if self.better == "lower" else -1
        pairs = zip(self.evaluations, self.scores, strict=True)
        return next((n for n, y in pairs if sign * y <= sign * target), math.nan)


@dataclass(frozen=True, slots=True)
class Format:
    """A format: one line in the registry."""

    name: str  # as --format takes it
    title: str  # as sentences name it
    recognise: Callable[[SourceFile], bool]
    read: Callable[[Sequence[SourceFile], Choices], Iterable[Measurement]]
    default_metric: str | None = None  # where a file has several
    curves: Callable[[Sequence[SourceFile], Choices], Iterable[Trajectory]] | None = None  # whole runs
    takes: tuple[str, ...] | None = None  # choices beside the metric that its reader makes use of; None: all
    metrics: Mapping[str, str] = field(default_factory=dict)  # other names of its metrics, as the program has them
    beside: str = ""  # pattern of the names of what the program writes beside its results
    tasks: bool = False  # its metrics are those of tasks, and may be chosen for each


def part_name(*parts: object) -> str:
    """A name of several parts: ``sort/n=64``."""
    return "/".join(str(part) for part in parts if part not in (None, ""))


def split_name(
    name: str,
    parameters: Mapping[str, str],
    algorithm: str | None,
    label: str,
    rule: str = "must be a parameter of every benchmark",
) -> tuple[str, str]:
    """Problem and algorithm: the name with its parameters, and the label or the parameter that the user names."""
    if algorithm is None:
        return part_name(name, *assignments(parameters)), label
    chosen = algorithm.removeprefix("params.")
    if chosen not in parameters:
        known = ", ".join(parameters)
        has = f"; {name!r} has {known or 'none'}" if name else f" ({known or 'there is none'})"
        raise ParameterError(f"{rule}{has}; got {algorithm!r}", parameter="algorithm")
    others = {key: value for key, value in parameters.items() if key != chosen}
    return part_name(name, *assignments(others)), parameters[chosen]


def assignments(parameters: Mapping[str, str]) -> list[str]:
    return [f"{name}={value}" for name, value in parameters.items()]


def entry_at(record: Any, *steps: str) -> Any:
    """The entry of mappings within each other, None where there is none."""
    for step in steps:
        record = record.get(step) if isinstance(record, Mapping) else None
    return record


def setting(record: Mapping[str, Any], keys: str, parameter: str = "algorithm") -> str:
    """The value at ``config.model_args``; several keys by commas, joined by a slash."""
    parts = []
    for key in keys.split(","):
        value: Any = record
        for step in key.strip().split("."):
            if not isinstance(value, Mapping) or step not in value:
                known = listing(list(value) if isinstance(value, Mapping) else list(record), 20)
                raise ParameterError(f"must be a key of the file ({known}); got {key.strip()!r}", parameter=parameter)
            value = value[step]
        parts.append(text_of(value))
    return "/".join(parts)


def text_of(value: object) -> str:
    """``a=1,b=2`` of a mapping."""
    if isinstance(value, Mapping):
        return ",".join(f"{name}={text_of(each)}" for name, each in sorted(value.items()))
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)


def refuse_two_settings(
    name: str, first: tuple[str, Mapping[str, Any]], second: tuple[str, Mapping[str, Any]], example: str
) -> None:
    """Two files of one algorithm are repetitions only if their settings agree, where both have them."""
    (path, a), (other, b) = first, second
    for key in a:
        if key in b and text_of(a[key]) != text_of(b[key]):
            raise ReadingError(
                f"{path} and {other} are both of {name!r}, but differ in {key}: {text_of(a[key])!r:.80} and "
                f"{text_of(b[key])!r:.80}. Name them: label={{'NAME': PATH}} (--label NAME=PATH), or take the name "
                f"from the files: algorithm={example!r}"
            )
