"""Of ``study``: what the tests of every analysis take."""

from __future__ import annotations

import bakeoff as bo
from analysis_examples import Example, Ordinary
from ordinary_tables import table

EXAMPLE = Example(
    results={
        "study-power": lambda: bo.study.power(bo.datasets.load("demsar_2006"), 0, 1, ["sign", "holm"], draws=9),
        "study-known-truth": lambda: bo.study.known_truth(
            bo.datasets.load("demsar_2006"), 0, 1, ["sign", "holm"], draws=9
        ),
    },
    decisions={"study-power": None, "study-known-truth": None},
    ordinary={
        "study-power": Ordinary(
            lambda: bo.study.power(table(60, 2), 0, 1, ["sign"], draws=9, scale="sd"),
            lacks="out-of-reach dependence left-out.procedures",
        )
    },
)
