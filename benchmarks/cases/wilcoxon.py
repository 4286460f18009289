"""Wilcoxon's signed-rank test with its exact null distribution, ties and zeros included."""

from __future__ import annotations

from functools import partial

import numpy as np

import bakeoff as bo
from benchmarks.data import tied_differences
from benchmarks.model import Benchmark, Case, Peer, Run, at_most, faster
from benchmarks.timing import load

BATCH = 40
"""Tables per sample, all different, because one test takes microseconds."""


def _batch(n: int) -> Run:
    tables = [bo.Scores(tied_differences(n, seed), better="lower") for seed in range(BATCH)]

    def run() -> None:
        for scores in tables:
            bo.wilcoxon(scores, 0, 1, method="exact")

    return run


def _one(n: int) -> Run:
    return partial(bo.wilcoxon, bo.Scores(tied_differences(n, zeros=True), better="lower"), 0, 1)


def _scipy(n: int) -> Run:
    values = tied_differences(n)
    return partial(load("scipy.stats").wilcoxon, values[:, 1] - values[:, 0])


def _error_at_sixty() -> float:
    """Relative error of p when sixty differences have one sign: p = 2·2⁻⁶⁰ = 2⁻⁵⁹."""
    scores = bo.Scores(np.column_stack([np.zeros(60), np.arange(1.0, 61.0)]), better="lower")
    return abs(bo.wilcoxon(scores, 0, 1).pvalue * 2.0**59 - 1.0)


CASES = (
    Case(
        name="n = 13, ties",
        make=partial(_batch, 13),
        scale=1 / BATCH,
        goals=(faster(3000, "SciPy"),),
        peers=(
            Peer(
                name="SciPy",
                package="scipy",
                make=partial(_scipy, 13),
                note="enumerates the 2^13 signs; with ties and more than 13 differences it uses the normal "
                "approximation",
            ),
        ),
        short=True,
        rounds=5,
        why="the null distribution takes only part of it; validation, ranking and the result take the rest",
    ),
    Case(name="n = 100, ties and zeros", make=partial(_one, 100), short=True, rounds=25),
    Case(name="n = 1000, ties and zeros", make=partial(_one, 1000), goals=(at_most(0.3),)),
    Case(name="relative error at p = 2⁻⁵⁹", measure=_error_at_sixty, unit="rel", goals=(at_most(1e-13),), short=True),
)

BENCHMARK = Benchmark(
    name="wilcoxon",
    item=5,
    title="Wilcoxon, exact with ties and zeros",
    about="`bo.wilcoxon(scores, a, b)`, from scores to result. The differences are whole numbers with many ties.",
    cases=CASES,
)
