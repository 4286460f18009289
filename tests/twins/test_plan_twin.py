"""Planning beside slow twins: mpmath, fractions, loops, and a general optimiser."""

from __future__ import annotations

import functools
import itertools
import math
import statistics
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import ndtr
from scipy.stats import multivariate_normal

from bakeoff.nulls.signed_rank import signed_rank_null
from bakeoff.plan.options import design, holm_levels
from bakeoff.plan.pilots import balanced_design, counts_for, error_terms, mean_and_sd, moments
from bakeoff.plan.power_models.base import expected_mean_ranks, noncentrality
from bakeoff.plan.power_models.sign import critical_losses, kept_from, sign_powers
from bakeoff.plan.power_models.t import noncentral_t_sf, t_powers
from bakeoff.plan.power_models.wilcoxon import critical_sum, moments_of_sum, positive_rank_sums

# --- noncentral t ------------------------------------------------------------------------------------------------


def twin_upper(c: float, df: float, delta: float) -> mpmath.mpf:
    """P(T' > c) = ∫ Φ(δ − c·s) f(s) ds over the density of √(χ²_ν/ν), in 25 digits."""
    with mpmath.workdps(25):
        nu, t, shift = mpmath.mpf(df), mpmath.mpf(c), mpmath.mpf(delta)
        front = 2 * (nu / 2) ** (nu / 2) / mpmath.gamma(nu / 2)
        edge = shift / t if t else mpmath.mpf(0)
        near = [edge + k / abs(t) for k in (-8, -4, -2, -1, 0, 1, 2, 4, 8)] if t else []
        width = 1 / mpmath.sqrt(2 * nu)
        points = [0, *near, *(1 + k * width for k in (-8, -4, -2, -1, 0, 1, 2, 4, 8, 16))]
        inside = sorted({p for p in points if 0 <= p <= 1 + 16 * width})

        def f(s: mpmath.mpf) -> mpmath.mpf:
            return mpmath.ncdf(shift - t * s) * front * s ** (nu - 1) * mpmath.exp(-nu * s * s / 2)

        return mpmath.quad(f, inside)


def check_upper(rng: np.random.Generator, cases: int) -> None:
    for _ in range(cases):
        df = float(rng.choice([1, 2, 3, 7, 20, 33, 150, 33.4]))
        c = float(rng.choice([0.0, 0.3, 1.7, 2.0, 4.5, 12.7, 60.0])) * float(rng.choice([1, 1, -1]))
        delta = float(rng.choice([0.0, 0.5, 2.9, 8.7, 11.9, 12.1, 40.0])) * float(rng.choice([1, -1]))
        expected = twin_upper(c, df, delta)
        found = float(noncentral_t_sf(np.array([c]), np.array([df]), np.array([delta]))[0])
        if expected > 1e-250:
            assert found == pytest.approx(float(expected), rel=1e-11), (df, c, delta)


@pytest.mark.slow
def test_noncentral_t_beside_mpmath() -> None:
    check_upper(np.random.default_rng(1), 5)


@pytest.mark.exhaustive
def test_noncentral_t_beside_mpmath_at_length() -> None:
    check_upper(np.random.default_rng(2), 45)


def test_power_without_an_effect_is_the_level() -> None:
    for n, level in itertools.product((2, 3, 5, 34, 1000), (0.5, 0.05, 1e-3, 1e-8)):
        assert float(t_powers(n, 0.0, level)) == pytest.approx(level, rel=1e-11)
        assert float(t_powers(n, 0.0, level, one_sided=True)) == pytest.approx(level, rel=1e-11)


def test_far_out_nothing_breaks() -> None:
    # SciPy's nct.cdf is NaN at df 199, ncp 8.7 and at df 33, ncp 40
    power = t_powers([200, 34, 34, 2, 10**9], [8.7 / math.sqrt(200), 40 / math.sqrt(34), 1e6, 1e9, 1e-4], 0.05)
    assert np.all((power > 0) & (power <= 1))
    assert power[1] == power[2] == 1.0


# --- sign test ---------------------------------------------------------------------------------------------------


def twin_critical(n: int, tail: Fraction) -> int:
    """The largest c with Σ_{i≤c} C(n, i)/2ⁿ ≤ tail."""
    total, c = Fraction(0), -1
    for i in range(n + 1):
        total += Fraction(math.comb(n, i), 2**n)
        if total > tail:
            break
        c = i
    return c


