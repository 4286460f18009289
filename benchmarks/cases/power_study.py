"""A study of power: every procedure on thousands of draws of problems."""

from __future__ import annotations

from functools import partial

import bakeoff as bo
from benchmarks.model import Benchmark, Case, Run, at_most

BIAS = (0, 1, 2, 3, 4)


def _study(draws: int, tests: str | None = None) -> Run:
    scores = bo.datasets.load("derrac_cec2005")
    return partial(bo.study.power, scores, "SaDE", "PSO", tests, bias=BIAS, scale="sd", draws=draws)


CASES = (
    Case(name="every procedure, 5 × 1000 draws", make=partial(_study, 1000), goals=(at_most(20.0),), rounds=3),
    Case(name="every procedure, 5 × 50 draws", make=partial(_study, 50), rounds=3, short=True),
    Case(name="compare() of all pairs, 5 × 1000 draws", make=partial(_study, 1000, "compare"), rounds=3),
)

BENCHMARK = Benchmark(
    name="power-study",
    item=20,
    title="Power and replicability of every procedure",
    about="`bo.study.power` on the 25 × 9 table of Derrac et al. (2011): 10 of 25 problems drawn at five biases, 27 "
    "procedures on each draw.",
    cases=CASES,
)
