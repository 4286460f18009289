"""How far an experiment is: what ``bo.run`` hands to ``progress=``, and what the command line draws."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ActiveProblem:
    """A problem whose runs are being made."""

    name: str
    counts: tuple[int, ...]  # committed runs of each algorithm
    waiting: int  # runs of this round that are not committed yet
    standard_error: float | None  # at the last decision


@dataclass(frozen=True, slots=True, kw_only=True)
class RacePicture:
    """A moment of a race: committed blocks only."""

    method: str
    measure: str  # of the evidence: "e-value", "1 - p", "posterior" or "mean rank"
    threshold: float | None  # of the evidence: who reaches it leaves
    n_candidates: int
    survivors: tuple[tuple[str, float], ...]  # and the evidence against each
    last_out: tuple[tuple[str, str, int], ...]  # who left last: name, reason, after how many problems
    n_blocks: int
    n_problems: int
    evaluations: int  # candidates times problems
    full_evaluations: int  # of all candidates on all problems


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """A moment of a running experiment."""

    n_problems: int
    problems_done: int
    runs_done: int
    runs_expected: float  # in all: exact for a fixed design, else judged by the problems that are done
    runs_here: int  # since this start: a resumed experiment has more in all
    failed: int  # runs that failed and count as on_failure says
    retried: int
    reasons: Mapping[str, int]  # why problems stopped
    active: tuple[ActiveProblem, ...]
    seconds: float  # since this start
    seconds_left: float | None  # None: nothing to judge by yet
    stopping: bool  # asked to stop; waiting for what is running
    finished: bool
    race: RacePicture | None = None


Listener = Callable[[Progress], object]


def left(runs_left: float, runs_here: int, seconds: float) -> float | None:
    """Seconds for the runs that are left, at the speed so far."""
    if runs_here < 1 or seconds <= 0:
        return None
    return max(0.0, runs_left) * seconds / runs_here
