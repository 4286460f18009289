"""The largest studentized difference where few clusters tell the errors."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import wishart

import bakeoff as bo
from bakeoff.wings.boards.ratings.board import DRAWN, largest_differences


def covariance(k: int) -> np.ndarray:
    root = np.random.default_rng(3).normal(size=(k, 2 * k))
    root -= root.mean(axis=0)
    return np.asarray(root @ root.T)


@pytest.mark.parametrize("df", [3, 5, 8])
@pytest.mark.slow_cases("5", "8")
def test_it_is_that_of_a_wishart_covariance(df: int) -> None:
    """The twin draws the whole matrix; 8 vectors are one of 8 degrees of freedom."""
    c, rng, draws = covariance(4), np.random.default_rng(1), 40_000
    i, j = np.triu_indices(4, 1)
    basis = np.linalg.svd(c)[0][:, :3]  # c is singular along the vector of ones
    inner = basis.T @ c @ basis
    seen = wishart(df, inner / df).rvs(draws, random_state=rng) if df >= 3 else None
    assert seen is not None
    full = np.einsum("ia,nab,jb->nij", basis, seen, basis)
    theta = rng.multivariate_normal(np.zeros(3), inner, draws) @ basis.T
    variance = full[:, i, i] + full[:, j, j] - 2 * full[:, i, j]
    slow = np.abs((theta[:, i] - theta[:, j]) / np.sqrt(variance)).max(axis=1)
    fast = largest_differences(c, float(df), 2)
    for level, room in ((0.5, 0.02), (0.9, 0.03), (0.95, 0.05)):
        assert np.quantile(fast, level) == pytest.approx(np.quantile(slow, level), rel=room)


@pytest.mark.slow
def test_more_clusters_come_near_to_the_multivariate_t() -> None:
    c = covariance(5)
    near, beyond, normal = (np.quantile(largest_differences(c, df, 2), 0.95) for df in (60.0, 61.0, None))
    assert normal < beyond
    assert near == pytest.approx(beyond, rel=0.03)


def test_of_many_algorithms_over_few_clusters_bonferroni_is_left() -> None:
    k = DRAWN + 1
    scores = bo.Scores(np.random.default_rng(4).normal(size=(12, k)), better="lower")
    found = bo.ratings(scores, n_resamples=100)
    m = k * (k - 1) // 2
    assert len(found.pairs) == m
    for pair in found.pairs:
        assert pair.adjusted == pytest.approx(min(1.0, m * pair.pvalue))
        assert (pair.adjusted <= 0.05) == (pair.verdict != "no difference shown")
