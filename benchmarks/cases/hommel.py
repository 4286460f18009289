"""Hommel's correction in O(m log m)."""

from __future__ import annotations

from functools import partial

import numpy as np

import bakeoff as bo
from bakeoff.scores import Array
from benchmarks.model import Benchmark, Case, Peer, Run, at_most, faster
from benchmarks.timing import load


def _pvalues(m: int) -> Array:
    """Nine in ten hypotheses true, the others with small p."""
    rng = np.random.default_rng(m)
    return np.where(rng.random(m) < 0.9, rng.random(m), rng.random(m) ** 8)


def _make(m: int) -> Run:
    return partial(bo.adjust, _pvalues(m), "hommel")


def _statsmodels(m: int) -> Run:
    return partial(load("statsmodels.stats.multitest").multipletests, _pvalues(m), method="hommel")


CASES = (
    Case(
        name="m = 10,000",
        make=partial(_make, 10_000),
        goals=(faster(150, "statsmodels"),),
        peers=(Peer(name="statsmodels", package="statsmodels", make=partial(_statsmodels, 10_000)),),
        rounds=15,
        why="a fifth is sorting, and the rest some sixty passes over ten thousand numbers; the ratio varies around the "
        "target from run to run (143 to 203)",
    ),
    Case(
        name="m = 1,000",
        make=partial(_make, 1000),
        peers=(Peer(name="statsmodels", package="statsmodels", make=partial(_statsmodels, 1000)),),
        rounds=15,
        short=True,
    ),
    Case(
        name="m = 1,000,000",
        make=partial(_make, 1_000_000),
        goals=(at_most(0.5),),
        why="sorting and putting back a million p-values takes half of it",
    ),
)

BENCHMARK = Benchmark(
    name="hommel",
    item=4,
    title="Hommel",
    about='`bo.adjust(p, "hommel")`; nine in ten hypotheses are true. statsmodels is quadratic, and would take '
    "hours for a million.",
    cases=CASES,
)
