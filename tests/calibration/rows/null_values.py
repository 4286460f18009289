"""Runs whose null hypothesis is another value than that neither is better; skewed runs of unequal spread."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

import bakeoff as bo
from calibration.rows.row import Outcome, Row, cautioned

ALPHA = 0.05
Floats = NDArray[np.float64]

SPREADS = {"a": 0.3, "b": 0.6}  # of the logarithms of runs: skewed, and b's mean is the less certain


def of_skewed_runs(kind: str, effect: float, asked: dict[str, Any], n: int, runs: int) -> Any:
    """An experiment of lognormal runs; problems have true effects around ``effect``, larger where a is better.

    Higher scores are better. b has the mean of the problem (log-ratio: the geometric mean), a has it plus the effect.
    """

    def make(rng: Generator) -> Any:
        level = np.exp(rng.normal(0.0, 0.5, n))
        if kind == "log-ratio":
            means = {"a": level * np.exp(math.log(effect) + rng.normal(0.0, 0.4, n)), "b": level}
        elif kind == "percent":
            means = {"a": level, "b": level * (1 - effect + rng.normal(0.0, 0.15, n))}
        else:
            means = {"a": 4.0 + level + effect + rng.normal(0.0, 0.5, n), "b": 4.0 + level}
        return means

    def solver(name: str, means: Floats) -> Any:
        down = 0.0 if kind == "log-ratio" else SPREADS[name] ** 2 / 2
        return lambda i, rng: float(means[i] * math.exp(rng.normal(-down, SPREADS[name])))

    def build(rng: Generator) -> Any:
        solvers = {name: solver(name, means) for name, means in make(rng).items()}
        seed = int(rng.integers(2**32))
        problems = {f"p{i}": i for i in range(n)}
        kept: dict[str, Any] = {"differences": kind, **asked}
        return bo.Experiment(solvers, problems, better="higher", seed=seed, runs=runs, **kept)

    return build


DECLARED = ("above the null value", "below the null value")


def false_null(kind: str, null: float, asked: dict[str, Any], n: int, runs: int) -> Callable[[Generator], Outcome]:
    build = of_skewed_runs(kind, null, {"null_value": null, **asked}, n, runs)

    def count(rng: Generator) -> Outcome:
        found = bo.run(build(rng)).analysis
        return int(found.pair.verdict in DECLARED), 1, int(cautioned(found, "skew (experiment)"))

    return count


def found_beyond_null(test: str, n: int) -> Callable[[Generator], Outcome]:
    """A true log ratio of half a standard deviation above the null value: sd² = 0.4² + (0.3² + 0.6²)/5 = 0.5²."""
    asked = {"null_value": 1.25, "test": test, "n_problems": "plan"}
    build = of_skewed_runs("log-ratio", 1.25 * math.exp(0.25), asked, n, 5)

    def count(rng: Generator) -> Outcome:
        found = bo.run(build(rng)).analysis
        return int(found.pair.verdict == DECLARED[0]), 1, found.power_profile.power or 0.0

    return count


def null_value(
    said: str, kind: str, null: float, runs: int = 5, n: int = 30, tables: int = 300, short: int = 0, **asked: Any
) -> Row:
    return Row(
        f"null value: {kind}, {said}",
        f'`bo.run(differences="{kind}", null_value={null:g})`, verdict',
        f"{n} problems, {runs} lognormal runs of unequal spread; the null hypothesis is true; {said}",
        "error",
        ALPHA,
        false_null(kind, null, asked, n, runs),
        tables=tables,
        short=short,
    )


ROWS = (
    null_value("t", "simple", 0.5),
    null_value("t", "percent", 0.1, runs=20),
    null_value("t", "log-ratio", 1.25, short=25),
    null_value("t, one-sided", "log-ratio", 1.25, alternative="greater"),
    null_value("wilcoxon", "log-ratio", 1.25, test="wilcoxon"),
    null_value("sign", "log-ratio", 0.8, test="sign"),
    null_value("three looks", "log-ratio", 1.25, sequential="group"),
    null_value("any look", "log-ratio", 1.25, sequential="anytime"),
    *(
        Row(
            f"null value: power, {test}",
            f'`bo.run(differences="log-ratio", null_value=1.25, test="{test}", n_problems="plan")`, power',
            "as many problems as planned, true log ratio half a standard deviation above log 1.25",
            "stated",
            0.03,
            found_beyond_null(test, n),
            tables=1000,
            short=0,
        )
        for test, n in (("t", 40), ("sign", 70))
    ),
)
