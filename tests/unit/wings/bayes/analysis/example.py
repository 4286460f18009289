"""Of ``bayes``: what the tests of every analysis take."""

from __future__ import annotations

import bakeoff as bo
from analysis_examples import Example, Ordinary
from ordinary_tables import described, table

EXAMPLE = Example(
    results={
        "bayes": lambda: bo.bayes.overview(bo.datasets.load("demsar_2006"), n_draws=200),
        "bayes-plackett-luce": lambda: bo.bayes.plackett_luce(bo.datasets.load("demsar_2006"), n_draws=200),
    },
    decisions={"bayes": "difference", "bayes-plackett-luce": None},
    on_the_page={"bayes": "better=lower&rope=0.5"},
    ordinary={
        "bayes": Ordinary(
            lambda: bo.bayes.overview(table(40, 3, 1.0), rope=0.1, n_draws=2000),
            lacks=(
                "nothing-differs.statements better-but-equivalent certainty cycle sampled.statements "
                "sampled.largest-probability not-computed.pairs path-is-no-statement rope-decides "
                "not-computed"
            ),
        )
    },
    one_process={
        "bayes": lambda s: bo.bayes.overview(s, n_draws=200),
        "bayes-plackett-luce": lambda s: bo.bayes.plackett_luce(s, n_draws=200),
    },
    clusters={"bayes.overview": ("weighted", lambda s: bo.bayes.overview(s, n_draws=20_000).ranks.p_best)},
    forged={"bayes of runs": lambda: bo.bayes.overview(described(), n_draws=200)},
)
