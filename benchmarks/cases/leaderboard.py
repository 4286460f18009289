"""Tables of leaderboard size."""

from __future__ import annotations

from functools import lru_cache, partial

import numpy as np

import bakeoff as bo
from bakeoff.scores import Scores
from benchmarks.children import cost
from benchmarks.model import Benchmark, Case, Goal, Peer, Run, at_most
from benchmarks.timing import load


@lru_cache(maxsize=1)
def _table(n: int) -> Scores:
    return bo.Scores(np.random.default_rng(20).normal(size=(n, 20)).round(3), better="lower")


def _friedman(n: int) -> Run:
    return partial(bo.friedman, _table(n))


def _scipy_friedman(n: int) -> Run:
    return partial(load("scipy.stats").friedmanchisquare, *_table(n).values.T)


def _pair() -> Run:
    return partial(bo.wilcoxon, _table(100_000), 0, 1)


def _scipy_pair() -> Run:
    x, y = _table(100_000).values[:, :2].T.copy()
    return partial(load("scipy.stats").wilcoxon, x, y)


def _friedman_case(n: int, goals: tuple[Goal, ...], short: bool = False) -> Case:
    return Case(
        name=f"Friedman and mean ranks, {n:,} × 20",
        make=partial(_friedman, n),
        goals=goals,
        peers=(Peer(name="SciPy", package="scipy", make=partial(_scipy_friedman, n)),),
        rounds=3,
        short=short,
    )


CASES = (
    _friedman_case(20_000, (), short=True),
    _friedman_case(1_000_000, (at_most(1.0),)),
    Case(
        name="one pairwise Wilcoxon of 100,000 problems",
        make=_pair,
        peers=(Peer(name="SciPy", package="scipy", make=_scipy_pair, note="normal approximation"),),
        short=True,
    ),
    Case(
        name="all 4950 pairwise Wilcoxons, 100 algorithms × 100,000 problems",
        measure=lambda: cost("wilcoxon-100x100000").time,
        goals=(at_most(60.0),),
        why="495 million differences must be sorted; on as many threads as there are cores",
    ),
    Case(
        name="peak memory of that process",
        measure=lambda: cost("wilcoxon-100x100000").peak,
        unit="B",
        goals=(at_most(4e9),),
    ),
    Case(
        name="all 45 pairwise Wilcoxons, 10 algorithms × 2,000 problems",
        measure=lambda: cost("wilcoxon-10x2000").time,
        short=True,
    ),
)

BENCHMARK = Benchmark(
    name="leaderboard",
    item=9,
    title="All pairs at leaderboard size",
    about='`bo.friedman(scores)`, and once `bo.compare(scores, pairwise="wilcoxon", posthoc="shaffer")`, in a process '
    "of its own, with everything that `compare` does.",
    cases=CASES,
)
