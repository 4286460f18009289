"""compare() beside its own sections of the record: all intervals at once, means of few problems, clusters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

import bakeoff as bo
from calibration.rows.row import Outcome, Row, cautioned

ALPHA = 0.05
Floats = NDArray[np.float64]
Draw = Callable[[Generator, tuple[int, int]], Floats]
WON = ("a better", "b better")

# --- all intervals at once --------------------------------------------------------------------------------------------


def at_once(
    shift: Floats, noise: Floats, n: int, control: int | None, **options: Any
) -> Callable[[Generator], Outcome]:
    """As printed; a missing interval holds nothing."""

    def count(rng: Generator) -> Outcome:
        scores = bo.Scores(rng.normal(size=(n, len(shift))) * noise + shift, better="lower")
        for pair in bo.compare(scores, control=control, **options).pairs:
            truth = shift[scores.index(pair.b)] - shift[scores.index(pair.a)]
            if pair.interval is None or not pair.interval.low <= truth <= pair.interval.high:
                return 1, 1
        return 0, 1

    return count


FAR = 10.0 * np.maximum(np.arange(10) - 1, 0)
QUIET = np.where(np.arange(10) > 0, 1.0, 0.05)
PAIRED = 10.0 * (np.arange(8) // 2)
SIMULTANEOUS = tuple(
    Row(
        f"intervals: {name}",
        f"`bo.compare({called})`, all simultaneous intervals",
        data,
        "coverage",
        1 - ALPHA,
        at_once(shift, noise, 30, control, **options),
        short=30,
    )
    for name, called, data, shift, noise, control, options in (
        (
            "two equal, eight far apart",
            "control=",
            "30 normal problems, a quiet control, one like it, eight far apart",
            FAR,
            QUIET,
            0,
            {},
        ),
        (
            "two equal, eight far apart, t",
            'control=, pairwise="t"',
            "30 normal problems, a quiet control, one like it, eight far apart",
            FAR,
            QUIET,
            0,
            {"pairwise": "t"},
        ),
        ("four twos", "", "30 normal problems, eight algorithms, equal two by two", PAIRED, np.ones(8), None, {}),
        ("five equal", "", "30 normal problems, five equal algorithms", np.zeros(5), np.ones(5), None, {}),
    )
)

# --- means because of ties --------------------------------------------------------------------------------------------


def exponential(rng: Generator, shape: tuple[int, int]) -> Floats:
    return np.round(rng.exponential(10, shape), 1)


def lognormal(sigma: float) -> Draw:
    return lambda rng, shape: rng.lognormal(0, sigma, shape)


MEANS = ("mean", "share")


def failures(share: float, draw: Draw, mean: float, n: int, k: int) -> Callable[[Generator], Outcome]:
    """One never fails, each other one on a share of the problems; intervals of means (of two values, of shares), where
    one is printed."""

    def count(rng: Generator) -> Outcome:
        costs = np.where(rng.random((n, k - 1)) < share, draw(rng, (n, k - 1)), 0.0)
        found = bo.compare(bo.Scores(np.c_[np.zeros(n), costs], better="lower"), control=0)
        means = [pair.interval for pair in found.pairs if pair.effect and pair.effect.kind in MEANS]
        missed = any(one is None or not one.low <= share * mean <= one.high for one in means)
        return int(missed), int(bool(means))

    return count


TIED = tuple(
    Row(
        f"means because of ties: {share:g}, {law}, {n} × {k}",
        "`bo.compare(control=)`, all intervals of means",
        f"{n} problems; one never fails, {k - 1} fail on {100 * share:g} % of them, costs {law}",
        "coverage",
        1 - ALPHA,
        failures(share, draw, mean, n, k),
    )
    for share, law, draw, mean, n, k in (
        (0.10, "exponential", exponential, 10.0, 30, 2),
        (0.50, "lognormal, σ = 1", lognormal(1.0), np.exp(0.5), 60, 2),
        (0.70, "lognormal, σ = 1", lognormal(1.0), np.exp(0.5), 30, 2),
        (0.05, "exponential", exponential, 10.0, 100, 2),
        (0.12, "exponential", exponential, 10.0, 40, 6),
        (0.50, "lognormal, σ = 1", lognormal(1.0), np.exp(0.5), 60, 7),
        (0.30, "lognormal, σ = ½", lognormal(0.5), np.exp(0.125), 100, 7),
    )
)

# --- clusters ---------------------------------------------------------------------------------------------------------

TASKS, FOLDS = 35, 10
NAMES = [f"task{i}_fold{j}" for i in range(TASKS) for j in range(FOLDS)]
CLUSTERS = [f"task{i}" for i in range(TASKS) for _ in range(FOLDS)]


def of_tasks(given: bool, worse: float, k: int, **options: Any) -> Callable[[Generator], Outcome]:
    """35 data sets of ten folds, the effect of a data set as large as the noise; the last may be worse."""

    def count(rng: Generator) -> Outcome:
        values = np.repeat(rng.normal(size=(TASKS, k)), FOLDS, axis=0) + rng.normal(size=(TASKS * FOLDS, k))
        values[:, -1] += worse
        clusters = CLUSTERS if given else None
        found = bo.compare(bo.Scores(values, None, NAMES, better="lower", clusters=clusters), **options)
        last = f"A{k}" if worse else ""
        false = any(pair.verdict in WON for pair in found.pairs if last not in (pair.a, pair.b))
        return int(false), 1, int(cautioned(found, "dependence (names)"))

    return count


def clusters_row(said: str, count: Callable[[Generator], Outcome], called: str, ends: str = "") -> Row:
    data = f"35 data sets of 10 folds, the data set's effect as large as the noise; {said}"
    door = f"`bo.compare({called})`, any false pair"
    return Row(f"clusters: {said}, {called or 'default'}", door, data, "error", ALPHA, count, short=20, ends=ends)


CLUSTERED = (
    *(
        clusters_row("two equal", of_tasks(True, 0.0, 2, pairwise=test), f'pairwise="{test}"')
        for test in ("wilcoxon", "sign", "t", "mean-ranks")
    ),
    clusters_row("five equal", of_tasks(True, 0.0, 5), ""),
    clusters_row("four equal, one worse", of_tasks(True, 1.5, 5), ""),
    clusters_row("two equal, clusters not named", of_tasks(False, 0.0, 2), "", ends="dependence (names)"),
)

# --- right or wrong ---------------------------------------------------------------------------------------------------


def shares(n: int, a: float, b: float, nested: bool) -> Callable[[Generator], Outcome]:
    """``nested``: the questions that the weaker one knows are known to the other."""

    def count(rng: Generator) -> Outcome:
        asked = rng.random((n, 1 if nested else 2))
        found = bo.compare(bo.Scores((asked < np.array([a, b])).astype(float), better="higher"))
        effect = found.pairs[0].effect
        return int(effect is None or not effect.low - 1e-12 <= a - b <= effect.high + 1e-12), 1

    return count


ANSWERS = tuple(
    Row(
        f"answers: {a:g} and {b:g}, {n}{', nested' if nested else ''}",
        "`bo.compare`, interval of a difference of shares",
        f"{n} questions, right with {a:g} and {b:g}, {'as dependent as they can be' if nested else 'independently'}",
        "coverage",
        0.93,
        shares(n, a, b, nested),
    )
    for n in (20, 100)
    for a, b, nested in ((0.6, 0.5, False), (0.95, 0.85, False), (0.95, 0.85, True), (0.98, 0.98, False))
)

ROWS = (*SIMULTANEOUS, *TIED, *CLUSTERED, *ANSWERS)
