"""Of ``iqm``: what the tests of every analysis take."""

from __future__ import annotations

import bakeoff as bo
from analysis_examples import Example, Ordinary
from ordinary_tables import few_runs, runs

EXAMPLE = Example(
    results={
        "iqm": lambda: bo.interquartile_mean(bo.datasets.load("demsar_2006"), interval="percentile", n_resamples=100)
    },
    decisions={"iqm": "none"},
    on_the_page={"iqm": "better=lower&control=C&over=runs&goal=2"},
    ordinary={
        "iqm": Ordinary(
            lambda: bo.interquartile_mean(runs(12, 3, 8), n_resamples=100), lacks="middle-constant these-seeds"
        )
    },
    one_process={"iqm": bo.interquartile_mean},
    turned={"iqm": (few_runs, lambda s: bo.interquartile_mean(s, over="runs"))},
    clusters={
        "interquartile_mean": (
            "equal problems",
            lambda s: [[*each.mean_interval] for each in bo.interquartile_mean(s).estimates],
        )
    },
    engine=("means/trimmed_means.py", "strata"),
    quick_to_forge=("iqm",),
)
