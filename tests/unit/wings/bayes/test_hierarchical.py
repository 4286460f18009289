"""The hierarchical model as the user meets it: symmetry, units, order, refusals, cautions."""

from __future__ import annotations

import math

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import InfiniteScoreError, ParameterError, ScoreError, WrongTypeError
from bakeoff.wings.bayes._hierarchical import hierarchical

DRAWS = 800


def table(shift=0.01, q=6, n=10, seed=0, noise=0.02):
    rng = np.random.default_rng(seed)
    old = rng.normal(0.8, 0.02, size=(q, n))
    new = old + shift + rng.normal(0, noise, size=(q, n)) + rng.normal(0, noise / 2, size=(q, 1))
    return np.stack([new, old], axis=1)


def scores(values, better="higher", problems=None):
    return bo.Scores(values, ["new", "old"], problems, better=better)


@pytest.fixture(scope="module")
def found():
    return hierarchical(scores(table()), "new", "old", 0.005, folds=10, n_draws=DRAWS)


@pytest.mark.slow
def test_what_it_holds(found):
    assert found.p_better + found.p_equivalent + found.p_worse == pytest.approx(1)
    assert sum(found.next_problem) == pytest.approx(1)
    assert sum(found.average) == pytest.approx(1)
    assert found.draws.shape == (found.n_draws, 3)
    assert found.draws.sum(axis=1) == pytest.approx(np.ones(found.n_draws))
    assert found.problem_shares.sum(axis=1) == pytest.approx(np.ones(6))
    assert found.draws.mean(axis=0) == pytest.approx(found.next_problem)
    assert found.interval[0] < found.estimate < found.interval[1]
    assert (found.n_problems, found.n_runs, found.n_chains, found.method) == (6, 60, 16, "gibbs")
    assert found.diagnostics[0].parameter == "mean difference"
    assert all(d.rhat < 1.01 and d.ess_bulk > 400 and d.ess_tail > 400 for d in found.diagnostics)
    assert found.n_draws >= DRAWS
    assert not found.cautions
    for array in (found.draws, found.problem_estimates, found.problem_means, found.problem_sds, found.problem_shares):
        assert not array.flags.writeable


@pytest.mark.slow
def test_shrinkage(found):
    """Every estimate lies between the problem's own mean and the centre, and is surer than the mean alone."""
    centre = np.median(found.problem_estimates)
    own = np.abs(found.problem_means - centre)
    assert (np.abs(found.problem_estimates - centre) <= own + 0.002).all()
    assert found.problem_estimates.std() < found.problem_means.std()


@pytest.mark.slow
def test_probabilities_are_counts_of_draws(found):
    winners = np.argmax(found.draws, axis=1)  # as baycomp counts them
    counts = (np.bincount(winners, minlength=3) + 1 / 3) / (found.n_draws + 1)  # and one more draw, divided evenly
    assert counts == pytest.approx([found.p_better, found.p_equivalent, found.p_worse])


@pytest.mark.slow
def test_swapping_mirrors_exactly(found):
    swapped = hierarchical(scores(table()), "old", "new", 0.005, folds=10, n_draws=DRAWS)
    assert (swapped.p_worse, swapped.p_equivalent, swapped.p_better) == pytest.approx(
        (found.p_better, found.p_equivalent, found.p_worse), abs=1e-12
    )
    assert swapped.estimate == -found.estimate
    assert (swapped.problem_estimates == -found.problem_estimates).all()
    low = hierarchical(scores(-table(), "lower"), "new", "old", 0.005, folds=10, n_draws=DRAWS)
    assert low.p_better == found.p_better


