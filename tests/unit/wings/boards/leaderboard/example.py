"""Of ``leaderboard``: what the tests of every analysis take."""

from __future__ import annotations

import bakeoff as bo
from analysis_examples import Example, Ordinary
from ordinary_tables import table

EXAMPLE = Example(
    results={"leaderboard": lambda: bo.leaderboard(bo.datasets.load("demsar_2006"))},
    decisions={"leaderboard": "none"},
    on_the_page={"leaderboard": "better=higher&by=mean-rank"},
    ordinary={
        "leaderboard": Ordinary(
            lambda: bo.leaderboard(table(40)), lacks="scales-differ.squares skew.winner winner-tied too-few.units"
        )
    },
    one_process={"leaderboard": bo.leaderboard, "leaderboard by ranks": lambda s: bo.leaderboard(s, by="mean-rank")},
    turned={"leaderboard": (lambda: bo.datasets.load("demsar_2006"), lambda s: bo.leaderboard(s, by="mean-rank"))},
    clusters={
        "leaderboard": (
            "equal problems",
            lambda s: (lambda w: [w.value, *(w.interval or ())])(bo.leaderboard(s).winner),
        )
    },
    engine=("wings/boards/leaderboard/statistics/_leaderboard.py", "assumptions"),
    quick_to_forge=("leaderboard",),
)
