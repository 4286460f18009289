"""Draws of the posterior mean ranks, and the Bayesian Friedman test based on them."""

from __future__ import annotations

import tracemalloc
from collections import deque
from functools import lru_cache, partial
from typing import Literal

import numpy as np

import bakeoff as bo
from bakeoff.scores import Scores
from bakeoff.wings.bayes.dirichlet.mean_ranks import RankPosteriorInput, posterior_input, weighted_means
from benchmarks.model import Benchmark, Case, Goal, Peer, Run, at_most, faster

BARE = "bare"
_WHY = (
    "beside the exponentials and the product it draws the prior's weight and divides by the sum of the weights; BLAS "
    "threads wait for each other where other work takes the cores"
)


@lru_cache(maxsize=2)
def _table(n: int, k: int) -> Scores:
    return bo.Scores(np.random.default_rng(k).normal(size=(n, k)) + np.arange(k) / (2 * k), better="lower")


@lru_cache(maxsize=2)
def _given(n: int, k: int) -> RankPosteriorInput:
    return posterior_input(_table(n, k), 1.0)


def _draws(n: int, k: int, size: int, threads: int | None) -> Run:
    given = _given(n, k)
    atoms, prior = (given.deviations + k + 1) / 2.0, (given.prior + k + 1) / 2.0

    def run() -> None:
        rng = np.random.default_rng(0)
        deque(weighted_means(atoms, prior, given.strength, size, rng, threads), maxlen=0)

    return run


def _bare(n: int, k: int, size: int) -> Run:
    ranks = bo.rank(_table(n, k))

    def run() -> object:
        return np.random.Generator(np.random.SFC64(0)).standard_exponential((size, n)) @ ranks

    return run


def _friedman(n: int, k: int, region: Literal["ellipsoid", "exact"], prior: Literal["equal", "ignorance"]) -> Run:
    return partial(bo.bayes.friedman, _table(n, k), region=region, prior=prior)


def _peak() -> float:
    """Bytes that 100,000 draws for 1000 problems and 100 algorithms hold at most; all of them would be 80 MB,
    their weights 800 MB.
    """
    run = _draws(1000, 100, 100_000, None)
    tracemalloc.start()
    try:
        run()
        return float(tracemalloc.get_traced_memory()[1])
    finally:
        tracemalloc.stop()


def _case(n: int, k: int, size: int, threads: int | None, goals: tuple[Goal, ...] = (), short: bool = False) -> Case:
    return Case(
        name=f"{size:,} draws, n = {n}, k = {k}, {'one thread' if threads == 1 else 'all threads'}",
        make=partial(_draws, n, k, size, threads),
        goals=goals,
        peers=(
            Peer(
                name=BARE,
                make=partial(_bare, n, k, size),
                note="standard exponentials and one matrix product, all at once and in one thread except for BLAS, "
                "without a prior or a division: the least that any program could do",
            ),
        ),
        rounds=7,
        short=short,
        why=_WHY,
    )


CASES = (
    _case(100, 10, 50_000, 1, (faster(1 / 1.5, BARE),), short=True),
    _case(100, 10, 50_000, None),
    _case(1000, 100, 10_000, 1, (faster(1 / 1.5, BARE),)),
    _case(1000, 100, 10_000, None),
    Case(name="peak of arrays, 100,000 draws, n = 1000, k = 100", measure=_peak, unit="B", goals=(at_most(32e6),)),
    Case(name="ellipsoid, n = 100, k = 10", make=partial(_friedman, 100, 10, "ellipsoid", "equal"), short=True),
    Case(name="exact region, n = 100, k = 10", make=partial(_friedman, 100, 10, "exact", "equal"), short=True),
    Case(
        name="ellipsoid, all prior rankings, n = 100, k = 8", make=partial(_friedman, 100, 8, "ellipsoid", "ignorance")
    ),
    Case(name="ellipsoid, n = 1000, k = 100", make=partial(_friedman, 1000, 100, "ellipsoid", "equal"), rounds=3),
)

BENCHMARK = Benchmark(
    name="bayes-mean-ranks",
    item=12,
    title="Bayesian mean ranks",
    about="Draws of the posterior mean ranks (Dirichlet weights times ranks), and `bo.bayes.friedman(scores)`. A draw "
    "costs one exponential per problem, and all draws one matrix product.",
    cases=CASES,
)
