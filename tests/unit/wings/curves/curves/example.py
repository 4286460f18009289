"""Of ``curves``: what the tests of every analysis take."""

from __future__ import annotations

import numpy as np

import bakeoff as bo
from analysis_examples import Example, Ordinary


def whole_curves() -> bo.Curves:
    level = np.random.default_rng(1).normal(size=(12, 2))
    rows = [
        {
            "problem": f"p{i}",
            "algorithm": a,
            "budget": b,
            "score": float(level[i, "AB".index(a)]) + 5 + (a == "B") + 1 / b,
        }
        for i in range(12)
        for a in "AB"
        for b in (1, 2, 4)
    ]
    return bo.curves(rows, better="lower")


EXAMPLE = Example(
    results={
        "curves": lambda: bo.curves(
            [
                {"problem": f"p{i}", "algorithm": a, "budget": b, "score": i % 3 + (a == "B") + 1 / b}
                for i in range(8)
                for a in "AB"
                for b in (1, 2, 4)
            ],
            better="lower",
        )
    },
    decisions={"curves": "difference"},
    on_the_page={
        "curves": "better=lower&control=A&best_so_far=1&spacing=linear&cell=median",
        "curves?": "better=lower&over=runs&n_resamples=199&rng=3",
    },
    ordinary={"curves": Ordinary(whole_curves, lacks="unequal.budgets coarse-grid not-finite scales-differ sampled")},
    engine=("wings/curves/curves/statistics/curve_tests.py", "sign_flips"),
    quick_to_forge=("curves",),
)
