"""A scheduler's decision on one problem: the next runs, or why it stops.

A scheduler is a pure function of the problem's committed runs in the order of repetitions: it sees neither the clock
nor the workers nor the order of completion. So an experiment makes the same runs on any machine, and
``bakeoff verify`` can repeat every decision.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

StopReason = Literal["", "fixed", "accuracy", "budget", "degenerate", "error"]
REASONS = {
    "fixed": "all requested runs done",
    "accuracy": "the target standard error is reached",
    "budget": "nmax runs without reaching the target standard error",
    "degenerate": "no variation in any algorithm's runs",
    "error": "the difference cannot be computed",
}

Values = Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulingDecision:
    """``plan`` holds algorithms by number, one entry per run; empty exactly when ``reason`` says why."""

    counts: tuple[int, ...]  # runs of each algorithm that the decision is based on
    plan: tuple[int, ...] = ()
    reason: StopReason = ""
    detail: str = ""  # of an error: one sentence
    differences: tuple[float | None, ...] = ()  # of every compared pair: second − first
    standard_errors: tuple[float | None, ...] = ()

    @property
    def standard_error(self) -> float | None:
        """The largest over the pairs; None if any is unknown."""
        if not self.standard_errors or None in self.standard_errors:
            return None
        return max(e for e in self.standard_errors if e is not None)

    @property
    def done(self) -> bool:
        return bool(self.reason)


def finite_or_none(numbers: Iterable[float]) -> tuple[float | None, ...]:
    """Replace infinities and NaN by None."""
    return tuple(float(x) if math.isfinite(x) else None for x in numbers)


class Scheduler(Protocol):
    """Decides which runs come next; a race is a scheduler too."""

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The compared pairs (first, second), in the order of a decision's differences."""
        ...

    def decide(self, problem: str, values: Values) -> SchedulingDecision:
        """``values[k]`` are algorithm k's scores on ``problem`` in the order of repetitions, from 0 on."""
        ...
