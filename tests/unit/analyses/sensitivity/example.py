"""Of ``sensitivity``: what the tests of every analysis take."""

from __future__ import annotations

import bakeoff as bo
from analysis_examples import Example, Ordinary
from ordinary_tables import table

EXAMPLE = Example(
    results={"sensitivity": lambda: bo.sensitivity(bo.datasets.load("demsar_2006"), n_resamples=20)},
    decisions={"sensitivity": "difference"},
    on_the_page={"sensitivity": "better=higher&control=A&pairwise=sign"},
    ordinary={
        "sensitivity": Ordinary(lambda: bo.sensitivity(table(), n_resamples=20), lacks="ties.rounded-scores near-ties")
    },
    one_process={"sensitivity": lambda s: bo.sensitivity(s, n_resamples=20)},
    turned={
        "sensitivity": (
            lambda: bo.datasets.load("demsar_2006"),
            lambda s: bo.sensitivity(s, n_resamples=0, posthoc="holm"),
        )
    },
    clusters={
        "sensitivity": (
            "weighted",
            lambda s: [p.adjusted_range for p in bo.sensitivity(s, posthoc="holm", n_resamples=2, rng=1).pairs],
        )
    },
)
