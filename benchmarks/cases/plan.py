"""Planning: exact power, simulated Wilcoxon, a whole curve."""

from __future__ import annotations

from functools import partial

import bakeoff as bo
from bakeoff.plan.power_models.wilcoxon import draws
from benchmarks.model import Benchmark, Case, Run, at_most


def _simulated() -> Run:
    def run() -> None:
        draws.cache_clear()  # samples are kept between questions; a first question has none
        bo.plan.instances(0.5, test="wilcoxon")

    return run


def _error_far_out() -> float:
    """Relative error without an effect, where the power is alpha itself: 1e-8 with 3 problems."""
    return abs(bo.plan.power(3, 1e-300, 1e-8) / 1e-8 - 1.0)


CASES = (
    Case(
        name="t-test, d = 0.5",
        make=lambda: partial(bo.plan.instances, 0.5),
        goals=(at_most(0.05),),
        short=True,
        rounds=25,
    ),
    Case(
        name="t-test, 45 comparisons, mean target",
        make=lambda: partial(bo.plan.instances, 0.5, n_algorithms=10, target="mean"),
        short=True,
        rounds=5,
    ),
    Case(
        name="Wilcoxon by simulation, d = 0.5",
        make=_simulated,
        goals=(at_most(1.0),),
        why="about a million samples for each of two or three numbers of problems",
    ),
    Case(name="power curve, 61 points", make=lambda: partial(bo.plan.curve, 34), short=True, rounds=5),
    Case(name="relative error at α = 1e-8", measure=_error_far_out, unit="rel", goals=(at_most(1e-11),), short=True),
)

BENCHMARK = Benchmark(
    name="plan",
    item=16,
    title="Planning the number of problems",
    about="`bo.plan.instances(0.5, ...)` and `bo.plan.curve(34)`, from the call to the result.",
    cases=CASES,
)