@pytest.mark.slow
def test_units_order_and_constants(found):
    power = hierarchical(scores(table() * 2.0**40), "new", "old", 0.005 * 2.0**40, folds=10, n_draws=DRAWS)
    assert power.p_better == found.p_better
    assert power.estimate == found.estimate * 2.0**40
    assert power.spread == found.spread * 2.0**40
    names = [f"P{i + 1}" for i in range(6)]
    turned = hierarchical(scores(table()[::-1], problems=names[::-1]), 0, 1, 0.005, folds=10, n_draws=DRAWS)
    assert turned.p_better == found.p_better
    assert (turned.problem_estimates[::-1] == found.problem_estimates).all()
    shuffled = table()[:, :, np.random.default_rng(1).permutation(10)]
    assert hierarchical(scores(shuffled), 0, 1, 0.005, folds=10, n_draws=DRAWS).p_better == found.p_better
    error = 5 * found.standard_error
    for values, factor in ((table() + 5, 1), (table() * 1e3, 1e3)):  # rounding makes other draws, not another answer
        other = hierarchical(scores(values), 0, 1, 0.005 * factor, folds=10, n_draws=DRAWS)
        assert other.p_better == pytest.approx(found.p_better, abs=error)
        assert other.estimate == pytest.approx(factor * found.estimate, abs=factor * 5e-4)


@pytest.mark.slow
def test_seed_and_generator():
    one = hierarchical(scores(table()), 0, 1, folds=10, n_draws=1000, rng=3)
    two = hierarchical(scores(table()), 0, 1, folds=10, n_draws=1000, rng=np.random.default_rng(3))
    three = hierarchical(scores(table()), 0, 1, folds=10, n_draws=1000, rng=4)
    assert one.p_better == two.p_better
    assert one.estimate == two.estimate != three.estimate
    assert one.p_equivalent == 0
    assert one.p_better == pytest.approx(one.average[0])  # without a rope: the sign of the mean difference


def test_identical_algorithms():
    same = np.repeat(table()[:, :1], 2, axis=1)
    found = hierarchical(scores(same), 0, 1, folds=10)
    assert (found.p_better, found.p_equivalent, found.p_worse) == (0.5, 0.0, 0.5)
    assert found.average == found.next_problem == (0.5, 0.0, 0.5)
    assert (found.method, found.verdict, found.degrees_of_freedom) == ("point", "undecided", None)
    assert [c.name for c in found.cautions] == ["nothing-differs (runs)"]
    assert hierarchical(scores(same), 0, 1, 0.001, folds=10).verdict == "equivalent"


@pytest.mark.slow
def test_mirrored_runs_are_symmetric():
    """Data that equal their own mirror image: one half each, within four standard errors."""
    rng = np.random.default_rng(8)
    half = rng.normal(size=(4, 5))
    d = np.concatenate([np.hstack([half, -half]), np.hstack([-half, half])])
    found = hierarchical(scores(np.stack([d, np.zeros_like(d)], axis=1)), 0, 1, 0.1, folds=5, n_draws=1600)
    assert abs(found.p_better - found.p_worse) < 8 * found.standard_error


@pytest.mark.slow
def test_problems_without_variance_and_unequal_runs():
    values = table(q=8)
    values[2, 0] = values[2, 1] + 0.03
    cut = values.copy()
    cut[5, :, 4:] = np.nan
    s = bo.Scores.from_cells(cut, ["new", "old"], [f"P{i}" for i in range(8)], better="higher")
    found = hierarchical(s, 0, 1, 0.005, folds=10, n_draws=DRAWS)
    assert found.cautions[0].code == "no-variation"
    assert "P2" in found.cautions[0].text
    assert found.problem_estimates[2] == pytest.approx(0.03, abs=1e-3)
    assert found.n_runs == 74
    assert np.isfinite(found.draws).all()
    few = hierarchical(scores(table(q=2)), 0, 1, folds=10, n_draws=400)
    assert "too-few" in [c.code for c in few.cautions]


@pytest.mark.slow
def test_most_problems_without_difference():
    values = table(q=8)
    values[:6, 0] = values[:6, 1]
    found = hierarchical(scores(values), 0, 1, 0.005, folds=10, n_draws=DRAWS)
    assert found.p_equivalent > 0.5
    assert np.isfinite(found.draws).all()


