"""Simulated races, shared by the studies."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from bakeoff.checks import choice
from bakeoff.randomness import generator, streams
from bakeoff.scores import Array
from bakeoff.wings.run.racing.rules.rule import Rule, for_problems, make_rule, options_of
from benchmarks.races.rules import STUDIED

NOISES: dict[str, Callable[[np.random.Generator, tuple[int, int]], Array]] = {
    "normal": lambda stream, shape: stream.normal(size=shape),
    "t2": lambda stream, shape: stream.standard_t(2.0, size=shape),
}
Progress = Callable[[int, int], object]


def simulated(
    one_race: Callable[[np.random.Generator], Sequence[float]],
    repetitions: int,
    rng: int | np.random.Generator | None,
    progress: Progress | None,
) -> Array:
    """(repetitions, numbers): what ``one_race`` finds; every race has its own stream."""
    results = []
    for done, stream in zip(range(1, repetitions + 1), streams(generator(rng)), strict=False):
        results.append(one_race(stream))
        if progress is not None:
            progress(done, repetitions)
    return np.array(results, dtype=np.float64)


def studied(method: str) -> type[Rule]:
    """A rule by name, of the package or beside it."""
    return STUDIED[choice("method", method, STUDIED)]


def seeded_rule(method: str, q: int, alpha: float, options: dict[str, Any], stream: np.random.Generator) -> Rule:
    """A rule whose random draws, if any, come from the race's own stream."""
    if "rng" in options_of(studied(method)):
        options = {"rng": int(stream.integers(2**63)), **options}
    return make_rule(studied(method), q, alpha, **options)


def with_length(method: str, options: dict[str, Any], n: int) -> dict[str, Any]:
    """The options, with those that follow from the number of problems."""
    return for_problems(studied(method), n) | options


def run_race(rule: Rule, costs: Array, block: int, late_after: int = 0) -> tuple[int, int]:
    """Evaluations spent and problems used until one survives, the plan is complete or the problems end.

    Columns of ``costs`` beyond the rule's candidates join after ``late_after`` problems, or once one survives.
    """
    spent, used = 0, 0
    n_late = costs.shape[1] - rule.n_candidates
    while used < len(costs):
        if n_late and (used >= late_after or len(rule.alive) == 1):
            rule.admit(n_late)
            n_late = 0
        size = min(rule.next_size(block), late_after - used) if n_late else rule.next_size(block)
        if len(rule.alive) == 1 or size == 0:
            break
        rows = costs[used : used + size]
        spent += len(rows) * len(rule.alive)
        used += len(rows)
        rule.observe(rows[:, rule.alive])
    return spent, used
