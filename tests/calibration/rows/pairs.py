"""Two algorithms: paired tests and the intervals of their difference."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

import bakeoff as bo
from calibration.rows.row import Outcome, Row

ALPHA = 0.05
Floats = NDArray[np.float64]
Draw = Callable[[Generator, int], Floats]
SYMMETRIC: dict[str, Draw] = {
    "normal": lambda rng, n: rng.normal(size=n),
    "Cauchy": lambda rng, n: rng.standard_cauchy(size=n),
    "rounded normal": lambda rng, n: np.round(rng.normal(size=n), 1),
    "−2 to 2, a fifth zeros": lambda rng, n: rng.integers(-2, 3, size=n).astype(float),
}
"""Differences of two equally good algorithms."""


def scores_of(d: Floats) -> bo.Scores:
    return bo.Scores(np.column_stack([d, np.zeros_like(d)]), better="higher")


def rejects(test: Callable[..., Any], draw: Draw, n: int, **options: Any) -> Callable[[Generator], Outcome]:
    return lambda rng: (int(test(scores_of(draw(rng, n)), 0, 1, **options).pvalue <= ALPHA), 1)


def size(name: str, test: Callable[..., Any], law: str, n: int, draw: Draw | None = None, **options: Any) -> Row:
    said = "".join(f', {key}="{value}"' for key, value in options.items())
    return Row(
        f"{name}: {law}, {n}{said}",
        f"`bo.{name}`{said}, p ≤ 5 %",
        f"{n} differences: {law}",
        "error",
        ALPHA,
        rejects(test, draw or SYMMETRIC[law], n, **options),
        tables=8000,
    )


def skewed_signs(rng: Generator, n: int) -> Floats:
    """As often above 0 as below, and far above."""
    return np.where(rng.random(n) < 0.5, rng.lognormal(sigma=2, size=n), -0.1)


def answers(rng: Generator, n: int) -> Floats:
    """Both right on 70 %, else one of them, each as often."""
    return rng.choice([0.0, 1.0, -1.0], size=n, p=[0.7, 0.15, 0.15])


SIZES = (
    *(size("wilcoxon", bo.wilcoxon, law, n) for law in SYMMETRIC for n in (6, 30)),
    *(size("wilcoxon", bo.wilcoxon, "−2 to 2, a fifth zeros", 12, zeros=zeros) for zeros in ("pratt", "drop")),
    size("wilcoxon", bo.wilcoxon, "normal", 30, alternative="greater"),
    *(size("sign_test", bo.sign_test, law, 30) for law in SYMMETRIC),
    size("sign_test", bo.sign_test, "very skewed, as often better as worse", 30, skewed_signs),
    *(size("paired_t", bo.paired_t, "normal", n) for n in (4, 20)),
    size("paired_t", bo.paired_t, "Cauchy", 20),
)


def mcnemar(rng: Generator) -> Outcome:
    d = answers(rng, 60)
    both = (rng.random(60) < 0.5).astype(float)
    right = np.column_stack([np.where(d == 0, both, d > 0), np.where(d == 0, both, d < 0)])
    return int(bo.mcnemar(bo.Scores(right.astype(float), better="higher"), 0, 1).pvalue <= ALPHA), 1


def covers(interval: Callable[..., Any], draw: Draw, truth: float, n: int) -> Callable[[Generator], Outcome]:
    def count(rng: Generator) -> Outcome:
        found = interval(scores_of(draw(rng, n)), 0, 1)
        return int(not found.low <= truth <= found.high), 1

    return count


def coverage(name: str, interval: Callable[..., Any], law: str, draw: Draw, truth: float, n: int) -> Row:
    return Row(
        f"{name}: interval, {law}, {n}",
        f"`bo.{name}`, interval",
        f"{n} differences: {law}",
        "coverage",
        1 - ALPHA,
        covers(interval, draw, truth, n),
        tables=8000,
    )


def tied_medians(rng: Generator, n: int) -> Floats:
    """The median is 0 among 19 % of zeros, and better is more frequent than worse."""
    u, e = rng.random(n), rng.exponential(size=n)
    return np.where(u < 0.49, e, np.where(u < 0.68, 0.0, -e))


MEDIANS: dict[str, Draw] = {
    "exponential about its median": lambda rng, n: rng.exponential(size=n) - math.log(2),
    "exponential, rounded": lambda rng, n: np.round(rng.exponential(size=n) - math.log(2), 1),
    "skewed, median 0 among 19 % of zeros": tied_medians,
}
INTERVALS = (
    *(coverage("hodges_lehmann", bo.hodges_lehmann, law, SYMMETRIC[law], 0.0, n) for law in SYMMETRIC for n in (8, 25)),
    *(
        coverage("median_difference", bo.median_difference, law, MEDIANS[law], 0.0, n)
        for law in MEDIANS
        for n in (10, 50)
    ),
    coverage("paired_t", bo.paired_t, "normal about 1", lambda rng, n: rng.normal(1, 2, size=n), 1.0, 9),
    Row(
        "hodges_lehmann: interval, exponential, 50",
        "`bo.hodges_lehmann`, interval, of the median",
        "50 differences: exponential about its median, so not symmetric",
        "coverage",
        1 - ALPHA,
        covers(bo.hodges_lehmann, MEDIANS["exponential about its median"], 0.0, 50),
        ends="docs/understand/effects.md",
    ),
)

ROWS = (
    *SIZES,
    Row(
        "mcnemar: answers, 60",
        "`bo.mcnemar`, p ≤ 5 %",
        "60 questions, each right alone on 15 %",
        "error",
        ALPHA,
        mcnemar,
    ),
    *INTERVALS,
)
