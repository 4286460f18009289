"""The exact null distribution of Friedman's statistic, computed and read from the cache."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from functools import cache, partial

from bakeoff.nulls.column_sums import column_sum_law
from benchmarks.model import Benchmark, Case, Run, at_most
from benchmarks.timing import environment

GRID = ((3, 200), (4, 60), (5, 19), (6, 9), (7, 4))


@cache
def _folder() -> str:
    """A temporary cache folder, so that the user's cache is not touched."""
    place = tempfile.mkdtemp(prefix="bakeoff-bench-")
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    return place


def _law(k: int, n: int, place: str) -> None:
    with environment(BAKEOFF_CACHE=place):
        column_sum_law((tuple(range(k)),) * n)


def _first(k: int, n: int) -> Run:
    return partial(_law, k, n, "off")


def _again(k: int, n: int) -> Run:
    run = partial(_law, k, n, _folder())
    run()
    return run


def _cases(k: int, n: int) -> tuple[Case, Case]:
    cheap = (k, n) == (3, 200)
    first = Case(
        name=f"k = {k}, n = {n}, the first time",
        make=partial(_first, k, n),
        goals=(at_most(2.0),),
        loads=not cheap,
        rounds=3,
        why="each sorted rank-sum vector is visited once per problem, and their number is fixed",
        short=cheap,
    )
    again = Case(
        name=f"k = {k}, n = {n}, from the disk",
        make=partial(_again, k, n),
        goals=(at_most(0.001),),
        rounds=25,
        short=cheap,
    )
    return first, again


CASES = tuple(case for k, n in GRID for case in _cases(k, n))

BENCHMARK = Benchmark(
    name="friedman",
    item=6,
    title="Friedman, exact null distribution",
    about='The null distribution of Σ R² without ties, as used by `bo.friedman(scores, method="exact")`: computed the '
    "first time, and read from the cache folder, as in a new process.",
    cases=CASES,
)