def twin_sign_power(n: int, p: Fraction, level: Fraction, one_sided: bool) -> Fraction:
    c = twin_critical(n, level if one_sided else level / 2)
    losses = sum((math.comb(n, i) * (1 - p) ** i * p ** (n - i) for i in range(c + 1)), Fraction(0))
    wins = sum((math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(c + 1)), Fraction(0))
    return losses if one_sided else losses + wins


@pytest.mark.slow
def test_sign_power_beside_fractions() -> None:
    rng = np.random.default_rng(3)
    for _ in range(200):
        n = int(rng.integers(1, 45))
        d = float(rng.choice([0.0, 0.1, 0.5, 1.0, 2.0]))
        level = Fraction(int(rng.integers(1, 400)), 1000)
        one_sided = bool(rng.integers(2))
        p = Fraction(float(ndtr(d)))
        expected = twin_sign_power(n, p, level, one_sided)
        assert int(critical_losses(np.array(n), float(level))) == twin_critical(n, level)
        found = float(sign_powers(n, d, float(level), one_sided))
        assert found == pytest.approx(min(float(expected), 1.0), rel=1e-9)


def test_the_level_of_exactly_a_tail_is_reached() -> None:
    # P(Bin(5, 1/2) = 0) = 1/32: a level of exactly 1/16 two-sided, or 1/32 one-sided, rejects five wins of five
    assert critical_losses(np.array([5]), 1 / 32).tolist() == [0]
    assert critical_losses(np.array([5]), 0.0625 / 2).tolist() == [0]
    assert critical_losses(np.array([5]), 1 / 32.001).tolist() == [-1]


def test_the_n_that_holds() -> None:
    power = np.array([0, 0.5, 0.81, 0.79, 0.82, 0.8, 0.9, 0.95])

    def at(n: np.ndarray) -> np.ndarray:
        return power[np.minimum(n - 1, 7)]

    assert kept_from(at, 0.8, 1.0) == (5, 3)
    assert kept_from(at, 0.85, 1.0) == (7, 7)


# --- signed ranks ------------------------------------------------------------------------------------------------


def twin_rank_sum(row: list[float]) -> int:
    order = sorted(row, key=abs)
    return sum(rank for rank, value in enumerate(order, 1) if value > 0)


def test_rank_sums_by_the_last_bit() -> None:
    rng = np.random.default_rng(4)
    for n in (2, 3, 10, 47):
        x = rng.standard_normal((200, n)) + rng.choice([-0.5, 0.0, 1.0])
        expected = [twin_rank_sum(row) for row in x.tolist()]
        assert positive_rank_sums(x.copy()).tolist() == expected


def twin_moments(n: int, d: float) -> tuple[float, float]:
    """W⁺ = Σ_{i≤j} 1(x_i + x_j > 0): mean and variance by adding up all pairs of indicators."""
    cells = [(i, j) for i in range(n) for j in range(i, n)]

    def vector(cell: tuple[int, int]) -> np.ndarray:
        v = np.zeros(n)
        v[cell[0]] += 1
        v[cell[1]] += 1
        return v

    chances = {cell: float(ndtr(d * vector(cell).sum() / np.linalg.norm(vector(cell)))) for cell in cells}
    known: dict[tuple[float, float, float], float] = {}
    variance = 0.0
    for a, b in itertools.product(cells, cells):
        u, v = vector(a), vector(b)
        h, k = d * u.sum() / np.linalg.norm(u), d * v.sum() / np.linalg.norm(v)
        rho = round(float(u @ v / np.linalg.norm(u) / np.linalg.norm(v)), 12)
        if rho == 0:
            continue
        if (h, k, rho) not in known:
            law = multivariate_normal(cov=[[1, rho], [rho, 1]], allow_singular=True)
            known[h, k, rho] = min(float(ndtr(h)), float(ndtr(k))) if rho == 1 else float(law.cdf([h, k]))
        variance += known[h, k, rho] - chances[a] * chances[b]
    return sum(chances.values()), variance


@pytest.mark.parametrize(("n", "d"), [(2, 0.7), (4, 0.0), (5, 0.3), (6, 1.1)])
def test_moments_beside_all_pairs_of_indicators(n: int, d: float) -> None:
    assert moments_of_sum(n, d) == pytest.approx(twin_moments(n, d), rel=1e-6)


