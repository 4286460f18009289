"""Of ``bayes``: what the tests of every analysis take."""

from __future__ import annotations

import numpy as np

import bakeoff as bo
from analysis_examples import Example, Ordinary
from ordinary_tables import described, table


def _of_folds() -> bo.Scores:
    """Two repeats of five folds of one data set."""
    shared = np.random.default_rng(1).normal(0.8, 0.02, size=10)
    cells = [shared + gain + np.random.default_rng(j).normal(0, 0.01, 10) for j, gain in enumerate((0.0, 0.05))]
    return bo.Scores([cells], ["old", "new"], ["iris"], better="higher", metric="accuracy", folds=0.2)


EXAMPLE = Example(
    results={
        "bayes": lambda: bo.bayes.overview(bo.datasets.load("demsar_2006"), n_draws=200),
        "bayes-folds": lambda: bo.bayes.folds(_of_folds(), rope=0.01),
        "bayes-plackett-luce": lambda: bo.bayes.plackett_luce(bo.datasets.load("demsar_2006"), n_draws=200),
    },
    decisions={"bayes": "difference", "bayes-folds": "difference", "bayes-plackett-luce": None},
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
