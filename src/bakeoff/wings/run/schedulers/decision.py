"""A scheduler's decision on one problem, the next runs or why it stops; and the fixed design, which decides once.

A scheduler is a pure function of the problem's committed runs in the order of repetitions: it sees neither the clock
nor the workers nor the order of completion. So an experiment makes the same runs on any machine, and
``bakeoff verify`` can repeat every decision.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Literal, Protocol

import numpy as np

from bakeoff.dataclass import dataclass
from bakeoff.errors import BakeoffError
from bakeoff.plan.differences import KINDS, DifferenceKind
from bakeoff.plan.pilots import Pairs, compared_pairs, error_terms, mean_and_sd

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


# The same number of runs for every algorithm on every problem.


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedRuns:
    """``runs`` repetitions each; differences of means."""

    runs: int
    n_algorithms: int
    control: int | None = None  # None: all pairs
    kind: DifferenceKind = "simple"

    @property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        if self.control is None:
            return compared_pairs(self.n_algorithms, "all-pairs")
        return compared_pairs(self.n_algorithms, "control", self.control)

    @property
    def allocation(self) -> str:
        return "fixed"

    def decide(self, problem: str, values: Values) -> SchedulingDecision:
        """The missing runs, repetition by repetition; then the estimates."""
        counts = tuple(map(len, values))
        plan = tuple(k for rep in range(self.runs) for k, n in enumerate(counts) if n <= rep)
        if plan:
            return SchedulingDecision(counts=counts, plan=plan)
        try:
            differences, errors = _estimates(values, self.pairs, self.control, self.kind)
        except BakeoffError as error:  # percent of a mean, or a logarithm of a score, that is not positive
            return SchedulingDecision(counts=counts, reason="error", detail=str(error))
        return SchedulingDecision(counts=counts, reason="fixed", differences=differences, standard_errors=errors)


def _estimates(
    values: Values, pairs: Pairs, control: int | None, kind: DifferenceKind
) -> tuple[tuple[float | None, ...], tuple[float | None, ...]]:
    """Differences of means; None if a score is infinite, and no standard errors from single runs."""
    means: list[float] = []
    sds: list[float | None] = []
    for scores in values:
        sample = KINDS[kind].measured(scores).tolist()
        try:
            mean, sd = (sample[0], None) if len(sample) == 1 else mean_and_sd(sample)
        except BakeoffError:  # infinite scores, or a spread beyond the largest float
            mean, sd = math.inf, None
        means.append(mean)
        sds.append(sd)
    with_spread = [0.0 if sd is None else sd for sd in sds]
    finite = [m if math.isfinite(m) else 0.0 for m in means]
    with np.errstate(over="ignore", invalid="ignore"):
        terms = error_terms(
            finite, with_spread, "all-pairs" if control is None else "control", kind, control=control or 0
        )
        errors = terms.standard_errors([len(sample) for sample in values])
    known = [math.isfinite(means[i]) and math.isfinite(means[j]) for i, j in pairs]
    spread = [sds[i] is not None and sds[j] is not None for i, j in pairs]
    return (
        tuple(d if ok else None for d, ok in zip(finite_or_none(terms.differences), known, strict=True)),
        tuple(e if ok else None for e, ok in zip(finite_or_none(errors), spread, strict=True)),
    )
