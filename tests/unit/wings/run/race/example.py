"""Of ``race``: what the tests of every analysis take."""

from __future__ import annotations

import bakeoff as bo
from analysis_examples import Example, Ordinary
from ordinary_tables import table

EXAMPLE = Example(
    results={"race": lambda: bo.race.replay(bo.datasets.load("derrac_cec2005"))},
    decisions={"race": "difference"},
    ordinary={
        "race": Ordinary(
            lambda: bo.race.replay(table(200, 3, 2.0)),
            lacks=(
                "certain-at-once averaged.race-clusters equivalence-is-dear error-under-peeking "
                "given-order indistinguishable late-candidates mean-rank-conflict not-decided "
                "dominance-is-conservative"
            ),
        )
    },
    clusters={
        "race.replay": (
            "weighted",
            lambda s: [[t.mean_rank, t.p_low, t.p_high] for t in bo.race.replay(s, order="given").standings],
        )
    },
)
