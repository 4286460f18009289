"""The correlated t-test: closed forms, R, baycomp, what it refuses, and what must not change the answer."""

from __future__ import annotations

import math

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.errors import InfiniteScoreError, ParameterError, ScoreError, WrongTypeError
from bakeoff.wings.bayes._correlated_t import correlated_t, t_shares

A = [0.84, 0.86, 0.83, 0.88, 0.85]
B = [0.81, 0.84, 0.84, 0.85, 0.83]


def one_problem(a, b, better="higher"):
    return bo.Scores(np.stack([a, b])[None], ["a", "b"], better=better)


def test_against_r():
    # R 4.2.2: d <- c(.03,.02,-.01,.03,.02); n <- 5; rho <- .2; s <- sqrt((1/n + rho/(1-rho)) * var(d));
    # sprintf("%.15g", c(pt((mean(d)-.01)/s, n-1), pt((-.01-mean(d))/s, n-1), qt(.975, 4)*s))
    found = correlated_t(one_problem(A, B), "a", "b", rope=0.01, correlation=0.2)
    assert found.p_better == pytest.approx(0.745917335374544, rel=1e-12)
    assert found.p_worse == pytest.approx(0.0319832652894859, rel=1e-12)
    assert found.p_equivalent == pytest.approx(1 - found.p_better - found.p_worse, rel=1e-12)
    assert found.interval == pytest.approx((0.018 - 0.0306039321296215, 0.018 + 0.0306039321296215), rel=1e-12)
    assert (found.df, found.n_runs, found.n_problems, found.problem) == (4, 5, 1, "P1")
    assert found.verdict == "undecided"
    assert not found.cautions


@pytest.mark.parametrize("df", [1, 2])
def test_closed_forms_of_two_and_three_runs(df):
    """Student with one (Cauchy) and with two degrees of freedom has an elementary distribution function."""
    cdf = {1: lambda t: 0.5 + math.atan(t) / math.pi, 2: lambda t: 0.5 + t / (2 * math.sqrt(2 + t * t))}[df]
    for location in (-3.0, -0.2, 0.0, 0.1, 2.0):
        better, within, worse = t_shares(location, 0.7, df, 0.25)
        assert better == pytest.approx(cdf((location - 0.25) / 0.7), rel=1e-12)
        assert worse == pytest.approx(cdf((-0.25 - location) / 0.7), rel=1e-12)
        assert within == pytest.approx(1 - better - worse, rel=1e-11)


def test_against_the_posterior_of_the_runs():
    """The multivariate normal model with prior 1/σ², integrated over σ and μ on a grid."""
    d, rho, rope = np.array(A) - np.array(B), 0.2, 0.01
    n = len(d)
    inverse = np.linalg.inv((1 - rho) * np.eye(n) + rho)
    mu = 0.018 + np.arange(-3200, 3201) * 1.25e-4  # 0.01 and −0.01 are points of the grid
    away = d[None, :] - mu[:, None]
    quadratic = np.einsum("mi,ij,mj->m", away, inverse, away)
    log_sigma = np.linspace(math.log(1e-3), math.log(10), 400)
    log = -n * log_sigma[:, None] - quadratic / (2 * np.exp(2 * log_sigma)[:, None])  # dσ²/σ² = 2 d ln σ
    density = np.exp(log - log.max()).sum(axis=0)
    above, edge = density[mu > rope + 1e-9].sum(), density[np.argmin(np.abs(mu - rope))]
    found = correlated_t(one_problem(A, B), "a", "b", rope, correlation=rho)
    assert found.p_better == pytest.approx((above + edge / 2) / density.sum(), abs=1e-4)


