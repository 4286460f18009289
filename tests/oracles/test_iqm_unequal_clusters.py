"""Interquartile means over clusters of unequal size: no verdict where one cluster is nearly all, and the jackknife's
error elsewhere."""

from __future__ import annotations

import numpy as np
import pytest

import bakeoff as bo
from bakeoff.means.strata import one_stratum
from bakeoff.means.trimmed_means import spread_over_problems


def clustered(sizes: tuple[int, ...], seed: int, k: int = 3) -> bo.Scores:
    """Equal algorithms: effects of clusters and noise of 0.3 of them."""
    rng = np.random.default_rng(seed)
    codes = np.repeat(np.arange(len(sizes)), sizes)
    effects = rng.normal(size=(len(sizes), k))[codes, :, None]
    return bo.Scores(effects + 0.3 * rng.normal(size=(len(codes), k, 2)), better="higher", clusters=codes)


@pytest.mark.parametrize("sizes", [(99, 1), (90, 10), (20, 3, 2)])
def test_one_cluster_that_is_nearly_all_shows_nothing(sizes: tuple[int, ...]) -> None:
    """(99, 1) called equal algorithms different in 95 % of tables."""
    found = bo.interquartile_mean(clustered(sizes, 1))
    assert {pair.verdict for pair in found.pairs} == {"cannot tell"}
    assert {pair.adjusted for pair in found.pairs} == {1.0}
    assert "unequal" in {caution.code for caution in found.cautions}


def test_the_error_is_the_jackknifes_where_clusters_differ_in_size() -> None:
    """Of a plain mean (nothing is cut below four runs): Σ (G − 1)/G (s_g/(1 − w_g))², s_g sums of contributions."""
    rng = np.random.default_rng(2)
    sizes = np.array([9, 5, 4, 3, 2])
    codes, by_problem = np.repeat(np.arange(5), sizes), rng.normal(size=23)
    by_problem -= by_problem.mean()
    by_problem /= 23
    expected = sum(4 / 5 * (by_problem[codes == g].sum() / (1 - sizes[g] / 23)) ** 2 for g in range(5))
    h = 23**2 / (sizes**2).sum()
    plain = sum(by_problem[codes == g].sum() ** 2 for g in range(5)) * h / (h - 1)
    assert spread_over_problems(by_problem, [one_stratum(codes)], False).variance == pytest.approx(
        max(expected, plain), rel=1e-12
    )


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(1, 1, 2, 3, 4, 6, 10, 30), (3, 5, 8, 12, 20, 40, 1, 1, 1), (4,) * 10])
def test_equal_algorithms_are_seldom_called_different(sizes: tuple[int, ...]) -> None:
    tables = 400
    wrong = sum(bo.interquartile_mean(clustered(sizes, seed)).decision == "difference" for seed in range(tables))
    assert wrong / tables <= 0.05 + 4 * (0.05 * 0.95 / tables) ** 0.5
