"""Of ``profile``: what the tests of every analysis take."""

from __future__ import annotations

import numpy as np

import bakeoff as bo
from analysis_examples import Example, Ordinary
from ordinary_tables import table

EXAMPLE = Example(
    results={"profile": lambda: bo.profile(bo.datasets.load("derrac_cec2005"))},
    decisions={"profile": None},
    on_the_page={"profile": "better=lower&kind=difference"},
    ordinary={
        "profile": Ordinary(
            lambda: bo.profile(bo.Scores(np.exp(table(40, 2, 1.5).values), better="lower"), n_resamples=99),
            lacks="best-is-zero counted-as-worst.ratios pool-dependent.profiles targets-of-these",
        )
    },
    one_process={"profile": lambda s: bo.profile(s, n_resamples=100)},
    clusters={
        "profile": (
            "equal problems",
            lambda s: [bo.profile(s, "difference").half_widths, bo.profile(s, "difference").at(0.5)],
        )
    },
    engine=("wings/curves/profile/statistics/curves.py", "strata"),
)
