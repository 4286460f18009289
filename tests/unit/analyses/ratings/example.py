"""Of ``ratings``: what the tests of every analysis take."""

from __future__ import annotations

import bakeoff as bo
from analysis_examples import Example, Ordinary
from ordinary_tables import table


def battles() -> list[dict[str, str]]:
    pairs = [("x", "y"), ("y", "z"), ("x", "z")]
    return [{"a": a, "b": b, "winner": w} for a, b in pairs for w in (a, a, b, a, b, "tie")]


EXAMPLE = Example(
    results={"ratings": lambda: bo.ratings(bo.datasets.load("demsar_2006"), resamples=100)},
    decisions={"ratings": "none"},
    on_the_page={"ratings": "better=lower&reference=B&ties=half"},
    ordinary={
        "ratings": Ordinary(
            lambda: bo.ratings(table(40, 4), resamples=100),
            lacks="battles-independent clusters-alike lack-of-fit resamples-left-out separated",
        )
    },
    one_process={"ratings": lambda s: bo.ratings(s, resamples=100)},
    turned={"ratings": (lambda: bo.datasets.load("demsar_2006"), bo.ratings)},
    engine=("analyses/ratings/statistics/bootstrap.py", "resampling"),
    forged={"battles": lambda: bo.ratings(bo.read_battles(battles()))},
)
