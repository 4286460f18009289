"""What would change each verdict: hundreds of tables decided together."""

from __future__ import annotations

from functools import lru_cache, partial

import bakeoff as bo
from benchmarks.model import Benchmark, Case, Run, at_most


@lru_cache(maxsize=2)
def _compared(control: str | None) -> bo.Comparison:
    return bo.compare(bo.datasets.load("derrac_cec2005"), control=control)


def _examined(control: str | None) -> Run:
    return partial(bo.sensitivity, _compared(control), rng=1)


CASES = (
    Case(
        name="25 problems × 9 algorithms, all pairs, 400 resamples",
        make=partial(_examined, None),
        goals=(at_most(3.0),),
        rounds=3,
    ),
    Case(name="the same, with a control", make=partial(_examined, "SaDE"), rounds=3, short=True),
)

BENCHMARK = Benchmark(
    name="sensitivity",
    item=19,
    title="Sensitivity of every verdict",
    about="`bo.sensitivity(comparison)` of Derrac et al.'s 25 × 9 table with its defaults: 32 analyses, each problem "
    "and each algorithm left out, the fewest problems that carry each verdict, and 400 resamples.",
    cases=CASES,
)
