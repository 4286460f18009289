"""The exact null law of Friedman's statistic, the first time and again."""

from __future__ import annotations

from functools import partial

from bakeoff.bench.model import Benchmark, Case, Run, at_most
from bakeoff.nulls.friedman import friedman_null

GRID = ((3, 200), (4, 60), (5, 19), (6, 9), (7, 4))


def _first(k: int, n: int) -> Run:
    return partial(friedman_null, k, n)


CASES = tuple(
    Case(
        name=f"k = {k}, n = {n}, the first time",
        make=partial(_first, k, n),
        goals=(at_most(2.0),),
        rounds=3,
        short=(k, n) == (3, 200),
    )
    for k, n in GRID
)

BENCHMARK = Benchmark(
    name="friedman",
    item=6,
    title="Friedman, exact null law",
    about='The whole law of Σ R² without ties, as `bo.friedman(scores, method="exact")` needs it.',
    cases=CASES,
)