@pytest.mark.slow
@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_scores_of_any_size(size):
    found = hierarchical(scores(table() * size), 0, 1, 0.005 * size, folds=10, n_draws=400)
    assert 0 < found.p_better < 1
    assert math.isfinite(found.estimate)


def test_refusals():
    s = scores(table())
    with pytest.raises(ParameterError, match="got neither"):
        hierarchical(s, 0, 1)
    with pytest.raises(ScoreError, match=r"at least 2 problems.*correlated_t"):
        hierarchical(scores(table(q=1)), 0, 1, folds=10)
    with pytest.raises(ScoreError, match=r"several runs.*signed_rank"):
        hierarchical(scores(table().mean(axis=2)), 0, 1, folds=10)
    cut = table()
    cut[3, :, 1:] = np.nan
    with pytest.raises(ScoreError, match="'P3' has 1"):
        hierarchical(bo.Scores.from_cells(cut, ["a", "b"], [f"P{i}" for i in range(6)], better="lower"), 0, 1, folds=10)
    cut[3, 0] = 0.5
    with pytest.raises(ScoreError, match="10 of 'a' and 1 of 'b'"):
        hierarchical(bo.Scores.from_cells(cut, ["a", "b"], [f"P{i}" for i in range(6)], better="lower"), 0, 1, folds=10)
    flat = np.zeros((3, 2, 4))
    flat[:, 0] = 1
    with pytest.raises(ScoreError, match="runs that differ"):
        hierarchical(scores(flat), 0, 1, folds=10)
    wild = table()
    wild[0, 0, 0] = math.inf
    with pytest.raises(InfiniteScoreError, match="'P1'"):
        hierarchical(scores(wild), 0, 1, folds=10)
    for wrong in (1, 0, 2000):
        with pytest.raises(ParameterError, match="n_chains"):
            hierarchical(s, 0, 1, folds=10, n_chains=wrong)
    with pytest.raises(WrongTypeError, match="n_chains"):
        hierarchical(s, 0, 1, folds=10, n_chains=4.0)
    with pytest.raises(ParameterError, match="n_draws"):
        hierarchical(s, 0, 1, folds=10, n_draws=10)


@pytest.mark.slow
def test_many_chains_and_few_draws():
    found = hierarchical(scores(table()), 0, 1, folds=10, n_draws=100, n_chains=200)
    assert found.n_draws == 200 * 50  # every chain long enough to be judged
    assert found.diagnostics[0].rhat < 1.03


@pytest.mark.slow
def test_problems_on_very_different_scales():
    """Not what the model is for, but it must neither overflow nor divide by zero."""
    values = table() * (10.0 ** np.array([-120, -6, 0, 0, 3, 120]))[:, None, None]
    found = hierarchical(scores(values), 0, 1, folds=10, n_draws=100)
    assert np.isfinite(found.draws).all()
    assert np.isfinite(found.problem_estimates).all()


@pytest.mark.slow
def test_hundreds_of_equal_problems():
    """No spread between problems at all: the chains start far above it and must not fall to nothing."""
    rng = np.random.default_rng(0)
    d = rng.normal(0.01, 0.02, size=(400, 5))
    found = hierarchical(scores(np.stack([d, np.zeros_like(d)], axis=1)), 0, 1, 0.005, folds=5, n_draws=100)
    assert np.isfinite(found.draws).all()
    assert found.p_better > 0.99
    assert 0 < found.spread < 0.005


@pytest.mark.slow
def test_a_verdict_that_other_draws_could_change_is_a_caution():
    runs = np.random.default_rng(3).normal(size=(6, 2, 8))
    scores = bo.Scores(runs, better="higher")
    found = hierarchical(scores, 0, 1, folds=4, n_draws=400)
    for gamma, near in ((1 - max(found.p_better, found.p_worse), True), (1e-9, False)):
        codes = [c.code for c in hierarchical(scores, 0, 1, folds=4, n_draws=400, gamma=gamma).cautions]
        assert ("sampled" in codes) == near
