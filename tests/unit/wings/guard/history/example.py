"""Of ``history``: what the tests of every analysis take."""

from __future__ import annotations

import numpy as np

import bakeoff as bo
from analysis_examples import Example, Ordinary

EXAMPLE = Example(
    results={
        "history": lambda: bo.change_points(
            bo.Scores([[10, 11, 9, 10.5, 14, 15, 13, 16]], list("abcdefgh"), better="lower"), min_segment=2
        )
    },
    decisions={"history": "difference"},
    on_the_page={"history": "better=lower&min_segment=2&scale=difference"},
    ordinary={
        "change_points": Ordinary(
            lambda: bo.change_points(
                bo.Scores(np.random.default_rng(1).normal(10, 1, size=(1, 40)), better="lower"), n_resamples=199, rng=1
            ),
            lacks="dependence.history out-of-reach.history spread-changed",
        )
    },
)
