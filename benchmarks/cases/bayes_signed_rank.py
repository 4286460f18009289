"""The Bayesian signed-rank test: one prefix sum per draw, beside all pairs per draw."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

import bakeoff as bo
from bakeoff.scores import Array
from benchmarks.model import Benchmark, Case, Peer, Run, at_most, faster
from benchmarks.timing import load

DRAWS = 50_000


def _table(n: int) -> Array:
    return np.random.default_rng(n).normal(size=(n, 2))


def _ours(n: int, rope: float) -> Run:
    return partial(bo.bayes.signed_rank, bo.Scores(_table(n), better="higher"), 0, 1, 0.5, rope, DRAWS)


def _baycomp(n: int, rope: float, draws: int) -> Run:
    test: Any = load("baycomp").SignedRankTest
    x, y = _table(n).T
    return partial(test.sample, x, y, rope, nsamples=draws, random_state=0)


def _case(n: int, rope: float, factor: float, draws: int, short: bool = False) -> Case:
    peer = Peer(
        name="baycomp",
        package="baycomp",
        make=partial(_baycomp, n, rope, draws),
        scale=DRAWS / draws,
        note=f"the same distribution; {draws} draws timed",
    )
    return Case(
        name=f"n = {n}, rope {rope:g}",
        make=partial(_ours, n, rope),
        goals=(faster(factor, "baycomp"),),
        peers=(peer,),
        short=short,
        rounds=5,
        why="a third of the time and more are the exponentials themselves",
    )


CASES = (
    _case(100, 0.0, 10, 2000, short=True),
    _case(100, 0.3, 10, 2000),
    _case(1000, 0.0, 50, 50),
    _case(1000, 0.3, 50, 50),
    Case(
        name="n = 20, rope 0.3, from scores to verdict", make=partial(_ours, 20, 0.3), goals=(at_most(0.1),), short=True
    ),
)

BENCHMARK = Benchmark(
    name="bayes-signed-rank",
    item=13,
    title="Bayesian signed-rank test",
    about=f"`bo.bayes.signed_rank(scores, a, b, rope=r)`, {DRAWS:,} draws, from scores to result, on normal scores.",
    cases=CASES,
)
