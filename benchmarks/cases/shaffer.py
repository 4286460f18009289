"""Shaffer's correction: how many hypotheses can be true at once, for a thousand algorithms."""

from __future__ import annotations

from functools import partial

import bakeoff as bo
from bakeoff.adjusting.shaffer import most_true
from benchmarks.data import pvalues_on_line, rank_sums
from benchmarks.model import Benchmark, Case, Run, at_most

_WHY = "the counts take a third of it; checking, sorting and putting back 499,500 p-values take the rest"


def _static(k: int) -> Run:
    p = pvalues_on_line(rank_sums(k))
    return lambda: bo.adjust_pairwise(p, "shaffer")


def _dynamic(k: int) -> Run:
    sums = rank_sums(k)
    p = pvalues_on_line(sums)
    return lambda: bo.adjust_pairwise(p, "shaffer-dynamic", positions=sums)


def _counts(k: int) -> Run:
    return lambda: most_true(k)


CASES = (
    Case(name="static, k = 100", make=partial(_static, 100), goals=(at_most(0.002),), short=True, rounds=25),
    Case(name="static, k = 1000", make=partial(_static, 1000), goals=(at_most(0.4),), why=_WHY),
    Case(name="of that the numbers t_1 … t_m", make=partial(_counts, 1000)),
    Case(name="dynamic on ranks, k = 100", make=partial(_dynamic, 100)),
)

BENCHMARK = Benchmark(
    name="shaffer",
    item=3,
    title="Shaffer",
    about='`bo.adjust_pairwise(p, "shaffer")`, from p-values to adjusted p-values. The counts are computed anew '
    "each time.",
    cases=CASES,
)