def test_critical_sums_by_counting_subsets() -> None:
    for n, tail in itertools.product((1, 4, 7, 11), (0.3, 0.05, 0.025, 0.0009765625)):
        sums = [sum(s) for r in range(n + 1) for s in itertools.combinations(range(1, n + 1), r)]
        fits = [c for c in range(max(sums) + 1) if sum(s <= c for s in sums) <= tail * 2**n]
        assert critical_sum(n, tail) == (max(fits) if fits else -1)


def test_critical_sums_meet_where_the_normal_law_takes_over() -> None:
    for n, tail in itertools.product((301, 302, 400), (0.025, 0.005, 0.0005, 1e-6)):
        exact = signed_rank_null(2 * np.arange(1, n + 1)).largest_sum(tail) // 2
        sd = math.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        assert abs(critical_sum(n, tail) - exact) <= max(1, 5e-4 * sd)


# --- Friedman ----------------------------------------------------------------------------------------------------


def test_expected_ranks_beside_loops() -> None:
    rng = np.random.default_rng(5)
    for _ in range(100):
        k = int(rng.integers(2, 7))
        means = rng.integers(-3, 4, size=k) / 2
        ranks = []
        for j in range(k):
            ranks.append(1 + sum(float(ndtr((means[j] - means[m]) / math.sqrt(2))) for m in range(k) if m != j))
        assert expected_mean_ranks(means) == pytest.approx(ranks, rel=1e-12)
        shift = 12 / (k * (k + 1)) * sum((r - (k + 1) / 2) ** 2 for r in ranks)
        assert noncentrality(means) == pytest.approx(shift, rel=1e-9, abs=1e-15)


