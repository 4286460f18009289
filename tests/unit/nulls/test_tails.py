"""Tail probabilities against mpmath with 50 digits, from the middle to far beyond the range of a float.

References: erfc, the regularised incomplete gamma function, and for the incomplete beta function the series
z^a (1−z)^b / (a B(a, b)) · 2F1(1, a+b; a+1; z), whose terms are all positive (DLMF 8.17.8).
"""

import math
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest

from bakeoff.nulls import tails


@pytest.fixture(autouse=True)
def fifty_digits():
    """Here, and not in the tests that happen to run after these."""
    with mp.workdps(50):
        yield


def beta_reference(odds, a, b, turned=False):
    z = 1 / (1 + odds)
    if z * (a + b) > a and not turned:  # beyond the mean: the complement, where the series converges fast
        return 1 - beta_reference(1 / odds, b, a, True)
    front = mp.exp(a * mp.log(z) + b * mp.log1p(-z) - mp.log(a) - mp.loggamma(a) - mp.loggamma(b) + mp.loggamma(a + b))
    term = total = mp.mpf(1)
    j = 0
    while term > total * mp.mpf("1e-35"):
        j += 1
        term *= z * (a + b + j - 1) / (a + j)
        total += term
    return front * total


def check(found, reference, rtol=1e-13):
    p, log_p = found
    exact_log = mp.log1p(-(1 - reference)) if reference > 0.5 else mp.log(reference)
    if reference > 1e-290:
        assert p == pytest.approx(float(reference), rel=rtol)
    else:
        assert 0 <= p < 1.1e-290
    if abs(exact_log) < 1e-30:  # the reference has no digits left there
        assert -2e-30 < log_p <= 0
    else:
        assert float(abs(mp.mpf(log_p) / exact_log - 1)) < 1e-10


@pytest.mark.parametrize("z", [1e-9, 0.01, 0.5, 0.99, 1, 1.01, 1.96, 5, 8.3, 20, 37.5, 38.6, 50, 200, 1e4, 1e8])
def test_normal(z):
    upper = mp.erfc(mp.mpf(z) / mp.sqrt(2)) / 2
    check(tails.normal_sf(z), upper, 3e-13)
    check(tails.normal_two_sided(z), 2 * upper, 3e-13)
    check(tails.normal_two_sided(-z), 2 * upper, 3e-13)
    if z < 10:
        check(tails.normal_sf(-z), 1 - upper)


@pytest.mark.few(55)
@pytest.mark.parametrize("df", [1, 2, 3, 4, 8, 9, 49, 100, 299])
@pytest.mark.parametrize("x", [1e-6, 0.3, 1, 2, 5, 9.2786, 50, 300, 700, 1380, 1500, 5e3, 1e6])
def test_chi_squared(x, df):
    check(tails.chi2_sf(x, df), mp.gammainc(mp.mpf(df) / 2, mp.mpf(x) / 2, regularized=True))


@pytest.mark.few(9)
@pytest.mark.parametrize("d1", [1, 2, 3, 8, 49])
@pytest.mark.parametrize("d2", [1, 2, 39, 400])
@pytest.mark.parametrize("x", [1e-4, 0.2, 1, 3.6863, 20, 1e3, 1e100])
def test_fisher(x, d1, d2):
    odds = mp.mpf(x) * d1 / d2
    check(tails.f_sf(x, d1, d2), beta_reference(odds, mp.mpf(d2) / 2, mp.mpf(d1) / 2))


@pytest.mark.slow
@pytest.mark.parametrize("d1", [1, 3, 8, 20])
@pytest.mark.parametrize("x", [1e4, 1e6, 1e8])
def test_fisher_with_a_million_degrees_of_freedom(x, d1):
    odds = mp.mpf(x) * d1 / 1_000_000
    check(tails.f_sf(x, d1, 1_000_000), beta_reference(odds, mp.mpf(500_000), mp.mpf(d1) / 2))


@pytest.mark.few(20)
@pytest.mark.parametrize(
    ("t", "df"),
    [(t, df) for t in (0.05, 0.7, 1.96, 6, 40, 1e3, 1e6, 1e200) for df in (1, 2, 3, 10, 23, 500)]
    + [(t, 1e6) for t in (1e3, 1e4, 1e6, 1e200)],
)
def test_student(t, df):
    two = beta_reference(mp.mpf(t) ** 2 / mp.mpf(df), mp.mpf(df) / 2, mp.mpf(1) / 2)
    check(tails.t_two_sided(t, df), two)
    check(tails.t_two_sided(-t, df), two)
    check(tails.t_sf(t, df), two / 2)
    check(tails.t_sf(-t, df), 1 - two / 2)


