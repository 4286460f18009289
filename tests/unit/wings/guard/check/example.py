"""Of ``check``: what the tests of every analysis take."""

from __future__ import annotations

from typing import Any

import numpy as np

import bakeoff as bo
from analysis_examples import Example, Ordinary


def old_and_new(**options: Any) -> bo.Check:
    old, new = np.random.default_rng(1).lognormal(0, 0.02, (2, 12, 12))
    return bo.check(old, new, "5%", better="lower", paired=True, **options)


def answers() -> bo.Check:
    values = (np.random.default_rng(3).random((600, 2)) < 0.7).astype(float)
    scores = bo.Scores(values, ["a", "b"], better="higher")
    return bo.check(scores, scores, 0.1, label=("a", "b"))


EXAMPLE = Example(
    results={
        "check": lambda: bo.check(
            {"P1": [1.0, 1.1, 1.2, 1.05, 1.15, 1.08]}, {"P1": [1.5, 1.6, 1.8, 1.55, 1.7, 1.62]}, "5%", better="lower"
        )
    },
    decisions={"check": "regressed"},
    ordinary={
        "check, of pairs": Ordinary(
            old_and_new,
            lacks=(
                "accepted-regression left-out.baseline centred common-shift drift equal-runs "
                "too-few.processes given-spread averaged.iterations margin-zero left-out.new "
                "changed.conditions not-interleaved one-process one-side-first runs-added "
                "left-out.unpaired-runs"
            ),
        ),
        "check, with a spread": Ordinary(
            lambda: old_and_new(run_sd=0.03), has="given-spread", lacks="spread-too-small too-few.processes"
        ),
        "check, of answers": Ordinary(
            answers, lacks="too-few.changed-questions not-interleaved one-process too-few.processes common-shift"
        ),
    },
    engine=("wings/guard/check/statistics/suite.py", "unit_mean pair_moments strata assumptions"),
    quick_to_forge=("check",),
)
