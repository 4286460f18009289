"""Simulated races: what the studies share."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from bakeoff.checks import choice
from bakeoff.errors import ParameterError, WrongTypeError
from bakeoff.racing.rule import Rule
from bakeoff.racing.rules.registry import RULES, make_rule, options_of
from bakeoff.scores import Array

NOISES: dict[str, Callable[[np.random.Generator, tuple[int, int]], Array]] = {
    "normal": lambda stream, shape: stream.normal(size=shape),
    "t2": lambda stream, shape: stream.standard_t(2.0, size=shape),
}
Progress = Callable[[int, int], object]


def seeded_rule(method: str, q: int, alpha: float, options: dict[str, Any], stream: np.random.Generator) -> Rule:
    """Draws of a rule come from the race's own stream."""
    if "rng" in options_of(method):
        options = {"rng": int(stream.integers(2**63)), **options}
    return make_rule(method, q, alpha, **options)


def with_length(method: str, options: dict[str, Any], n: int) -> dict[str, Any]:
    """The options of a rule that must know how many problems there are; of rules for one metric, as simulated."""
    choice("method", method, RULES)
    return {"n_problems": n, **options} if "n_problems" in options_of(method) else options


def run_race(rule: Rule, costs: Array, block: int) -> tuple[int, int]:
    """Evaluations spent and problems seen until one is left, the plan is complete or the problems end."""
    spent, used = 0, 0
    while used < len(costs) and len(rule.alive) > 1 and (size := rule.wanted(block)) > 0:
        rows = costs[used : used + size]
        spent += len(rows) * len(rule.alive)
        used += len(rows)
        rule.observe(rows[:, rule.alive])
    return spent, used


def positive(parameter: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | np.integer | np.floating):
        raise WrongTypeError(f"{parameter} must be a number above 0; got {value!r}")
    if not (math.isfinite(value) and value > 0):
        raise ParameterError(f"{parameter} must be a finite number above 0; got {value!r}")
    return float(value)
