"""Bergmann–Hommel for z tests on ranks: any number of algorithms."""

from __future__ import annotations

import math
from functools import partial

import numpy as np

import bakeoff as bo
from benchmarks.data import pvalues_on_line, rank_sums
from benchmarks.model import Benchmark, Case, Peer, Run, at_most, faster
from benchmarks.r_peer import scmamp_bergmann
from benchmarks.timing import sample

RECORDED = Peer(
    name="scmamp (recorded)",
    recorded=37.0,
    note="R 4.2.2, scmamp, k = 9, recorded once on another machine; it shows the order of magnitude",
)
LIVE = Peer(name="scmamp", make=scmamp_bergmann)
HUNDRED_THOUSAND = (faster(100_000, RECORDED.name), faster(100_000, LIVE.name))


def _make(k: int) -> Run:
    sums = rank_sums(k)
    p = pvalues_on_line(sums)
    return lambda: bo.adjust_pairwise(p, "bergmann-hommel", positions=sums)


BATCH = 25
"""Tables per sample, all different, because one takes microseconds."""


def _nine() -> Run:
    tables = [(pvalues_on_line(sums), sums) for sums in (rank_sums(9, seed=seed) for seed in range(BATCH))]

    def run() -> None:
        for p, sums in tables:
            bo.adjust_pairwise(p, "bergmann-hommel", positions=sums)

    return run


def _growth() -> float:
    """The slope of log processor time over log k, least squares over k = 25, 50, 100, 200, the better of two runs."""
    sizes = (25, 50, 100, 200)
    times = []
    for k in sizes:
        run = _make(k)
        times.append(min(sample(run).cpu, sample(run).cpu))
    slope, _ = np.polyfit([math.log(k) for k in sizes], [math.log(t) for t in times], 1)
    return float(slope)


def _numpy(k: int, limit: float, short: bool = False) -> Case:
    return Case(
        name=f"k = {k}, NumPy alone",
        make=partial(_make, k),
        goals=(at_most(limit),),
        accelerator=False,
        rounds=3,
        short=short,
    )


def _compiled(k: int, limit: float) -> Case:
    return Case(name=f"k = {k}, compiled", make=partial(_make, k), goals=(at_most(limit),), needs="numba", loads=True)


CASES = (
    Case(
        name="k = 9, NumPy alone",
        make=_nine,
        scale=1 / BATCH,
        peers=(RECORDED,),
        accelerator=False,
        rounds=25,
        short=True,
    ),
    Case(
        name="k = 9, compiled",
        make=_nine,
        scale=1 / BATCH,
        goals=HUNDRED_THOUSAND,
        peers=(RECORDED, LIVE),
        needs="numba",
        loads=True,
        rounds=25,
        why="checking the input takes longer than the algorithm itself",
    ),
    _compiled(30, 0.01),
    _compiled(100, 0.3),
    _compiled(200, 3.0),
    _numpy(20, 0.2, short=True),
    _numpy(100, 60.0),
    Case(
        name="growth exponent over k = 25 … 200, compiled",
        measure=_growth,
        unit="",
        goals=(at_most(4.2),),
        needs="numba",
        loads=True,
    ),
)

BENCHMARK = Benchmark(
    name="bergmann-hommel",
    item=1,
    title="Bergmann–Hommel for z tests on ranks",
    about='`bo.adjust_pairwise(p, "bergmann-hommel", positions=rank_sums)`, on rank sums of 50 problems with some '
    "significant pairs. Times exclude compilation.",
    cases=CASES,
)