def test_holm_levels_and_targets() -> None:
    assert holm_levels(0.06, 3).tolist() == pytest.approx([0.02, 0.03, 0.06])
    for k in (2, 3, 4, 5):
        profile = t_powers(30, 0.5, holm_levels(0.05, k * (k - 1) // 2))
        for target, value in (("worst", profile.min()), ("mean", profile.mean()), ("median", np.median(profile))):
            question = design("t", None, "two-sided", k, "all-pairs", target, None)
            assert question.power_at(30, 0.5, 0.05) == pytest.approx(float(value), rel=1e-12)


# --- standard errors and optima ----------------------------------------------------------------------------------


def random_runs(rng: np.random.Generator, k: int) -> list[list[float]]:
    """Positive numbers with many ties; sometimes an algorithm that never varies."""
    return [
        (rng.integers(0, int(rng.choice([1, 3, 40])), size=int(rng.integers(2, 9))) / 4 + 5).tolist() for _ in range(k)
    ]


def numeric_errors(samples: list[list[float]], phi) -> float:
    """The delta method by central differences of φ in the means."""
    means = [statistics.fmean(s) for s in samples]
    total = 0.0
    for i, sample in enumerate(samples):
        step = 1e-5
        up, down = list(means), list(means)
        up[i] += step
        down[i] -= step
        slope = (phi(up) - phi(down)) / (2 * step)
        total += slope**2 * statistics.variance(sample) / len(sample)
    return math.sqrt(total)


def twin_difference(mu: list[float], i: int, j: int, kind: str, over_all: bool) -> float:
    if kind == "simple":
        return mu[j] - mu[i]
    return (mu[j] - mu[i]) / (statistics.fmean(mu) if over_all else mu[i])


@pytest.mark.slow
def test_standard_errors_beside_numerical_derivatives() -> None:
    rng = np.random.default_rng(6)
    for _ in range(80):
        k = int(rng.integers(2, 5))
        samples = random_runs(rng, k)
        means, sds, counts = moments(samples)
        control = int(rng.integers(k))
        for comparisons, difference in itertools.product(("all-pairs", "control"), ("simple", "percent")):
            terms = error_terms(means, sds, comparisons, difference, "corrected", control)
            errors = terms.standard_errors(counts)
            for place, (i, j) in enumerate(terms.pairs):
                over_all = comparisons == "all-pairs" and k > 2
                phi = functools.partial(twin_difference, i=i, j=j, kind=difference, over_all=over_all)
                assert terms.differences[place] == pytest.approx(phi(means.tolist()), rel=1e-12, abs=1e-15)
                assert errors[place] == pytest.approx(numeric_errors(samples, phi), rel=1e-6, abs=1e-9)


@pytest.mark.slow
def test_the_papers_percent_error_beside_its_formula() -> None:
    rng = np.random.default_rng(7)
    for _ in range(300):
        a, b = random_runs(rng, 2)
        means, sds, counts = moments([a, b])
        ma, mb = statistics.fmean(a), statistics.fmean(b)
        phi1, phi2 = mb - ma, (mb - ma) / ma
        # (16) is singular at phi1 = 0; multiplied out: [s1²(1 + phi2²)/n1 + s2²/n2]/x̄1²
        inside = statistics.variance(a) * (1 + phi2**2) / len(a) + statistics.variance(b) / len(b)
        found = error_terms(means, sds, "all-pairs", "percent", "paper").standard_errors(counts)[0]
        assert found == pytest.approx(math.sqrt(inside) / abs(ma), rel=1e-12, abs=1e-300)
        if phi1:
            c1 = statistics.variance(a) * (phi1**-2 + ma**-2)
            c2 = statistics.variance(b) * phi1**-2
            assert found == pytest.approx(abs(phi2) * math.sqrt(c1 / len(a) + c2 / len(b)), rel=1e-12, abs=1e-300)


def test_means_and_deviations_do_not_depend_on_order_or_scale() -> None:
    rng = np.random.default_rng(8)
    for _ in range(200):
        runs = (rng.integers(-5, 6, size=int(rng.integers(2, 12))) / 10).tolist()
        mean, sd = mean_and_sd(runs)
        assert mean_and_sd(sorted(runs)) == (mean, sd) == mean_and_sd(runs[::-1])
        assert sd == pytest.approx(statistics.stdev(runs), rel=1e-12, abs=1e-300)
        if len(set(runs)) == 1:
            assert sd == 0
        for scale in (1e-200, 1e200):
            assert mean_and_sd([x * scale for x in runs])[1] == pytest.approx(sd * scale, rel=1e-9)


def brute_optimum(squares: np.ndarray) -> float:
    """Σ 1/x over x ≥ 0 with T·x ≤ 1, convex, by a general optimiser."""
    used = np.any(squares > 0, axis=0)
    t = squares[:, used]
    scale = t.max()
    t = t / scale  # x in units of about 1
    start = np.full(t.shape[1], 0.5 / t.sum(axis=1).max())
    best = minimize(
        lambda x: np.sum(1 / x),
        start,
        jac=lambda x: -1 / x**2,
        bounds=[(1e-9, None)] * len(start),
        constraints=[{"type": "ineq", "fun": lambda x: 1 - t @ x, "jac": lambda x: -t}],
        method="SLSQP",
        options={"maxiter": 500, "ftol": 1e-13},
    )
    feasible = best.x / max(1.0, float((t @ best.x).max()))
    return float(np.sum(1 / feasible)) * scale


@pytest.mark.slow
def test_optima_beside_a_general_optimiser() -> None:
    rng = np.random.default_rng(9)
    for _ in range(25):
        k = int(rng.integers(2, 5))
        means, sds = rng.uniform(5, 15, size=k), rng.choice([0.5, 1.0, 2.0, 4.0], size=k)
        wanted = float(rng.uniform(0.05, 0.3))
        control = int(rng.integers(k))
        for comparisons, difference in itertools.product(("all-pairs", "control"), ("simple", "percent")):
            terms = error_terms(means, sds, comparisons, difference, "corrected", control)
            counts = counts_for(terms, wanted, difference == "simple", control)
            squares = (terms.coefficients / wanted) ** 2
            assert terms.standard_errors(counts).max() == pytest.approx(wanted, rel=1e-4)
            assert terms.standard_errors(counts).max() <= wanted * (1 + 1e-9)
            assert counts.sum() == pytest.approx(brute_optimum(squares), rel=5e-4)
            assert balanced_design(squares).sum() == pytest.approx(counts.sum(), rel=3e-4)


@pytest.mark.slow
def test_optima_with_algorithms_that_never_vary() -> None:
    rng = np.random.default_rng(10)
    for _ in range(200):
        k = int(rng.integers(2, 6))
        means, sds = rng.uniform(5, 15, size=k), rng.choice([0.0, 0.0, 1.0, 3.0], size=k)
        for comparisons, difference in itertools.product(("all-pairs", "control"), ("simple", "percent")):
            terms = error_terms(means, sds, comparisons, difference)
            counts = counts_for(terms, 0.1, difference == "simple")
            assert np.all(np.isfinite(counts))
            assert np.all(counts >= 0)
            error = np.zeros(len(terms.pairs))
            for j in range(k):
                assert (counts[j] == 0) == (not terms.coefficients[:, j].any())
                error += terms.coefficients[:, j] ** 2 / counts[j] if counts[j] else 0
            assert np.sqrt(error).max() <= 0.1 * (1 + 1e-9)
