"""One run of one algorithm on one problem: the task and its outcome.

Both are plain values that cross processes and machines; neither refers to the store, the loop or the executor.
"""

from collections.abc import Mapping
from typing import Literal

from bakeoff.dataclass import dataclass, field

Status = Literal["ok", "failed", "timeout"]


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Task:
    """Run ``repetition`` (0, 1, …) of an algorithm on a problem, both by their position in the experiment."""

    problem: int
    algorithm: int
    repetition: int
    seed: int  # 128 bits, from (experiment's seed, problem's name, algorithm's name, repetition); not of the worker
    attempt: int = 0  # 0 the first time; a retry has the same seed

    @property
    def key(self) -> tuple[int, int, int]:
        """Identifies the run in the store, whatever the attempt."""
        return (self.problem, self.algorithm, self.repetition)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The end of a task. ``value`` is finite exactly when ``status`` is "ok"."""

    task: Task
    status: Status
    value: float | None = None  # the score that the experiment compares
    metrics: Mapping[str, float] = field(default_factory=dict)  # everything measured, the score included
    seconds: float = 0.0  # wall time of the run itself
    error: str = ""  # one line: what went wrong
    host: str = ""
    pid: int = 0
    started: float = 0.0  # Unix time
    unreadable: bool = False  # the program succeeded, but wrote something else than a score
