"""Special functions of single numbers against mpmath with 60 digits, from the middle of a law to p = 1e-300."""

from __future__ import annotations

import math

import mpmath as mp
import numpy as np
import pytest
import scipy.special

from bakeoff import special
from bakeoff.nulls import tails

MOST = 1e-13


@pytest.fixture(autouse=True)
def _sixty_digits():
    with mp.workdps(60):
        yield


def off(value, exact) -> float:
    return float(abs((mp.mpf(float(value)) - exact) / exact))


@pytest.mark.parametrize("x", [-37.0, -12.34567, -5.1, -1.0, -0.3, -1e-9, 0.0, 0.2, 1.7, 6.0])
def test_normal_probabilities(x):
    exact = mp.erfc(-mp.mpf(x) / mp.sqrt(2)) / 2
    assert off(special.ndtr(x), exact) < 5e-16
    assert off(special.log_ndtr(x), mp.log(exact)) < 5e-16
    below = 10 * min(x, 0.0) - 30
    assert off(special.log_ndtr(below), mp.log(mp.erfc(-mp.mpf(below) / mp.sqrt(2)) / 2)) < 5e-16


@pytest.mark.parametrize("p", [1e-300, 3e-40, 1e-6, 0.01, 0.2, 0.25, 0.3, 0.49, 0.5 - 1e-9, 0.7, 0.975, 1 - 1e-12])
def test_normal_quantiles(p):
    x = mp.mpf(float(special.ndtri(p)))
    newton = (mp.erfc(-x / mp.sqrt(2)) / 2 - mp.mpf(p)) / mp.npdf(x)
    assert abs(newton / x) < 5e-16


def test_edges_are_those_of_scipy():
    for name in ("ndtr", "log_ndtr", "ndtri"):
        x = np.array([-np.inf, -3.0, -0.0, 0.5, 1.0, np.inf, np.nan])
        with np.errstate(all="ignore"):
            np.testing.assert_allclose(getattr(special, name)(x), getattr(scipy.special, name)(x), rtol=1e-14)
            large = np.linspace(0.1, 0.9, special.SMALL + 1)
            np.testing.assert_array_equal(getattr(special, name)(large), getattr(scipy.special, name)(large))
        assert getattr(special, name)(np.full((2, 3), 0.5)).shape == (2, 3)
    assert special.ndtri(0.5) == 0.0


@pytest.mark.parametrize("h", [0.0, 0.4, 2.0, 4.9, 5.0, 9.0])
def test_owens_t(h):
    for a in (1 / math.sqrt(3), -0.2, 1.0):
        exact = mp.quad(lambda x, h=h: mp.exp(-(mp.mpf(h) ** 2) * (1 + x * x) / 2) / (1 + x * x), [0, a]) / (2 * mp.pi)
        assert off(special.owens_t(h, a), exact) < 1e-14
    assert special.owens_t(h, 2.0) == scipy.special.owens_t(h, 2.0)


@pytest.mark.parametrize("df", [0.4, 1, 2, 3, 9, 30, 100, 5000])
def test_chi_squared_tails(df):
    for x in (0.01 * df, 0.5 * df, df, 1.3 * df, df + 2.0, df + 40.0, df + 1200.0):
        exact = mp.gammainc(mp.mpf(df) / 2, mp.mpf(x) / 2, mp.inf, regularized=True)
        below = mp.gammainc(mp.mpf(df) / 2, 0, mp.mpf(x) / 2, regularized=True)
        p, log_p = tails.chi2_sf(x, df)
        if exact > 1e-300:
            assert off(p, exact) < MOST, (df, x)
        if below > 1e-300:
            assert off(log_p, mp.log1p(-below) if below < 0.5 else mp.log(exact)) < MOST, (df, x)


@pytest.mark.parametrize("d2", [1, 3, 8.5, 24, 192, 1000, 6000])
def test_f_and_t_tails(d2):
    """t² is F with one degree of freedom."""
    for d1 in (1, 2, 5, 8, 30):
        for f in (1e-3, 0.4, 1.0, 1.01, 3.0, 12.0, 45.0, 1e4):
            z = d2 / (mp.mpf(d2) + d1 * mp.mpf(f))
            exact = mp.betainc(mp.mpf(d2) / 2, mp.mpf(d1) / 2, 0, z, regularized=True)
            p, log_p = tails.f_sf(f, d1, d2)
            if exact > 1e-300:
                assert off(p, exact) < MOST, (d1, d2, f)
            assert off(log_p, mp.log(exact)) < MOST, (d1, d2, f)
            if d1 == 1:
                assert tails.t_two_sided(math.sqrt(f), d2)[1] == pytest.approx(log_p, rel=1e-12)


def test_what_a_product_would_overflow_is_left_to_the_formulas_for_arrays():
    p, log_p = tails.t_two_sided(1e200, 3)
    assert p == 0.0
    assert log_p == pytest.approx(tails.t_two_sided(np.array([1e200]), 3)[1][0], rel=1e-13)
    assert tails.f_sf(math.inf, 2, 9) == tails.chi2_sf(math.inf, 4) == (0.0, -math.inf)
    assert all(map(math.isnan, tails.chi2_sf(math.nan, 4)))


def test_an_unknown_name_is_not_promised():
    with pytest.raises(ImportError):
        exec("from bakeoff.special import zeta")
    assert all(hasattr(scipy.special, name) for name in special._BY_SCIPY)
