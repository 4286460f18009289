"""What a scheduler says about one problem: which runs next, or that it is enough and why.

A scheduler is a pure function of the problem's committed runs in the order of their repetitions: it sees neither
clock nor workers nor the order in which runs finished. So the runs of an experiment are the same on any machine, and
``bakeoff verify`` can take every decision again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Reason = Literal["", "fixed", "accuracy", "budget", "degenerate", "error"]
REASONS = {
    "fixed": "all runs that were asked for",
    "accuracy": "the wanted standard error is reached",
    "budget": "nmax runs, before the wanted standard error",
    "degenerate": "no variation seen in any algorithm's runs",
    "error": "the difference cannot be computed",
}

Values = Sequence[Sequence[float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """``plan`` holds algorithms by number, one entry per run; empty exactly when ``reason`` says why."""

    counts: tuple[int, ...]  # runs of each algorithm that it was decided on
    plan: tuple[int, ...] = ()
    reason: Reason = ""
    detail: str = ""  # of an error: one sentence
    differences: tuple[float | None, ...] = ()  # of every compared pair: second − first
    standard_errors: tuple[float | None, ...] = ()

    @property
    def standard_error(self) -> float | None:
        """Of the pair that is known worst; None if there is one without."""
        if not self.standard_errors or None in self.standard_errors:
            return None
        return max(e for e in self.standard_errors if e is not None)

    @property
    def done(self) -> bool:
        return bool(self.reason)


def finite_or_none(numbers: Iterable[float]) -> tuple[float | None, ...]:
    """A result holds no infinity and no NaN: None says that there is no number."""
    return tuple(float(x) if math.isfinite(x) else None for x in numbers)


class Scheduler(Protocol):
    """Which runs next. A race is another one."""

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """The compared pairs (first, second), in the order of a decision's differences."""
        ...

    def decide(self, problem: str, values: Values) -> Decision:
        """``values[k]`` are algorithm k's scores on ``problem`` in the order of repetitions, from 0 on."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Precision:
    """How precisely a problem's differences are known, and how further runs would change that."""

    differences: tuple[float | None, ...]
    standard_errors: tuple[float | None, ...]
    worst: float  # the largest standard error; infinite if one cannot be told yet
    still: bool = False  # no algorithm's runs vary
