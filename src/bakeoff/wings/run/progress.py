"""The progress of an experiment, as passed to ``progress=`` and shown by the command line."""

from collections.abc import Callable, Mapping

from bakeoff.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ActiveProblem:
    """A problem with runs under way."""

    name: str
    counts: tuple[int, ...]  # committed runs of each algorithm
    waiting: int  # runs of this round that are not yet committed
    standard_error: float | None  # at the last decision


@dataclass(frozen=True, slots=True, kw_only=True)
class RaceProgress:
    """The state of a race, from committed blocks only."""

    method: str
    measure: str  # of the evidence: "e-value", "1 - p", "posterior" or "mean rank"
    threshold: float | None  # of the evidence: a candidate that reaches it is eliminated
    n_candidates: int
    survivors: tuple[tuple[str, float], ...]  # with the evidence against each
    last_out: tuple[tuple[str, str, int], ...]  # the latest eliminations: name, reason, after how many problems
    n_blocks: int
    n_problems: int
    evaluations: int  # candidate-problem pairs
    full_evaluations: int  # all candidates on all problems


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """The state of a running experiment."""

    n_problems: int
    problems_done: int
    runs_done: int
    runs_expected: float  # in total: exact for a fixed design, otherwise extrapolated from the finished problems
    runs_here: int  # since this start; a resumed experiment has more in total
    failed: int  # runs that failed and count as on_failure says
    retried: int
    reasons: Mapping[str, int]  # problems by why they stopped
    active: tuple[ActiveProblem, ...]
    seconds: float  # since this start
    seconds_left: float | None  # None: not yet known
    stopping: bool  # asked to stop; waiting for the runs under way
    finished: bool
    race: RaceProgress | None = None


Listener = Callable[[Progress], object]


def extrapolated(runs: int, under_way: int, done: int, n_problems: int, most: float) -> float:
    """Runs in total, if the problems to come take as many as the finished ones; ``most``: of one, while none is."""
    finished = runs - under_way
    return max(runs, finished + (n_problems - done) * (finished / done if done else most))


def seconds_remaining(runs_left: float, runs_here: int, seconds: float) -> float | None:
    """Seconds for the remaining runs, at the rate so far."""
    if runs_here < 1 or seconds <= 0:
        return None
    return max(0.0, runs_left) * seconds / runs_here
