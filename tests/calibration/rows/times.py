"""Running times of solvers, some of them stopped: runtimes()."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.integrate import quad
from scipy.special import ndtr

import bakeoff as bo
from calibration.rows.row import Outcome, Row

ALPHA, CAP = 0.05, 5000.0
Floats = NDArray[np.float64]
MEAN, HARD, OWN = 2.6, 1.6, 0.7  # of the logarithm to base 10 of a time: over problems, of a solver on a problem

# --- runtimes: a third of the runs is stopped -------------------------------------------------------------------------


def solvers(rng: Generator, n: int, k: int, clusters: int = 0, steps: bool = False) -> bo.Scores:
    """Equal solvers. In clusters, which solver is faster is shared as well."""
    if clusters:
        size = n // clusters
        hard = rng.normal(MEAN, HARD, (1, clusters, 1)) + rng.normal(0, 0.3, (1, clusters, size))
        own = rng.normal(0, math.sqrt(OWN**2 - 0.09), (k, clusters, 1)) + rng.normal(0, 0.3, (k, clusters, size))
        logs = (hard + own).reshape(k, -1).T
        labels = np.repeat(np.arange(clusters), size).tolist()
    else:
        logs, labels = rng.normal(MEAN, HARD, (n, 1)) + OWN * rng.normal(size=(n, k)), None
    times = np.minimum(10**logs, CAP)
    return bo.Scores(np.ceil(times) if steps else times, better="lower", clusters=labels)


def spread(clustered: bool) -> float:
    return math.hypot(HARD, OWN, 0.3 * clustered)


@cache
def penalised_mean(k: float, sd: float) -> float:
    """E[T; T < cap] + k·cap·P(T ≥ cap) of a lognormal T."""
    s, end = sd * math.log(10), (math.log10(CAP) - MEAN) / sd
    return float(math.exp(MEAN * math.log(10) + s * s / 2) * ndtr(end - s) + k * CAP * ndtr(-end))


@cache
def geometric_mean(sd: float) -> float:
    """exp(E log(min(T, cap) + 10)) − 10."""

    def part(z: float) -> float:
        return math.log(min(10 ** (MEAN + sd * z), CAP) + 10) * math.exp(-z * z / 2) / math.sqrt(2 * math.pi)

    end = (math.log10(CAP) - MEAN) / sd
    return math.exp(quad(part, -9, end)[0] + quad(part, end, 9)[0]) - 10


def solver_pair(event: Callable[[Any], bool], n: int, k: int, **how: Any) -> Callable[[Generator], Outcome]:
    return lambda rng: (int(event(bo.runtimes(solvers(rng, n, k, **how), CAP, n_resamples=500))), 1)


def band_misses(sd: float) -> Callable[[Any], bool]:
    def missed(found: Any) -> bool:
        """Before the cap, where the share of solved problems is that of shorter times."""
        curves = found.curves
        times = np.array(curves.times)
        truth = ndtr((np.log10(times) - MEAN) / sd)
        inside = (np.array(curves.lower("A1")) <= truth) & (truth <= np.array(curves.upper("A1")))
        return not inside[times < CAP].all()

    return missed


def missing(interval: tuple[float, float] | None, truth: float) -> bool:
    return interval is None or not interval[0] <= truth <= interval[1]


def runtimes_rows() -> list[Row]:
    designs: list[tuple[str, dict[str, Any]]] = [
        ("60 problems", {"n": 60}),
        ("30 clusters of 4", {"n": 120, "clusters": 30}),
        ("60 problems, whole seconds", {"n": 60, "steps": True}),
    ]
    tests: list[tuple[str, Callable[[Any], bool]]] = [
        ("p of the order", lambda found: found.pairs[0].pvalue <= ALPHA),
        ("p of PAR10", lambda found: found.pairs[0].par_pvalues[10] <= ALPHA),
        ("log-rank p", lambda found: found.pairs[0].logrank_pvalue <= ALPHA),
        ("McNemar's mid-p", lambda found: found.pairs[0].mcnemar <= ALPHA),
    ]
    rows = [
        Row(
            f"runtimes: {what}, {said}",
            f"`bo.runtimes`, {what}",
            f"two equal solvers, a third of the runs stopped; {said}",
            "error",
            ALPHA,
            solver_pair(event, k=2, **how),
        )
        for said, how in designs
        for what, event in tests
    ]
    for what, event in (
        ("any verdict of the order", lambda found: any(p.verdict != "no difference shown" for p in found.pairs)),
        ("any verdict at PAR10", lambda found: any(p.par_verdicts[10] != "no difference shown" for p in found.pairs)),
    ):
        data = "five equal solvers, 40 problems, a third of the runs stopped"
        rows.append(Row(f"runtimes: {what}", f"`bo.runtimes`, {what}", data, "error", ALPHA, solver_pair(event, 40, 5)))
    for said, how in designs[:2]:
        clustered = "clusters" in how
        sd = spread(clustered)
        short = {**how, "n": 30} if not clustered else how
        data = f"a third of the runs stopped; {said}"
        covers = [
            ("band of a whole curve", how, band_misses(sd)),
            (
                "interval of PAR10",
                short,
                lambda f, sd=sd: missing(f.estimates[0].par_intervals[10], penalised_mean(10, sd)),
            ),
            (
                "interval of PAR1",
                short,
                lambda f, sd=sd: missing(f.estimates[0].par_intervals[1], penalised_mean(1, sd)),
            ),
            ("interval of a difference of PAR10", short, lambda f: missing(f.pairs[0].par_intervals[10], 0.0)),
            ("interval of a ratio of geometric means", short, lambda f: missing(f.pairs[0].sgm_interval, 1.0)),
            ("interval of SGM", short, lambda f, sd=sd: missing(f.estimates[0].sgm_interval, geometric_mean(sd))),
        ]
        rows += [
            Row(
                f"runtimes: {what}, {said.replace('60', str(used['n']))}",
                f"`bo.runtimes`, {what}",
                data.replace("60", str(used["n"])),
                "coverage",
                1 - ALPHA,
                solver_pair(event, k=2, **used),
            )
            for what, used, event in covers
        ]
    return rows


ROWS = tuple(runtimes_rows())
