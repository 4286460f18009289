"""Several models by their means: evaluate with some of them equal, interquartile_mean."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

import bakeoff as bo
from calibration.rows.row import Outcome, Row, cautioned

Floats = NDArray[np.float64]
ALPHA = 0.05

# --- five models, of which three are equal ---------------------------------------------------------------------------

SHIFTS = np.array([0.0, 0.0, 0.0, 0.6, 1.5])
CLUSTERS: dict[str, Callable[[Generator], NDArray[np.int64]]] = {
    "20 clusters of 3": lambda rng: np.repeat(np.arange(20), 3),
    "40 problems": lambda rng: np.arange(40),
    "25 clusters of 1 to 8": lambda rng: np.asarray(np.unique(rng.integers(0, 25, size=90), return_inverse=True)[1]),
}


def normal(rng: Generator, codes: NDArray[np.int64]) -> Floats:
    return np.asarray(rng.normal(size=(len(codes), 5)) + 0.7 * rng.normal(size=(codes.max() + 1, 5))[codes])


def heavy(rng: Generator, codes: NDArray[np.int64]) -> Floats:
    return np.asarray(rng.standard_t(3, (len(codes), 5)) + 0.7 * rng.standard_t(3, (codes.max() + 1, 5))[codes])


ERRORS: dict[str, Callable[[Generator, NDArray[np.int64]], Floats]] = {
    "normal": normal,
    "t with 3 df": heavy,
    "standard deviations 0.2 to 3": lambda rng, codes: normal(rng, codes) * np.array([0.2, 1.0, 3.0, 1.0, 1.0]),
    "of one skewed shape": lambda rng, codes: np.asarray(rng.exponential(size=(len(codes), 5)) ** 2 - 2),
}


def evaluated(
    errors: str, clusters: str, misses: Callable[[bo.Scores, object], bool]
) -> Callable[[Generator], Outcome]:
    def count(rng: Generator) -> Outcome:
        codes = CLUSTERS[clusters](rng)
        labels = None if clusters == "40 problems" else codes.tolist()
        scores = bo.Scores(ERRORS[errors](rng, codes) + SHIFTS, better="higher", clusters=labels)
        return int(misses(scores, bo.evaluate(scores, n_resamples=799))), 1

    return count


def place(name: str) -> int:
    return int(name[1:]) - 1


def interval_misses(_: bo.Scores, found: object) -> bool:
    """Any simultaneous interval, or one that is missing."""
    truth = [SHIFTS[place(p.a)] - SHIFTS[place(p.b)] for p in found.pairs]  # type: ignore[attr-defined]
    pairs = zip(found.pairs, truth, strict=True)  # type: ignore[attr-defined]
    return any(p.simultaneous is None or not p.simultaneous[0] <= d <= p.simultaneous[1] for p, d in pairs)


def claim_or_rank_misses(_: bo.Scores, found: object) -> bool:
    for pair in found.pairs:  # type: ignore[attr-defined]
        d = SHIFTS[place(pair.a)] - SHIFTS[place(pair.b)]
        if (pair.verdict == "a better" and d <= 0) or (pair.verdict == "b better" and d >= 0):
            return True
    return any(
        low > 1 + np.sum(SHIFTS[place(name)] < SHIFTS) or high < 5 - np.sum(SHIFTS[place(name)] > SHIFTS)
        for name, (low, high) in found.rank_intervals.items()  # type: ignore[attr-defined]
    )


PARTIAL = [
    Row(
        name=f"evaluate: {what}, {errors}, {clusters}",
        door=f"`bo.evaluate`, {said}",
        data=f"five models, three of them equal; {clusters}; errors {errors}",
        kind=kind,  # type: ignore[arg-type]
        level=level,
        count=evaluated(errors, clusters, misses),
        short=50 if errors == "normal" or clusters == "40 problems" else 0,
    )
    for errors in ERRORS
    for clusters in CLUSTERS
    for what, said, kind, level, misses in (
        ("intervals", "all simultaneous intervals", "coverage", 1 - ALPHA, interval_misses),
        ("ranks", "all verdicts and rank intervals", "error", ALPHA, claim_or_rank_misses),
    )
]


# --- right or wrong ---------------------------------------------------------------------------------------------------

DIFFICULTY = ndtri((np.arange(2000) + 0.5) / 2000) * 1.5
ABILITY = np.array([0.0, 0.0, 0.5, 1.5])
SHARES = ndtr(ABILITY[:, None] - DIFFICULTY).mean(axis=1)


def answers(rng: Generator) -> Outcome:
    """60 questions of very different difficulty; two models are equal."""
    asked = rng.choice(DIFFICULTY, size=60)
    right = rng.normal(size=(60, 4)) + ABILITY > asked[:, None]
    found = bo.evaluate(bo.Scores(right.astype(float), better="higher"), n_resamples=799)
    for pair in found.pairs:
        truth = SHARES[place(pair.a)] - SHARES[place(pair.b)]
        if pair.simultaneous is None or not pair.simultaneous[0] <= truth <= pair.simultaneous[1]:
            return 1, 1
    return 0, 1


ANSWERS = Row(
    "evaluate: intervals, answers, 60",
    "`bo.evaluate`, all simultaneous intervals",
    "four models, two of them equal; 60 right or wrong answers",
    "coverage",
    1 - ALPHA,
    answers,
)

# --- interquartile means ----------------------------------------------------------------------------------------------


def few_tasks(t: int, k: int, interval: bool) -> Callable[[Generator], Outcome]:
    def count(rng: Generator) -> Outcome:
        values = rng.normal(size=(t, 1)) + 0.3 * rng.normal(size=(t, k))
        found = bo.interquartile_mean(bo.Scores(values, better="higher"))
        if interval:
            low, high = found.estimates[0].interval
            return int(not low <= 0 <= high), 1
        return int(any(pair.verdict != "no difference shown" for pair in found.pairs)), 1

    return count


IQM = [
    Row(
        name=f"iqm: {what}, {t} tasks",
        door=f"`bo.interquartile_mean`, {said}",
        data=f"{t} normal tasks, {k} equal algorithms, one run each",
        kind=kind,  # type: ignore[arg-type]
        level=level,
        count=few_tasks(t, k, interval),
    )
    for t, k in ((4, 5), (8, 10), (12, 10))
    for what, said, kind, level, interval in (
        ("pairs", "verdicts of all pairs", "error", ALPHA, False),
        ("interval", "interval of one algorithm (approximate)", "coverage", 0.93, True),
    )
]


def over_runs(t: int, r: int, law: str, interval: bool) -> Callable[[Generator], Outcome]:
    """Three algorithms whose runs have one mean on a task; the IQM of one is that of 2000 runs of each task."""

    def drawn(rng: Generator, levels: Floats, spreads: Floats, runs: int) -> Floats:
        noise = rng.normal(size=(t, 3, runs)) if law == "normal" else rng.exponential(size=(t, 3, runs)) - 1
        return np.asarray(levels + spreads * noise)

    def count(rng: Generator) -> Outcome:
        levels, spreads = 3 * rng.normal(size=(t, 1, 1)), rng.lognormal(sigma=0.5, size=(t, 1, 1))
        found = bo.interquartile_mean(bo.Scores(drawn(rng, levels, spreads, r), better="higher"), over="runs")
        said = int(cautioned(found, "too-few (known-problems)"))
        if not interval:
            return int(any(pair.verdict != "no difference shown" for pair in found.pairs)), 1, said
        many = np.sort(drawn(rng, levels, spreads, 2000)[:, 0], axis=None)
        low, high = found.estimates[0].interval
        return int(not low <= many[len(many) // 4 : -(len(many) // 4)].mean() <= high), 1, said

    return count


OVER_RUNS = [
    Row(
        name=f"iqm over runs: {what}, {t} x {r}, {law}",
        door=f'`bo.interquartile_mean(over="runs")`, {said}',
        data=f"three equal algorithms, {t} tasks, {r} runs each, {law}; tasks differ in level and spread",
        kind=kind,  # type: ignore[arg-type]
        level=level,
        count=over_runs(t, r, law, what == "interval"),
        tables=1000,
        ends="too-few (known-problems)" if what == "interval" and t < 10 else "",
    )
    for t, r in ((3, 5), (5, 3), (10, 3), (26, 5))
    for law in ("normal", "exponential")
    for what, said, kind, level in (
        ("pairs", "verdicts of all pairs", "error", ALPHA),
        ("interval", "interval of one algorithm (approximate)", "coverage", 0.93),
    )
]

ROWS = (*PARTIAL, ANSWERS, *IQM, *OVER_RUNS)