def test_far_tails_keep_their_digits():
    # mpmath 1.3, 60 digits: sf(t) = betainc(9/2, 1/2, 0, 9/(9 + t²), regularized=True)/2;
    # sf(100010) and sf(99990) − sf(100010)
    better, within, worse = t_shares(1.0, 1e-5, 9, 1e-4)
    assert better == 1.0
    assert worse == pytest.approx(2.54360686564412e-42, rel=1e-11)
    assert within == pytest.approx(4.58261548631695e-45, rel=1e-8)


def test_a_narrow_region_keeps_its_digits():
    """Cauchy: P(|T| < h) = 2 atan(h)/π, also where 1 − better − worse has no digit left."""
    for h in (1e-30, 1e-13, 0.5, 3.0, 1e9, 1e200):
        assert t_shares(0.0, 1.0, 1, h)[1] == pytest.approx(2 * math.atan(h) / math.pi, rel=1e-12)
    better, within, worse = t_shares(0.3, 1.0, 1, 0.4)
    assert better + within + worse == pytest.approx(1, abs=1e-15)
    assert t_shares(-0.3, 1.0, 1, 0.4) == (worse, within, better)


def test_runs_or_rows():
    rows = bo.Scores(np.column_stack([A, B]), ["a", "b"], better="higher")
    by_rows = correlated_t(rows, "a", "b", 0.01, folds=5)
    by_runs = correlated_t(one_problem(A, B), "a", "b", 0.01, folds=5)
    assert by_rows.p_better == by_runs.p_better
    assert [c.code for c in by_rows.cautions] == ["rows-as-resamples"]
    assert by_rows.problem is None


def test_chosen_problem_and_runs_of_unequal_number():
    values = np.full((2, 3, 5), np.nan)
    values[0, :2] = [A, B]
    values[0, 2, :3] = A[:3]
    values[1, :, :2] = [[1, 2], [1, 3], [1, 4]]
    s = bo.Scores.from_cells(values, ["a", "b", "c"], ["p", "q"], better="higher")
    assert correlated_t(s, "a", "b", 0.01, folds=5, problem="p").p_better == pytest.approx(0.745917335374544)
    assert correlated_t(s, 0, 1, 0.01, folds=5, problem=0).n_runs == 5
    with pytest.raises(ScoreError, match="5 of 'a' and 3 of 'c'"):
        correlated_t(s, "a", "c", folds=5, problem="p")
    with pytest.raises(ParameterError, match="which of the 2 problems"):
        correlated_t(s, "a", "b", folds=5)


@pytest.mark.slow
def test_swapping_and_direction():
    rng = np.random.default_rng(0)
    for _ in range(200):
        n = int(rng.integers(2, 12))
        a, b = rng.integers(0, 5, size=(2, n)) / 10
        rope = float(rng.choice([0.0, 0.05, 0.1]))
        one = correlated_t(one_problem(a, b), "a", "b", rope, correlation=0.1)
        two = correlated_t(one_problem(a, b), "b", "a", rope, correlation=0.1)
        low = correlated_t(one_problem(-a, -b, "lower"), "a", "b", rope, correlation=0.1)
        assert (one.p_better, one.p_equivalent, one.p_worse) == (two.p_worse, two.p_equivalent, two.p_better)
        assert (one.p_better, one.estimate) == (low.p_better, low.estimate)
        assert one.p_better + one.p_equivalent + one.p_worse == pytest.approx(1, abs=1e-15)
        order = rng.permutation(n)
        assert correlated_t(one_problem(a[order], b[order]), "a", "b", rope, correlation=0.1) == one


def test_units_do_not_matter():
    found = correlated_t(one_problem(A, B), "a", "b", 0.01, folds=5)
    scaled = correlated_t(one_problem(1e6 * np.array(A), 1e6 * np.array(B)), "a", "b", 1e4, folds=5)
    moved = correlated_t(one_problem(7 + np.array(A), 7 + np.array(B)), "a", "b", 0.01, folds=5)
    for other in (scaled, moved):
        assert other.p_better == pytest.approx(found.p_better, rel=1e-9)
    assert scaled.estimate == pytest.approx(1e6 * found.estimate)
    huge = correlated_t(one_problem([1e200, 3e200], [0, 0]), "a", "b", folds=2)
    assert huge.p_better == correlated_t(one_problem([1, 3], [0, 0]), "a", "b", folds=2).p_better


