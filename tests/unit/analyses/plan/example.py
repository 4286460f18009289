"""Of ``plan``: what the tests of every analysis take."""

from __future__ import annotations

import bakeoff as bo
from analysis_examples import Example, Ordinary
from ordinary_tables import runs

EXAMPLE = Example(
    results={"plan": lambda: bo.plan.curve(20, values=[0.5, 1.0])},
    decisions={"plan": None},
    on_the_page={"plan": "effect=0.7&n_algorithms=3&comparisons=control&alpha=0.01"},
    ordinary={
        "plan": Ordinary(
            lambda: bo.plan.curve(20, values=[0.5, 1.0]),
            lacks=(
                "average-power too-few out-of-reach omnibus-only relative-efficiency "
                "too-few.pilot-pairs symmetric-differences win-probability"
            ),
        ),
        "plan.repetitions": Ordinary(
            lambda: bo.plan.repetitions(runs(12, 2, 30), 0.5),
            lacks=(
                "no-variation papers-formula.percent-differences near-zero.pilot-means skew too-few "
                "out-of-reach negative-variance.pilot-questions"
            ),
        ),
    },
)
