"""Of ``tradeoff``: what the tests of every analysis take."""

from __future__ import annotations

import bakeoff as bo
from analysis_examples import Example, Ordinary
from ordinary_tables import table

EXAMPLE = Example(
    results={
        "tradeoff": lambda: bo.tradeoff(
            {
                "error": bo.Scores([[1, 2], [2, 2.5], [3, 3.4]], better="lower"),
                "seconds": bo.Scores([[1, 2], [2, 3], [3, 4]], better="lower"),
            },
            {"error": 0.5, "seconds": "5%"},
            n_draws=100,
        )
    },
    decisions={"tradeoff": "none"},
    on_the_page={
        "tradeoff": "metric_1=score&better_1=lower&margin_1=0.5&metric_2=seconds&better_2=lower&margin_2=5%25"
    },
    ordinary={
        "tradeoff": Ordinary(
            lambda: bo.tradeoff({"e": table(40, 2), "s": table(40, 2, seed=9)}, {"e": 0.5, "s": 0.5}, n_draws=100),
            lacks="too-few.units out-of-reach",
        )
    },
    one_process={"tradeoff": lambda s: bo.tradeoff({"time": s, "cpu": s}, {"time": "5%", "cpu": "5%"}, n_draws=100)},
    engine=("wings/boards/tradeoff/statistics/_tradeoff.py", "pair_moments sign_flips"),
    quick_to_forge=("tradeoff",),
)
