"""The power of tests against a margin: published numbers, mpmath, and the definition simulated."""

import math

import mpmath
import numpy as np
import pytest
from scipy.special import stdtrit

import bakeoff as bo
from bakeoff.plan.power_models.equivalence_t import both_reject, equivalence_t_powers
from bakeoff.plan.power_models.equivalence_wilcoxon import equal_by_moments, equivalence_draws
from bakeoff.plan.power_models.t import noncentral_t_sf


def test_power_tost_of_a_crossover() -> None:
    """R's PowerTOST 1.5, README: sampleN.TOST(CV=0.3), 2x2 crossover, true ratio .95: n = 40, power 0.815845."""
    error = math.sqrt(2 * math.log(1.09) / 40)
    c = np.array([-stdtrit(38, 0.05)])
    below, above = ([abs(math.log(0.95 / limit)) / error] for limit in (0.8, 1.25))
    found = both_reject(c, np.array([38.0]), np.array(below), np.array(above))
    assert found[0] == pytest.approx(0.815845, abs=5e-7)


def test_power_noninf_of_a_crossover() -> None:
    """PowerTOST, example of power.noninf(CV=0.3, n=24), margin .8, true ratio .95, alpha .025: 0.4916748."""
    shift = math.log(0.95 / 0.8) / math.sqrt(2 * math.log(1.09) / 24)
    found = noncentral_t_sf(np.array([-stdtrit(22, 0.025)]), np.array([22.0]), np.array([shift]))
    assert found[0] == pytest.approx(0.4916748, abs=5e-8)


def by_mpmath(n: int, d: float, margin: float, alpha: float) -> float:
    """E max(0, Φ((m − d)√n − cS) − Φ(cS − (m + d)√n)) over the density of S, in 20 digits."""
    with mpmath.workdps(20):
        nu, c, root = mpmath.mpf(n - 1), mpmath.mpf(float(-stdtrit(n - 1, alpha))), mpmath.sqrt(n)

        def term(s: mpmath.mpf) -> mpmath.mpf:
            density = 2 * (nu / 2) ** (nu / 2) / mpmath.gamma(nu / 2) * s ** (nu - 1) * mpmath.exp(-nu * s * s / 2)
            return (mpmath.ncdf((margin - d) * root - c * s) - mpmath.ncdf(c * s - (margin + d) * root)) * density

        top = min(margin * root / c, 1 + 10 / mpmath.sqrt(nu))
        return float(mpmath.quad(term, [top * k / 12 for k in range(13)]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "d", "margin", "alpha"),
    [
        (2, 0.0, 5.0, 0.05),
        (3, 0.2, 3.0, 0.01),
        (10, 0.3, 0.9, 0.05 / 6),
        (97, 0.0, 0.3, 0.05),
        (100, 0.1, 0.3, 1e-4),
        (500, -0.05, 0.15, 0.05),
    ],
)
def test_mpmath(n: int, d: float, margin: float, alpha: float) -> None:
    found = float(equivalence_t_powers(n, d, margin, alpha))
    assert found == pytest.approx(by_mpmath(n, d, margin, alpha), rel=1e-11)


def test_limits() -> None:
    """At the margin at most alpha, and close to it if n is large; a wide margin leaves one test."""
    assert float(equivalence_t_powers(5000, 0.3, 0.3, 0.05)) == pytest.approx(0.05, abs=1e-6)
    assert float(equivalence_t_powers(20, 0.3, 0.3, 0.05)) < 0.05
    one = bo.plan.power(40, 0.4, alternative="greater")
    assert float(equivalence_t_powers(40, 9.6, 10.0, 0.05)) == pytest.approx(one, rel=1e-9)
    assert float(equivalence_t_powers(10**12, 0.0, 1e-5, 0.05)) == pytest.approx(1.0)


@pytest.mark.slow
def test_moments_beside_draws() -> None:
    """Beyond 300 problems moments take the place of draws; there they are within .005 of them, the error included."""
    for margin, alpha in ((0.17, 0.05), (0.17, 0.05 / 6), (0.2, 0.05 / 6)):
        level = np.array([alpha])
        simulated = equivalence_draws(300, 0.0, margin, (1,), 20_000).powers(level, True)[0]
        assert equal_by_moments(300, 0.0, margin, level)[0] == pytest.approx(simulated, abs=0.012)


@pytest.mark.slow
def test_draws_beside_the_tests_themselves() -> None:
    """bo.equivalence on fresh samples, one at a time: n = 20, margin .8."""
    rng, tables = np.random.default_rng(4), 200
    shown = 0
    for _ in range(tables):
        found = bo.equivalence(rng.normal(0.1, 1, 20), np.zeros(20), margin=0.8, better="higher")
        shown += found.pvalue <= 0.05
    power = bo.plan.power(20, 0.1, margin=0.8, test="wilcoxon")
    assert shown / tables == pytest.approx(power, abs=4 * math.sqrt(power * (1 - power) / tables))
