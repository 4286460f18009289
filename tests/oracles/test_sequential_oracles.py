"""Group-sequential boundaries and e-processes against published constants, exact integrals and slow twins."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy import integrate, special, stats

from bakeoff.errors import BakeoffError
from bakeoff.wings.run.design.settings import FRACTIONS
from bakeoff.wings.run.racing.group_boundaries import constant, crossing, group_design, inflation
from bakeoff.wings.run.racing.pair_evidence import log_e_sign, log_e_signed_rank, log_e_two_point

# Jennison & Turnbull (2000), Group Sequential Methods, Tables 2.1 and 2.3, alpha 0.05: C_P(K), C_B(K), to 3 decimals
POCOCK = {2: 2.178, 3: 2.289, 4: 2.361, 5: 2.413}
OBRIEN_FLEMING = {2: 1.977, 3: 2.004, 4: 2.024, 5: 2.040}
# the same book, Tables 2.2 and 2.4: R(K, 0.05, 0.2)
POCOCK_INFLATION = {2: 1.110, 3: 1.166, 4: 1.202, 5: 1.229}
OBRIEN_FLEMING_INFLATION = {2: 1.008, 3: 1.017, 4: 1.024, 5: 1.028}
X = np.array([0.3, -0.2, 0.5, 0.9, 0.1, 0.7, -0.4, 0.6])


def even(looks: int) -> list[float]:
    return [(i + 1) / looks for i in range(looks)]


@pytest.mark.parametrize("looks", [2, 3, 4, 5])
def test_published_constants(looks: int) -> None:
    of, fractions = group_design(even(looks)), np.array(even(looks))
    pocock = constant(fractions, 0.05, np.ones(looks))
    assert of.critical_values[-1] == pytest.approx(OBRIEN_FLEMING[looks], abs=5.1e-4)
    assert pocock[0] == pytest.approx(POCOCK[looks], abs=5.1e-4)
    assert of.inflation == pytest.approx(OBRIEN_FLEMING_INFLATION[looks], abs=5.1e-4)
    needed = inflation(fractions, pocock, 0.05, 0.8)
    assert needed == pytest.approx(POCOCK_INFLATION[looks], abs=1.1e-3)  # 1.2284 is printed 1.229
    for critical in (of.critical_values, pocock):
        assert crossing(fractions, critical).sum() == pytest.approx(0.05, abs=1e-12)


def test_the_default_looks() -> None:
    design = group_design(FRACTIONS)
    assert design.pvalues == pytest.approx([0.004201, 0.019422, 0.042950], abs=5e-7)
    assert design.inflation == pytest.approx(1.0238, abs=5e-5)
    assert math.ceil(design.inflation * 33.367) == 35


def test_crossing_spends_what_lan_and_demets_print() -> None:
    # Lan & DeMets (1983), five equally spaced looks: 4.877, 3.357, 2.680, 2.290, 2.031
    f, critical = np.array(even(5)), np.array([4.8769, 3.3570, 2.6803, 2.2898, 2.0310])
    spent = np.cumsum(crossing(f, critical))
    assert spent == pytest.approx(4 * special.ndtr(-special.ndtri(1 - 0.05 / 4) / np.sqrt(f)), abs=1e-5)


def test_crossing_of_two_looks_is_a_bivariate_normal() -> None:
    f, c, drift = np.array([0.4, 1.0]), np.array([2.5, 2.1]), 1.3

    def second(w: float) -> float:
        sd = math.sqrt(0.6)
        b = float(c[1])
        density = math.exp(-((w - drift * 0.4) ** 2) / 0.8) / math.sqrt(0.8 * math.pi)
        m = w + drift * 0.6
        return density * float(special.ndtr((m - b) / sd) + special.ndtr((-b - m) / sd))

    edge = 2.5 * math.sqrt(0.4)
    slow = integrate.quad(second, -edge, edge, epsabs=1e-13, epsrel=1e-13)[0]
    z = drift * math.sqrt(0.4)
    first = float(special.ndtr(z - 2.5) + special.ndtr(-2.5 - z))
    assert crossing(f, c, drift) == pytest.approx([first, slow], abs=1e-12)


def test_a_power_below_the_level_is_refused() -> None:
    with pytest.raises(BakeoffError):
        group_design(FRACTIONS, alpha=0.3, power=0.2)


# --- e-processes ------------------------------------------------------------------------------------------------


def log_e_gaussian(x: np.ndarray, g: float = 1.0) -> np.ndarray:
    """Effect sizes mixed by a normal law of variance g: the right Haar mixture of the t statistic.

    e_n = (1 + ng)^{−1/2} [(1 − u²) + u²/(1 + ng)]^{−n/2},  u² = t²/(n − 1 + t²) = (Σx)² / (n Σx²);  e_1 = 1
    """
    n = np.arange(1, len(x) + 1)
    u2 = np.cumsum(x) ** 2 / (n * np.cumsum(x * x))
    log_e = -0.5 * np.log1p(n * g) - 0.5 * n * np.log1p(-u2 * (n * g) / (1.0 + n * g))
    log_e[:1] = 0.0
    return np.asarray(log_e)


PROCESSES = {"two-point": log_e_two_point, "sign": log_e_sign, "signed-rank": log_e_signed_rank}


def test_golden_paths() -> None:
    """Checked independently when the rules were first studied (six digits; the two-point one by its integral)."""
    gold = {
        "gaussian": [1, 0.592544, 0.749978, 1.1565, 1.224505, 2.237031, 0.940732, 1.507164],
        "sign": [1, 0.666667, 0.666667, 0.8, 1.066667, 1.52381, 0.761905, 1.015873],
        "signed-rank": [1, 0.839199, 0.911044, 1.232679, 1.415624, 2.144343, 1.112074, 1.578723],
    }
    for name, path in gold.items():
        process = log_e_gaussian if name == "gaussian" else PROCESSES[name]
        assert np.exp(process(X)) == pytest.approx(path, abs=6e-7)
    assert np.exp(log_e_two_point(X)) == pytest.approx(
        [1, 0.79387, 0.95694, 1.33407, 1.51053, 2.33945, 1.44136, 2.22948], abs=1e-5
    )


@pytest.mark.slow
def test_two_point_is_the_ratio_of_t_densities() -> None:
    """Numerator and denominator integrated over the scale w with mpmath, 30 digits."""
    rng = np.random.default_rng(1)
    with mpmath.workdps(30):
        for n, d in [(2, 0.5), (5, 1.5), (30, 0.2), (80, 1.0)]:
            x = rng.normal(d, 1, n)
            t = mpmath.mpf(float(x.mean() / (x.std(ddof=1) / math.sqrt(n))))
            nu, ncp = n - 1, d * mpmath.sqrt(n)
            u = t / mpmath.sqrt(nu + t * t)
            peak = math.sqrt(nu) + float(abs(ncp * u))

            def moment(a: mpmath.mpf, nu: int = nu, peak: float = peak) -> mpmath.mpf:
                points = [0, peak / 2, peak, peak + 8, peak + 30]
                return mpmath.quad(lambda w: w**nu * mpmath.exp(-w * w / 2 + a * w), points)

            ratio = mpmath.exp(-(ncp**2) / 2) * (moment(ncp * u) + moment(-ncp * u)) / (2 * moment(mpmath.mpf(0)))
            assert log_e_two_point(x, d)[-1] == pytest.approx(float(mpmath.log(ratio)), rel=1e-10, abs=1e-10)


@pytest.mark.slow
def test_gaussian_is_the_mixture_of_two_point() -> None:
    """∫ two-point(δ) N(δ; 0, g) dδ, by quadrature."""
    g = 0.7

    def integrand(delta: float) -> float:
        likelihood = math.exp(log_e_two_point(X, abs(delta))[-1]) if delta else 1.0
        return likelihood * math.exp(-delta * delta / (2 * g)) / math.sqrt(2 * math.pi * g)

    mixed = 2 * integrate.quad(integrand, 1e-12, 12, epsabs=1e-12)[0]
    assert math.exp(log_e_gaussian(X, g)[-1]) == pytest.approx(mixed, rel=1e-8)


def test_sign_process_in_fractions() -> None:
    for wins in range(7):
        for losses in range(7):
            x = np.array([1.0] * wins + [-1.0] * losses + [0.0] * 3)
            exact = Fraction(2) ** (wins + losses) * Fraction(
                math.factorial(wins) * math.factorial(losses), math.factorial(wins + losses + 1)
            )
            assert math.exp(log_e_sign(x)[-1]) == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("name", ["sign", "signed-rank"])
def test_mean_one_over_all_signs(name: str) -> None:
    """Given the sizes, all 2^n sign patterns are equally likely under the null: the mean of e_n is 1."""
    for sizes in ([0.5, 0.1, 2.0, 0.5, 0.3, 1.1], [0.0, 1.0, 1.0, 0.0, 2.0, 3.0]):
        signs = np.array(np.meshgrid(*[[-1, 1]] * 6)).reshape(6, -1).T
        paths = np.exp([PROCESSES[name](s * np.array(sizes)) for s in signs])
        assert paths.mean(axis=0) == pytest.approx(np.ones(6), rel=1e-12)


def twin_signed_rank(x: np.ndarray) -> float:
    """The definition, in loops."""
    total = 0.0
    for lam in (0.25, 0.5, 1.0, 2.0):
        for side in (1, -1):
            product = 1.0
            for i in range(len(x)):
                below = sum(abs(v) < abs(x[i]) for v in x[: i + 1])
                equal = sum(abs(v) == abs(x[i]) for v in x[: i + 1])
                u = (below + (equal + 1) / 2) / (i + 2)
                if x[i]:
                    product *= math.exp(side * lam * math.copysign(u, x[i])) / math.cosh(lam * u)
            total += product / 8
    return total


@pytest.mark.slow
def test_signed_rank_twin_with_ties_and_zeros() -> None:
    rng = np.random.default_rng(5)
    for _ in range(300):
        x = rng.integers(-3, 4, rng.integers(1, 25)).astype(float)
        assert math.exp(log_e_signed_rank(x)[-1]) == pytest.approx(twin_signed_rank(x), rel=1e-10)


@pytest.mark.slow
def test_degenerate_differences() -> None:
    for name, process in PROCESSES.items():
        assert np.all(process(np.zeros(6)) <= 1e-15), name  # nothing differs: no evidence
        assert np.all(np.isfinite(process(np.full(50, 2.0)))), name
        assert process(np.full(50, 1e300))[-1] > math.log(20), name
        assert process(X)[-1] == pytest.approx(process(-X)[-1], rel=1e-14), name
        assert process(np.empty(0)).size == 0
    for scale in (1e-300, 1e300):
        assert log_e_two_point(X * scale) == pytest.approx(log_e_two_point(X), rel=1e-9)
    assert math.isfinite(log_e_two_point(np.full(3_000, 1.0), 2.0)[-1])
    with pytest.raises(BakeoffError):
        log_e_two_point(np.array([1.0, np.inf]))
    with pytest.raises(BakeoffError):
        log_e_sign(np.array([np.nan]))


@pytest.mark.slow
def test_the_sign_test_keeps_its_level_over_three_looks() -> None:
    """Exact, by all paths of wins: docs/how-to/running.md says at most 0.0492 for 6 to 199 problems without ties."""
    levels = group_design(FRACTIONS).pvalues
    sizes = {}
    for n in range(6, 200):
        paths, seen, rejected = np.array([1.0]), 0, 0.0
        for look, level in zip((0.5, 0.75, 1.0), levels, strict=True):
            now = math.ceil(look * n)
            paths = np.convolve(paths, stats.binom.pmf(np.arange(now - seen + 1), now - seen, 0.5))
            wins = np.arange(now + 1)
            p = np.minimum(1.0, 2.0 * stats.binom.cdf(np.minimum(wins, now - wins), now, 0.5))
            rejected += paths[p <= level].sum()
            paths, seen = np.where(p <= level, 0.0, paths), now
        sizes[n] = rejected
    assert max(sizes.values()) == pytest.approx(0.0492, abs=5e-5)
