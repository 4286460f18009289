"""What a reader of a format yields, and what its user may choose."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bakeoff.scores import Better
from bakeoff.wings.formats.source_file import SourceFile


class Origin(NamedTuple):
    """Where measurements come from: those of different tools or machines are no comparison of versions."""

    file: str
    tool: str
    version: str = ""
    machine: str = ""  # coarse: the model and number of processors, never a clock
    commit: str = ""
    date: str = ""
    host: str = ""  # its name, for reading: a build server's changes with every job


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


@dataclass(frozen=True, slots=True)
class Choices:
    """What the user said; columns, keys or parameters, several of them part_name by commas."""

    metric: str | None = None
    problem: str | None = None
    algorithm: str | None = None
    run: str | None = None
    cluster: str | None = None
    better: Better | None = None  # for what a reader has to choose by the score: the best trial of a study


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
