"""Ranks within problems."""

from __future__ import annotations

from functools import lru_cache, partial

import numpy as np

import bakeoff as bo
from bakeoff.scores import Scores
from benchmarks.model import Benchmark, Case, Goal, Peer, Run, faster
from benchmarks.timing import load

CELLS = 2_000_000
WIDTHS = (2, 5, 20, 50, 100, 300, 1000)


@lru_cache(maxsize=1)
def _table(n: int, k: int) -> Scores:
    """Three decimals: some ties."""
    return bo.Scores(np.random.default_rng(k).normal(size=(n, k)).round(3), better="lower")


_WHY = "it runs on as many threads as there are cores, which gain nothing where other work takes the cores"


def _make(n: int, k: int) -> Run:
    return partial(bo.rank, _table(n, k))


def _bottleneck(n: int, k: int) -> Run:
    return partial(load("bottleneck").rankdata, _table(n, k).values, axis=1)


def _scipy(n: int, k: int) -> Run:
    return partial(load("scipy.stats").rankdata, _table(n, k).values, axis=1)


def _case(n: int, k: int, compiled: bool, goals: tuple[Goal, ...] = (), short: bool = False) -> Case:
    return Case(
        name=f"{n:,} × {k}, {'compiled' if compiled else 'NumPy alone'}",
        make=partial(_make, n, k),
        goals=goals,
        peers=(
            Peer(name="bottleneck", package="bottleneck", make=partial(_bottleneck, n, k)),
            Peer(name="SciPy", package="scipy", make=partial(_scipy, n, k)),
        ),
        rounds=5,
        why=_WHY if compiled else "it sorts with NumPy, as SciPy does",
        accelerator=compiled,
        needs="numba" if compiled else "",
        loads=compiled,
        short=short,
    )


def _both(n: int, k: int, compiled: tuple[Goal, ...], alone: tuple[Goal, ...]) -> tuple[Case, Case]:
    return _case(n, k, True, compiled), _case(n, k, False, alone)


CASES = (
    _case(20_000, 10, True, short=True),
    _case(20_000, 10, False, short=True),
    *_both(1_000_000, 10, (faster(5, "bottleneck"), faster(20, "SciPy")), (faster(1, "SciPy"),)),
    *(case for k in WIDTHS for case in _both(CELLS // k, k, (faster(1, "bottleneck"),), (faster(1, "SciPy"),))),
)

BENCHMARK = Benchmark(
    name="ranking",
    item=8,
    title="Ranking",
    about="`bo.rank(scores)` of normal scores rounded to three decimals, against `rankdata(values, axis=1)`.",
    cases=CASES,
)
