"""The laws of the largest difference: studentized range (all pairs) and many-to-one (Dunnett)."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from scipy.integrate import trapezoid
from scipy.special import ndtr

from bakeoff.nulls import dunnett, studentized_range
from bakeoff.nulls.tails import t_sf, t_two_sided


def cdf(z):
    return mpmath.erfc(-z / mpmath.sqrt(2)) / 2


def integral(f, centre, low, high):
    """mpmath.quad stops on absolute error: ``f`` must be scaled to about 1 at its centre."""
    inner = [centre + d for d in range(-10, 11, 2) if low < centre + d < high]
    return mpmath.quad(f, [low, *inner, high], maxdegree=6)


def exact_log_range(q, k):
    q = mpmath.mpf(q)
    scale = q * q / 4

    def f(z):
        some = -mpmath.expm1((k - 1) * mpmath.log1p(-cdf(z - q) / cdf(z)))
        return k * mpmath.npdf(z) * mpmath.exp(scale) * cdf(z) ** (k - 1) * some

    return mpmath.log(integral(f, q / 2, mpmath.mpf(-9), q + 10)) - scale


def exact_log_many(t, m, two_sided):
    t = mpmath.mpf(t)
    bound, scale = t * mpmath.sqrt(2), t * t / 2

    def f(x):
        beyond = cdf(-x - bound) + (cdf(x - bound) if two_sided else 0)
        weight = (2 if two_sided else 1) * mpmath.npdf(x) * mpmath.exp(scale)
        return weight * -mpmath.expm1(m * mpmath.log1p(-beyond))

    if two_sided:
        return mpmath.log(integral(f, t / mpmath.sqrt(2), mpmath.mpf(0), bound + 10)) - scale
    return mpmath.log(integral(f, -t / mpmath.sqrt(2), -bound - 10, mpmath.mpf(9))) - scale


def relative_error(log_p, exact):
    return abs(float(mpmath.expm1(mpmath.mpf(float(log_p)) - exact)))


@pytest.mark.slow
@pytest.mark.parametrize(("q", "k"), [(0.5, 3), (8, 10), (52, 1000)])
def test_range_in_long_arithmetic(q, k):
    with mpmath.workdps(25):
        assert relative_error(studentized_range.log_sf(q, k), exact_log_range(q, k)) < 1e-12
    assert studentized_range.sf(q, k) == pytest.approx(math.exp(studentized_range.log_sf(q, k)), rel=1e-15)


@pytest.mark.exhaustive
def test_range_in_long_arithmetic_everywhere():
    with mpmath.workdps(25):
        for k in (2, 3, 10, 100, 1000):
            for q in (0.01, 3.3, 12, 52):
                assert relative_error(studentized_range.log_sf(q, k), exact_log_range(q, k)) < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize(
    ("t", "m", "two_sided"), [(0.3, 2, True), (2.5, 9, True), (37, 4, True), (2.5, 9, False), (30, 100, False)]
)
def test_many_one_in_long_arithmetic(t, m, two_sided):
    with mpmath.workdps(25):
        exact = exact_log_many(t, m, two_sided)
        assert relative_error(dunnett.log_sf(t, m, two_sided=two_sided), exact) < 1e-12


@pytest.mark.slow
def test_two_groups_are_one_difference():
    q = np.linspace(0.01, 50, 60)
    np.testing.assert_allclose(studentized_range.sf(q, 2), 2 * ndtr(-q / math.sqrt(2)), rtol=1e-12)
    np.testing.assert_allclose(dunnett.sf(q / 2, 1), 2 * ndtr(-q / 2), rtol=1e-12)
    for df in (1, 2, 3, 10, 50, 1e6):
        for t in (0.01, 2.0, 6.0, 1e4):
            two, one = t_two_sided(t, df)[1], t_sf(t, df)[1]
            for log_p, exact in [
                (studentized_range.log_sf(t * math.sqrt(2), 2, df), two),
                (dunnett.log_sf(t, 1, df), two),
                (dunnett.log_sf(t, 1, df, two_sided=False), one),
            ]:
                assert log_p == pytest.approx(exact, abs=1e-11 + 1e-12 * abs(exact))


def slow_average(tail, df):
    """∫ tail(s) f(s) ds by the trapezoid rule, s = √(χ²/df)."""
    s = np.linspace(1e-6, 6.0, 3001)
    log_f = math.log(2) + df / 2 * math.log(df / 2) - math.lgamma(df / 2) + (df - 1) * np.log(s) - df * s * s / 2
    return float(trapezoid(np.exp(log_f) * tail(s), s))


@pytest.mark.slow
@pytest.mark.parametrize("df", [4, 10, 60])
def test_finite_df_by_the_trapezoid_rule(df):
    for k, q in [(3, 2.0), (9, 5.0), (40, 8.0)]:
        tail = slow_average(lambda s, q=q, k=k: studentized_range.sf(q * s, k), df)
        assert studentized_range.sf(q, k, df) == pytest.approx(tail, rel=1e-9)
        tail = slow_average(lambda s, q=q, k=k: dunnett.sf(q / 2 * s, k), df)
        assert dunnett.sf(q / 2, k, df) == pytest.approx(tail, rel=1e-9)


@pytest.mark.slow
def test_r_where_it_can_be_trusted():
    """R 4.2.2: ptukey(c(1,3.5,5,8), 4, 20, lower=FALSE); ptukey(c(1,3.5,5,8), 4, Inf, lower=FALSE);
    qtukey(0.05, c(2,5,10,20), 30, lower=FALSE)."""
    q = np.array([1, 3.5, 5, 8])
    finite = [0.89308985112325279, 0.094958450548556672, 0.010287534594034531, 8.5087681517492797e-05]
    infinite = [0.89432551212980838, 0.063876333859240408, 0.0023005029381983899, 9.2354911940262241e-08]
    np.testing.assert_allclose(studentized_range.sf(q, 4, 20), finite, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(studentized_range.sf(q, 4), infinite, rtol=1e-8, atol=1e-10)
    points = [2.8882094057931211, 4.1020790196217405, 4.8241412861413666, 5.47495697348125]
    for k, point in zip((2, 5, 10, 20), points, strict=True):
        assert studentized_range.isf(0.05, k, 30) == pytest.approx(point, rel=1e-7)


# Dunnett (1964), Biometrics 20, tables II and III (two-sided) and Dunnett (1955), table 1 (one-sided)
@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("alpha", "df", "two_sided", "points"),
    [
        (0.05, 10, True, [2.23, 2.57, 2.76, 2.89, 2.99]),
        pytest.param(0.05, 20, True, [2.09, 2.38, 2.54, 2.65, 2.73], marks=pytest.mark.slow),
        (0.05, math.inf, True, [1.96, 2.21, 2.35, 2.44, 2.51]),
        (0.01, math.inf, True, [2.58, 2.79, 2.92, 3.00, 3.06]),
        pytest.param(0.05, 10, False, [1.81, 2.15, 2.34, 2.47, 2.56], marks=pytest.mark.slow),
        (0.05, math.inf, False, [1.64, 1.92, 2.06, 2.16, 2.23]),
    ],
)
def test_dunnetts_tables(alpha, df, two_sided, points):
    for m, point in enumerate(points, 1):
        # the old tables were computed by hand: one unit in the last digit
        assert dunnett.isf(alpha, m, df, two_sided=two_sided) == pytest.approx(point, abs=0.0101)


def test_exact_point_of_one_sided_comparisons():
    """By symmetry the control is the best of m + 1 with probability 1/(m + 1)."""
    for m in (1, 2, 8):
        for df in (3, math.inf):
            assert dunnett.sf(0.0, m, df, two_sided=False) == pytest.approx(m / (m + 1), rel=1e-11)
    below = dunnett.sf(np.array([-3.0, -1.0]), 1, 7, two_sided=False)
    np.testing.assert_allclose(below, t_sf(np.array([-3.0, -1.0]), 7)[0], rtol=1e-12)


@pytest.mark.few(2)
@pytest.mark.parametrize(("alpha", "df"), [(0.5, math.inf), (0.05, math.inf), (1e-60, math.inf), (0.05, 3), (1e-9, 20)])
@pytest.mark.slow_cases("1e-09-20")
def test_quantiles_invert_tails(alpha, df):
    for k in (2, 7) if df == math.inf else (5,):
        q = studentized_range.isf(alpha, k, df)
        assert studentized_range.log_sf(q, k, df) == pytest.approx(math.log(alpha), rel=1e-12, abs=1e-12)
        t = dunnett.isf(alpha, k, df)
        assert dunnett.log_sf(t, k, df) == pytest.approx(math.log(alpha), rel=1e-12, abs=1e-12)
    assert dunnett.isf(0.9, 3, two_sided=False) < 0


def test_ends_and_shapes():
    for law in (studentized_range, dunnett):
        for df in (5, math.inf):
            assert law.sf(0.0, 4, df) == 1.0
            assert law.sf(math.inf, 4, df) == 0.0
            assert law.log_sf(math.inf, 4, df) == -math.inf
            table = law.sf(np.array([[0.0, 1.0, 2.0], [2.0, 3.0, math.inf]]), 4, df)
            assert table.shape == (2, 3)
            assert table[0, 2] == table[1, 0] == law.sf(2.0, 4, df)
            assert (np.diff(table.ravel()) <= 0).all()
    assert studentized_range.sf(-1.0, 3) == 1.0
    assert studentized_range.log_sf(1e6, 5) == pytest.approx(-2.5e11, rel=1e-9)
    assert math.isfinite(studentized_range.log_sf(1e160, 5, 3))
    assert math.isfinite(dunnett.log_sf(1e160, 5))
