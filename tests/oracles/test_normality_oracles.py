"""Shapiro–Wilk against SciPy and against the study the planning paper prints."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from bakeoff.errors import BakeoffError
from bakeoff.paired.shapiro_wilk import shapiro_wilk, weights


@pytest.mark.parametrize("n", [3, 4, 5, 6, 7, 11, 12, 13, 34, 100, 1000, 5000])
def test_as_scipy(n: int) -> None:
    rng = np.random.default_rng(n)
    for x in (rng.normal(size=n), rng.exponential(size=n), rng.standard_t(2, size=n), rng.integers(0, 4, n) + 0.0):
        if np.ptp(x) == 0:
            continue
        mine, other = shapiro_wilk(x), stats.shapiro(x)
        assert mine is not None
        assert mine.statistic == pytest.approx(
            other.statistic, rel=1e-7
        )  # SciPy translates the original, with its seven-digit quantiles
        assert mine.pvalue == pytest.approx(other.pvalue, rel=1e-5, abs=1e-9)


def test_the_expected_order_statistics_look_perfectly_normal() -> None:
    for n in (5, 10, 30):
        found = shapiro_wilk(weights(n))
        assert found is not None
        assert (found.statistic, found.pvalue) == (pytest.approx(1.0, rel=1e-15), 1.0)


def test_as_r() -> None:
    # R 4.2.2: shapiro.test(c(148,154,158,160,161,162,166,170,182,195,236)): W = 0.7888146948, p = 0.0067038141
    found = shapiro_wilk(np.array([148, 154, 158, 160, 161, 162, 166, 170, 182, 195, 236.0]))
    assert found is not None
    assert found.statistic == pytest.approx(0.7888146948, rel=1e-7)
    assert found.pvalue == pytest.approx(0.0067038141, rel=1e-5)


def test_weights_have_length_one_and_are_odd() -> None:
    for n in range(3, 60):
        a = weights(n)
        assert a @ a == pytest.approx(1.0, abs=1e-12)
        assert a == pytest.approx(-a[::-1], abs=1e-12)
        assert np.all(np.diff(a) > 0)


def test_where_it_is_not_defined() -> None:
    assert shapiro_wilk(np.array([1.0, 2.0])) is None
    assert shapiro_wilk(np.ones(10)) is None
    assert shapiro_wilk(np.empty(0)) is None
    assert shapiro_wilk(np.arange(5001.0)) is None
    huge = shapiro_wilk(np.array([-1.7e308, 0.1, 1.7e308, 1e308]))
    assert huge is not None
    with pytest.raises(BakeoffError):
        shapiro_wilk(np.array([1.0, np.inf, 2.0]))