@pytest.mark.slow
@pytest.mark.parametrize("t", [0.05, 0.7, 1.96, 6, 20, 40])
def test_student_with_a_million_degrees_of_freedom_by_quadrature(t):
    v = mp.mpf(10) ** 6
    log_constant = mp.loggamma((v + 1) / 2) - mp.loggamma(v / 2) - mp.log(v * mp.pi) / 2

    def scaled_density(u):
        return mp.exp(log_constant - (v + 1) / 2 * mp.log1p(u * u / v) + mp.mpf(t) ** 2 / 2)

    step = mp.mpf(1) / max(t, 1)
    upper = mp.quad(scaled_density, [t + step * i for i in (0, 1, 2, 4, 8, 16, 32, 100)])
    check(tails.t_sf(t, 1e6), upper * mp.exp(-(mp.mpf(t) ** 2) / 2))


@pytest.mark.parametrize("n", [1, 2, 7, 30, 101, 2000])
@pytest.mark.slow_cases("2000")
def test_binomial_is_exact(n):
    total, law = Fraction(0), {}
    for k in range(n, -1, -1):
        total += Fraction(math.comb(n, k), 2**n)
        law[k] = total
    for k in sorted({0, 1, n // 3, n // 2, n // 2 + 1, n - 1, n}):
        p, log_p = tails.binomial_sf(k, n)
        assert p == law[k].numerator / law[k].denominator
        check((p, log_p), mp.mpf(law[k].numerator) / law[k].denominator)
    assert tails.binomial_sf(n + 1, n) == (0.0, -math.inf)


@pytest.mark.parametrize(("k", "n"), [(1001, 2001), (1100, 2001), (1900, 2001), (2001, 2001), (2600, 5000)])
def test_binomial_beyond_whole_numbers(k, n):
    term = total = math.comb(n, k)
    for i in range(k, n):
        term = term * (n - i) // (i + 1)
        total += term
    exact = mp.mpf(total) / mp.mpf(2) ** n
    check(tails.binomial_sf(k, n), exact, 1e-12)


def test_infinities_and_zeros():
    assert tails.normal_sf(math.inf) == (0.0, -math.inf)
    assert tails.normal_sf(-math.inf) == (1.0, 0.0)
    assert tails.normal_two_sided(-math.inf) == (0.0, -math.inf)
    assert tails.chi2_sf(math.inf, 3) == (0.0, -math.inf)
    assert tails.f_sf(math.inf, 3, 39) == (0.0, -math.inf)
    assert tails.t_sf(math.inf, 5) == tails.t_two_sided(-math.inf, 5) == (0.0, -math.inf)
    assert tails.t_sf(-math.inf, 5) == (1.0, 0.0)
    for found in (tails.normal_two_sided(0), tails.chi2_sf(0, 4), tails.f_sf(0, 2, 9), tails.t_two_sided(0, 3)):
        assert found == (1.0, 0.0)
    assert tails.chi2_sf(-1e-9, 4) == tails.f_sf(-1.0, 2, 9) == (1.0, 0.0)


def test_arrays_keep_their_shape_and_equal_the_scalars():
    x = np.array([[0.0, 0.5, 2.0], [30.0, 1e5, np.inf]])
    for law, parameters in (
        (tails.normal_sf, ()),
        (tails.normal_two_sided, ()),
        (tails.t_sf, (4,)),
        (tails.t_two_sided, (4.5,)),
        (tails.chi2_sf, (3,)),
        (tails.f_sf, (3, 39)),
    ):
        p, log_p = law(x, *parameters)
        assert p.shape == log_p.shape == x.shape
        single = [law(float(v), *parameters) for v in x.ravel()]
        assert [type(v) for v in single[0]] == [float, float]
        # arrays are SciPy's, numbers are our own
        np.testing.assert_allclose(p.ravel(), [s[0] for s in single], rtol=1e-14)
        np.testing.assert_allclose(log_p.ravel(), [s[1] for s in single], rtol=1e-14)
