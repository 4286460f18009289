"""Of ``time``: what the tests of every analysis take."""

from __future__ import annotations

import numpy as np

import bakeoff as bo
from analysis_examples import Example, Ordinary


def timed() -> bo.TimeRatios:
    seconds = np.random.default_rng(1).lognormal(0, 0.05, size=(1, 2, 40))
    return bo.time_ratios(bo.Scores(seconds, ["old", "new"], better="lower"))


def times() -> bo.Scores:
    rng = np.random.default_rng(5)
    return bo.Scores(np.exp(rng.normal([[[0.0], [1.0]]], 0.05, (1, 2, 40))), ["A", "B"], better="lower")


EXAMPLE = Example(
    results={
        "time": lambda: bo.time_ratios(
            bo.Scores([[[1.0 + 0.01 * i for i in range(9)], [1.5] * 9]], ["new", "old"], better="lower")
        )
    },
    decisions={"time": "difference"},
    ordinary={
        "time_ratios": Ordinary(
            timed, lacks=("failed-rounds order-effect outlying-rounds drift shell-time short-times out-of-reach.rounds")
        )
    },
    turned={"time": (times, bo.time_ratios)},
    quick_to_forge=("time",),
)
