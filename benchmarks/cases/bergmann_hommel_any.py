"""Bergmann–Hommel for p-values of any origin: dynamic programming over subsets."""

from __future__ import annotations

from functools import partial

import bakeoff as bo
from benchmarks.children import cost
from benchmarks.data import symmetric_pvalues
from benchmarks.model import Benchmark, Case, Run, at_most

_WHY = "the work grows as 3^k for each of up to k(k−1)/2 distinct p-values; only a smaller constant could help"


def _make(k: int) -> Run:
    p = symmetric_pvalues(k)
    return lambda: bo.adjust_pairwise(p, "bergmann-hommel")


def _case(k: int, limit: float, rounds: int) -> Case:
    return Case(
        name=f"k = {k}", make=partial(_make, k), goals=(at_most(limit),), rounds=rounds, short=k == 12, why=_WHY
    )


CASES = (
    _case(12, 0.05, 9),
    _case(15, 0.5, 5),
    _case(18, 5.0, 2),
    Case(
        name="k = 20, in a process of its own",
        measure=lambda: cost("any-pvalues-20").time,
        goals=(at_most(40.0),),
        why=_WHY,
    ),
    Case(
        name="k = 20, peak memory of that process",
        measure=lambda: cost("any-pvalues-20").peak,
        unit="B",
        goals=(at_most(1e9),),
        why=_WHY,
    ),
    Case(name="k = 10, peak memory of a process", measure=lambda: cost("any-pvalues-10").peak, unit="B", short=True),
)

BENCHMARK = Benchmark(
    name="bergmann-hommel-any",
    item=2,
    title="Bergmann–Hommel for any p-values",
    about='`bo.adjust_pairwise(p, "bergmann-hommel")` without positions, on random p-values that are all different, '
    "the hard case. It is measured as users get it, with the accelerator where it is used.",
    cases=CASES,
)
