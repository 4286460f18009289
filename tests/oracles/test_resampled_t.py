"""The corrected resampled t-test (Nadeau & Bengio 2003): its form, its Bayesian twin, and what it refuses."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import bakeoff as bo
from bakeoff.errors import InfiniteScoreError, ParameterError, ScoreError

A = (0.81, 0.74, 0.92, 0.66, 0.88, 0.79, 0.71, 0.95, 0.83, 0.77)
B = (0.80, 0.75, 0.91, 0.67, 0.86, 0.80, 0.71, 0.94, 0.84, 0.75)


def test_ten_folds() -> None:
    """Computed independently: J = 10, n_test/n_train = 1/9; and an ordinary t-test of the same differences."""
    found = bo.resampled_t(A, B, better="higher", test_fraction=0.1)
    assert found.statistic == pytest.approx(0.5216478327, abs=1e-9)
    assert found.pvalue == pytest.approx(0.6145084591, abs=1e-9)
    assert (found.df, found.n_runs, found.n_problems, found.zeros) == (9, 10, 1, 1)
    assert bo.paired_t(A, B, better="higher").pvalue == pytest.approx(0.46786980640, abs=1e-9)


def test_the_formula_term_by_term() -> None:
    rng = np.random.default_rng(5)
    for size, fraction in ((2, 0.5), (7, 0.2), (30, 0.1)):
        d = rng.normal(0.3, 1.0, size)
        found = bo.resampled_t(d, np.zeros(size), better="higher", test_fraction=fraction)
        t = d.mean() / math.sqrt((1 / size + fraction / (1 - fraction)) * d.var(ddof=1))
        assert found.statistic == pytest.approx(t, rel=1e-12)
        assert found.pvalue == pytest.approx(2 * stats.t.sf(abs(t), size - 1), rel=1e-10)
        assert found.log_pvalue == pytest.approx(math.log(found.pvalue))


def test_a_bayesian_with_a_flat_prior_sees_the_same_tail() -> None:
    """Corani & Benavoli (2015), section 3: the posterior of the mean is this t."""
    s = bo.Scores([[A, B]], better="higher")
    posterior = bo.bayes.correlated_t(s, 0, 1, folds=10)
    found = bo.resampled_t(s, 0, 1, 0.1)
    assert 2 * min(posterior.p_better, posterior.p_worse) == pytest.approx(found.pvalue, rel=1e-12)
    assert (found.estimate, found.standard_error) == (posterior.estimate, posterior.scale)


def test_the_resamples_are_the_runs_of_one_problem_or_the_rows() -> None:
    rows = bo.Scores(np.column_stack([A, B]), ["new", "old"], better="higher")
    runs = bo.Scores([[A, B]], ["new", "old"], ["iris"], better="higher")
    two = bo.Scores([[A, B], [B, A]], ["new", "old"], ["iris", "wine"], better="higher")
    by_rows, by_runs = bo.resampled_t(rows, "new", "old", 0.1), bo.resampled_t(runs, "new", "old", 0.1)
    assert by_rows.pvalue == by_runs.pvalue == bo.resampled_t(two, "new", "old", 0.1, problem="iris").pvalue
    assert (by_rows.problem, by_runs.problem) == (None, "iris")
    turned = bo.resampled_t(two, "new", "old", 0.1, problem="wine")
    assert (turned.statistic, turned.pvalue) == (-by_runs.statistic, by_runs.pvalue)
    costs = bo.Scores(-np.column_stack([A, B]), better="lower")
    assert bo.resampled_t(costs, 0, 1, 0.1).statistic == by_rows.statistic
    with pytest.raises(ParameterError, match="problem must say which of the 2 problems"):
        bo.resampled_t(two, "new", "old", 0.1)


def test_what_is_refused() -> None:
    for fraction in (0.0, 1.0, -0.1, math.nan, None, "0.1"):
        with pytest.raises(ParameterError, match="test_fraction must be a number above 0 and below 1"):
            bo.resampled_t(A, B, better="higher", test_fraction=fraction)  # type: ignore[arg-type]
    with pytest.raises(ScoreError, match="at least 2 resamples"):
        bo.resampled_t([0.5], [0.4], better="higher", test_fraction=0.1)
    with pytest.raises(InfiniteScoreError):
        bo.resampled_t([0.5, math.inf], [0.4, 0.3], better="higher", test_fraction=0.1)
    ragged = bo.Scores([[[1, 2, 3], [1, 2, math.nan]]], better="lower", missing="keep")
    with pytest.raises(ScoreError, match="has 3 of 'A1' and 2 of 'A2'"):
        bo.resampled_t(ragged, 0, 1, 0.1)


def test_differences_that_do_not_vary() -> None:
    same = bo.resampled_t([1, 2, 3], [1, 2, 3], better="lower", test_fraction=0.2)
    assert (same.statistic, same.pvalue) == (0.0, 1.0)
    shifted = bo.resampled_t([1, 2, 3], [2, 3, 4], better="lower", test_fraction=0.2)
    assert (shifted.statistic, shifted.pvalue) == (math.inf, 1.0)
    assert [caution.code for found in (same, shifted) for caution in found.cautions] == ["no-variation"] * 2


@pytest.mark.slow
def test_level_where_resamples_share_what_they_share() -> None:
    """Differences with the correlation that the test assumes, ρ = 0.2: it keeps its level, which an ordinary t-test
    exceeds several times."""
    rng, draws, size, rho = np.random.default_rng(11), 2000, 10, 0.2
    d = math.sqrt(rho) * rng.normal(size=(draws, 1)) + math.sqrt(1 - rho) * rng.normal(size=(draws, size))
    zero = np.zeros(size)
    corrected = np.mean([bo.resampled_t(x, zero, better="higher", test_fraction=rho).pvalue <= 0.05 for x in d])
    naive = np.mean([bo.paired_t(x, zero, better="higher").pvalue <= 0.05 for x in d])
    assert abs(corrected - 0.05) <= 4 * math.sqrt(0.05 * 0.95 / draws)
    assert naive > 0.2
