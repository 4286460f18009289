"""Of ``ratings``: what the tests of every analysis take."""

from __future__ import annotations

import bakeoff as bo
from analysis_examples import Example, Ordinary
from ordinary_tables import table


def battles() -> list[dict[str, str]]:
    pairs = [("x", "y"), ("y", "z"), ("x", "z")]
    outcomes = [(a, b, w) for a, b in pairs for w in (a, a, b, a, b, "tie")]
    return [{"a": a, "b": b, "winner": w, "topic": topic} for topic in ("code", "law") for a, b, w in outcomes]


EXAMPLE = Example(
    results={"ratings": lambda: bo.ratings(bo.datasets.load("demsar_2006"), n_resamples=100)},
    decisions={"ratings": "none"},
    on_the_page={"ratings": "better=lower&reference=B&ties=half"},
    ordinary={
        "ratings": Ordinary(
            lambda: bo.ratings(table(40, 4), n_resamples=100),
            lacks=(
                "battles-independent categories-cautioned left-out.categories no-variation.clusters "
                "lack-of-fit left-out.resamples separated"
            ),
        )
    },
    one_process={"ratings": lambda s: bo.ratings(s, n_resamples=100)},
    turned={"ratings": (lambda: bo.datasets.load("demsar_2006"), bo.ratings)},
    engine=("wings/boards/ratings/board.py", "strata"),
    forged={"battles": lambda: bo.ratings(bo.read_battles(battles(), category="topic"))},
)
