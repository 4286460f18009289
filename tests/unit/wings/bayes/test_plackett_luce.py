"""Plackett–Luce: what is asked, refused and said; that ties are never broken at random."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import MissingScoreError, ParameterError, ScoreError, TooLargeError

QUICK = {"n_draws": 400, "n_chains": 4}
RNG = np.random.default_rng(11)


def fitted(values: object, better: str = "lower", missing: str = "raise", **options: object) -> object:
    scores = bo.Scores(values, better=better, missing=missing)  # type: ignore[arg-type]
    return bo.bayes.plackett_luce(scores, **(QUICK | options))  # type: ignore[arg-type]


def codes(found: object) -> set[str]:
    return {caution.code for caution in found.cautions}  # type: ignore[attr-defined]


@pytest.mark.slow
def test_both_probabilities_add_to_one_and_are_not_the_same() -> None:
    found = bo.bayes.plackett_luce(bo.datasets.load("derrac_cec2005"), **QUICK)
    assert found.p_first.sum() == pytest.approx(1.0)
    assert found.p_best.sum() == pytest.approx(1.0)
    best = found.ranked[0]
    assert found.p_best[best] > 3 * found.p_first[best]
    low, high = found.p_first_intervals.T
    assert (low < found.p_first).all()
    assert (found.p_first < high).all()
    assert np.allclose(found.p_ahead + found.p_ahead.T + np.eye(9), 1)
    assert np.allclose(found.draws.sum(axis=1), 0)


@pytest.mark.slow
def test_ties_are_not_broken_at_random() -> None:
    """Rows of other seeds, or in another order, would be other data; here nothing changes."""
    values = np.floor(RNG.normal(size=(20, 5)) * 1.5 + 0.5 * np.arange(5))
    scores = bo.Scores(values, better="lower")
    one = bo.bayes.plackett_luce(scores, **QUICK)
    rows, columns = RNG.permutation(20), RNG.permutation(5)
    names = [f"A{i + 1}" for i in columns]
    other = bo.bayes.plackett_luce(bo.Scores(values[rows][:, columns], names, better="lower"), **QUICK)
    assert (other.p_first == one.p_first[columns]).all()
    assert (other.p_best == one.p_best[columns]).all()
    assert (other.p_ahead == one.p_ahead[np.ix_(columns, columns)]).all()
    far, near = (bo.bayes.plackett_luce(scores, rng=seed, **QUICK) for seed in (99, 1))
    assert np.abs(far.p_first - near.p_first).max() < 6 * far.p_first_standard_error.max()


@pytest.mark.slow
def test_only_order_counts() -> None:
    values = RNG.normal(size=(12, 4))
    one, other = fitted(values), fitted(np.exp(values))
    assert (one.p_first == other.p_first).all()
    turned = fitted(-values, better="higher")
    assert (one.p_first == turned.p_first).all()
    worst = np.where(values == values.max(axis=1, keepdims=True), np.inf, values)
    assert (fitted(worst).p_first == one.p_first).all()


@pytest.mark.slow
def test_a_tie_of_the_last_says_nothing() -> None:
    """[1, 2, 2] is the choice of the first alone; a problem on which all are tied is none."""
    found = fitted([[1, 2, 2]] * 9 + [[5, 5, 5]] * 4, n_draws=4_000)
    assert found.p_ahead[1, 2] == pytest.approx(0.5, abs=0.04)
    assert found.p_first[0] == pytest.approx(10 / 12, abs=0.01)  # Dirichlet(1 + 9, 1, 1)
    assert found.n_tied == 13
    assert "ties" in codes(found)


@pytest.mark.slow
def test_all_tied() -> None:
    found = fitted([[3, 3, 3]] * 6, n_draws=2000)
    assert found.p_first == pytest.approx(np.full(3, 1 / 3), abs=0.05)
    assert found.p_best == pytest.approx(np.full(3, 1 / 3), abs=0.06)
    assert found.predictive_p is None
    assert "nothing-differs" in codes(found)
    assert found.verdict == "The order of 3 algorithms is unknown: all are tied on every problem."


@pytest.mark.slow
def test_one_problem_and_always_ahead() -> None:
    found = fitted([[1, 2, 3]])
    assert "one-problem" in codes(found)
    found = fitted([[1, 2, 3]] * 40)
    assert "one-sided" in codes(found)
    assert found.p_best[0] > 0.999
    assert found.p_first[0] < 0.99
    found = fitted([[1, 2, 3, 4], [2, 1, 4, 3]] * 20)
    [caution] = [c for c in found.cautions if c.code == "one-sided"]
    assert caution.text.startswith("Some algorithms were never behind any of the others.")


@pytest.mark.slow
def test_missing_scores_leave_a_ranking_of_the_others() -> None:
    nan = np.nan
    table = [[1, nan, 2], [nan, 1, 2], [1, 2, nan], [1, 3, 2], [nan, nan, 1]]
    found = fitted(table, missing="keep")
    assert found.n_rankings == 4
    assert found.n_partial == 3
    assert "missing" in codes(found)
    apart = fitted([[1, 2, nan, nan], [nan, nan, 2, 1]] * 3, missing="keep")
    [caution] = [c for c in apart.cautions if c.code == "not-connected"]
    assert "(A1, A2; A3, A4)" in caution.text
    with pytest.raises(ScoreError, match="no problem with two scores"):
        fitted([[1, nan], [nan, 2]], missing="keep")
    with pytest.raises(MissingScoreError):
        fitted(table)


@pytest.mark.slow
def test_clusters_are_one_ranking_each() -> None:
    values = RNG.normal(size=(8, 3))
    codes_of = ["x", "x", "y", "y", "y", "z", "w", "v"]
    found = bo.bayes.plackett_luce(bo.Scores(values, better="lower", clusters=codes_of), **QUICK)
    ranks = bo.rank(bo.Scores(values, better="lower"))
    means = [ranks[[c == label for c in codes_of]].mean(axis=0).round(9) for label in "xyzwv"]
    assert (found.p_first == fitted(means).p_first).all()
    assert found.n_clusters == found.n_rankings == 5
    assert "first on the next cluster" in found.verdict
    with pytest.raises(ScoreError, match="one cluster"):
        bo.bayes.plackett_luce(bo.Scores(values, better="lower", clusters=["x"] * 8))
    values[0, 0] = np.nan
    holes = bo.Scores(values, better="lower", clusters=codes_of, missing="keep")
    with pytest.raises(ParameterError, match="takes problems as independent"):
        bo.bayes.plackett_luce(holes)


@pytest.mark.slow
def test_what_one_strength_cannot_describe_is_said() -> None:
    """The first algorithm is first or last: it is first on half of the problems, and its other places hide it."""
    values = RNG.normal(size=(80, 5))
    values[:, 0] *= 8
    found = fitted(values)
    [caution] = [c for c in found.cautions if c.name == "lack-of-fit (first-places)"]
    assert caution.text.count("A1 was first with a share of 0.3") == 1
    assert found.predictive_p < 0.01
    tied = np.round(values / 2)  # ties for the first place are drawn given the strengths
    assert "lack-of-fit" in codes(fitted(tied))
    assert "lack-of-fit" not in codes(fitted(RNG.normal(size=(80, 5))))


@pytest.mark.slow
def test_diagnostics_are_checked_and_said() -> None:
    found = fitted(RNG.normal(size=(10, 4)))
    assert [d.parameter for d in found.diagnostics] == [f"the strength of A{i}" for i in (1, 2, 3, 4)]
    assert all(d.rhat < 1.01 for d in found.diagnostics)
    assert all(min(d.ess_bulk, d.ess_tail) >= 400 for d in found.diagnostics)
    assert 0 < found.standard_error < 0.1
    assert found.n_draws >= 400


@pytest.mark.slow
@pytest.mark.parametrize("strength", [0.02, 50.0])
def test_extreme_priors_are_sampled(strength: float) -> None:
    """4 problems in one order: strengths that the prior alone bounds."""
    found = fitted([[1, 2, 3]] * 4, prior_strength=strength, n_draws=2000, n_chains=8)
    assert "not-converged" not in codes(found)
    if strength == 50:
        assert found.p_first[0] == pytest.approx(0.345, abs=0.02)
    else:
        assert found.p_first[0] > 0.9


def test_refusals() -> None:
    scores = bo.Scores([[1, 2], [2, 1]], better="lower")
    for wrong in (0, 0.001, -1, float("inf"), "x"):
        with pytest.raises(ParameterError, match="prior_strength"):
            bo.bayes.plackett_luce(scores, wrong)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="n_chains"):
        bo.bayes.plackett_luce(scores, n_chains=1)
    with pytest.raises(ParameterError, match="n_draws"):
        bo.bayes.plackett_luce(scores, n_draws=5)
    with pytest.raises(TooLargeError, match="limited to 300 algorithms; got 301"):
        bo.bayes.plackett_luce(bo.Scores(np.arange(602.0).reshape(2, 301), better="lower"))
