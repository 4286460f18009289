"""Answers do not depend on the order of rows, named or not: draws belong to the content of a problem."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import bakeoff as bo

RNG = np.random.default_rng(20)
TABLE = RNG.normal(size=(12, 4)) + 0.4 * np.arange(4)
RUNS = RNG.normal(size=(6, 3, 4)) + 0.3 * np.arange(3)[:, None]

DRAWN: dict[str, tuple[np.ndarray, Callable[[bo.Scores], Any]]] = {
    "signed_rank": (TABLE, lambda s: bo.bayes.signed_rank(s, 0, 1, rope=0.2, n_draws=500).p_better),
    "friedman": (TABLE, lambda s: bo.bayes.friedman(s, region="exact", n_draws=500).probability),
    "friedman, any prior": (
        TABLE,
        lambda s: bo.bayes.friedman(s, region="exact", n_draws=500, prior="ignorance").probability_bounds,
    ),
    "compare": (TABLE, lambda s: [x.joint for x in bo.bayes.compare(s, n_draws=500).statements]),
    "rank_probabilities": (TABLE, lambda s: bo.bayes.rank_probabilities(s, n_draws=500).p_rank.tolist()),
    "rank_probabilities, scores": (
        TABLE,
        lambda s: bo.bayes.rank_probabilities(s, n_draws=500, loss="score").expected_loss.tolist(),
    ),
    "repeated_runs": (RUNS, lambda s: bo.bayes.repeated_runs(s, n_draws=500).p_better.tolist()),
    "hierarchical": (RUNS, lambda s: bo.bayes.hierarchical(s, 0, 1, rope=0.1, correlation=0, n_draws=320).average),
    "plackett_luce": (TABLE.round(), lambda s: bo.bayes.plackett_luce(s, n_draws=320).p_best.tolist()),
}


@pytest.mark.few(2, 4)
@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.slow_cases("bradley_terry")
def test_draws_do_not_depend_on_the_order_of_unnamed_rows(name: str) -> None:
    """It was .68752 against .69002: the rows of a NumPy table were named by their places."""
    table, of = DRAWN[name]
    rows = np.random.default_rng(1).permutation(len(table))
    assert of(bo.Scores(table, better="lower")) == of(bo.Scores(table[rows], better="lower"))


@pytest.mark.few(5)
@pytest.mark.slow
@pytest.mark.parametrize("name", DRAWN)
def test_nor_on_their_names(name: str) -> None:
    table, of = DRAWN[name]
    names = [f"name {9 * i % 13}" for i in range(len(table))]
    assert of(bo.Scores(table, better="lower")) == of(bo.Scores(table, problems=names, better="lower"))


def test_a_pair_of_a_larger_table_has_the_draws_of_the_pair() -> None:
    s = bo.Scores(TABLE, better="lower")
    pair = s.select(algorithms=["A3", "A2"])
    assert bo.bayes.signed_rank(s, 1, 2).p_better == bo.bayes.signed_rank(pair, "A2", "A3").p_better


def test_the_random_order_of_a_race_does_not_depend_on_the_order_of_unnamed_rows() -> None:
    """CEC'2005 without names: four different lists of losers in 60 orders of the rows."""
    values = bo.datasets.load("derrac_cec2005").values
    lost = set()
    for seed in range(12):
        rows = np.random.default_rng(seed).permutation(len(values))
        race = bo.race.replay(bo.Scores(values[rows], better="lower"), order=3)
        lost.add(tuple(e.algorithm for e in race.eliminated))
    assert len(lost) == 1


def test_named_problems_of_a_race_are_drawn_by_name() -> None:
    """As ``bo.race`` draws them, before there are scores."""
    values = np.random.default_rng(5).normal(size=(30, 3))
    names = [f"q{i:02}" for i in range(30)]
    one, other = (bo.Scores(v, problems=names, better="lower") for v in (values, values[::-1]))
    assert bo.race.replay(one).problems == bo.race.replay(other).problems
