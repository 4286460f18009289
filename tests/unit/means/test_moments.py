"""Means and their covariances against literal twins: correctly rounded sums, clusters left out one by one."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bakeoff.means.moments import compensated_means, covariances_with, suite_moments
from bakeoff.means.strata import Stratum, stratum_of
from bakeoff.paired.shares import joined_wilson, wilson


@pytest.mark.parametrize("n", [1, 2, 3, 17, 64, 1001])
def test_means_lose_nothing_that_doubles_hold(n: int) -> None:
    rng = np.random.default_rng(n)
    values = rng.normal(size=(n, 4)) * 10.0 ** rng.integers(-6, 6, size=(n, 1))
    values -= values.mean(axis=0) * [1, 1, 0, 0]
    exact = [math.fsum(column) / n for column in values.T.tolist()]
    np.testing.assert_allclose(compensated_means(values), exact, rtol=1e-12)


def strata(rng: np.random.Generator) -> list[Stratum]:
    codes = np.repeat(np.arange(9), [1, 2, 3, 4, 5, 1, 1, 6, 2])
    suites = [np.flatnonzero(codes < 5), np.flatnonzero(codes >= 5)]
    return [stratum_of(rng.permutation(rows), codes, name, 0.5) for rows, name in zip(suites, "ab", strict=True)]


def test_covariances_are_those_of_leaving_out_a_cluster() -> None:
    rng = np.random.default_rng(3)
    values, parts = rng.normal(size=(25, 3)) + rng.normal(size=(25, 1)), strata(rng)
    slow = np.zeros((3, 3))
    for s in parts:
        ends = [*s.starts[1:].tolist(), s.n]
        left = [np.delete(s.rows, range(a, b)) for a, b in zip(s.starts.tolist(), ends, strict=True)]
        moved = np.array([values[rows].mean(axis=0) for rows in left]) - values[s.rows].mean(axis=0)
        slow += s.weight**2 * (len(left) - 1) / len(left) * moved.T @ moved
    for column in range(3):
        np.testing.assert_allclose(covariances_with(values, parts, column), slow[column], rtol=1e-12)
    errors = suite_moments(values, np.abs(values), parts).errors
    np.testing.assert_allclose(errors**2, np.diag(slow), rtol=1e-12)


def test_wilsons_intervals_of_two_shares_joined() -> None:
    """Newcombe (1998), Statistics in Medicine 17, 873–890, Table II (a), method 10: 56/70 − 48/80, 0.0524 to 0.3339."""
    z = 1.959963984540054
    low, high = joined_wilson([(1.0, 56, 70), (1.0, 32, 80)], z)  # the share of failures is 1 − p
    assert (low - 1, high - 1) == pytest.approx((0.0524, 0.3339), abs=5e-5)
    assert joined_wilson([(1.0, 3, 12)], z) == wilson(3, 12, z)
    assert joined_wilson([(0.5, 3, 12), (0.5, 12, 12)], z)[1] > 0.5 * (3 / 12 + 1)
