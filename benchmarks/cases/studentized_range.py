"""The studentized range with infinite degrees of freedom, and Nemenyi's test."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np

import bakeoff as bo
from bakeoff.nulls import dunnett, studentized_range
from bakeoff.scores import Array
from benchmarks.model import Benchmark, Case, Peer, Run, at_most, faster
from benchmarks.timing import load

SAMPLE = 200


def _ranges(k: int) -> Any:
    """(k(k−1)/2,) studentized distances of k mean ranks, between 0 and about 12."""
    x = np.sort(np.random.default_rng(k).normal(scale=1.7, size=k))
    rows, columns = np.triu_indices(k, 1)
    return x[columns] - x[rows]


def _scipy() -> Run:
    return partial(
        load("scipy.stats").studentized_range.sf, _ranges(1000)[:: 499_500 // SAMPLE][:SAMPLE], 1000, math.inf
    )


SCIPY = Peer(
    name="SciPy",
    package="scipy",
    make=_scipy,
    scale=499_500 / SAMPLE,
    note=f"{SAMPLE} of the pairs timed, and multiplied",
)


def _reference(q: float, k: int) -> Any:
    """P(Q ≥ q) by mpmath to 30 digits: k ∫ φ(z) {Φ(z)^(k−1) − [Φ(z) − Φ(z−q)]^(k−1)} dz, piecewise."""
    mp = load("mpmath").mp.clone()
    mp.dps = 30

    def density(z: Any) -> Any:
        below = mp.erfc(-z / mp.sqrt(2)) / 2
        ratio = mp.erfc((q - z) / mp.sqrt(2)) / 2 / below
        return mp.npdf(z) * below ** (k - 1) * -mp.expm1((k - 1) * mp.log1p(-ratio))

    scale = mp.exp(mp.mpf(q) ** 2 / 4)  # quad stops at an absolute error
    low, high = -12.0, q + 12.0
    points = [low + (high - low) * i / 24 for i in range(25)]
    return k * mp.quad(lambda z: scale * density(z), points) / scale


def _worst_error(grid: tuple[tuple[float, int], ...]) -> float:
    worst = 0.0
    for q, k in grid:
        reference = _reference(q, k)
        worst = max(worst, abs(float(studentized_range.sf(q, k) / reference - 1)))
    return worst


SHORT_GRID = ((3.0, 3), (20.0, 10))
# the last of each k is where p falls below 1e-299
GRID = tuple((q, k) for k, far in ((2, 52.4), (9, 52.5), (100, 52.7), (1000, 52.9)) for q in (4.0, far))


def _half_million() -> Run:
    return partial(studentized_range.sf, _ranges(1000), 1000)


def _two_hundred() -> Run:
    return partial(studentized_range.sf, _ranges(1000)[:SAMPLE], 1000)


def _dunnett() -> Run:
    return partial(dunnett.sf, _ranges(1000)[:SAMPLE], 100)


def _table() -> Array:
    return np.asarray(np.random.default_rng(3).normal(size=(30, 20)) + np.linspace(0, 1, 20))


def _nemenyi() -> Run:
    return partial(bo.compare, bo.Scores(_table(), better="lower"), posthoc="nemenyi")


def _nemenyi_peer() -> Run:
    return partial(load("scikit_posthocs").posthoc_nemenyi_friedman, _table())


CASES = (
    Case(
        name="all 499,500 pairs, k = 1000",
        make=_half_million,
        goals=(faster(100, "SciPy"),),
        peers=(SCIPY,),
        rounds=3,
        why="beside the interpolation between Chebyshev nodes, half a million distances have to be sorted",
    ),
    Case(name=f"{SAMPLE} values, k = 1000", make=_two_hundred, short=True, rounds=3),
    Case(
        name="largest relative error against mpmath, k = 2 … 1000, p down to 1e-300",
        measure=partial(_worst_error, GRID),
        unit="rel",
        goals=(at_most(1e-12),),
        needs="mpmath",
    ),
    Case(
        name="the same at two points",
        measure=partial(_worst_error, SHORT_GRID),
        unit="rel",
        goals=(at_most(1e-12),),
        needs="mpmath",
        short=True,
    ),
    Case(name=f"Dunnett's distribution, {SAMPLE} values, m = 100", make=_dunnett, short=True, rounds=5),
    Case(
        name="Nemenyi by the range, 30 problems × 20 algorithms, all of `bo.compare`",
        make=_nemenyi,
        peers=(Peer(name="scikit-posthocs", package="scikit_posthocs", make=_nemenyi_peer),),
    ),
)

BENCHMARK = Benchmark(
    name="studentized-range",
    item=7,
    title="Studentized range",
    about="`bakeoff.nulls.studentized_range.sf(q, k)` with infinite degrees of freedom.",
    cases=CASES,
)