def test_identical_algorithms_and_constant_differences():
    same = correlated_t(one_problem(A, A), "a", "b", folds=5)
    assert (same.p_better, same.p_equivalent, same.p_worse) == (0.5, 0.0, 0.5)
    assert (same.method, same.ties, same.verdict, same.interval) == ("point", 5, "undecided", (0.0, 0.0))
    assert correlated_t(one_problem(A, A), "a", "b", 0.001, folds=5).verdict == "equivalent"
    # 0.8 − 0.7 and 0.3 − 0.2 are 0.1 on paper, and 0.1 is not beyond a region of 0.1
    edge = correlated_t(one_problem([0.8, 0.3], [0.7, 0.2]), "a", "b", 0.1, folds=5)
    assert (edge.p_equivalent, edge.scale) == (1.0, 0.0)
    assert [c.code for c in edge.cautions] == ["no-variation"]
    beyond = correlated_t(one_problem([0.8, 0.3], [0.7, 0.2]), "b", "a", 0.09, folds=5)
    assert (beyond.p_worse, beyond.verdict) == (1.0, "b better")


def test_refusals():
    s = one_problem(A, B)
    with pytest.raises(ParameterError, match=r"either folds=.*got neither"):
        correlated_t(s, "a", "b")
    with pytest.raises(ParameterError, match="got both"):
        correlated_t(s, "a", "b", correlation=0.1, folds=10)
    for wrong in (1.0, -0.1, math.nan, math.inf):
        with pytest.raises(ParameterError, match="correlation must be"):
            correlated_t(s, "a", "b", correlation=wrong)
    for wrong in (True, "0.1"):
        with pytest.raises(WrongTypeError, match="correlation must be"):
            correlated_t(s, "a", "b", correlation=wrong)
    with pytest.raises(ParameterError, match="folds must be a whole number of at least 2"):
        correlated_t(s, "a", "b", folds=1)
    with pytest.raises(WrongTypeError, match="folds must be"):
        correlated_t(s, "a", "b", folds=10.0)
    with pytest.raises(ScoreError, match=r"at least 2 runs.*signed_rank"):
        correlated_t(bo.Scores([[1, 2]], better="lower"), 0, 1, folds=5)
    with pytest.raises(ScoreError, match="problem 'P2' has 1"):
        correlated_t(bo.Scores([[1, 2], [3, 4]], better="lower"), 0, 1, folds=5, problem="P2")
    with pytest.raises(InfiniteScoreError, match="problem 'P1'"):
        correlated_t(one_problem([1, math.inf], [1, 2]), "a", "b", folds=5)
    with pytest.raises(WrongTypeError, match=r"bakeoff\.Scores"):
        correlated_t(np.ones((3, 2)), 0, 1, folds=5)


@pytest.mark.needs("baycomp")
def test_agreement_with_baycomp():
    """baycomp: y − x, so its right is y better; ``runs`` repetitions of n/runs folds."""
    import baycomp

    rng = np.random.default_rng(1)
    for _ in range(100):
        folds, repetitions = int(rng.integers(2, 11)), int(rng.integers(1, 5))
        x, y = rng.normal(0.8, 0.05, size=(2, folds * repetitions))
        rope = float(rng.choice([0.0, 0.01, 0.03]))
        theirs = baycomp.CorrelatedTTest.probs(x, y, rope, runs=repetitions)
        found = correlated_t(one_problem(x, y), "b", "a", rope, folds=folds)
        assert found.p_better == pytest.approx(theirs[-1], rel=1e-9, abs=1e-12)
        assert found.p_worse == pytest.approx(theirs[0], rel=1e-9, abs=1e-12)
