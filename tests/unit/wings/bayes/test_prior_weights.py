"""Priors that favour one side: counted as problems of their own, and beside priors that are known."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import bakeoff as bo
from bakeoff.errors import ParameterError

WON = bo.Scores([[0, 1]] * 20 + [[1, 0]] * 8 + [[1, 1]] * 2, ["X2", "X3"], better="lower")


@pytest.mark.parametrize(("s", "weights"), [(2.0, (0.75, 0.25, 0.0)), (4.0, (0.0, 0.5, 0.5)), (1.0, (0.2, 0.3, 0.5))])
def test_the_share_of_decided_problems_is_a_beta_variable(s: float, weights: tuple[float, float, float]) -> None:
    found = bo.bayes.sign_test(WON, "X2", "X3", prior_strength=s, prior=weights)
    wins, losses = 20 + s * weights[0], 8 + s * weights[2]
    assert found.p_better == pytest.approx(stats.beta.sf(0.5, wins, losses), rel=1e-9)
    assert found.interval_decided == pytest.approx(stats.beta.interval(0.95, wins, losses), rel=1e-9)
    draws = np.random.default_rng(1).dirichlet([wins, 2 + s * weights[1], losses], size=200_000)
    assert found.interval == pytest.approx(np.quantile(draws[:, 0] + draws[:, 1] / 2, [0.025, 0.975]), abs=2e-3)
    assert (found.prior, found.prior_weights) == ("weights", weights)
    back = bo.bayes.sign_test(WON, "X3", "X2", prior_strength=s, prior=weights[::-1])
    assert back.p_worse == found.p_better == found.turned.p_worse
    assert found.turned.prior_weights == weights[::-1]


def test_whole_prior_problems_are_problems() -> None:
    """Three prior problems that X2 wins and one tie are as good as those problems, with a rope, too."""
    more = bo.Scores([[0, 1]] * 23 + [[1, 0]] * 8 + [[1, 1]] * 3, ["X2", "X3"], better="lower")
    for rope in (0.0, 1.5):
        found = bo.bayes.sign_test(WON, "X2", "X3", 4.0, rope, prior=(0.75, 0.25, 0.0))
        if rope == 0.0:
            assert found.p_better == bo.bayes.sign_test(more, "X2", "X3", 0.0).p_better
        else:
            assert sum((found.p_better, found.p_equivalent, found.p_worse)) == pytest.approx(1.0)


def test_the_end_of_ignorance_is_a_prior_of_one_side() -> None:
    bounds = bo.bayes.sign_test(WON, "X2", "X3", 3.0, prior="ignorance")
    ends = [bo.bayes.sign_test(WON, "X2", "X3", 3.0, prior=w).p_better for w in ((0, 0, 1), (1, 0, 0))]
    assert bounds.p_better_bounds == pytest.approx(ends, rel=1e-12)
    assert bounds.prior_weights is None
    assert bo.bayes.sign_test(WON, "X2", "X3").prior_weights == (0.0, 1.0, 0.0)


def test_a_prior_ranking_is_as_many_problems_with_it() -> None:
    """Posterior mean and covariance of the ranks, by definition: Dirichlet moments of the data and the prior's atom."""
    values = np.random.default_rng(3).normal(size=(12, 3))
    scores = bo.Scores(values, ["A", "B", "C"], better="lower")
    found = bo.bayes.friedman(scores, prior_strength=2.5, prior=["C", "A", "B"])
    assert found.prior == "ranking"
    assert found.prior_ranks.tolist() == [2.0, 3.0, 1.0]
    ranks = np.vstack([stats.rankdata(values, axis=1), [2.0, 3.0, 1.0]])
    alpha = np.append(np.ones(12), 2.5)
    mean = alpha @ ranks / alpha.sum()
    covariance = ((ranks - mean).T * alpha) @ (ranks - mean) / (alpha.sum() * (alpha.sum() + 1.0))
    assert found.mean == pytest.approx(mean, rel=1e-12)
    assert found.covariance == pytest.approx(covariance, rel=1e-9, abs=1e-12)
    lower = bo.bayes.friedman(scores, prior_strength=2.5, prior="ignorance").probability_bounds
    assert lower is not None
    assert lower[0] - 1e-12 <= found.probability <= lower[1] + 1e-12


def test_strange_priors_are_refused() -> None:
    wrong: list[object] = [
        (0.5, 0.5),
        (0.5, 0.6, 0.0),
        (-0.5, 1.0, 0.5),
        (math.nan, 0.5, 0.5),
        "flat",
        None,
        ("a", "b", "c"),
    ]
    for prior in wrong:
        with pytest.raises(ParameterError, match="three weights"):
            bo.bayes.sign_test(WON, "X2", "X3", prior=prior)  # type: ignore[arg-type]
    for prior in (["X2"], ["X2", "X2"], "X2", None, [1, 2]):
        with pytest.raises(ParameterError, match="prior"):
            bo.bayes.friedman(WON, prior=prior)  # type: ignore[arg-type]
    clustered = bo.Scores(WON.values, better="lower", clusters=["a", "b", "c"] * 10)
    with pytest.raises(ParameterError, match="clusters with a rope"):
        bo.bayes.sign_test(clustered, 0, 1, rope=1.5, prior=(1.0, 0.0, 0.0))
