"""Of ``evaluate``: what the tests of every analysis take."""

from __future__ import annotations

import bakeoff as bo
from analysis_examples import Example, Ordinary
from ordinary_tables import clustered, described, runs, table

EXAMPLE = Example(
    results={"evaluate": lambda: bo.evaluate(bo.datasets.load("demsar_2006"))},
    decisions={"evaluate": "none"},
    on_the_page={"evaluate": "better=lower&cluster=family"},
    ordinary={
        "evaluate": Ordinary(
            lambda: bo.evaluate(table(40)), lacks="out-of-reach no-variation too-few.units not-computed.tied-sets"
        ),
        "evaluate, of clusters": Ordinary(  # one adjusted p is 0.046 of 9999 choices of signs
            lambda: bo.evaluate(clustered()), has="sampled.adjusted", lacks="too-few unequal weights-decide"
        ),
        "evaluate, of runs": Ordinary(
            lambda: bo.evaluate(runs(30, 3, 4)), lacks="dependence negative-variance these-seeds"
        ),
    },
    one_process={"evaluate": bo.evaluate},
    turned={"evaluate": (lambda: bo.datasets.load("demsar_2006"), bo.evaluate)},
    clusters={
        "evaluate": ("equal problems", lambda s: [[pair.pvalue, pair.adjusted] for pair in bo.evaluate(s).pairs])
    },
    engine=("wings/boards/evaluate/statistics/_evaluate.py", "pair_moments max_t"),
    forged={"evaluate of runs": lambda: bo.evaluate(described())},
    quick_to_forge=("evaluate", "evaluate of runs"),
)
